package sqlite

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Files returns the paths of the files of a folder's store, including damaged ones that were set aside.
func Files(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // an unreadable folder cannot be emptied either
	for _, entry := range entries {
		name := entry.Name()
		ours := name == ownerName
		for _, each := range []string{inboxName, historyName} {
			ending, ok := strings.CutPrefix(name, each)
			ours = ours || ok && (ending == salvageEnding || slices.Contains(besides, ending)) || strings.HasPrefix(name, asidePrefix(each))
		}
		if ours && entry.Type().IsRegular() {
			names = append(names, filepath.Join(dir, name))
		}
	}
	return names
}

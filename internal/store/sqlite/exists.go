package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Exists reports whether there is a store in a folder. Open would create one.
func Exists(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, inboxName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// ours begins the names of the store's files.
var ours = []string{"inbox", "history", "store"}

// Owns reports whether a path is that of one of the store's files, or of another name of such a file, whether there is one now or not.
func (f *folder) Owns(path string) bool {
	if isOurs(strings.ToLower(filepath.Base(path))) && sameFile(filepath.Dir(path), f.dir) {
		return true
	}
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return false
	}
	for _, entry := range entries {
		if isOurs(entry.Name()) && sameFile(filepath.Join(f.dir, entry.Name()), path) {
			return true
		}
	}
	return false
}

func isOurs(name string) bool {
	for _, prefix := range ours {
		if rest, begins := strings.CutPrefix(name, prefix); begins && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "-damaged-")) {
			return true
		}
	}
	return false
}

func sameFile(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

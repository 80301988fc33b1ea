package keeper

import (
	"path/filepath"

	"followup/internal/atomicfile"
)

// Files returns the paths of a keeper's own files in its folder, whether they exist or not. The questions are not among them.
func Files(folder string) (names []string) {
	for _, name := range []string{lockName, startName, infoName, socketName, logName, logName + ".1"} {
		names = append(names, filepath.Join(folder, name))
	}
	left, _ := filepath.Glob(filepath.Join(folder, infoName) + ".*" + atomicfile.Suffix) // by a process that was killed
	return append(names, left...)
}

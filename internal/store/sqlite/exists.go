package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Exists reports whether there is a store in a folder. Open would create one.
func Exists(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, inboxName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Owns reports whether a path, or what it links to, is in the store's folder.
func (f *folder) Owns(path string) bool {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	a, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return false
	}
	b, err := os.Stat(f.dir)
	return err == nil && os.SameFile(a, b)
}

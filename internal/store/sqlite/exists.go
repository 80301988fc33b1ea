package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Exists tells whether there is a store in a folder. Open would begin one.
func Exists(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, fileName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

package archive

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// WriteFile writes a file whole or not at all: beside it first, and then in its place. It is for the user's eyes alone.
// Where write or the disk fails, or write is cancelled, what stood at the path stays.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	beside, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = beside.Close()
			_ = os.Remove(beside.Name())
		}
	}()
	if err := errors.Join(write(beside), beside.Sync()); err != nil {
		return err
	}
	if err := beside.Close(); err != nil {
		return err
	}
	return os.Rename(beside.Name(), path)
}

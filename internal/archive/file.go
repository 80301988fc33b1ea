package archive

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/robustio"
)

// Errors of WriteFile.
var (
	ErrIrregular = errors.New("it is not a regular file")
	ErrOwned     = errors.New("it belongs to the history itself")
)

// WriteFile writes a file completely or not at all: first beside the target, then it replaces it; for a link, the file that it
// points to. Only the user can read it. If write or the disk fails, or write is cancelled, the target does not change. Irregular
// files return ErrIrregular, and files that owns reports return ErrOwned.
func WriteFile(path string, owns func(path string) bool, write func(io.Writer) error) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	switch {
	case owns(path):
		return &fs.PathError{Op: "write", Path: path, Err: ErrOwned}
	case err == nil && !info.Mode().IsRegular():
		return &fs.PathError{Op: "write", Path: path, Err: ErrIrregular}
	}
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
	return robustio.Rename(beside.Name(), path) // Windows refuses it while another process reads
}

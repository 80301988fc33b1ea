// Package atomicfile writes files that are there as a whole or as they were before, whenever the process or the machine stops.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/robustio"
)

// Suffix ends the names of files that are being written. They are beside those that they are to replace, whose names they begin with.
const Suffix = ".followup"

// Write writes a file, and the folder that it is in. Before the last step it calls check, if that is not nil, and ends with its error.
func Write(name string, text []byte, mode fs.FileMode, check func() error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return WriteFrom(name, mode, func(to *os.File) error {
		_, err := to.Write(text)
		if err = errors.Join(err, to.Sync()); err == nil && check != nil {
			err = check()
		}
		return err
	})
}

// WriteFrom writes a file in an existing folder by a function. If that fails, the file does not change.
func WriteFrom(name string, mode fs.FileMode, write func(to *os.File) error) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*"+Suffix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = temporary.Close()
			_ = os.Remove(temporary.Name())
		}
	}()
	sameOwner(temporary, name)
	if err := errors.Join(temporary.Chmod(mode), write(temporary)); err != nil {
		return err
	}
	if err := errors.Join(temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	return robustio.Rename(temporary.Name(), name) // Windows refuses it while another process reads
}

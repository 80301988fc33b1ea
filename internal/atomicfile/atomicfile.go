// Package atomicfile replaces files atomically: after a crash of the process or the machine, a file has its complete old or
// its complete new content.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/robustio"
)

// Suffix ends the name of a temporary file. Such a file is beside the one that it will replace, and its name begins with
// that one's.
const Suffix = ".followup"

// Write replaces a file atomically, and creates its folder if necessary. If check is not nil, Write calls it once the
// content is on disk; if check returns an error, the file does not change.
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

// WriteFrom replaces a file in an existing folder atomically with what write writes. If write fails, the file does not
// change.
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
	return robustio.Rename(temporary.Name(), name) // retries, since Windows refuses to replace a file that another process reads
}

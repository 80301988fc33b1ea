package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/robustio"
)

// file is a file on disk, which need not exist.
type file struct {
	name   string
	target string // the end of its links
	exists bool
	mode   fs.FileMode
	text   []byte
}

// maxFile limits the size of a configuration file. No agent's comes near it.
const maxFile = 64 << 20

// maxLinks limits how many links may lead to a file.
const maxLinks = 40

// readFile reads a file. It follows links, even one to a file that does not exist.
func readFile(name string) (file, error) {
	f := file{name: name, target: name, mode: 0o600}
	for range maxLinks {
		to, err := os.Readlink(f.target)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) { // from where the link is: ".." is that of the folder itself, not of a link to it
			folder, base := filepath.Split(filepath.Dir(f.target) + string(filepath.Separator) + to)
			if real, err := filepath.EvalSymlinks(folder); err == nil {
				folder = real
			}
			to = filepath.Join(folder, base)
		}
		f.target = to
	}
	info, err := os.Stat(f.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return f, err
	case !info.Mode().IsRegular():
		return f, errNoFile
	case info.Size() > maxFile:
		return f, fmt.Errorf("%s is too large", f.target)
	}
	f.exists, f.mode = true, info.Mode().Perm()
	f.text, err = os.ReadFile(f.target)
	return f, err
}

// errChanged is a file that another program has written meanwhile.
var errChanged = errors.New("it was changed by another program at the same moment")

// errNoFile is a folder, or something else, in the file's place.
var errNoFile = errors.New("it is not a file")

// errReadOnly is a file that its owner has made read-only.
var errReadOnly = errors.New("it is read-only")

// write replaces the file atomically, unless it has changed since it was read.
func (f file) write(text []byte) error {
	if f.exists && f.mode&0o200 == 0 {
		return errReadOnly
	}
	if err := os.MkdirAll(filepath.Dir(f.target), 0o700); err != nil {
		return err
	}
	return replace(f.target, text, f.mode, func() error {
		now, err := readFile(f.target)
		if err == nil && (now.exists != f.exists || !bytes.Equal(now.text, f.text)) {
			err = errChanged
		}
		return err
	})
}

// temporarySuffix ends the names of files that are being written.
const temporarySuffix = ".followup"

// replace writes a file atomically. Before the last step it calls check, if that is not nil.
func replace(name string, text []byte, mode fs.FileMode, check func() error) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*"+temporarySuffix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = temporary.Close()
			_ = os.Remove(temporary.Name())
		}
	}()
	if _, err = temporary.Write(text); err != nil {
		return err
	}
	if err = temporary.Chmod(mode); err != nil {
		return err
	}
	sameOwner(temporary, name)
	if err = temporary.Sync(); err != nil {
		return err
	}
	if err = temporary.Close(); err != nil {
		return err
	}
	if check != nil {
		if err = check(); err != nil {
			return err
		}
	}
	return robustio.Rename(temporary.Name(), name) // Windows refuses it while another process reads
}

// remove removes the file, unless it has changed since it was read.
func (f file) remove() error {
	now, err := readFile(f.target)
	switch {
	case err != nil:
		return err
	case !now.exists:
		return nil
	case !bytes.Equal(now.text, f.text):
		return errChanged
	}
	return os.Remove(f.target)
}

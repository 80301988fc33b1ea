package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"followup/internal/atomicfile"
	"followup/internal/locale"
)

// file is a file on disk, which may not exist.
type file struct {
	name   string
	target string // where its links lead
	exists bool
	mode   fs.FileMode
	text   []byte
}

// maxFile is the maximum size of a configuration file, far beyond any real one.
const maxFile = 64 << 20

// maxLinks is the maximum number of links that lead to a file.
const maxLinks = 40

// readFile reads a file. It follows links, even one to a file that does not exist.
func readFile(name string) (file, error) {
	f := file{name: name, target: name, mode: 0o600}
	for range maxLinks {
		to, err := os.Readlink(f.target)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) { // resolve ".." from the link's real folder
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
		return f, locale.Refuse(notAFile, name)
	case info.Size() > maxFile:
		return f, fmt.Errorf("%s is too large", f.target)
	}
	f.exists, f.mode = true, info.Mode().Perm()
	f.text, err = os.ReadFile(f.target)
	return f, err
}

// write replaces the file atomically, if it has not changed since it was read.
func (f file) write(text []byte) error {
	if f.exists && f.mode&0o200 == 0 {
		return locale.Refuse(notWritable, f.name)
	}
	return atomicfile.Write(f.target, text, f.mode, f.unchanged)
}

// remove removes the file, if it has not changed since it was read.
func (f file) remove() error {
	if err := f.unchanged(); err != nil {
		return err
	}
	return os.Remove(f.target)
}

func (f file) unchanged() error {
	now, err := readFile(f.target)
	if err == nil && (now.exists != f.exists || !bytes.Equal(now.text, f.text)) {
		err = locale.Refuse(notTheSame, f.name)
	}
	return err
}

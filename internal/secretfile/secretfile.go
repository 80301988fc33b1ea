// Package secretfile reads secrets from files that nobody else can read.
package secretfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"
)

// maxLength limits a file with a secret, in bytes.
const maxLength = 4 << 10

// ErrNone reports that a file has no secret: it is empty, too long, or not a regular file.
var ErrNone = errors.New("no secret")

// OpenError reports that other users can read a file.
type OpenError struct {
	Path string
	Mode fs.FileMode
}

// Error names the file and the cure.
func (e *OpenError) Error() string {
	return fmt.Sprintf("other users can read %s; run: chmod 600 %[1]s", e.Path)
}

// Read returns the secret in a file, without the space around it.
func Read(path string) (string, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe would block until somebody writes to it
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat() // of the opened file, since the path may have changed
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%w in %s", ErrNone, path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", &OpenError{path, info.Mode().Perm()}
	}
	content, err := io.ReadAll(io.LimitReader(file, maxLength+1))
	secret := strings.TrimSpace(string(content))
	if err == nil && (secret == "" || len(content) > maxLength) {
		err = fmt.Errorf("%w in %s", ErrNone, path)
	}
	return secret, err
}

package transcript

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Read reads the log at path, or all logs in the folder at path and below, and calls emit once for each exchange with an outcome. The
// content of a file decides what kind of log it is. Of a folder Read looks at files named .jsonl, .jsonl.zst, .json, .log and .db, and
// follows symbolic links. The report lists what could not be read. Read returns the error of ctx or emit, ErrUnreadable if path cannot be
// opened, or ErrUnknownFormat if nothing is a log, each with the report so far.
func Read(ctx context.Context, path string, o Options, emit func(Exchange) error) (Report, error) {
	r, err := newReader(ctx, o, emit)
	if err != nil {
		return Report{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Report{}, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	real, err := canonical(path)
	if err != nil {
		return Report{}, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if info.IsDir() {
		err = r.folder(found{path: path, real: real})
	} else {
		r.total = info.Size()
		err = r.open(found{path: path, real: real, size: info.Size()})
	}
	if err == nil && r.report.Files == 0 && r.report.DamagedTotal == 0 {
		err = ErrUnknownFormat
	}
	return r.done(), err
}

// canonical returns the one name of a file, without symbolic links.
func canonical(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(absolute)
}

// open reads one file. It reports a file that cannot be read, so that others are read nonetheless.
func (r *reader) open(f found) error {
	known, err := r.openLog(f)
	var bad unreadable
	switch {
	case errors.As(err, &bad):
		r.skipped(f.path, bad.reason)
	case err != nil:
		return err
	case !known:
		r.skipped(f.path, ReasonUnknown)
	}
	return nil
}

func (r *reader) openLog(f found) (known bool, err error) {
	in, err := openFile(f.real)
	if err != nil {
		return false, err
	}
	defer func() { _ = in.Close() }()
	head := make([]byte, databaseHead)
	if n, _ := in.ReadAt(head, 0); n == databaseHead && strings.HasPrefix(string(head), databaseMagic) {
		return r.database(f, head)
	}
	if strings.HasPrefix(string(head), packedMagic) {
		return r.packed(f, in)
	}
	return r.file(f, counted{r, in})
}

// unreadable is an error of a file, not of the reading as a whole.
type unreadable struct {
	error
	reason Reason
}

func (u unreadable) Unwrap() error { return u.error }

func unreadableFor(reason Reason, err error) error {
	return unreadable{fmt.Errorf("transcript: %w", err), reason}
}

var errIrregular = errors.New("it is no regular file")

// openFile opens a regular file: anything else, such as a pipe, might never give its end. Its errors are unreadable.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, unreadableFor(ReasonIrregular, &fs.PathError{Op: "read", Path: path, Err: errIrregular})
	}
	if err != nil {
		return nil, unreadableFor(ReasonUnreadable, err)
	}
	// It could have become a pipe since; opening one must not wait for its other end.
	in, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, unreadableFor(ReasonUnreadable, err)
	}
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, unreadableFor(ReasonIrregular, errors.Join(errIrregular, err, in.Close()))
	}
	return in, nil
}

package transcript

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Read reads the log at path, or all logs in a folder and its subfolders, and calls emit once for each exchange with an
// outcome. A file's content determines the kind of its log. In a folder, Read opens files named .jsonl, .jsonl.zst, .json,
// .log and .db, and follows symbolic links to folders inside. The report lists what could not be read. Read returns the error of
// ctx or emit, ErrUnreadable if path cannot be opened, or ErrUnknownFormat if there is no log, each with the report so far.
func Read(ctx context.Context, path string, o Options, emit func(Exchange) error) (Report, error) {
	r := newReader(ctx, o, emit)
	real, err := filepath.Abs(path)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		r.skip(path, ReasonUnreadable)
		return r.done(), fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	from := found{path: path, real: real, root: real}
	if o.Progress != nil {
		_ = r.walk(from, nil, map[string]bool{}, func(f found) error { r.total += f.size; return nil })
		r.report = Report{} // the next walk skips the same files
	}
	err = r.walk(from, nil, map[string]bool{}, r.open)
	if err == nil && r.report.Files == 0 && r.report.Damaged.Total == 0 {
		err = ErrUnknownFormat
	}
	return r.done(), err
}

// open reads one file. If the file cannot be read completely, open reports it and returns nil, so that the other files are
// read.
func (r *reader) open(f found) error {
	logs := r.report.Files
	err := r.openLog(f)
	var bad Reason
	switch {
	case !errors.As(err, &bad):
		return err
	case r.report.Files > logs:
		r.damaged(f.path, 0, bad)
	default:
		r.skip(f.path, bad)
	}
	return nil
}

// openLog reads one file by its kind. The error of a file that cannot be read has a Reason.
func (r *reader) openLog(f found) error {
	in, err := openFile(f.real)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	head := make([]byte, databaseForm+1)
	if n, _ := in.ReadAt(head, 0); n == len(head) && strings.HasPrefix(string(head), databaseMagic) {
		return r.database(f, head[databaseForm] == formWAL)
	}
	if strings.HasPrefix(string(head), packedMagic) {
		return r.packed(f, counted{r, in})
	}
	return r.file(f, counted{r, in})
}

// openFile opens a regular file. Reading anything else, such as a pipe, might never end. Its errors have a Reason.
func openFile(path string) (*os.File, error) {
	in, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // opening a pipe must not wait for its other end
	if err != nil {
		return nil, errors.Join(ReasonUnreadable, err)
	}
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(ReasonIrregular, err, in.Close())
	}
	return in, nil
}

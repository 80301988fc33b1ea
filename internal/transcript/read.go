package transcript

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Read reads the log at path, or all logs in the folder at path and below, and calls emit for each exchange with an outcome, once. Kinds
// of logs are told by their content; of a folder, files named .jsonl, .json and .log are looked at. A file in a folder that
// cannot be read is damage; so is what cannot be read within a file. An error is that of ctx, of opening or reading path, of emit, or
// ErrUnknownFormat where nothing is a log; the report tells what was done until then.
func Read(ctx context.Context, path string, o Options, emit func(Exchange) error) (Report, error) {
	r, err := newReader(ctx, o, emit)
	if err != nil {
		return Report{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Report{}, fmt.Errorf("transcript: %w", err)
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return r.done(), ErrUnknownFormat
	}
	if !info.IsDir() {
		r.total = info.Size()
		known, err := r.open(path)
		if err == nil && !known {
			err = ErrUnknownFormat
		}
		return r.done(), err
	}
	err = r.folder(path)
	if err == nil && r.report.Files == 0 && r.report.DamagedTotal == 0 {
		err = ErrUnknownFormat
	}
	return r.done(), err
}

// found is a file that may be a log.
type found struct {
	path string
	size int64
}

// folder reads what is in a folder and below.
func (r *reader) folder(root string) error {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	files, err := r.find(root)
	if err != nil {
		return err
	}
	return r.files(files)
}

// files reads files of a folder. One that cannot be read does not keep the others from it.
func (r *reader) files(files []found) error {
	for _, file := range files {
		r.total += file.size
	}
	for _, file := range files {
		if _, err := r.open(file.path); err != nil {
			if !errors.As(err, &unreadable{}) {
				return err
			}
			r.damaged(file.path, 0, ReasonUnreadable)
		}
	}
	return nil
}

// find lists the files that may be logs, in the order in which they are read. What the interface of a task showed stands
// before its messages, since it knows the times.
func (r *reader) find(root string) ([]found, error) {
	var files []found
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if stop := r.ctx.Err(); stop != nil {
			return stop
		}
		if err != nil {
			r.damaged(path, 0, ReasonUnreadable)
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() || !mayBeLog(path) {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			files = append(files, found{path, info.Size()})
		}
		return nil
	})
	slices.SortStableFunc(files, func(a, b found) int {
		first := cmp.Compare(filepath.Dir(a.path), filepath.Dir(b.path))
		return cmp.Or(first, cmp.Compare(rank(a.path), rank(b.path)), cmp.Compare(a.path, b.path))
	})
	return files, err
}

func mayBeLog(path string) bool {
	switch filepath.Base(path) {
	case historyFile, metadataFile:
		return false
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jsonl", ".json", ".log":
		return true
	}
	return false
}

func rank(path string) int {
	if filepath.Base(path) == interfaceFile {
		return 0
	}
	return 1
}

// unreadable is an error of a file, not of the reading as a whole.
type unreadable struct{ error }

func (u unreadable) Unwrap() error { return u.error }

// open reads one file.
func (r *reader) open(path string) (known bool, err error) {
	in, err := openFile(path)
	if err != nil {
		return false, unreadable{fmt.Errorf("transcript: %w", err)}
	}
	defer func() { _ = in.Close() }()
	return r.file(path, fileReader{in}, func() task { return taskAt(path) })
}

// openFile opens a regular file: anything else, such as a pipe, might never give its end.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is no regular file")}
	}
	return os.Open(path)
}

// fileReader reads a file. Its errors are unreadable.
type fileReader struct{ in io.Reader }

func (f fileReader) Read(b []byte) (int, error) {
	n, err := f.in.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		err = unreadable{fmt.Errorf("transcript: %w", err)}
	}
	return n, err
}

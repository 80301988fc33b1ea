// Package imagefile writes the images of answers to files, for agents that can be given no image but its path.
package imagefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// prefix begins the names of our folders, and digits are the rest, as [os.MkdirTemp] makes them.
const prefix = "followup-images-"

// stay is how long images stay at least: an agent reads them behind the answer, and a conversation that is taken up again may come back
// to them. Not every system clears its temporary folder.
const stay = 7 * 24 * time.Hour

// turn is how long a folder is written to, so that none is old while it is.
const turn = 24 * time.Hour

// unset is a year in which nothing of ours was made: a clock that tells an earlier time was not set yet.
const unset = 2020

// Folder is a place for images in the system's temporary folder. Its zero value is one that is made with the first image.
type Folder struct {
	paths []string // the last is written to
	made  time.Time
}

// Write writes an image to a file of that name, with the ending of its type, and gives its path. Nobody else may read it.
func (f *Folder) Write(name, mimeType string, data []byte) (path string, err error) {
	_, ending, _ := strings.Cut(mimeType, "/")
	for range 2 {
		if now := time.Now().Round(0); f.made.IsZero() || now.Sub(f.made) > turn { // by the clock: a monotonic one stops where the system sleeps
			clearOld(os.TempDir(), now)
			folder, err := os.MkdirTemp("", prefix) // with mode 0700
			if err != nil {
				return "", err
			}
			f.paths, f.made = append(f.paths, folder), now
		}
		path = filepath.Join(f.paths[len(f.paths)-1], name+"."+ending)
		if err = os.WriteFile(path, data, 0o600); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		f.made = time.Time{} // somebody has removed it
	}
	return path, err
}

// Remove removes all that was written.
func (f *Folder) Remove() error {
	var failed []error
	for _, path := range f.paths {
		if err := remove(path); !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// clearOld removes folders to which nothing was added for long: those of hooks, which end with the answer, and of processes that were killed.
func clearOld(temporary string, now time.Time) {
	entries, _ := os.ReadDir(temporary) // what cannot be read or removed stays
	for _, entry := range entries {
		if digits, ok := strings.CutPrefix(entry.Name(), prefix); !ok || digits == "" || strings.Trim(digits, "0123456789") != "" || !entry.IsDir() {
			continue
		}
		info, err := entry.Info()
		if err != nil || !ours(info) {
			continue
		}
		path := filepath.Join(temporary, entry.Name())
		switch made := info.ModTime(); {
		case made.Year() < unset: // maybe a moment ago: its time begins now
			_ = os.Chtimes(path, now, now)
		case now.Sub(made) > stay:
			_ = remove(path)
		}
	}
}

// errOthers tells that a folder holds what is not ours.
var errOthers = errors.New("it holds more than images")

// remove removes a folder of files; one that holds anything else stays as it is.
func remove(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.Type().IsRegular() {
			return &fs.PathError{Op: "remove", Path: folder, Err: errOthers}
		}
	}
	for _, entry := range entries {
		if err := os.Remove(filepath.Join(folder, entry.Name())); err != nil {
			return err
		}
	}
	return os.Remove(folder)
}

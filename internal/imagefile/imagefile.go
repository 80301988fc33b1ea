// Package imagefile writes images of answers to files, for agents that only accept paths of images.
package imagefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// prefix is the prefix of our folders' names; digits follow, as in [os.MkdirTemp].
const prefix = "followup-images-"

// stay is how long images are kept at least: an agent reads them after the answer, and a resumed conversation may need
// them. Not every system clears its temporary folder.
const stay = 7 * 24 * time.Hour

// turn is how long a folder is used, so that it never becomes old while in use.
const turn = 24 * time.Hour

// unset is a year before this package existed: a file with an earlier time was made while the clock was not set.
const unset = 2020

// Folder writes images to the system's temporary folder. The zero value creates its folder with the first image.
type Folder struct {
	paths []string // the last one is in use
	made  time.Time
}

// Write writes an image to a file with the given name and its type's extension, and returns its path. Only the user can read it.
func (f *Folder) Write(name, mimeType string, data []byte) (path string, err error) {
	_, ending, _ := strings.Cut(mimeType, "/")
	for range 2 {
		if now := time.Now().Round(0); f.made.IsZero() || now.Sub(f.made) > turn { // wall clock, since the monotonic one stops during sleep
			clearOld(os.TempDir(), now)
			folder, err := os.MkdirTemp("", prefix) // with mode 0700
			if err != nil {
				return "", err
			}
			f.paths, f.made = append(f.paths, folder), now
		}
		folder, file := f.paths[len(f.paths)-1], name+"."+ending
		path = filepath.Join(folder, file)
		if err = writeIn(folder, file, data); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		f.made = time.Time{} // the folder was removed
	}
	return path, err
}

// writeIn writes a file in a folder, and nowhere else: a hub may have chosen the name.
func writeIn(folder, file string, data []byte) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	return errors.Join(root.WriteFile(file, data, 0o600), root.Close())
}

// Remove removes everything that was written.
func (f *Folder) Remove() error {
	var failed []error
	for _, path := range f.paths {
		if err := remove(path); !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// clearOld removes folders that have not changed for long. Hooks, which end with the answer, and killed processes leave
// them behind.
func clearOld(temporary string, now time.Time) {
	entries, _ := os.ReadDir(temporary) // unreadable folders stay
	for _, entry := range entries {
		if !isFolder(entry) {
			continue
		}
		info, err := entry.Info()
		if err != nil || !ours(info) {
			continue
		}
		path := filepath.Join(temporary, entry.Name())
		switch made := info.ModTime(); {
		case made.Year() < unset: // possibly new, so its age is counted from now on
			_ = os.Chtimes(path, now, now)
		case now.Sub(made) > stay:
			_ = remove(path)
		}
	}
}

// errOthers means that a folder contains foreign files.
var errOthers = errors.New("it contains other files")

// remove removes a folder of images. A folder with anything else stays.
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

// All returns the user's folders of images in the temporary folder, including those of processes that were killed.
func All() (folders []string) {
	temporary := os.TempDir()
	entries, _ := os.ReadDir(temporary)
	for _, entry := range entries {
		if info, err := entry.Info(); isFolder(entry) && err == nil && ours(info) {
			folders = append(folders, filepath.Join(temporary, entry.Name()))
		}
	}
	return folders
}

// isFolder reports whether an entry of the temporary folder has the name of a folder of images.
func isFolder(entry fs.DirEntry) bool {
	digits, ok := strings.CutPrefix(entry.Name(), prefix)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == "" && entry.IsDir()
}

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

// prefix begins the names of our folders.
const prefix = "followup-images-"

// stay is how long images stay at least: an agent reads them behind the answer, and a conversation that is taken up again may come back
// to them. Not every system clears its temporary folder.
const stay = 7 * 24 * time.Hour

// Folder is a folder of images in the system's temporary folder. Its zero value is one that is made with the first image.
type Folder struct{ path string }

// Write writes an image to a file of that name, with the ending of its type, and gives its path. Nobody else may read it.
func (f *Folder) Write(name, mimeType string, data []byte) (path string, err error) {
	_, ending, _ := strings.Cut(mimeType, "/")
	for range 2 {
		if f.path == "" {
			clearOld(os.TempDir(), time.Now())
			if f.path, err = os.MkdirTemp("", prefix); err != nil { // with mode 0700
				return "", err
			}
		}
		path = filepath.Join(f.path, name+"."+ending)
		if err = os.WriteFile(path, data, 0o600); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		f.path = "" // it was old
	}
	return path, err
}

// Remove removes the folder and all in it.
func (f *Folder) Remove() error {
	if f.path == "" {
		return nil
	}
	return os.RemoveAll(f.path)
}

// clearOld removes folders to which nothing was added for long: those of hooks, which end with the answer, and of processes that were killed.
func clearOld(temporary string, now time.Time) {
	entries, _ := os.ReadDir(temporary) // what cannot be read stays
	for _, entry := range entries {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), prefix) {
			continue
		}
		if info, err := entry.Info(); err == nil && now.Sub(info.ModTime()) > stay {
			_ = os.RemoveAll(filepath.Join(temporary, entry.Name())) // another user's stays
		}
	}
}

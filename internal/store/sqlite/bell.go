package sqlite

import (
	"context"
	"os"
	"runtime"
	"time"

	"github.com/fsnotify/fsnotify"
)

// The bell is a file that every process writes a byte to when what it has committed can be read, so that the others need not look
// all the time. The log of SQLite would not do: it is written to before the commit.
//
// Whoever does not hear it (no more watches are to be had, the process that writes is an older one) still looks, at the interval. A
// closed descriptor of the bell ends no lock, since there is none on it.

const (
	// bellSpacing is how long two looks are apart, so that a busy process does not keep the others busy.
	bellSpacing = 10 * time.Millisecond
	// deafness is how many intervals may pass between two looks while the bell is heard.
	deafness = 10
)

// ring tells the other processes that something was committed.
func (s *Store) ring() {
	if s.bell != nil {
		_, _ = s.bell.WriteAt([]byte{1}, 0) // who does not hear it looks
	}
}

// hear gives what gets a word when the bell was rung, by whichever process, or may have been; nil where that cannot be heard. On
// Windows a write is told of when the file is closed.
func hear(ctx context.Context, bell *os.File) <-chan struct{} {
	if bell == nil || runtime.GOOS == "windows" {
		return nil
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil
	}
	if err := watcher.Add(bell.Name()); err != nil {
		_ = watcher.Close()
		return nil
	}
	rung := make(chan struct{}, 1)
	go func() {
		defer func() { _ = watcher.Close() }()
		for {
			select {
			case <-ctx.Done():
				return
			case <-watcher.Events:
			case <-watcher.Errors: // too many at once
			}
			select {
			case rung <- struct{}{}:
			default:
			}
		}
	}()
	return rung
}

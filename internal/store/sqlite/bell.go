package sqlite

import (
	"context"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// The bell is a file that every process writes a byte to when what it has committed can be read, so that the others need not look
// all the time. The log of SQLite would not do: it is written to before the commit.
//
// Whoever does not hear it (no more watches are to be had, the process that writes is an older one) still looks, at the interval. A
// closed descriptor of the bell ends no lock, since there is none on it. Where the file was removed or replaced, all look at the interval
// until there is another.

const (
	// bellSpacing is how long two looks are apart, so that a busy process does not keep the others busy.
	bellSpacing = 10 * time.Millisecond
	// deafness is how many intervals may pass between two looks while the bell is heard.
	deafness = 10
)

// bell is what a store rings and hears.
type bell struct {
	path string
	mu   sync.Mutex
	file *os.File
}

func openBell(path string) (*bell, error) {
	file, err := openLock(path)
	if err != nil {
		return nil, err
	}
	return &bell{path: path, file: file}, nil
}

func (b *bell) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.file.Close()
}

// ring tells the other processes that something was committed.
func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, _ = b.file.WriteAt([]byte{1}, 0) // who does not hear it looks
}

// hangs tells whether the file is the one that stands in the folder.
func (b *bell) hangs() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	ours, err := b.file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(b.path)
	return err == nil && os.SameFile(ours, there)
}

// rehang takes the file that stands in the folder now, and tells whether there is one. It makes none: the folder may be about to be
// removed.
func (b *bell) rehang() bool {
	if b.hangs() {
		return true
	}
	if regular(b.path) != nil {
		return false
	}
	file, err := os.OpenFile(b.path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.file.Close(); err != nil { // the store was closed
		_ = file.Close()
		return false
	}
	b.file = file
	return true
}

// hear gives what gets a word when the bell was rung, by whichever process, or may have been, and is closed when that bell is no more;
// nil where it cannot be heard. On Windows a write is told of when the file is closed.
func (b *bell) hear(ctx context.Context) <-chan struct{} {
	if runtime.GOOS == "windows" {
		return nil
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil
	}
	if err := watcher.Add(b.path); err != nil || !b.hangs() {
		_ = watcher.Close()
		return nil
	}
	rung := make(chan struct{}, 1)
	go func() {
		defer close(rung)
		defer func() { _ = watcher.Close() }()
		for {
			select {
			case <-ctx.Done():
				return
			case event := <-watcher.Events:
				// That the file was removed is told as a change of its attributes as long as somebody has it open.
				if event.Op != fsnotify.Write && (!event.Has(fsnotify.Chmod) || !b.hangs()) {
					return
				}
			case <-watcher.Errors: //nolint:errcheck // too many at once, and some of them were heard
			}
			select {
			case rung <- struct{}{}:
			default:
			}
		}
	}()
	return rung
}

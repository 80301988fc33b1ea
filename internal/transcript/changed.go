package transcript

import (
	"context"
	"os"
	"time"
)

// Changed calls each for every file at a path, or below it, that may be a log and was written at a time or later. A database counts
// as written with the log beside it.
func Changed(ctx context.Context, path string, since time.Time, each func(path string) error) error {
	real, err := canonical(path)
	if err != nil {
		return nil //nolint:nilerr // it does not exist, or no longer
	}
	look := func(f found) error {
		for _, name := range []string{f.real, f.real + "-wal"} {
			if info, err := os.Stat(name); err == nil && !info.ModTime().Before(since) {
				return each(f.path)
			}
		}
		return nil
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return look(found{path: path, real: real})
	}
	w := walker{ctx: ctx, root: real, been: map[string]bool{}, file: look}
	return w.walk(found{path: path, real: real})
}

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"followup/internal/store"
	"followup/internal/waits"
)

// What another process has committed is noticed without looking, since it rings.
func TestBell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it is not heard there")
	}
	dir, c := t.TempDir(), newClock()
	writes, watches, deaf := open(t, dir, "A", c), open(t, dir, "B", c), open(t, dir, "C", c)
	seen := make(chan struct{})
	go func() { _ = watches.Watch(t.Context(), time.Hour, func() { seen <- struct{}{} }) }()
	waits.For(t, seen) // at once
	for _, id := range []string{"1", "2", "3"} {
		ask(t, writes, id, "")
		waits.For(t, seen)
	}
	// Whoever cannot hear looks at the interval.
	looked := make(chan struct{})
	deaf.bell.path = filepath.Join(dir, "missing")
	go func() { _ = deaf.Watch(t.Context(), time.Millisecond, func() { looked <- struct{}{} }) }()
	waits.For(t, looked)
	ask(t, writes, "4", "")
	waits.For(t, looked)
	waits.For(t, seen)
}

// What somebody waits for rings, and so does the end of what goes in steps, and that of a process; a step does not.
func TestWhatRings(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	s, path := open(t, dir, "A", c), filepath.Join(dir, bellName)
	open(t, dir, "B", c) // so that A is not the last
	var deletion store.Deletion
	for _, test := range []struct {
		name  string
		rings bool
		do    func() error
	}{
		{"a question", true, func() error { ask(t, s, "1", ""); return nil }},
		{"a step", false, func() error {
			return s.once(t.Context(), func(t *tx) error { return t.noteHistory() })
		}},
		{"an import", true, func() error { imported(t, s, many(3)...); return nil }},
		{"one of what is known", false, func() error {
			_, _, err := s.Import(t.Context(), many(3))
			return err
		}},
		{"a deletion", true, func() (err error) {
			deletion, err = s.Delete(t.Context(), store.Selection{})
			return err
		}},
		{"one of nothing", false, func() error {
			_, err := s.Delete(t.Context(), store.Selection{})
			return err
		}},
		{"a deletion that is taken back", true, func() error {
			_, err := s.Restore(t.Context(), deletion.ID)
			return err
		}},
		{"the end", true, s.Close},
	} {
		ok(t, os.Truncate(path, 0))
		ok(t, test.do())
		if rang := must(os.Stat(path))(t).Size() > 0; rang != test.rings {
			t.Errorf("%s rings: %v", test.name, rang)
		}
	}
}

// A bell that was removed or replaced is not heard any more; the next one is, and is rung.
func TestAnotherBell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it is not heard there, and cannot be removed")
	}
	for name, remove := range map[string]func(path string) error{
		"removed":    os.Remove,
		"moved away": func(path string) error { return os.Rename(path, path+"-away") },
		"replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+"-new", nil, 0o600), os.Rename(path+"-new", path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, c := t.TempDir(), newClock()
			a, path := open(t, dir, "A", c), filepath.Join(dir, bellName)
			rung := a.bell.hear(t.Context())
			ok(t, remove(path))
			for range rung {
				continue // until it is closed
			}
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && a.bell.rehang() {
				t.Error("there is one where there is none")
			}
			b := open(t, dir, "B", c)
			if !a.bell.rehang() {
				t.Fatal("there is none")
			}
			rung = a.bell.hear(t.Context())
			ask(t, b, "1", "")
			waits.For(t, rung)
			rung = b.bell.hear(t.Context())
			ask(t, a, "2", "")
			waits.For(t, rung)
		})
	}
}

// A watch goes over to another bell.
func TestWatchGoesToAnotherBell(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	a := open(t, dir, "A", c)
	ctx, end := context.WithCancel(t.Context())
	seen, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		_ = a.Watch(ctx, time.Millisecond, func() {
			select {
			case seen <- struct{}{}:
			case <-ctx.Done():
			}
		})
	}()
	waits.For(t, seen)
	for n := range 3 {
		if err := os.Remove(filepath.Join(dir, bellName)); err != nil && runtime.GOOS != "windows" {
			t.Fatal(err)
		}
		b := open(t, dir, fmt.Sprint(n), c)
		waits.Until(t, "the watch goes over to the new bell", a.bell.hangs)
		ask(t, b, fmt.Sprint(n), "")
		waits.For(t, seen)
	}
	end()
	waits.For(t, ended)
}

package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"followup/internal/store"
	"followup/internal/waits"
)

// soon is a context that ends while the test waits for it.
func soon(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// Another program holds the file: what waits for it ends with its context and says why, reading goes on, and so does writing
// when the file is free again.
func TestHeldByAnotherProgram(t *testing.T) {
	s, c := fresh(t)
	converse(t, s, c, "q", "common", "")
	other := must(raw(t, s.dir).Conn(t.Context()))(t)
	must(other.ExecContext(t.Context(), "BEGIN EXCLUSIVE"))(t)
	writes := map[string]func(context.Context) error{
		"commit": func(ctx context.Context) error {
			_, err := s.Commit(ctx, []store.Change{{Questions: []store.Question{{ID: "new", State: store.Pending}}}})
			return err
		},
		"delete": func(ctx context.Context) error {
			_, err := s.Delete(ctx, store.Selection{IDs: []string{"q"}})
			return err
		},
		"import": func(ctx context.Context) error { _, _, err := s.Import(ctx, many(1)); return err },
		"retain": func(ctx context.Context) error { _, err := s.Retain(ctx, store.Retention{Nothing: true}); return err },
		"idle":   s.Idle,
	}
	for name, write := range writes {
		if err := write(soon(t)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	waits.Until(t, "it says why, when it came to trying at all", func() bool { return errors.Is(writes["commit"](soon(t)), store.ErrUnavailable) })
	if got := must(s.History(t.Context(), store.Filter{}, 0, 9))(t).Entries; len(got) != 1 {
		t.Errorf("read %d", len(got))
	}
	_, err := s.Session(t.Context(), "unknown")
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	must(other.ExecContext(t.Context(), "ROLLBACK"))(t)
	ok(t, other.Close())
	ok(t, writes["commit"](t.Context()))
}

// A store whose folder or file goes away says so, in whatever is done with it: nothing is written to a file that nobody will
// find, and nothing that is there is "not found". What is opened then is new.
func TestStoreGoesAway(t *testing.T) {
	for name, away := range map[string]func(t *testing.T, dir string){
		"folder removed": func(t *testing.T, dir string) { ok(t, os.RemoveAll(dir)) },
		"folder moved":   func(t *testing.T, dir string) { ok(t, os.Rename(dir, dir+".moved")) },
		"folder replaced": func(t *testing.T, dir string) {
			ok(t, os.Rename(dir, dir+".moved"))
			ok(t, os.Mkdir(dir, 0o700))
		},
		"file removed": func(t *testing.T, dir string) { ok(t, os.Remove(filepath.Join(dir, fileName))) },
		"file replaced": func(t *testing.T, dir string) {
			path := filepath.Join(dir, fileName)
			ok(t, os.WriteFile(path+".new", must(os.ReadFile(path))(t), 0o600))
			ok(t, os.Rename(path+".new", path))
		},
		"log removed":         func(t *testing.T, dir string) { ok(t, os.Remove(filepath.Join(dir, fileName+"-wal"))) },
		"log's index removed": func(t *testing.T, dir string) { ok(t, os.Remove(filepath.Join(dir, fileName+"-shm"))) },
		"all but locks removed": func(t *testing.T, dir string) {
			for _, ending := range besides {
				ok(t, os.Remove(filepath.Join(dir, fileName+ending)))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "storage")
			s, _, err := Open(t.Context(), dir, store.Options{})
			ok(t, err)
			ask(t, s, "q", "")
			away(t, dir)
			if _, err := s.Commit(t.Context(), []store.Change{{Questions: []store.Question{{ID: "new", State: store.Pending}}}}); !errors.Is(err, store.ErrGone) {
				t.Errorf("writing: %v", err)
			}
			if _, err := s.Question(t.Context(), "q"); !errors.Is(err, store.ErrGone) || errors.Is(err, store.ErrNotFound) {
				t.Errorf("reading: %v", err)
			}
			if err := s.Idle(t.Context()); !errors.Is(err, store.ErrGone) {
				t.Errorf("tidying: %v", err)
			}
			if err := s.Ping(t.Context()); !errors.Is(err, store.ErrGone) {
				t.Errorf("looking: %v", err)
			}
			ok(t, s.Close())
			again := open(t, dir, newClock())
			ask(t, again, "new", "")
		})
	}
}

// A log that is removed under windows that have it open is not lost with what is in it: nobody begins another one until all of them
// have closed the store, and the last one has moved the log into the file.
func TestLogIsRemoved(t *testing.T) {
	for _, ending := range besides[1:] {
		t.Run(ending, func(t *testing.T) {
			dir := t.TempDir()
			var windows []*Store
			for _, owner := range []string{"A", "B"} {
				s, _, err := Open(t.Context(), dir, store.Options{})
				ok(t, err)
				ask(t, s, owner, "")
				windows = append(windows, s)
			}
			ok(t, os.Remove(filepath.Join(dir, fileName+ending)))
			for i, s := range windows {
				if _, err := s.Question(t.Context(), "A"); !errors.Is(err, store.ErrGone) {
					t.Errorf("window %d: %v", i, err)
				}
				ok(t, s.Close())
				if i > 0 {
					break
				}
				if _, _, err := Open(t.Context(), dir, store.Options{}); !errors.Is(err, store.ErrUnavailable) {
					t.Errorf("opened while another window has it open: %v", err)
				}
			}
			again := open(t, dir, newClock())
			for _, id := range []string{"A", "B"} {
				must(again.Question(t.Context(), id))(t)
			}
		})
	}
}

// What is no file is not opened, which could last forever; a lock that is held is not waited for without end.
func TestWhatCannotBeOpened(t *testing.T) {
	for _, name := range []string{fileName, fileName + "-wal", lockName, openingName, ownerName} {
		dir := t.TempDir()
		ok(t, makeFIFO(filepath.Join(dir, name)))
		if _, _, err := Open(t.Context(), dir, store.Options{Exclusive: true}); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("%s is a pipe: %v", name, err)
		}
	}
	dir := t.TempDir()
	held := must(acquire(t.Context(), filepath.Join(dir, openingName), true))(t)
	if _, _, err := Open(soon(t), dir, store.Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("held by another process: %v", err)
	}
	if _, _, err := Open(t.Context(), dir, store.Options{}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("held by another process for long: %v", err)
	}
	ok(t, held.Close())
	open(t, dir, newClock())
}

// A store that is closed leaves no goroutine and no open file, however often it is opened.
func TestClosedStoreLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	files := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(entries)
	}
	use := func() {
		s, _, err := Open(t.Context(), dir, store.Options{})
		ok(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{}, 1)
		go func() { s.Maintain(ctx); ended <- struct{}{} }()
		ask(t, s, store.HashOf(time.Now().String(), nil), "")
		must(s.History(t.Context(), store.Filter{Text: "x"}, 0, 1))(t)
		cancel()
		waits.For(t, ended)
		ok(t, s.Close())
	}
	use()
	before, goroutines := files(), runtime.NumGoroutine()
	for range 20 {
		use()
	}
	waits.Until(t, "goroutines end", func() bool { return runtime.NumGoroutine() <= goroutines })
	if now := files(); now > before {
		t.Errorf("%d open files, %d before", now, before)
	}
}

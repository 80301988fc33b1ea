package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"followup/internal/store"
	"followup/internal/waits"
)

// soon returns a context that ends after a short time.
func soon(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// If another program locks a file, calls that wait for it end with their context and say why. Reads continue, and writes do when
// the file is free again. Answers do not wait for the history.
func TestHeldByAnotherProgram(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	converse(t, s, c, "q", "common", "")
	ok(t, s.Idle(t.Context()))
	hold := func(name string) *sql.Conn {
		other := must(raw(t, s.dir, name).Conn(t.Context()))(t)
		must(other.ExecContext(t.Context(), "BEGIN EXCLUSIVE"))(t)
		return other
	}
	release := func(other *sql.Conn) {
		must(other.ExecContext(t.Context(), "ROLLBACK"))(t)
		ok(t, other.Close())
	}
	commit := func(id string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := s.Commit(ctx, []store.Change{{Questions: []store.Question{{ID: id, State: store.Pending}}}})
			return err
		}
	}
	history := hold(historyName)
	for name, write := range map[string]func(context.Context) error{
		"delete": func(ctx context.Context) error {
			_, err := s.Delete(ctx, "1", store.Selection{IDs: []string{"q"}})
			return err
		},
		"import": func(ctx context.Context) error { _, _, err := s.Import(ctx, many(1)); return err },
		"retain": func(ctx context.Context) error { _, err := s.Retain(ctx, store.Retention{Nothing: true}); return err },
	} {
		if err := write(soon(t)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	ok(t, commit("meanwhile")(t.Context()))
	closeQuestion(t, s, answered("meanwhile", "yes"))
	if got := must(s.History(t.Context(), store.Filter{}, 0, 9))(t).Entries; len(got) != 1 {
		t.Errorf("read %d entries, want 1", len(got))
	}
	release(history)
	if got := must(s.History(t.Context(), store.Filter{}, 0, 9))(t).Entries; len(got) != 2 {
		t.Errorf("read %d entries after the release, want 2", len(got))
	}

	inbox := hold(inboxName)
	waits.Until(t, "the error has the cause, once a try was made", func() bool { return errors.Is(commit("late")(soon(t)), store.ErrUnavailable) })
	if _, err := s.Session(t.Context(), "unknown"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	release(inbox)
	ok(t, commit("late")(t.Context()))
}

// many returns exchanges to import.
func many(n int) (exchanges []store.Imported) {
	for i := range n {
		exchanges = append(exchanges, store.Imported{Source: "x", Key: fmt.Sprint(i), Question: store.Question{Text: "text"}, Outcome: answered("", "yes")})
	}
	return exchanges
}

// If a store's folder or file disappears, every call reports it: nothing is written to a file that nobody will find,
// and existing entries are not "not found". Opening the store again creates a new one.
func TestStoreDisappears(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the system cannot remove or move an open file")
	}
	for name, away := range map[string]func(t *testing.T, dir string){
		"folder removed": func(t *testing.T, dir string) { ok(t, os.RemoveAll(dir)) },
		"folder moved":   func(t *testing.T, dir string) { ok(t, os.Rename(dir, dir+".moved")) },
		"folder replaced": func(t *testing.T, dir string) {
			ok(t, os.Rename(dir, dir+".moved"))
			ok(t, os.Mkdir(dir, 0o700))
		},
		"file removed": func(t *testing.T, dir string) { ok(t, os.Remove(filepath.Join(dir, inboxName))) },
		"file replaced": func(t *testing.T, dir string) {
			path := filepath.Join(dir, inboxName)
			ok(t, os.WriteFile(path+".new", must(os.ReadFile(path))(t), 0o600))
			ok(t, os.Rename(path+".new", path))
		},
		"history removed":     func(t *testing.T, dir string) { ok(t, os.Remove(filepath.Join(dir, historyName))) },
		"log removed":         func(t *testing.T, dir string) { ok(t, os.Remove(filepath.Join(dir, inboxName+"-wal"))) },
		"log's index removed": func(t *testing.T, dir string) { ok(t, os.Remove(filepath.Join(dir, inboxName+"-shm"))) },
		"all but locks removed": func(t *testing.T, dir string) {
			for _, ending := range besides {
				ok(t, errors.Join(os.Remove(filepath.Join(dir, inboxName+ending)), os.Remove(filepath.Join(dir, historyName+ending))))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "storage")
			s, _, err := openTest(t, dir, store.Options{})
			ok(t, err)
			ask(t, s, "q", "")
			away(t, dir)
			if _, err := s.Commit(t.Context(), []store.Change{{Questions: []store.Question{{ID: "new", State: store.Pending}}}}); !errors.Is(err, store.ErrGone) {
				t.Errorf("writing: %v", err)
			}
			if _, err := s.Question(t.Context(), "q"); name != "history removed" && !errors.Is(err, store.ErrGone) || errors.Is(err, store.ErrNotFound) {
				t.Errorf("reading: %v", err)
			}
			if err := s.Idle(t.Context()); !errors.Is(err, store.ErrGone) {
				t.Errorf("tidying: %v", err)
			}
			if err := s.Ping(t.Context()); !errors.Is(err, store.ErrGone) {
				t.Errorf("pinging: %v", err)
			}
			ok(t, s.Close())
			again := openIn(t, dir, newClock())
			ask(t, again, "new", "")
		})
	}
}

// Only regular files are opened, since anything else could block forever. The wait for a lock is limited.
func TestIrregularFiles(t *testing.T) {
	t.Parallel()
	for _, name := range []string{inboxName, inboxName + "-wal", historyName, ownerName} {
		dir := t.TempDir()
		ok(t, makeFIFO(filepath.Join(dir, name)))
		if _, _, err := openTest(t, dir, store.Options{Exclusive: true}); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("%s is a pipe: %v", name, err)
		}
	}
	dir := t.TempDir()
	held := must(lock(t.Context(), filepath.Join(dir, ownerName)))(t)
	if _, _, err := Open(soon(t), dir, store.Options{Exclusive: true}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("held by another process: %v", err)
	}
	if _, _, err := openTest(t, dir, store.Options{Exclusive: true}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("held by another process for long: %v", err)
	}
	ok(t, held.Close())
	openIn(t, dir, newClock())
}

// A closed store leaves no goroutine and no open file, however often it was opened.
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
		s, _, err := openTest(t, dir, store.Options{})
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

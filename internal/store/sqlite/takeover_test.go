package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
	"followup/internal/store/storetest"
)

// kept begins a store in a new folder with one closed question and one open one, and leaves it.
func kept(t testing.TB, name string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "editor")
	c := storetest.NewClock()
	s := open(t, dir, "old", c)
	storetest.Converse(t, s, c, name+"-closed", "Closed "+name+"?", "yes")
	storetest.Ask(t, s, name+"-open", "Open?")
	ok(t, s.Close())
	return dir
}

// openWith opens a store as the process of a person does whose editor kept one of its own.
func openWith(t testing.TB, dir, former string) *Store {
	t.Helper()
	s, _, err := Open(t.Context(), dir, store.Options{Owner: "new", Former: former})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ok(t, s.Close()) })
	return s
}

// holds tells whether a store holds what kept has written.
func holds(t testing.TB, s *Store, name string) {
	t.Helper()
	for id, state := range map[string]store.State{name + "-closed": store.Closed, name + "-open": store.Pending} {
		switch q, err := s.Question(t.Context(), id); {
		case err != nil:
			t.Errorf("%s: %v", id, err)
		case q.State != state:
			t.Errorf("%s is %v, want %v", id, q.State, state)
		case state == store.Pending && (q.Alive || q.Owner == "new"):
			t.Errorf("%s has the owner %q", id, q.Owner)
		}
	}
}

func isThere(t testing.TB, dir string) bool {
	t.Helper()
	return must(Exists(dir))(t)
}

func TestTheEditorsStoreIsMoved(t *testing.T) {
	from, to := kept(t, "a"), filepath.Join(t.TempDir(), "share", "followup")
	before := must(os.Stat(filepath.Join(from, fileName)))(t)
	s := openWith(t, to, from)
	holds(t, s, "a")
	if isThere(t, from) {
		t.Error("it stands where it was, too")
	}
	if !os.SameFile(before, must(os.Stat(s.path()))(t)) {
		t.Error("it was copied, which takes long where there is much of it")
	}
	if mode := must(os.Stat(to))(t).Mode().Perm(); mode != 0o700 {
		t.Errorf("the folder's mode is %v", mode)
	}
}

func TestTheEditorsStoreIsMerged(t *testing.T) {
	first, second, to := kept(t, "a"), kept(t, "b"), t.TempDir()
	a := openWith(t, to, first)
	b := openWith(t, to, second) // while the other has it open
	for _, s := range []*Store{a, b} {
		holds(t, s, "a")
		holds(t, s, "b")
	}
	if isThere(t, second) {
		t.Error("what was merged stands where it was, too")
	}
	// An older version comes once more.
	c := storetest.NewClock()
	old := open(t, first, "old", c)
	storetest.Ask(t, old, "c-open", "Still here?")
	storetest.Converse(t, old, c, "c-closed", "Still?", "yes")
	ok(t, old.Close())
	holds(t, openWith(t, to, first), "c")
}

func TestTheEditorsStoreIsInUse(t *testing.T) {
	from, to := kept(t, "a"), t.TempDir()
	old := open(t, from, "older", storetest.NewClock())
	s := openWith(t, to, from)
	if _, err := s.Question(t.Context(), "a-open"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a question stands in two stores: %v", err)
	}
	holds(t, old, "a")
	ok(t, old.Close())
	holds(t, openWith(t, to, from), "a")
}

// Nobody can open the former store while it is brought: what they wrote would be removed with it.
func TestNobodyElseOpensWhatIsBrought(t *testing.T) {
	from, to := kept(t, "a"), t.TempDir()
	o := opener{dir: to, options: store.Options{Owner: "new", Former: from, Now: time.Now, Lease: store.DefaultLease}, log: zap.NewNop()}
	former := must(o.openFormer(t.Context()))(t)
	lock := must(openLock(filepath.Join(from, lockName)))(t)
	if locked, err := tryLock(lock, false); err != nil || locked {
		t.Errorf("another window can open it: %v, %v", locked, err)
	}
	ok(t, former.Close())
	if locked, err := tryLock(lock, false); err != nil || !locked {
		t.Errorf("another window cannot open it afterwards: %v, %v", locked, err)
	}
	ok(t, lock.Close())
}

// What was brought is not removed while there is a log that was not.
func TestALogIsLeftBeside(t *testing.T) {
	from := kept(t, "a")
	o := opener{dir: t.TempDir(), options: store.Options{Owner: "new", Former: from, Now: time.Now, Lease: store.DefaultLease}, log: zap.NewNop()}
	former := must(o.openFormer(t.Context()))(t)
	ok(t, former.Close())
	ok(t, former.isWhole())
	ok(t, os.WriteFile(former.path()+"-wal", []byte("x"), 0o600))
	if err := former.isWhole(); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("it would be removed: %v", err)
	}
}

func TestTwoEditorsStartAtOnce(t *testing.T) {
	for range 5 {
		to := filepath.Join(t.TempDir(), "new")
		folders := map[string]string{"a": kept(t, "a"), "b": kept(t, "b"), "c": kept(t, "c")}
		var started sync.WaitGroup
		for _, from := range folders {
			for range 2 { // windows
				started.Go(func() {
					s, _, err := Open(t.Context(), to, store.Options{Owner: "new", Former: from})
					if err != nil {
						t.Error(err)
						return
					}
					ok(t, s.Close())
				})
			}
		}
		started.Wait()
		for name, from := range folders {
			holds(t, openWith(t, to, from), name)
		}
	}
}

// What a process leaves that was killed between two steps is what stands before the next one.
func TestTakingOverIsCutOff(t *testing.T) {
	t.Run("before the move", func(t *testing.T) {
		from := kept(t, "a")
		crashed := copied(t, from) // with its locks, which nobody holds
		holds(t, openWith(t, t.TempDir(), crashed), "a")
	})
	t.Run("with a log", func(t *testing.T) {
		from := t.TempDir()
		s := open(t, from, "old", storetest.NewClock())
		storetest.Converse(t, s, storetest.NewClock(), "a-closed", "Closed?", "yes")
		storetest.Ask(t, s, "a-open", "Open?")
		crashed := t.TempDir()
		for _, ending := range []string{"", "-wal"} {
			ok(t, copyFile(t.Context(), s.path()+ending, filepath.Join(crashed, fileName+ending)))
		}
		to := t.TempDir()
		ok(t, os.Chmod(crashed, 0o700))
		// The lease of the process that was killed still runs.
		moved, _, err := Open(t.Context(), to, store.Options{Owner: "new", Former: crashed, Now: storetest.NewClock().Now})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { ok(t, moved.Close()) }()
		for _, id := range []string{"a-open", "a-closed"} {
			if _, err := moved.Question(t.Context(), id); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	})
	t.Run("in the middle of merging", func(t *testing.T) {
		from, to := kept(t, "a"), kept(t, "b")
		here := open(t, to, "merging", storetest.NewClock())
		former := open(t, from, "old", storetest.NewClock())
		q := must(former.Question(t.Context(), "a-open"))(t)
		storetest.Apply(t, here, store.Change{Questions: []store.Question{q}})
		ok(t, former.Close())
		ok(t, here.Close())
		s := openWith(t, to, from)
		holds(t, s, "a")
		holds(t, s, "b")
		if isThere(t, from) {
			t.Error("it was not removed")
		}
	})
}

func TestTheSameFolderByAnotherName(t *testing.T) {
	from := kept(t, "a")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(from, link); err != nil {
		t.Skip(err)
	}
	holds(t, openWith(t, link, from), "a")
	holds(t, openWith(t, from, link), "a")
}

func TestWhatCannotBeTakenOverStays(t *testing.T) {
	t.Run("newer", func(t *testing.T) {
		from := kept(t, "a")
		db := raw(t, from)
		must(db.Exec("PRAGMA user_version = 1000"))(t)
		ok(t, db.Close())
		before := tree(t, from)[fileName]
		storetest.Ask(t, openWith(t, t.TempDir(), from), "x", "New?")
		if tree(t, from)[fileName] != before {
			t.Error("it was written")
		}
	})
	t.Run("not to be opened", func(t *testing.T) {
		from := t.TempDir()
		ok(t, makeFIFO(filepath.Join(from, fileName)))
		storetest.Ask(t, openWith(t, t.TempDir(), from), "x", "New?")
	})
	t.Run("nothing", func(t *testing.T) {
		missing := filepath.Join(t.TempDir(), "missing")
		storetest.Ask(t, openWith(t, t.TempDir(), missing), "x", "New?")
		if there(missing) {
			t.Error("a folder was made")
		}
	})
	t.Run("no place to move to", func(t *testing.T) {
		from, file := kept(t, "a"), filepath.Join(t.TempDir(), "file")
		ok(t, os.WriteFile(file, nil, 0o600))
		if _, _, err := Open(t.Context(), filepath.Join(file, "followup"), store.Options{Owner: "new", Former: from}); err == nil {
			t.Error("it was opened in a file")
		}
		holds(t, open(t, from, "old", storetest.NewClock()), "a")
	})
}

func TestADamagedStoreIsTakenOver(t *testing.T) {
	from := kept(t, "a")
	path := filepath.Join(from, fileName)
	content := must(os.ReadFile(path))(t)
	copy(content, make([]byte, 100)) // the header
	ok(t, os.WriteFile(path, content, 0o600))
	s, report, err := Open(t.Context(), t.TempDir(), store.Options{Owner: "new", Former: from})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { ok(t, s.Close()) }()
	if report.SetAside == "" {
		t.Error("nobody is told that it was damaged")
	}
	holds(t, s, "a")
}

// A damaged store that another one is merged into is told of as well.
func TestIntoADamagedStore(t *testing.T) {
	from, to := kept(t, "a"), kept(t, "b")
	path := filepath.Join(to, fileName)
	content := must(os.ReadFile(path))(t)
	copy(content, make([]byte, 100)) // the header
	ok(t, os.WriteFile(path, content, 0o600))
	s, report, err := Open(t.Context(), to, store.Options{Owner: "new", Former: from})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { ok(t, s.Close()) }()
	if report.SetAside == "" || report.Damage == nil || report.Salvaged == 0 {
		t.Errorf("told %+v", report)
	}
	holds(t, s, "a")
}

// A log without its file stands where the former store is to be.
func TestBesideAnotherOnesLog(t *testing.T) {
	from, to, other := kept(t, "a"), t.TempDir(), t.TempDir()
	s := open(t, other, "other", storetest.NewClock())
	storetest.Ask(t, s, "of-the-other", "Whose?")
	ok(t, copyFile(t.Context(), s.path()+"-wal", filepath.Join(to, fileName+"-wal")))
	moved := openWith(t, to, from)
	holds(t, moved, "a")
	if _, err := moved.Question(t.Context(), "of-the-other"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another store's log was taken in: %v", err)
	}
}

// Rename does not work between two disks.
func TestTheEditorsStoreIsOnAnotherDisk(t *testing.T) {
	from := kept(t, "a")
	other := anotherDisk(t, from)
	s, _, err := Open(t.Context(), filepath.Join(other, "followup"), store.Options{Owner: "new", Former: from})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, s, "a")
	ok(t, s.Close())
	if isThere(t, from) {
		t.Error("it stands where it was, too")
	}
}

// anotherDisk makes a folder that no file can be moved to from a folder.
func anotherDisk(t *testing.T, from string) string {
	t.Helper()
	for _, place := range []string{"/dev/shm", "/var/tmp", os.TempDir(), "/tmp"} {
		folder, err := os.MkdirTemp(place, "followup-")
		if err != nil {
			continue
		}
		t.Cleanup(func() { ok(t, os.RemoveAll(folder)) })
		probe := filepath.Join(from, "probe")
		ok(t, os.WriteFile(probe, nil, 0o600))
		if os.Rename(probe, filepath.Join(folder, "probe")) != nil {
			ok(t, os.Remove(probe))
			return folder
		}
	}
	t.Skip("there is no other disk")
	return ""
}

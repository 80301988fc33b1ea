package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"followup/internal/store"
)

// tree returns the files of a folder with their content.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, entry := range must(os.ReadDir(dir))(t) {
		files[entry.Name()] = string(must(os.ReadFile(filepath.Join(dir, entry.Name())))(t))
	}
	return files
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system has no file modes")
	}
	exists, created := filepath.Join(t.TempDir(), "exists"), filepath.Join(t.TempDir(), "new", "storage")
	ok(t, os.Mkdir(exists, 0o755))
	ok(t, os.Chmod(exists, 0o755)) // whatever the user's umask is
	ok(t, os.WriteFile(filepath.Join(exists, inboxName), nil, 0o644))
	for dir, want := range map[string]os.FileMode{exists: 0o755, created: 0o700} {
		s, _, err := openTest(t, dir, store.Options{Exclusive: true})
		ok(t, err)
		t.Cleanup(func() { ok(t, s.Close()) })
		ask(t, s, "q", "")
		names := map[string]bool{}
		for _, entry := range must(os.ReadDir(dir))(t) {
			names[entry.Name()] = true
			if mode := must(entry.Info())(t).Mode(); mode != 0o600 {
				t.Errorf("%s has mode %v", entry.Name(), mode)
			}
		}
		for _, name := range []string{inboxName, inboxName + "-wal", inboxName + "-shm", historyName, historyName + "-wal", ownerName} {
			if !names[name] {
				t.Errorf("there is no %s: %v", name, names)
			}
		}
		if mode := must(os.Stat(dir))(t).Mode().Perm(); mode != want {
			t.Errorf("the folder %s has mode %v, want %v", dir, mode, want)
		}
	}
}

// The modes of a folder and of a file that the store has not created stay as they are. A folder in which all users can replace the files
// is rejected, and one whose group can is reported.
func TestForeignModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system has no file modes")
	}
	for mode, rejected := range map[os.FileMode]bool{0o777: true, 0o757: true, 0o775: false, 0o755: false, 0o700: false} {
		dir := t.TempDir()
		ok(t, os.Chmod(dir, mode))
		foreign := raw(t, dir, inboxName)
		must(foreign.Exec("PRAGMA application_id = 7; CREATE TABLE theirs (x)"))(t)
		ok(t, foreign.Close())
		ok(t, os.Chmod(filepath.Join(dir, inboxName), 0o644))
		core, seen := observer.New(zap.WarnLevel)
		s, report, err := openTest(t, dir, store.Options{Log: zap.New(core)})
		at := filepath.Join(dir, inboxName)
		if err == nil {
			ok(t, s.Close())
			at = report.SetAside
		}
		if errors.Is(err, store.ErrUnavailable) != rejected || err != nil && !strings.Contains(err.Error(), "chmod o-w "+dir) {
			t.Errorf("%v: %v", mode, err)
		}
		if got := must(os.Stat(dir))(t).Mode().Perm(); got != mode {
			t.Errorf("the folder had mode %v, and has %v", mode, got)
		}
		if got := must(os.Stat(at))(t).Mode().Perm(); got != 0o644 {
			t.Errorf("the file had mode 0644, and has %v", got)
		}
		if reported := seen.FilterMessageSnippet("chmod g-w").Len(); (reported > 0) != (mode&0o020 != 0 && !rejected) {
			t.Errorf("%v: reported %d times", mode, reported)
		}
	}
}

// A folder that all users share, such as /tmp, stays open to them.
func TestFolderOfAllUsers(t *testing.T) {
	dir := t.TempDir()
	shared := 0o777 | os.ModeSticky
	ok(t, os.Chmod(dir, shared))
	if _, _, err := openTest(t, dir, store.Options{}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if mode := must(os.Stat(dir))(t).Mode(); runtime.GOOS != "windows" && mode != shared|os.ModeDir {
		t.Errorf("its mode is %v", mode)
	}
}

// A file at the folder's path does not change.
func TestFileInPlaceOfTheFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	ok(t, os.WriteFile(path, []byte("mine"), 0o600))
	ok(t, os.Chmod(path, 0o644)) // whatever the user's umask is
	if _, _, err := openTest(t, path, store.Options{}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if mode := must(os.Stat(path))(t).Mode(); mode != 0o644 {
		t.Errorf("its mode is %v", mode)
	}
}

func TestNewerFileIsLeftUntouched(t *testing.T) {
	dir := t.TempDir()
	db := raw(t, dir, historyName)
	must(db.Exec("CREATE TABLE later (x); PRAGMA application_id = 1181513521; PRAGMA user_version = 99"))(t)
	before := tree(t, dir)
	ok(t, db.Close())
	_, report, err := openTest(t, dir, store.Options{})
	if !errors.Is(err, store.ErrNewer) || report != (store.Report{}) {
		t.Errorf("got %v, %+v", err, report)
	}
	after := tree(t, dir)
	delete(after, inboxName)
	same(t, "files", after, before)
}

// prepared returns a folder with a closed store in which every table has several pages.
func prepared(t testing.TB) string {
	t.Helper()
	dir, c := t.TempDir(), newClock()
	s, _, err := openTest(t, dir, store.Options{Now: c.Now})
	ok(t, err)
	r := rand.New(rand.NewSource(1))
	for range 60 {
		apply(t, s, store.Change{Sessions: []store.Session{{ID: sentinel(r), Document: []byte(strings.Repeat("k", 200))}}})
		converse(t, s, c, sentinel(r), strings.Repeat(sentinel(r)+" ", 100), "")
	}
	ok(t, s.Idle(t.Context()))
	ok(t, s.Close())
	return dir
}

// copied returns a copy of a folder.
func copied(t testing.TB, from string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	ok(t, os.CopyFS(dir, os.DirFS(from)))
	return dir
}

func TestDamagedFileIsSetAside(t *testing.T) {
	tests := map[string]func(data []byte) []byte{
		"no SQLite file": func([]byte) []byte { return []byte("something else altogether, which is quite long too") },
		"a short one":    func([]byte) []byte { return []byte("x") },
		"cut off":        func(data []byte) []byte { return data[:len(data)/2] },
		"cut to a page":  func(data []byte) []byte { return data[:4096] },
		"overwritten": func(data []byte) []byte {
			return append(data[:4096:4096], bytes.Repeat([]byte{0xa5}, len(data)-4096)...)
		},
		"its schema": func(data []byte) []byte { return append(append(data[:100:100], make([]byte, 3996)...), data[4096:]...) },
		// An earlier build's file has another application id.
		"another program's": func(data []byte) []byte { copy(data[68:], "\x01\x02\x03\x04"); return data },
	}
	whole := prepared(t)
	for name, damage := range tests {
		for _, file := range []string{inboxName, historyName} {
			t.Run(name+" "+file, func(t *testing.T) {
				dir := copied(t, whole)
				path := filepath.Join(dir, file)
				damaged := damage(must(os.ReadFile(path))(t))
				ok(t, os.WriteFile(path, damaged, 0o600))
				c := newClock()
				s, report, err := openTest(t, dir, store.Options{Now: c.Now})
				ok(t, err)
				t.Cleanup(func() { ok(t, s.Close()) })
				if want := filepath.Join(dir, asidePrefix(file)+"20250304T050607.000Z.db"); report.SetAside != want || !isDamage(report.Damage) {
					t.Errorf("report: %+v", report)
				}
				if !bytes.Equal(must(os.ReadFile(report.SetAside))(t), damaged) {
					t.Error("the file that was set aside has changed")
				}
				converse(t, s, c, "q", "new", "")
				ok(t, s.Idle(t.Context()))
				same(t, "found", find(t, s, "new"), []string{"q"})
				integrity(t, s)
			})
		}
	}
}

// Not every start looks for damage inside a file. Once found, it is handled.
func TestDamageIsFoundLater(t *testing.T) {
	dir := prepared(t)
	path := filepath.Join(dir, historyName)
	data := must(os.ReadFile(path))(t)
	db := raw(t, dir, historyName)
	var page int
	var newest, asked string
	ok(t, db.QueryRow("SELECT id, text FROM entries ORDER BY key DESC LIMIT 1").Scan(&newest, &asked))
	ok(t, db.QueryRow("SELECT pageno FROM dbstat WHERE name = 'entries' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1 OFFSET 2").Scan(&page))
	ok(t, db.Close())
	copy(data[(page-1)*4096:page*4096], bytes.Repeat([]byte{0xa5}, 4096))
	ok(t, os.WriteFile(path, data, 0o600))

	s, report, err := openTest(t, dir, store.Options{})
	ok(t, err)
	same(t, "report", report, store.Report{})
	if err := s.Export(t.Context(), store.Selection{}, func(store.Question) error { return nil }); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("got %v", err)
	}
	// While another process has the store exclusively, the file is not set aside.
	owner := must(lock(t.Context(), filepath.Join(dir, ownerName)))(t)
	if _, _, err := openTest(t, dir, store.Options{Check: true}); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("got %v", err)
	}
	ok(t, owner.Close())
	if !bytes.Contains(must(os.ReadFile(path))(t), bytes.Repeat([]byte{0xa5}, 4096)) {
		t.Error("the file has changed")
	}
	ok(t, s.Close())
	s, report, err = openTest(t, dir, store.Options{Check: true})
	ok(t, err)
	if report.SetAside == "" {
		t.Error("it was not set aside")
	}
	ok(t, s.Idle(t.Context()))
	back := len(must(s.History(t.Context(), store.Filter{}, 0, 99))(t).Entries)
	if back < 50 || back == 60 {
		t.Errorf("%d of 60 entries were restored", back)
	}
	same(t, "the newest", must(s.Question(t.Context(), newest))(t).Text, asked)
	same(t, "found", find(t, s, strings.Fields(asked)[0]), []string{newest})
	integrity(t, s)
	ok(t, s.Close())
	s, report, err = openTest(t, dir, store.Options{})
	ok(t, err)
	same(t, "report", report, store.Report{})
	ok(t, s.Close())
}

// A path may have characters with a meaning in URIs.
func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b", "a?b#c%20d", "部署", "a'b\"c", "file:x"} {
		dir := filepath.Join(t.TempDir(), name)
		s := openIn(t, dir, newClock())
		ask(t, s, "q", "")
		if _, err := os.Stat(filepath.Join(dir, inboxName+"-wal")); err != nil {
			t.Error(err)
		}
	}
}

// A folder may have any name, also a relative one; special characters of addresses are part of the name.
func TestFolderNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a", "./b c", "../" + filepath.Base(must(os.Getwd())(t)) + "/d", "e?f", "g#h", "i%41j", "k&l=m", "n:o", "数据 é", "p%zz"} {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, "?:") {
			continue
		}
		s, _, err := openTest(t, name, store.Options{})
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		for _, ending := range besides {
			if _, err := os.Stat(filepath.Join(name, inboxName+ending)); err != nil {
				t.Errorf("%q: %v", name, err)
			}
		}
		ok(t, s.Close())
	}
	same(t, "other folders", len(must(os.ReadDir("."))(t)), len(must(filepath.Glob("*/"+inboxName))(t)))
}

// A store that could not be created leaves no files behind, and an existing one stays.
func TestFailedOpenLeavesNoStore(t *testing.T) {
	dir := t.TempDir()
	inTheWay := filepath.Join(dir, inboxName+salvageEnding, "x")
	block := func() {
		ok(t, errors.Join(os.Mkdir(filepath.Dir(inTheWay), 0o700), os.WriteFile(inTheWay, nil, 0o600)))
	}
	block()
	if _, _, err := openTest(t, dir, store.Options{}); !errors.Is(err, store.ErrUnavailable) {
		t.Fatal(err)
	}
	if left := must(filepath.Glob(filepath.Join(dir, "*.db")))(t); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
	ok(t, os.RemoveAll(filepath.Dir(inTheWay)))
	s, _, err := openTest(t, dir, store.Options{})
	ok(t, errors.Join(err, s.Close()))
	block()
	if _, _, err := openTest(t, dir, store.Options{}); !errors.Is(err, store.ErrUnavailable) || !must(Exists(dir))(t) {
		t.Errorf("%v, and the store is there: %v", err, must(Exists(dir))(t))
	}
}

// In a new inbox, the order of questions continues after the history's.
func TestOrderContinuesAfterTheHistory(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	s, _, err := openTest(t, dir, store.Options{Now: c.Now})
	ok(t, err)
	for i := range 5 {
		converse(t, s, c, fmt.Sprint(i), "", "")
	}
	ok(t, errors.Join(s.Idle(t.Context()), s.Close()))
	ok(t, os.Remove(filepath.Join(dir, inboxName)))
	s = openIn(t, dir, c)
	if result := apply(t, s, store.Change{Questions: []store.Question{{ID: "new", State: store.Pending}}}); result.Orders["new"] != 6 {
		t.Errorf("got %v", result.Orders)
	}
}

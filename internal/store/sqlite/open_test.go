package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"followup/internal/store"
)

// raw opens the file of a folder without the store.
func raw(t testing.TB, dir string) *sql.DB {
	t.Helper()
	ok(t, os.MkdirAll(dir, 0o700))
	db := must(sql.Open("sqlite", filepath.Join(dir, fileName)))(t)
	t.Cleanup(func() { ok(t, db.Close()) })
	return db
}

// tree is what a folder holds.
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
		t.Skip("there are no modes there")
	}
	dir := filepath.Join(t.TempDir(), "new", "storage")
	ok(t, os.MkdirAll(dir, 0o755))
	ok(t, os.WriteFile(filepath.Join(dir, fileName), nil, 0o644))
	ok(t, os.Chmod(dir, 0o755))
	s := open(t, dir, newClock())
	ask(t, s, "q", "")
	if err := s.note(store.ErrDamaged); !errors.Is(err, store.ErrDamaged) {
		t.Error(err)
	}
	names := map[string]bool{}
	for _, entry := range must(os.ReadDir(dir))(t) {
		names[entry.Name()] = true
		if mode := must(entry.Info())(t).Mode(); mode != 0o600 {
			t.Errorf("%s has mode %v", entry.Name(), mode)
		}
	}
	for _, name := range []string{fileName, fileName + "-wal", fileName + "-shm", lockName, openingName, suspectName} {
		if !names[name] {
			t.Errorf("there is no %s: %v", name, names)
		}
	}
	if mode := must(os.Stat(dir))(t).Mode().Perm(); mode != 0o700 {
		t.Errorf("the folder has mode %v", mode)
	}
}

func TestNewerFileIsLeftUntouched(t *testing.T) {
	dir := t.TempDir()
	db := raw(t, dir)
	must(db.Exec("CREATE TABLE later (x); PRAGMA application_id = 1181513521; PRAGMA user_version = 99"))(t)
	before := tree(t, dir)
	_, report, err := Open(t.Context(), dir, store.Options{})
	if !errors.Is(err, store.ErrNewer) || report != (store.Report{}) {
		t.Errorf("got %v, %+v", err, report)
	}
	after := tree(t, dir)
	delete(after, lockName)
	delete(after, openingName)
	same(t, "files", after, before)
}

// Another process brings the file up to date while this one has it open.
func TestFileBecomesNewer(t *testing.T) {
	s, _ := fresh(t)
	ask(t, s, "q", "")
	must(raw(t, s.dir).Exec("PRAGMA user_version = 99"))(t)
	if _, err := s.Commit(t.Context(), []store.Change{store.Change{Outcomes: []store.Outcome{answered("q", "")}}}); !errors.Is(err, store.ErrNewer) {
		t.Errorf("got %v", err)
	}
	if _, _, err := Open(t.Context(), s.dir, store.Options{}); !errors.Is(err, store.ErrNewer) {
		t.Errorf("got %v", err)
	}
	must(raw(t, s.dir).Exec(fmt.Sprint("PRAGMA user_version = ", schemaVersion)))(t)
}

// prepared is a folder with a store in it that was closed, large enough for every table to have several pages.
func prepared(t testing.TB) string {
	t.Helper()
	dir, c := t.TempDir(), newClock()
	s, _, err := Open(t.Context(), dir, store.Options{Now: c.Now})
	ok(t, err)
	r := rand.New(rand.NewSource(1))
	for range 60 {
		apply(t, s, store.Change{Sessions: []store.Session{{ID: sentinel(r), Key: strings.Repeat("k", 200)}}})
		converse(t, s, c, sentinel(r), strings.Repeat(sentinel(r)+" ", 100), "")
	}
	ok(t, s.Idle(t.Context()))
	ok(t, s.Close())
	return dir
}

// copied is a folder of its own with the files of another.
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
		// As an earlier build's file, which has another application id.
		"another's": func(data []byte) []byte { copy(data[68:], "\x01\x02\x03\x04"); return data },
	}
	whole := prepared(t)
	for name, damage := range tests {
		t.Run(name, func(t *testing.T) {
			dir := copied(t, whole)
			path := filepath.Join(dir, fileName)
			damaged := damage(must(os.ReadFile(path))(t))
			ok(t, os.WriteFile(path, damaged, 0o600))
			c := newClock()
			s, report, err := Open(t.Context(), dir, store.Options{Now: c.Now})
			ok(t, err)
			t.Cleanup(func() { ok(t, s.Close()) })
			if want := filepath.Join(dir, "followup-damaged-20250304T050607.000Z.db"); report.SetAside != want || !isDamage(report.Damage) {
				t.Errorf("report: %+v", report)
			}
			if !bytes.Equal(must(os.ReadFile(report.SetAside))(t), damaged) {
				t.Error("what was set aside is not what was there")
			}
			converse(t, s, c, "q", "new", "")
			same(t, "found", find(t, s, "new"), []string{"q"})
			integrity(t, s)
		})
	}
}

// Damage in the middle is not looked for at every start. Once it is met, the next start finds it.
func TestDamageIsMetLater(t *testing.T) {
	dir := prepared(t)
	path := filepath.Join(dir, fileName)
	data := must(os.ReadFile(path))(t)
	db := raw(t, dir)
	var page int
	var newest, asked string
	ok(t, db.QueryRow("SELECT id, text FROM questions ORDER BY ord DESC LIMIT 1").Scan(&newest, &asked))
	ok(t, db.QueryRow("SELECT pageno FROM dbstat WHERE name = 'questions' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1 OFFSET 2").Scan(&page))
	ok(t, db.Close())
	copy(data[(page-1)*4096:page*4096], bytes.Repeat([]byte{0xa5}, 4096))
	ok(t, os.WriteFile(path, data, 0o600))

	s, report, err := Open(t.Context(), dir, store.Options{})
	ok(t, err)
	same(t, "report", report, store.Report{})
	if err := s.Export(t.Context(), store.Selection{}, func(store.Question) error { return nil }); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("got %v", err)
	}
	// As long as another process has the file open, it stays where it is.
	if _, _, err := Open(t.Context(), dir, store.Options{}); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("got %v", err)
	}
	if !bytes.Contains(must(os.ReadFile(path))(t), bytes.Repeat([]byte{0xa5}, 4096)) {
		t.Error("the file was touched")
	}
	ok(t, s.Close())
	s, report, err = Open(t.Context(), dir, store.Options{})
	ok(t, err)
	if report.SetAside == "" {
		t.Error("it was not set aside")
	}
	ok(t, s.Idle(t.Context()))
	back := len(must(s.History(t.Context(), store.Filter{}, 0, 99))(t).Entries)
	if back < 50 || back == 60 {
		t.Errorf("%d of 60 came back", back)
	}
	same(t, "the newest", must(s.Question(t.Context(), newest))(t).Text, asked)
	same(t, "found", find(t, s, strings.Fields(asked)[0]), []string{newest})
	integrity(t, s)
	ok(t, s.Close())
	s, report, err = Open(t.Context(), dir, store.Options{})
	ok(t, err)
	same(t, "report", report, store.Report{})
	ok(t, s.Close())
}

// A file that was suspected in vain is used on.
func TestSuspicionIsCleared(t *testing.T) {
	dir := prepared(t)
	ok(t, os.WriteFile(filepath.Join(dir, suspectName), nil, 0o600))
	s := open(t, dir, newClock())
	if len(must(s.History(t.Context(), store.Filter{}, 0, 99))(t).Entries) != 60 {
		t.Error("something is missing")
	}
	if _, err := os.Stat(filepath.Join(dir, suspectName)); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestConnectionsAreAsserted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	// A page size cannot be changed once there are pages.
	c := must(connect(path, pragma{"page_size", "512"}))(t)
	db := sql.OpenDB(c)
	t.Cleanup(func() { ok(t, db.Close()) })
	if err := db.Ping(); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "page_size") {
		t.Errorf("got %v", err)
	}
	s, _ := fresh(t)
	for name, pool := range map[string]func(string, any) error{
		"reader": func(name string, into any) error { return s.pools[0].QueryRow("PRAGMA " + name).Scan(into) },
		"writer": func(name string, into any) error {
			return s.writer.QueryRowContext(t.Context(), "PRAGMA "+name).Scan(into)
		},
	} {
		for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "secure_delete": "1", "foreign_keys": "1"} {
			var got string
			ok(t, pool(pragma, &got))
			if got != want {
				t.Errorf("%s: %s is %s", name, pragma, got)
			}
		}
	}
}

// A path with characters that mean something in a URI.
func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b", "a?b#c%20d", "部署", "a'b\"c", "file:x"} {
		dir := filepath.Join(t.TempDir(), name)
		s := open(t, dir, newClock())
		ask(t, s, "q", "")
		if _, err := os.Stat(filepath.Join(dir, fileName+"-wal")); err != nil {
			t.Error(err)
		}
	}
}

// A folder is found under any name, also a relative one; what an address would take for its own signs is part of the name.
func TestFolderNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a", "./b c", "../" + filepath.Base(must(os.Getwd())(t)) + "/d", "e?f", "g#h", "i%41j", "k&l=m", "n:o", "数据 é", "p%zz"} {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, "?:") {
			continue
		}
		s, _, err := Open(t.Context(), name, store.Options{})
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		for _, ending := range besides {
			if _, err := os.Stat(filepath.Join(name, fileName+ending)); err != nil {
				t.Errorf("%q: %v", name, err)
			}
		}
		r := must(OpenReading(t.Context(), name))(t)
		ok(t, errors.Join(r.Close(), s.Close()))
	}
	same(t, "folders beside those", len(must(os.ReadDir("."))(t)), len(must(filepath.Glob("*/"+fileName))(t)))
}

// A store that could not be created leaves no files behind, and one that was there stays.
func TestFailedOpenLeavesNoStore(t *testing.T) {
	dir := t.TempDir()
	inTheWay := filepath.Join(dir, suspectName, "x")
	block := func() {
		ok(t, errors.Join(os.Mkdir(filepath.Dir(inTheWay), 0o700), os.WriteFile(inTheWay, nil, 0o600)))
	}
	block()
	if _, _, err := Open(t.Context(), dir, store.Options{}); !errors.Is(err, store.ErrUnavailable) {
		t.Fatal(err)
	}
	if left := must(filepath.Glob(filepath.Join(dir, fileName+"*")))(t); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
	ok(t, os.RemoveAll(filepath.Dir(inTheWay)))
	s, _, err := Open(t.Context(), dir, store.Options{})
	ok(t, errors.Join(err, s.Close()))
	block()
	if _, _, err := Open(t.Context(), dir, store.Options{}); !errors.Is(err, store.ErrUnavailable) || !there(filepath.Join(dir, fileName)) {
		t.Errorf("%v, and the store is gone: %v", err, !there(filepath.Join(dir, fileName)))
	}
}

// A file in which nothing was written yet is no store to read; one that was emptied is damaged.
func TestReadingAnEmptyFile(t *testing.T) {
	dir := t.TempDir()
	ok(t, os.WriteFile(filepath.Join(dir, fileName), nil, 0o600))
	if _, err := OpenReading(t.Context(), dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("empty: %v", err)
	}
	ok(t, os.WriteFile(filepath.Join(dir, fileName+"-wal"), []byte("log"), 0o600))
	if _, err := OpenReading(t.Context(), dir); !errors.Is(err, store.ErrDamaged) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("emptied: %v", err)
	}
}

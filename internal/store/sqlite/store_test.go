package sqlite

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"followup/internal/store"
	"followup/internal/store/sqlstore"
	"followup/internal/store/storetest"
)

// The tests' files are in memory if possible, since flushes would take most of the time.
func TestMain(m *testing.M) {
	if dir, err := os.MkdirTemp("/dev/shm", "followup-store-"); err == nil {
		defer func() { _ = os.RemoveAll(dir) }() // in memory
		if err := os.Setenv("TMPDIR", dir); err != nil {
			panic(err)
		}
	}
	m.Run()
}

// The suite's helpers, as the tests of this package call them.
var (
	apply         = storetest.Apply
	commit        = storetest.Commit
	remove        = storetest.Remove
	closeQuestion = storetest.CloseQuestion
	ask           = storetest.Ask
	answered      = storetest.Answered
	converse      = storetest.Converse
	ids           = storetest.IDs
	same          = storetest.Same
	newClock      = storetest.NewClock
	png           = storetest.PNG
	draftPNG      = store.Image{MimeType: png.MimeType, Data: png.Data}
)

func TestEngine(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t testing.TB) func(func() time.Time) store.Store {
		dir := filepath.Join(t.TempDir(), "storage")
		return func(now func() time.Time) store.Store {
			s, _, err := Open(t.Context(), dir, store.Options{Now: now, Monotonic: now})
			ok(t, err)
			t.Cleanup(func() { ok(t, s.Close()) })
			return s
		}
	}, func(t testing.TB) func() (store.Store, error) {
		dir := filepath.Join(t.TempDir(), "storage")
		return func() (store.Store, error) {
			s, _, err := Open(t.Context(), dir, store.Options{Exclusive: true})
			return s, err
		}
	})
}

// openIn opens a store in a folder, and closes it with the test.
func openIn(t testing.TB, dir string, c *storetest.Clock) testStore {
	t.Helper()
	s, report, err := openTest(t, dir, store.Options{Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	if report.SetAside != "" {
		t.Fatalf("set aside: %+v", report)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// fresh returns a new store.
func fresh(t testing.TB) (testStore, *storetest.Clock) {
	t.Helper()
	c := newClock()
	return openIn(t, filepath.Join(t.TempDir(), "storage"), c), c
}

// testStore is an open store and its files.
type testStore struct {
	*sqlstore.Store
	dir   string
	files *folder
}

// openTest is Open with the files.
func openTest(t testing.TB, dir string, o store.Options) (testStore, store.Report, error) {
	t.Helper()
	o.Monotonic = o.Now
	s, report, err := Open(t.Context(), dir, o)
	if err != nil {
		return testStore{}, report, err
	}
	whole := s.(*sqlstore.Store)
	return testStore{whole, dir, whole.Backend.(*folder)}, report, nil
}

// raw opens a file of a folder without the store.
func raw(t testing.TB, dir, name string) *sql.DB {
	t.Helper()
	ok(t, os.MkdirAll(dir, 0o700))
	db := must(sql.Open("sqlite", filepath.Join(dir, name)))(t)
	t.Cleanup(func() { ok(t, db.Close()) })
	return db
}

// integrity makes SQLite and FTS5 check the files.
func integrity(t testing.TB, s testStore) {
	t.Helper()
	for _, f := range []*file{s.files.inbox, s.files.history} {
		ok(t, f.Write(t.Context(), func(q *sqlstore.Queries, _ int64) {
			var found string
			if q.One("PRAGMA integrity_check", nil, &found); found != "ok" {
				q.Fail(errors.New(found))
			}
		}))
	}
	ok(t, s.files.history.Write(t.Context(), func(q *sqlstore.Queries, _ int64) {
		q.Exec("INSERT INTO search (search) VALUES ('integrity-check')")
	}))
}

// must returns the value, or fails the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestEmptyDraftRemovesTheDraft(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	ask(t, s, "q", "")
	apply(t, s, store.Change{Drafts: []store.Draft{{QuestionID: "q", Document: []byte("x"), Images: []store.Image{draftPNG}}}})
	apply(t, s, store.Change{Drafts: []store.Draft{{QuestionID: "q"}}})
	if got := must(s.Question(t.Context(), "q"))(t); got.Draft != nil {
		t.Errorf("%+v", got.Draft)
	}
	var images int
	ok(t, s.files.inbox.Read(t.Context(), func(q *sqlstore.Queries) {
		q.One("SELECT count(*) FROM images", nil, &images)
	}))
	if images != 0 {
		t.Errorf("%d images are left", images)
	}
}

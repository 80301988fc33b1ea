package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"followup/internal/store"
	"followup/internal/store/storetest"
)

// The tests' files are kept in memory where that is possible: flushes take most of their time otherwise.
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
	storetest.Run(t, func(t testing.TB) func(func() time.Time) store.Store {
		dir := filepath.Join(t.TempDir(), "storage")
		return func(now func() time.Time) store.Store {
			s, _, err := Open(t.Context(), dir, store.Options{Now: now})
			ok(t, err)
			t.Cleanup(func() { ok(t, s.Close()) })
			return s
		}
	}, func(t testing.TB) func() (store.Store, error) {
		dir := filepath.Join(t.TempDir(), "storage")
		return func() (store.Store, error) {
			s, _, err := Engine(t.Context(), dir, store.Options{Exclusive: true})
			return s, err
		}
	})
}

// open opens a store in a folder, and closes it with the test.
func open(t testing.TB, dir string, c *storetest.Clock) *Store {
	t.Helper()
	s, report, err := Open(t.Context(), dir, store.Options{Now: c.Now})
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

// fresh is a new store of its own.
func fresh(t testing.TB) (*Store, *storetest.Clock) {
	t.Helper()
	c := newClock()
	return open(t, filepath.Join(t.TempDir(), "storage"), c), c
}

// little makes what happens to much happen to little.
func little(s *Store) {
	s.thresholds = thresholds{stepUnits: 2 * leastUnits, deletedAtOnce: 16, takenAtOnce: 64, leavesPerRow: 8, rebuildFrom: 200, logLimit: 512 << 10}
	s.units = s.stepUnits
}

// must gives the value, or ends the test.
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
	s, _ := fresh(t)
	ask(t, s, "q", "")
	apply(t, s, store.Change{Drafts: []store.Draft{{QuestionID: "q", Text: "x", Images: []store.Image{draftPNG}}}})
	apply(t, s, store.Change{Drafts: []store.Draft{{QuestionID: "q"}}})
	if got := must(s.Question(t.Context(), "q"))(t); got.Draft != nil {
		t.Errorf("%+v", got.Draft)
	}
	var images int
	ok(t, s.read(t.Context(), func(q querier) error {
		return q.one("SELECT (SELECT count(*) FROM images) + (SELECT count(*) FROM blobs)", nil, []any{&images})
	}))
	if images != 0 {
		t.Errorf("%d images are left", images)
	}
}

func TestStatesHaveNames(t *testing.T) {
	if got := fmt.Sprint(store.Pending, store.Queued, store.Held, store.Closed, store.State(0)); got != "pending queued held closed unknown" {
		t.Error(got)
	}
}

package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"followup/internal/store"
	"followup/internal/waits"
)

// frames is how many pages the write-ahead log has been given since it began.
func frames(t testing.TB, s *Store) int {
	t.Helper()
	used := must(logUsed(filepath.Join(s.dir, fileName+"-wal")))(t)
	return int(used / (4096 + frameHeader))
}

// oldest gives the first outcomes.
func oldest(t testing.TB, s *Store, n int) (keys []store.Key) {
	t.Helper()
	ok(t, s.read(t.Context(), func(q querier) error {
		return q.each("SELECT key FROM outcomes ORDER BY key LIMIT ?", []any{n}, func(scan func(...any) error) error {
			var key store.Key
			err := scan(&key)
			keys = append(keys, key)
			return err
		})
	}))
	return keys
}

// Rows that leave a large index together write what they stand on, and little of it twice, however many they are and in however many
// steps it is done.
func TestTakingOutCostsWhatGoes(t *testing.T) {
	s, _ := fresh(t)
	all := many(500)
	for i := range all {
		for n := range 12 {
			all[i].Question.Text += fmt.Sprintf(" %x", (i*12+n)*40503%2003*65537) // words of which each is in three texts
		}
	}
	imported(t, s, all...)
	ok(t, s.Idle(t.Context()))
	s.logLimit = math.MaxInt64
	var pages int
	ok(t, s.read(t.Context(), func(q querier) error {
		return q.one("SELECT count(*) FROM search_data", nil, []any{&pages})
	}))
	cost := func(n int) int {
		t.Helper()
		ok(t, s.emptyLog(t.Context()))
		before, keys := frames(t, s), oldest(t, s, n)
		var all []posting
		ok(t, s.read(t.Context(), func(q querier) (err error) {
			all, _, err = q.postings(keys)
			return err
		}))
		for some := range slices.Chunk(all, usual.stepUnits/postingUnits) {
			ok(t, s.once(t.Context(), func(t *tx) error { return t.takeSome(some) }))
		}
		wrote := frames(t, s) - before
		same(t, "removed", must(s.removeKeys(t.Context(), true, keys))(t), n)
		return wrote
	}
	one, some := cost(1), cost(50)
	t.Logf("%d pages in the index; one row writes %d, 50 write %d", pages, one, some)
	if some > 20*one {
		t.Errorf("of an index of %d pages, to remove one row writes %d, and 50 rows %d", pages, one, some)
	}
	integrity(t, s)
}

// Whether rows are taken out or the index is written anew depends on what goes and on what there is.
func TestWhatAreFew(t *testing.T) {
	s, _ := fresh(t)
	imported(t, s, many(1000)...)
	ok(t, s.Idle(t.Context()))
	for going, want := range map[int]bool{1: true, 2: true, 500: false} {
		if few := must(s.areFew(t.Context(), going))(t); few != want {
			t.Errorf("%d of 1000 are few: %v", going, few)
		}
	}
}

// A removal that was cut off at whatever step is finished by whoever comes next, and takes nothing else along.
func TestRemovalIsFinished(t *testing.T) {
	for stop := int64(1); ; stop += 3 {
		dir, c := t.TempDir(), newClock()
		a := open(t, dir, c)
		little(a)
		a.leavesPerRow = 0
		imported(t, a, many(12)...)
		ok(t, a.Idle(t.Context()))
		gone := oldest(t, a, 6)
		ctx, cut := context.WithCancel(t.Context())
		a.stepped.Store(0)
		done := make(chan error, 1)
		go func() {
			_, err := a.removeKeys(&stopped{ctx, func() {
				if a.stepped.Load() >= stop {
					cut()
				}
			}}, true, gone)
			done <- err
		}()
		over := waits.For(t, done) == nil
		cut()
		b := open(t, dir, c)
		ok(t, b.scrubAlone(t.Context()))
		integrity(t, b)
		left := must(b.Count(t.Context(), store.Selection{}))(t)
		same(t, fmt.Sprint("found after ", stop, " steps"), len(find(t, b, "which words")), left)
		whole := 0
		for i := range 12 {
			found := len(find(t, b, fmt.Sprint("own", i, " ")))
			if i >= len(gone) && found != 1 {
				t.Errorf("cut off after %d steps: %d is not found", stop, i)
			}
			whole += found
		}
		same(t, fmt.Sprint("whole after ", stop, " steps"), whole, left)
		if over {
			return
		}
	}
}

// A row of which is noted that it leaves, and that is no more, keeps nobody.
func TestLeavingOfNothing(t *testing.T) {
	s, _ := fresh(t)
	imported(t, s, many(3)...)
	ok(t, s.Idle(t.Context()))
	ok(t, s.once(t.Context(), func(t *tx) error {
		if _, err := t.exec("INSERT INTO leaving (key, out) VALUES (1, 2)"); err != nil {
			return err
		}
		return t.dirty(logDirty)
	}))
	ctx, end := context.WithTimeout(t.Context(), 20*time.Second)
	defer end()
	ok(t, s.Idle(ctx))
	integrity(t, s)
}

// A step that was taken back is run again as a whole, whichever it is.
func TestStepsThatAreTriedAgain(t *testing.T) {
	inTheWay := busy(t)
	for _, few := range []bool{true, false} {
		s, _ := fresh(t)
		little(s)
		imported(t, s, many(40)...)
		ok(t, s.Idle(t.Context()))
		prepare, tries := s.writes.prepare, 0
		s.writes = statements{prepare: func(query string) (statement, error) {
			stmt, err := prepare(query)
			if query == "COMMIT" && err == nil {
				stmt = everySecond{stmt, inTheWay, &tries}
			}
			return stmt, err
		}}
		gone := oldest(t, s, 30)
		same(t, "removed", must(s.removeKeys(t.Context(), few, gone))(t), len(gone))
		ok(t, s.scrubAlone(t.Context()))
		if tries < 6 {
			t.Errorf("%d steps", tries)
		}
		integrity(t, s)
		same(t, "found", len(find(t, s, "which words")), 10)
		var words, forgotten int
		ok(t, s.read(t.Context(), func(q querier) error {
			return q.one("SELECT (SELECT count(*) FROM words WHERE word GLOB 'own*'), (SELECT count(*) FROM forgotten)", nil, []any{&words, &forgotten})
		}))
		same(t, "words that are kept", words, 10)
		same(t, "words that are to be forgotten", forgotten, 0)
	}
}

// everySecond is a statement that fails at every other try.
type everySecond struct {
	statement
	err   error
	tries *int
}

func (s everySecond) exec(ctx context.Context, args []any) (driver.Result, error) {
	if *s.tries++; *s.tries%2 == 1 {
		return nil, s.err
	}
	return s.statement.exec(ctx, args)
}

// busy is the error of a connection that another one is in the way of.
func busy(t *testing.T) error {
	t.Helper()
	s, _ := fresh(t)
	var err error
	ok(t, s.once(t.Context(), func(*tx) error {
		other := raw(t, s.dir)
		_, err = other.Exec("BEGIN IMMEDIATE")
		return other.Close()
	}))
	if !isBusy(err) {
		t.Fatal(err)
	}
	return err
}

// stopped is a context that looks whether it is to end whenever it is asked.
type stopped struct {
	context.Context
	look func()
}

func (c *stopped) Done() <-chan struct{} {
	c.look()
	return c.Context.Done()
}

func (c *stopped) Err() error {
	c.look()
	return c.Context.Err()
}

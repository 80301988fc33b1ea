package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"testing"
	"testing/synctest"
	"time"

	"modernc.org/sqlite"

	"followup/internal/store"
)

// idle is a backend that does nothing, and both halves of its store, which stay empty.
type idle struct {
	Backend
	reads int
}

func (*idle) Recover(context.Context) error { return nil }
func (*idle) Tidy(context.Context) error    { return nil }

func (i *idle) Read(context.Context, func(*Queries)) error {
	i.reads++
	return nil
}

func (*idle) Write(context.Context, func(*Queries, int64)) error { return nil }

// Closed questions are moved when nothing was written for a second; many are moved at once, since a read of the history waits for them.
func TestCrowdsAreMovedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of := &idle{}
		s := New(of, of, of, store.Options{})
		ctx, stop := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer stop()
		go s.Maintain(ctx)
		moved := func(outcomes int, pause time.Duration) bool {
			synctest.Wait()
			of.reads = 0
			if _, err := s.Commit(ctx, []store.Change{{Outcomes: make([]store.Outcome, outcomes)}}); err != nil {
				t.Fatal(err)
			}
			<-time.After(pause) // by the bubble's clock
			synctest.Wait()
			return of.reads > 0
		}
		for _, few := range []int{1, mostWaiting / 2} {
			if moved(few, quiet/2) || !moved(0, 2*quiet) {
				t.Errorf("%d are not moved when nothing was written for a while", few)
			}
		}
		if !moved(mostWaiting, 0) {
			t.Error("many are not moved at once")
		}
		if moved(1, 0) {
			t.Error("the next one is moved at once")
		}
	})
}

// The number of entries that are looked at for the key of the next one stays small, however many have the same time.
func TestKeysOfOneTime(t *testing.T) {
	looks := 0
	if err := sqlite.RegisterScalarFunction("looked", 1, func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		looks++
		return int64(1), nil
	}); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1) // each connection would have its own database in memory
	q := &Queries{Ctx: t.Context(), On: db, Adapt: func(query string, args []any) (string, []any) { return query, args }}
	q.Exec("CREATE TABLE kept (key INTEGER PRIMARY KEY)")
	q.Exec("CREATE VIEW entries AS SELECT key FROM kept WHERE looked(key)")
	const many = 500
	for want := int64(1); want <= many; want++ {
		key := q.freeKey(0)
		if key != want || q.Err != nil {
			t.Fatalf("the key after %d is %d, %v", want-1, key, q.Err)
		}
		q.Exec("INSERT INTO kept VALUES (?)", key)
	}
	if most := 30 * many; looks > most {
		t.Errorf("%d entries were looked at, not %d", looks, most)
	}
	q.Exec("DELETE FROM kept WHERE key = 1")
	if key := q.freeKey(0); key != 1 || q.Err != nil {
		t.Errorf("the freed key is %d, %v", key, q.Err)
	}
	if key := q.freeKey(many); key != many*KeysPerMilli || q.Err != nil {
		t.Errorf("another time's key is %d, %v", key, q.Err)
	}
}

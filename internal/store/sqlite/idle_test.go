package sqlite

import (
	"context"
	"fmt"
	"testing"
	"time"

	"followup/internal/store"
	"followup/internal/store/sqlstore"
	"followup/internal/waits"
)

// waiting returns how many closed questions are still in the inbox.
func waiting(t testing.TB, s testStore) (n int) {
	t.Helper()
	ok(t, s.files.inbox.Read(t.Context(), func(q *sqlstore.Queries) { q.One("SELECT count(*) FROM outcomes", nil, &n) }))
	return n
}

func TestMaintain(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	converse(t, s, c, "gone", "xylophonists", "")
	remove(t, s, "gone")
	c.Forward(store.Undo)
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Maintain(ctx)
	}()
	waits.Until(t, "earlier deletions are purged", func() bool { return len(traces(t, s.dir, "xylophonists")) == 0 })
	ask(t, s, "q", "")
	apply(t, s, store.Change{Outcomes: []store.Outcome{answered("q", "")}})
	waits.Until(t, "closed questions are moved", func() bool { return waiting(t, s) == 0 })
	end()
	waits.For(t, ended)
}

// Closed sessions are removed even if the whole history is kept. A session with questions stays.
func TestClosedSessionsAreRemoved(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	var all store.Change
	for i := range 1000 {
		all.Sessions = append(all.Sessions, store.Session{ID: fmt.Sprint(i), Document: []byte("k"), Closed: i%2 == 0})
	}
	apply(t, s, all)
	apply(t, s, store.Change{Questions: []store.Question{{ID: "q", State: store.Pending, Session: "2"}}})
	left := func() (n int) {
		t.Helper()
		must(s.Retain(t.Context(), store.Retention{Now: c.Now()}))(t)
		ok(t, s.files.inbox.Read(t.Context(), func(q *sqlstore.Queries) { q.One("SELECT count(*) FROM sessions", nil, &n) }))
		return n
	}
	same(t, "closed sessions are removed", left(), 501)
	c.Forward(31 * 24 * time.Hour)
	same(t, "unused sessions are removed", left(), 1)
}

package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"followup/internal/store"
	"followup/internal/store/engine"
	"followup/internal/waits"
)

// unindexed is how many outcomes the search does not know yet.
func unindexed(t testing.TB, s *Store) (n int) {
	t.Helper()
	ok(t, s.read(t.Context(), func(q querier) error {
		return q.one("SELECT count(*) FROM unindexed", nil, []any{&n})
	}))
	return n
}

func TestMaintain(t *testing.T) {
	s, c := fresh(t)
	s.quiet = time.Millisecond
	converse(t, s, c, "gone", "xylophonists", "")
	remove(t, s, "gone")
	c.Forward(store.Undo)
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Maintain(ctx)
	}()
	waits.Until(t, "what was deleted before is purged", func() bool { return len(traces(t, s.dir, "xylophonists")) == 0 })
	ask(t, s, "q", "")
	apply(t, s, store.Change{Outcomes: []store.Outcome{answered("q", "")}})
	waits.Until(t, "what is new is indexed", func() bool { return unindexed(t, s) == 0 })
	end()
	waits.For(t, ended)
}

func TestPurgeDue(t *testing.T) {
	s, c := fresh(t)
	due := func(want time.Duration) {
		t.Helper()
		if got := must(s.purgeDue(t.Context()))(t); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	converse(t, s, c, "q", "", "")
	due(0)
	remove(t, s, "q")
	due(store.Undo)
	c.Forward(4 * time.Second)
	due(store.Undo - 4*time.Second)
	c.Forward(time.Hour)
	due(time.Millisecond)
	must(s.Purge(t.Context()))(t)
	due(0)
}

// Idle leaves the log begun anew, and writes nothing when nothing was written since.
func TestIdle(t *testing.T) {
	s, c := fresh(t)
	for i := range 200 {
		converse(t, s, c, fmt.Sprint(i), fmt.Sprint("word ", i), "")
	}
	ok(t, s.Idle(t.Context()))
	if n := unindexed(t, s); n != 0 {
		t.Errorf("%d are not indexed", n)
	}
	size := must(os.Stat(filepath.Join(s.dir, fileName+"-wal")))(t).Size()
	var busy, frames, moved int
	ok(t, s.read(t.Context(), func(q querier) error {
		return q.one("PRAGMA wal_checkpoint(PASSIVE)", nil, []any{&busy, &frames, &moved})
	}))
	if size < 1<<20 || frames == 0 || frames > 4 {
		t.Errorf("of the log's %d bytes %d pages are in use", size, frames)
	}
	before := s.wrote.Load()
	ok(t, s.Idle(t.Context()))
	if s.wrote.Load() != before {
		t.Error("it wrote again")
	}
	same(t, "found", len(find(t, s, "word")), 100)
	integrity(t, s)
}

// An answer is indexed behind its transaction, not in it.
func TestAnswersAreIndexedLater(t *testing.T) {
	s, c := fresh(t)
	converse(t, s, c, "q", "word", "")
	if n := unindexed(t, s); n != 1 {
		t.Errorf("%d wait for the index", n)
	}
	same(t, "found", find(t, s, "word"), []string{"q"})
	if n := unindexed(t, s); n != 0 {
		t.Errorf("%d wait for the index", n)
	}
}

func FuzzSearch(f *testing.F) {
	for _, text := range []string{"Which port?", "部署到生产环境吗", "v2.1部署 ok", "ﬁ Å\u0301 İ", "\"'*()^-:", "a\x00b\xff", "ー", "각", "ก็", "\ue000a"} {
		f.Add(text, "other")
	}
	s, _ := fresh(f)
	n := 0
	f.Fuzz(func(t *testing.T, text, other string) {
		n++
		key := fmt.Sprint(n)
		imported(t, s, store.Imported{Source: "x", Key: key, Question: store.Question{Text: text, Tool: key}, Outcome: answered("", "")})
		if _, err := s.History(t.Context(), store.Filter{Text: other}, 0, 1); err != nil {
			t.Errorf("%q: %v", other, err)
		}
		// A text finds itself, and it is the newest of those without a time.
		page, err := s.History(t.Context(), store.Filter{Text: text}, 0, 1)
		if err != nil || len(page.Entries) != 1 || page.Entries[0].Tool != key {
			t.Errorf("%q: %+v, %v", text, page, err)
		}
		remove(t, s, page.Entries[0].ID)
	})
}

// What was closed is found among the open questions no more, and is forgotten there when it is quiet.
func TestOpenedIsTrimmed(t *testing.T) {
	s, c := fresh(t)
	ask(t, s, "open", "")
	converse(t, s, c, "closed", "", "")
	converse(t, s, c, "gone", "", "")
	if added, _, err := s.Import(t.Context(), []store.Imported{{Source: "log", Key: "1", Outcome: answered("", "")}}); err != nil || added != 1 {
		t.Fatal(added, err)
	}
	remove(t, s, "gone")
	c.Forward(store.Undo)
	opened := func() (n int) {
		t.Helper()
		ok(t, s.read(t.Context(), func(q querier) error { return q.one("SELECT count(*) FROM opened", nil, []any{&n}) }))
		return n
	}
	same(t, "open", ids(must(s.OpenQuestions(t.Context(), 0, 999))(t)), []string{"open"})
	same(t, "before", opened(), 3)
	ok(t, s.Idle(t.Context()))
	same(t, "after", opened(), 1)
	same(t, "open, after", ids(must(s.OpenQuestions(t.Context(), 0, 999))(t)), []string{"open"})
}

// Sessions that are over leave the disk, also where all of the history is kept; one that has a question stays with it.
func TestSessionsAreSwept(t *testing.T) {
	s, c := fresh(t)
	var all store.Change
	for i := range 1000 {
		all.Sessions = append(all.Sessions, store.Session{ID: fmt.Sprint(i), Key: "k", Closed: i%2 == 0})
	}
	apply(t, s, all)
	apply(t, s, store.Change{Questions: []store.Question{{ID: "q", State: store.Pending, Session: "2"}}})
	left := func() (n int) {
		t.Helper()
		ok(t, s.Idle(t.Context()))
		ok(t, s.read(t.Context(), func(q querier) error { return q.one("SELECT count(*) FROM sessions", nil, []any{&n}) }))
		return n
	}
	same(t, "after the closed ones", left(), 501)
	c.Forward(engine.SessionKept + time.Hour)
	same(t, "after those that nobody uses", left(), 1)
	if s.largest > 4*s.stepUnits {
		t.Errorf("a step ran %d statements", s.largest)
	}
}

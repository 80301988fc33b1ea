package sqlite

import (
	"errors"
	"testing"

	"followup/internal/store"
)

// Changes that are committed together are one transaction; each has its own result, and one that is lost or wrong leaves the
// others as they are.
func TestCommitTogether(t *testing.T) {
	s, _ := fresh(t)
	ask(t, s, "closed", "")
	apply(t, s, store.Change{Sessions: []store.Session{{ID: "s"}}, Outcomes: []store.Outcome{answered("closed", "first")}})
	wrote := s.wrote.Load()
	results := must(s.Commit(t.Context(), []store.Change{
		{Questions: []store.Question{{ID: "a", State: store.Pending}}},
		{Questions: []store.Question{{ID: "b", State: store.Pending}}, Outcomes: []store.Outcome{answered("closed", "late")}},
		{Sessions: []store.Session{{ID: "s", Version: 1, Key: "new"}}, Outcomes: []store.Outcome{answered("a", "yes")}},
		{Questions: []store.Question{{ID: "c", State: store.Pending}}, Collected: []string{"unknown"}},
		{Sessions: []store.Session{{ID: "s", Version: 1, Key: "stale"}}, Questions: []store.Question{{ID: "d", State: store.Pending}}},
		{Questions: []store.Question{{ID: "e", State: store.Pending, Session: "unknown"}}},
		{Sessions: []store.Session{{ID: "s", Version: 2, Key: "newest"}}, Questions: []store.Question{{ID: "f", State: store.Pending}}},
	}))(t)
	if wrote++; s.wrote.Load() != wrote {
		t.Errorf("%d transactions, want one", s.wrote.Load()-wrote+1)
	}
	for i, want := range []string{"written", "lost", "written", "wrong", "lost", "lost", "written"} {
		got := "written"
		switch {
		case results[i].Err != nil:
			got = "wrong"
		case results[i].Lost.Any():
			got = "lost"
		}
		if got != want {
			t.Errorf("%d: %s, want %s: %+v", i, got, want, results[i])
		}
	}
	same(t, "open", ids(must(s.OpenQuestions(t.Context(), 0, 9))(t)), []string{"f"})
	if stands := results[1].Lost.Outcomes; len(stands) != 1 || stands[0].Text != "first" {
		t.Errorf("stands: %+v", stands)
	}
	same(t, "session that stands", results[4].Lost.Sessions, []store.Session{{ID: "s", Version: 2, Key: "new"}})
	same(t, "session", must(s.Session(t.Context(), "s"))(t), store.Session{ID: "s", Version: 3, Key: "newest"})
	if !errors.Is(results[3].Err, store.ErrNotFound) {
		t.Errorf("got %v", results[3].Err)
	}
	lost := must(s.Commit(t.Context(), []store.Change{{Outcomes: []store.Outcome{answered("a", "no")}}}))(t)
	if !lost[0].Lost.Any() || s.wrote.Load() != wrote {
		t.Errorf("a change that is lost was flushed, or not: %+v", lost)
	}
}

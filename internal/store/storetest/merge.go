package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"followup/internal/question"
	"followup/internal/store"
)

// all is everything in a store that Merge brings along, without what a store gives by itself.
func all(t testing.TB, s store.Store) (found []store.Question) {
	t.Helper()
	short := append(must(s.OpenQuestions(t.Context(), 0, 100))(t),
		must(s.History(t.Context(), store.Filter{Outcomes: []question.Outcome{question.Answered, question.Invalid}}, 0, 100))(t).Entries...)
	for _, q := range short {
		found = append(found, must(s.Question(t.Context(), q.ID))(t))
	}
	return found
}

// anotherStore ignores what differs between two stores that hold the same.
var anotherStore = cmpopts.IgnoreFields(store.Question{}, "Order", "Owner", "Alive")

func testMerge(t *testing.T, open Place) {
	clock := NewClock()
	from, to := open(t)("from", clock.Now), open(t)("to", clock.Now)
	Converse(t, to, clock, "of-here", "Here?", "yes")

	session := store.Session{ID: "s", Agent: "Roo", Key: "k", Locale: "fr", Mistakes: 2, Limit: 3, Folders: []byte(`["w"]`)}
	asked := func(id string, state store.State) store.Question {
		clock.Forward(time.Second)
		return store.Question{
			ID: id, Session: "s", State: state, Tool: question.ToolFollowup, CallID: "c" + id, Text: "Which " + id + "?",
			Call: []byte(`{"a":1}`), AskedAt: clock.Now(), Agent: "Roo", Workspace: "file:///w",
		}
	}
	Apply(t, from, store.Change{
		Sessions:  []store.Session{session},
		Questions: []store.Question{asked("answered", store.Pending), asked("invalid", store.Held)},
		Outcomes: []store.Outcome{
			{QuestionID: "answered", Outcome: question.Answered, Provenance: question.Typed, Text: "so", Answer: []byte(`{"text":"so"}`), Images: []question.Image{PNG}},
			{QuestionID: "invalid", Outcome: question.Invalid},
		},
		Collected: []string{"answered"},
	})
	Apply(t, from, store.Change{
		Questions: []store.Question{asked("pending", store.Pending), asked("queued", store.Queued)},
		Drafts:    []store.Draft{{QuestionID: "pending", Text: "half", Picks: []byte(`[1]`), Images: []store.Image{draftPNG}}},
	})
	Converse(t, from, clock, "deleted", "Gone?", "yes")
	Remove(t, from, "deleted")
	many := make([]store.Imported, 150) // more than are written at once
	for i := range many {
		clock.Forward(time.Second)
		many[i] = store.Imported{
			Source: "Claude Code", Key: clock.Now().String(), Question: store.Question{Tool: question.ToolFollowup, Text: "Old?", AskedAt: clock.Now()},
			Outcome: store.Outcome{Outcome: question.Answered, Provenance: question.Typed, Text: "old"},
		}
	}
	_, _, err := from.Import(t.Context(), many)
	ok(t, err)

	want := all(t, from)
	if n := must(store.Merge(t.Context(), from, to))(t); n != 4+len(many) {
		t.Errorf("%d questions were merged, want %d", n, 4+len(many))
	}
	Same(t, "open questions", IDs(must(to.OpenQuestions(t.Context(), 0, 100))(t)), []string{"pending", "queued"})
	for _, q := range want {
		Same(t, q.ID, must(to.Question(t.Context(), q.ID))(t), q, anotherStore, cmpopts.IgnoreFields(store.Outcome{}, "Key"))
	}
	session.Version = 1
	Same(t, "session", must(to.Session(t.Context(), "s"))(t), session)
	Same(t, "places", find(t, to, "Here"), []string{"of-here"})
	if n := must(to.Count(t.Context(), store.Selection{}))(t); n != 2+len(many) {
		t.Errorf("the history holds %d, want %d", n, 2+len(many))
	}

	// What has happened here since then stands.
	Apply(t, to, store.Change{Outcomes: []store.Outcome{Answered("pending", "done")}})
	if n := must(store.Merge(t.Context(), from, to))(t); n != 0 {
		t.Errorf("%d questions were merged again", n)
	}
	Same(t, "open questions", IDs(must(to.OpenQuestions(t.Context(), 0, 100))(t)), []string{"queued"})

	// A merge that was cut off is done again: what was brought has left, whatever became of it.
	Same(t, "open questions left", IDs(must(from.OpenQuestions(t.Context(), 0, 100))(t)), []string{})
	if n := must(from.Count(t.Context(), store.Selection{Filter: store.Filter{Outcomes: []question.Outcome{question.Answered, question.Withdrawn}}}))(t); n != 0 {
		t.Errorf("%d closed questions are left", n)
	}
	Remove(t, to, "answered", "pending")
	clock.Forward(store.Undo)
	must(to.Purge(t.Context()))(t)
	if n := must(store.Merge(t.Context(), from, to))(t); n != 0 {
		t.Errorf("%d questions came back", n)
	}
}

// raced is a store that another process writes to just before the first change of a merge.
type raced struct {
	store.Store
	before func()
}

func (r *raced) Commit(ctx context.Context, changes []store.Change) ([]store.Result, error) {
	if before := r.before; before != nil {
		r.before = nil
		before()
	}
	return r.Store.Commit(ctx, changes)
}

func testMergeBesideOthers(t *testing.T, open Place) {
	clock := NewClock()
	from, at := open(t)("from", clock.Now), open(t)
	to, other := at("to", clock.Now), at("other", clock.Now)
	sessions := []store.Session{{ID: "written", Agent: "Roo", Key: "a"}, {ID: "removed", Agent: "Roo", Key: "b", Closed: true}}
	for _, s := range sessions {
		Apply(t, from, store.Change{Sessions: []store.Session{s}})
		for _, n := range []string{"1", "2"} {
			Apply(t, from, store.Change{Questions: []store.Question{{ID: s.ID + n, Session: s.ID, State: store.Pending, Tool: question.ToolFollowup}}})
		}
	}
	// There, and not any more when the questions are written.
	Apply(t, to, store.Change{Sessions: sessions[1:]})
	n := must(store.Merge(t.Context(), from, &raced{to, func() {
		Apply(t, other, store.Change{Sessions: sessions[:1]})
		must(other.Retain(t.Context(), store.Retention{}))(t)
		if _, err := other.Session(t.Context(), "removed"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the session is still there: %v", err)
		}
	}}))(t)
	Same(t, "open questions", IDs(must(to.OpenQuestions(t.Context(), 0, 100))(t)), []string{"written1", "written2", "removed1", "removed2"},
		cmpopts.SortSlices(func(a, b string) bool { return a < b }))
	if n != 4 {
		t.Errorf("%d questions were merged, want 4", n)
	}
}

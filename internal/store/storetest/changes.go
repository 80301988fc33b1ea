package storetest

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"followup/internal/question"
	"followup/internal/store"
)

// A question with all fields is read as it was written, at every stage, also from another store on the same folder.
func testLifeOfAQuestion(t *testing.T, open Place) {
	place, c := open(t), NewClock()
	a := place(c.Now)
	session := store.Session{ID: "s1", Document: json.RawMessage(`{"agent":"Roo","strict":true}`)}
	want := store.Question{
		ID: "q1", Session: "s1", Tool: question.ToolFollowup, StreamID: "stream", CallID: "call", State: store.Pending,
		Call: json.RawMessage(`{"payload":{}}`), Text: "Which port?", AskedAt: c.Now(), Deadline: c.Now().Add(time.Minute),
		Agent: "Roo", Workspace: "file:///w",
	}
	queued := store.Question{ID: "q2", Session: "s1", State: store.Queued, Text: "And then?", Guidance: json.RawMessage(`{}`), AskedAt: c.Now()}
	held := store.Question{ID: "q3", Session: "s1", State: store.Held, GuidedBy: "g", AskedAt: c.Now()}
	applied := Apply(t, a, store.Change{Sessions: []store.Session{session}, Questions: []store.Question{want, queued, held}})
	want.Order, queued.Order, held.Order = applied.Orders["q1"], applied.Orders["q2"], applied.Orders["q3"]
	if want.Order >= queued.Order || queued.Order >= held.Order {
		t.Errorf("orders: %v", applied.Orders)
	}
	now := cmp.Transformer("UnixMilli", func(at time.Time) int64 { return at.UnixMilli() })
	b := place(c.Now)
	check := func(when string, want ...store.Question) {
		t.Helper()
		for _, s := range []store.Store{a, b} {
			Same(t, when, must(s.Conversation(t.Context(), "s1"))(t), want, now)
		}
	}
	check("asked", want, queued, held)
	Same(t, "session", must(b.Session(t.Context(), "s1"))(t), session)

	gif := store.Image{Hash: store.HashOf("image/gif", []byte("GIF89a")), MimeType: "image/gif", Data: []byte("GIF89a")}
	draft := store.Draft{QuestionID: "q1", Document: json.RawMessage(`{"text":"80"}`), Images: []store.Image{draftPNG, gif}}
	Apply(t, a, store.Change{Drafts: []store.Draft{draft}})
	without := draft
	without.Images = nil
	want.Draft = &without
	check("drafted", want, queued, held)
	without.Document = json.RawMessage(`{"text":"8080"}`)
	draft.Document, draft.Images = without.Document, []store.Image{gif}
	Apply(t, b, store.Change{Drafts: []store.Draft{draft}})
	check("drafted again", want, queued, held)
	want.Draft = &draft
	Same(t, "with its images", must(a.Question(t.Context(), "q1"))(t), want, now)
	Same(t, "open", must(b.OpenQuestions(t.Context(), 0, 2))(t), []store.Question{want, queued}, now)
	Same(t, "open, next page", must(b.OpenQuestions(t.Context(), queued.Order, 2))(t), []store.Question{held}, now)

	outcome := store.Outcome{
		QuestionID: "q1", Outcome: question.Answered, Provenance: question.Edited, Answer: json.RawMessage(`{"mode":"code"}`),
		Text: "8080", Images: []question.Image{PNG}, ImageCount: 1, ClosedAt: c.Now(),
	}
	queued.State, session.Document = store.Pending, json.RawMessage(`{}`)
	Apply(t, b, store.Change{Sessions: []store.Session{session}, Questions: []store.Question{queued}, Outcomes: []store.Outcome{outcome}})
	want.State, want.Draft, want.Outcome = store.Closed, nil, &outcome
	keys := cmpopts.IgnoreFields(store.Outcome{}, "Key")
	Same(t, "closed", must(a.Question(t.Context(), "q1"))(t), want, now, keys)
	Same(t, "next", must(a.Question(t.Context(), "q2"))(t), queued, now)
	Same(t, "session", must(a.Session(t.Context(), "s1"))(t), session)

	ok(t, a.Idle(t.Context())) // so that it is recorded after the move to the history
	Apply(t, a, store.Change{Collected: []string{"q1"}})
	want.Collected = true
	listed := *want.Outcome
	listed.Images = nil
	inList := want
	inList.Outcome = &listed
	Same(t, "collected, in its session", must(b.Conversation(t.Context(), "s1"))(t), []store.Question{inList, queued, held}, now, keys)
	Same(t, "collected", must(b.Question(t.Context(), "q1"))(t), want, now, keys)
	want.Outcome.Images = nil // lists omit them
	Same(t, "history", must(b.History(t.Context(), store.Filter{}, 0, 9))(t), store.Page{Entries: []store.Question{want}}, now, keys)
}

// A callback is due once its question is closed, in either half, until it is delivered.
func testCallbacks(t *testing.T, open Place) {
	s := open(t)(NewClock().Now)
	due := func(what string, want ...store.Callback) {
		t.Helper()
		Same(t, what, must(s.DueCallbacks(t.Context()))(t), want)
	}
	Ask(t, s, "q1", "")
	Ask(t, s, "q2", "")
	one := store.Callback{QuestionID: "q1", URL: "https://a.example", Secret: "whsec_x", Private: true}
	two := store.Callback{QuestionID: "q2", URL: "https://b.example"}
	Apply(t, s, store.Change{Callbacks: []store.Callback{one, two}})
	due("open")
	Apply(t, s, store.Change{Outcomes: []store.Outcome{Answered("q1", "yes")}, Callbacks: []store.Callback{one}})
	due("closed", one)
	ok(t, s.Idle(t.Context()))
	due("in the history", one)
	Apply(t, s, store.Change{Outcomes: []store.Outcome{Answered("q2", "yes")}})
	due("both", one, two)
	Apply(t, s, store.Change{Delivered: []string{"q1", "unknown"}})
	due("delivered", two)
}

// A rejected Change leaves no traces.
func testRefusedChanges(t *testing.T, open Place) {
	s := open(t)(NewClock().Now)
	Ask(t, s, "closed", "")
	Apply(t, s, store.Change{Outcomes: []store.Outcome{Answered("closed", "first")}})
	tests := map[string]store.Change{
		"an outcome of an unknown question": {Outcomes: []store.Outcome{Answered("unknown", "x")}},
		"a question written as closed":      {Questions: []store.Question{{ID: "q", State: store.Closed}}},
		"a question without a state":        {Questions: []store.Question{{ID: "q"}}},
		"a question of an unknown session":  {Questions: []store.Question{{ID: "q", State: store.Pending, Session: "unknown"}}},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			change.Sessions = []store.Session{{ID: "marker"}}
			if result := Commit(t, s, change); result.Err == nil {
				t.Error("it was accepted")
			}
			if _, err := s.Session(t.Context(), "marker"); err == nil {
				t.Error("a part of it was written")
			}
		})
	}
}

func testUpdatesLeaveClosedQuestionsAlone(t *testing.T, open Place) {
	s := open(t)(NewClock().Now)
	Ask(t, s, "q", "asked")
	Apply(t, s, store.Change{Outcomes: []store.Outcome{Answered("q", "first")}})
	applied := Apply(t, s, store.Change{
		Questions: []store.Question{{ID: "q", State: store.Pending, Text: "another"}},
		Drafts:    []store.Draft{{QuestionID: "q", Document: []byte("late")}, {QuestionID: "unknown", Document: []byte("late")}},
	})
	got := must(s.Question(t.Context(), "q"))(t)
	if got.State != store.Closed || got.Text != "asked" || got.Draft != nil || got.Outcome.Text != "first" || applied.Orders["q"] != got.Order {
		t.Errorf("%+v, %+v", got, applied)
	}
}

// Changes that are committed together are one transaction; each has its own result, and a rejected one does not affect the others.
func testCommitTogether(t *testing.T, open Place) {
	s := open(t)(NewClock().Now)
	Ask(t, s, "closed", "")
	Apply(t, s, store.Change{Sessions: []store.Session{{ID: "s"}}, Outcomes: []store.Outcome{Answered("closed", "first")}})
	results := must(s.Commit(t.Context(), []store.Change{
		{Questions: []store.Question{{ID: "a", State: store.Pending}}},
		{Questions: []store.Question{{ID: "b", State: store.Pending}}, Outcomes: []store.Outcome{Answered("closed", "late")}},
		{Sessions: []store.Session{{ID: "s", Document: []byte("new")}}, Outcomes: []store.Outcome{Answered("a", "yes")}},
		{Questions: []store.Question{{ID: "c", State: store.Pending}}, Outcomes: []store.Outcome{Answered("unknown", "x")}},
		{Questions: []store.Question{{ID: "d", State: store.Pending, Session: "unknown"}}},
		{Sessions: []store.Session{{ID: "s", Document: []byte("newest")}}, Questions: []store.Question{{ID: "e", State: store.Pending}}},
	}))(t)
	for i, refused := range []bool{false, false, false, true, true, false} {
		if (results[i].Err != nil) != refused {
			t.Errorf("%d: %+v", i, results[i])
		}
	}
	Same(t, "open", IDs(must(s.OpenQuestions(t.Context(), 0, 9))(t)), []string{"b", "e"})
	Same(t, "session", must(s.Session(t.Context(), "s"))(t), store.Session{ID: "s", Document: []byte("newest")})
	if !errors.Is(results[3].Err, store.ErrNotFound) {
		t.Errorf("got %v", results[3].Err)
	}
}

// Writing everything again, as after an error that may have followed the commit, changes nothing.
func testCommitTwice(t *testing.T, open Place) {
	s := open(t)(NewClock().Now)
	change := store.Change{
		Sessions: []store.Session{{ID: "s", Document: []byte("k")}},
		Questions: []store.Question{
			{ID: "open", Session: "s", State: store.Pending, Text: "Open?"}, {ID: "closed", Session: "s", State: store.Pending, Text: "Closed?"},
		},
		Drafts:    []store.Draft{{QuestionID: "open", Document: []byte("half"), Images: []store.Image{draftPNG}}},
		Outcomes:  []store.Outcome{Answered("closed", "yes")},
		Collected: []string{"closed"},
	}
	first := Apply(t, s, change)
	before := must(s.Conversation(t.Context(), "s"))(t)
	Same(t, "orders", Apply(t, s, change), first)
	Same(t, "conversation", must(s.Conversation(t.Context(), "s"))(t), before)
	Same(t, "history", find(t, s, ""), []string{"closed"})
}

// A closed question keeps its outcome.
func testFirstOutcomeStands(t *testing.T, open Place) {
	s := open(t)(NewClock().Now)
	Ask(t, s, "q", "")
	for _, text := range []string{"first", "second"} {
		Same(t, "the outcome", CloseQuestion(t, s, Answered("q", text)).Text, "first")
	}
}

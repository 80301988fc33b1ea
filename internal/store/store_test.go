package store

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"followup/internal/question"
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

// clock is a clock that only moves when it is told to.
type clock struct{ at time.Time }

func newClock() *clock { return &clock{time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC)} }

func (c *clock) now() time.Time          { return c.at }
func (c *clock) forward(d time.Duration) { c.at = c.at.Add(d) }

// open opens a store in a folder, and closes it with the test.
func open(t testing.TB, dir, owner string, c *clock) *Store {
	t.Helper()
	s, report, err := Open(t.Context(), dir, Options{Owner: owner, Now: c.now})
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
func fresh(t testing.TB) (*Store, *clock) {
	t.Helper()
	c := newClock()
	return open(t, filepath.Join(t.TempDir(), "storage"), "A", c), c
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

func apply(t testing.TB, s *Store, c Change) Applied {
	t.Helper()
	return must(s.Apply(t.Context(), c))(t)
}

// ask writes a pending question without a session.
func ask(t testing.TB, s *Store, id, text string) {
	t.Helper()
	apply(t, s, Change{Questions: []Question{{ID: id, State: Pending, Tool: question.ToolFollowup, Text: text, Agent: "Roo", Workspace: "file:///w"}}})
}

// answered is an outcome with the user's words.
func answered(id, text string) Outcome {
	return Outcome{QuestionID: id, Outcome: question.Answered, Provenance: question.Typed, Text: text}
}

// converse asks and answers, each a second after the one before.
func converse(t testing.TB, s *Store, c *clock, id, asked, said string) {
	t.Helper()
	c.forward(time.Second)
	ask(t, s, id, asked)
	apply(t, s, Change{Outcomes: []Outcome{answered(id, said)}, Collected: []string{id}})
}

// ids of questions, in their order.
func ids(questions []Question) []string {
	all := []string{}
	for _, q := range questions {
		all = append(all, q.ID)
	}
	return all
}

func same(t testing.TB, what string, got, want any, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, append(options, cmpopts.EquateEmpty())...); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

var png = question.Image{MimeType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n one")}

// A question with everything there is comes back as it was written, at every point of its life, also from another store on
// the same folder.
func TestLifeOfAQuestion(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	a := open(t, dir, "A", c)
	session := Session{
		ID: "s1", Agent: "Roo", Key: "chat:1", Folders: json.RawMessage(`["file:///w"]`), Locale: "fr",
		Options: json.RawMessage(`{"strict":true}`), Mistakes: 2, Limit: 3, Guidance: "g",
	}
	want := Question{
		ID: "q1", Session: "s1", Tool: question.ToolFollowup, StreamID: "stream", CallID: "call", State: Pending,
		Call: json.RawMessage(`{"payload":{}}`), Text: "Which port?", AskedAt: c.now(), Deadline: c.now().Add(time.Minute),
		Agent: "Roo", Workspace: "file:///w",
	}
	queued := Question{ID: "q2", Session: "s1", State: Queued, Text: "And then?", Guidance: json.RawMessage(`{}`), AskedAt: c.now()}
	held := Question{ID: "q3", Session: "s1", State: Held, GuidedBy: "g", AskedAt: c.now()}
	applied := apply(t, a, Change{Sessions: []Session{session}, Questions: []Question{want, queued, held}})
	want.Order, queued.Order, held.Order = applied.Orders["q1"], applied.Orders["q2"], applied.Orders["q3"]
	if want.Order >= queued.Order || queued.Order >= held.Order {
		t.Errorf("orders: %v", applied.Orders)
	}
	for _, q := range []*Question{&want, &queued, &held} {
		q.Owner, q.Alive = "A", true
	}
	now := cmp.Transformer("UnixMilli", func(at time.Time) int64 { return at.UnixMilli() })
	b := open(t, dir, "B", c)
	check := func(when string, want ...Question) {
		t.Helper()
		for _, s := range []*Store{a, b} {
			same(t, when, must(s.Conversation(t.Context(), "s1"))(t), want, now)
		}
	}
	check("asked", want, queued, held)
	same(t, "session", must(b.Session(t.Context(), "s1"))(t), session)

	draft := Draft{QuestionID: "q1", Text: "80", Picks: json.RawMessage(`[1]`), Images: []question.Image{png, {MimeType: "image/gif", Data: []byte("GIF89a")}}}
	apply(t, a, Change{Drafts: []Draft{draft}})
	want.Draft = &draft
	check("drafted", want, queued, held)
	draft.Text, draft.Images = "8080", []question.Image{{MimeType: "image/gif", Data: []byte("GIF89a")}}
	apply(t, b, Change{Drafts: []Draft{draft}})
	check("drafted again", want, queued, held)
	same(t, "open", must(b.OpenQuestions(t.Context()))(t), []Question{want, queued, held}, now)

	outcome := Outcome{
		QuestionID: "q1", Outcome: question.Answered, Provenance: question.Edited, Answer: json.RawMessage(`{"mode":"code"}`),
		Text: "8080", Images: []question.Image{png}, ImageCount: 1, ClosedAt: c.now(),
	}
	queued.State, session.Mistakes = Pending, 0
	apply(t, b, Change{Sessions: []Session{session}, Questions: []Question{queued}, Outcomes: []Outcome{outcome}})
	want.State, want.Draft, want.Outcome = Closed, nil, &outcome
	keys := cmpopts.IgnoreFields(Outcome{}, "Key")
	same(t, "closed", must(a.Question(t.Context(), "q1"))(t), want, now, keys)
	same(t, "next", must(a.Question(t.Context(), "q2"))(t), queued, now)
	same(t, "session", must(a.Session(t.Context(), "s1"))(t), session)

	apply(t, a, Change{Collected: []string{"q1"}})
	want.Collected = true
	same(t, "collected", must(b.Question(t.Context(), "q1"))(t), want, now, keys)
	want.Outcome.Images = nil // lists leave them out
	same(t, "history", must(b.History(t.Context(), Filter{}, 0, 9))(t), Page{Entries: []Question{want}}, now, keys)
}

// What a Change may not do leaves nothing behind.
func TestRefusedChanges(t *testing.T) {
	s, _ := fresh(t)
	ask(t, s, "closed", "")
	apply(t, s, Change{Outcomes: []Outcome{answered("closed", "first")}})
	before := must(s.Revision(t.Context()))(t)
	marker := Session{ID: "marker"}
	tests := map[string]Change{
		"an outcome of an unknown question":   {Outcomes: []Outcome{answered("unknown", "x")}},
		"an unknown question that is fetched": {Collected: []string{"unknown"}},
		"a question that comes closed":        {Questions: []Question{{ID: "q", State: Closed}}},
		"a question without a state":          {Questions: []Question{{ID: "q"}}},
		"a question of an unknown session":    {Questions: []Question{{ID: "q", State: Pending, Session: "unknown"}}},
		"a second outcome in one Change":      {Questions: []Question{{ID: "q", State: Pending}}, Outcomes: []Outcome{answered("q", "x"), answered("q", "y")}},
		"a question that is closed already":   {Outcomes: []Outcome{answered("closed", "second")}},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			change.Sessions = []Session{marker}
			applied, err := s.Apply(t.Context(), change)
			if err == nil && len(applied.Lost) == 0 {
				t.Error("it was taken")
			}
			if now := must(s.Revision(t.Context()))(t); now != before {
				t.Errorf("revision %d, want %d", now, before)
			}
			if _, err := s.Session(t.Context(), "marker"); err == nil {
				t.Error("a part of it was written")
			}
		})
	}
}

func TestUpdatesLeaveClosedQuestionsAlone(t *testing.T) {
	s, _ := fresh(t)
	ask(t, s, "q", "asked")
	apply(t, s, Change{Outcomes: []Outcome{answered("q", "first")}})
	applied := apply(t, s, Change{
		Questions: []Question{{ID: "q", State: Pending, Text: "another"}},
		Drafts:    []Draft{{QuestionID: "q", Text: "late"}, {QuestionID: "unknown", Text: "late"}},
	})
	got := must(s.Question(t.Context(), "q"))(t)
	if got.State != Closed || got.Text != "asked" || got.Draft != nil || got.Outcome.Text != "first" || applied.Orders["q"] != got.Order {
		t.Errorf("%+v, %+v", got, applied)
	}
}

func TestEmptyDraftRemovesTheDraft(t *testing.T) {
	s, _ := fresh(t)
	ask(t, s, "q", "")
	apply(t, s, Change{Drafts: []Draft{{QuestionID: "q", Text: "x", Images: []question.Image{png}}}})
	apply(t, s, Change{Drafts: []Draft{{QuestionID: "q"}}})
	if got := must(s.Question(t.Context(), "q"))(t); got.Draft != nil {
		t.Errorf("%+v", got.Draft)
	}
	var images int
	ok(t, s.read(t.Context(), func(q querier) error { return q.one("SELECT count(*) FROM images", nil, []any{&images}) }))
	if images != 0 {
		t.Errorf("%d images are left", images)
	}
}

func TestCloseQuestion(t *testing.T) {
	s, c := fresh(t)
	ask(t, s, "q", "")
	recorded, now, err := s.CloseQuestion(t.Context(), answered("q", "first"))
	if err != nil || !recorded || now.Text != "first" || !now.ClosedAt.Equal(c.now()) || now.Key == 0 {
		t.Errorf("got %v, %+v, %v", recorded, now, err)
	}
	recorded, again, err := s.CloseQuestion(t.Context(), Outcome{QuestionID: "q", Outcome: question.Dismissed})
	if err != nil || recorded || again.Text != "first" || again.Key != now.Key {
		t.Errorf("got %v, %+v, %v", recorded, again, err)
	}
}

func TestUseAfterClose(t *testing.T) {
	c := newClock()
	s := must(func() (*Store, error) {
		s, _, err := Open(t.Context(), t.TempDir(), Options{Owner: "A", Now: c.now})
		return s, err
	}())(t)
	ok(t, s.Close())
	ok(t, s.Close())
	if _, err := s.Apply(t.Context(), Change{}); err != ErrClosed { //nolint:errorlint // exactly this one
		t.Errorf("Apply: %v", err)
	}
	if _, err := s.OpenQuestions(t.Context()); err != ErrClosed { //nolint:errorlint // exactly this one
		t.Errorf("OpenQuestions: %v", err)
	}
}

func TestBegin(t *testing.T) {
	dir := t.TempDir()
	opening := Begin(t.Context(), dir, Options{Owner: "A"})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := opening.Wait(ended); err != nil && err != context.Canceled { //nolint:errorlint // exactly this one
		t.Error(err)
	}
	for range 2 {
		s, _, err := opening.Wait(t.Context())
		ok(t, err)
		t.Cleanup(func() { ok(t, s.Close()) })
	}
	if _, _, err := Open(t.Context(), dir, Options{}); err == nil {
		t.Error("opened without an owner")
	}
}

func TestStatesHaveNames(t *testing.T) {
	if got := fmt.Sprint(Pending, Queued, Held, Closed, State(0)); got != "pending queued held closed unknown" {
		t.Error(got)
	}
}

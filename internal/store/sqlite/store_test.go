package sqlite

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"followup/internal/question"
	"followup/internal/store"
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
	s, report, err := Open(t.Context(), dir, store.Options{Owner: owner, Now: c.now})
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

// commit writes one change, and tells what became of it.
func commit(t testing.TB, s *Store, c store.Change) store.Result {
	t.Helper()
	return must(s.Commit(t.Context(), []store.Change{c}))(t)[0]
}

// apply writes one change.
func apply(t testing.TB, s *Store, c store.Change) store.Result {
	t.Helper()
	result := commit(t, s, c)
	if result.Err != nil || result.Lost.Any() {
		t.Fatalf("%+v", result)
	}
	return result
}

// remove deletes questions by their ids.
func remove(t testing.TB, s *Store, ids ...string) store.Deletion {
	t.Helper()
	return must(s.Delete(t.Context(), store.Selection{IDs: ids}))(t)
}

// closeQuestion tells whether it was first, and what stands.
func closeQuestion(t testing.TB, s *Store, o store.Outcome) (recorded bool, now store.Outcome) {
	t.Helper()
	result, err := s.Commit(t.Context(), []store.Change{{Outcomes: []store.Outcome{o}}})
	if err != nil || result[0].Err != nil {
		t.Error(err, result)
		return false, store.Outcome{}
	}
	if lost := result[0].Lost.Outcomes; len(lost) > 0 {
		return false, lost[0]
	}
	return true, *must(s.Question(t.Context(), o.QuestionID))(t).Outcome
}

// ask writes a pending question without a session.
func ask(t testing.TB, s *Store, id, text string) {
	t.Helper()
	apply(t, s, store.Change{Questions: []store.Question{{ID: id, State: store.Pending, Tool: question.ToolFollowup, Text: text, Agent: "Roo", Workspace: "file:///w"}}})
}

// answered is an outcome with the user's words.
func answered(id, text string) store.Outcome {
	return store.Outcome{QuestionID: id, Outcome: question.Answered, Provenance: question.Typed, Text: text}
}

// converse asks and answers, each a second after the one before.
func converse(t testing.TB, s *Store, c *clock, id, asked, said string) {
	t.Helper()
	c.forward(time.Second)
	ask(t, s, id, asked)
	apply(t, s, store.Change{Outcomes: []store.Outcome{answered(id, said)}, Collected: []string{id}})
}

// ids of questions, in their order.
func ids(questions []store.Question) []string {
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

// draftPNG is png in a draft.
var draftPNG = store.Image{MimeType: png.MimeType, Data: png.Data}

// A question with everything there is comes back as it was written, at every point of its life, also from another store on
// the same folder.
func TestLifeOfAQuestion(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	a := open(t, dir, "A", c)
	session := store.Session{
		ID: "s1", Agent: "Roo", Key: "chat:1", Folders: json.RawMessage(`["file:///w"]`), Locale: "fr",
		Options: json.RawMessage(`{"strict":true}`), Mistakes: 2, Limit: 3, Guidance: "g",
	}
	want := store.Question{
		ID: "q1", Session: "s1", Tool: question.ToolFollowup, StreamID: "stream", CallID: "call", State: store.Pending,
		Call: json.RawMessage(`{"payload":{}}`), Text: "Which port?", AskedAt: c.now(), Deadline: c.now().Add(time.Minute),
		Agent: "Roo", Workspace: "file:///w",
	}
	queued := store.Question{ID: "q2", Session: "s1", State: store.Queued, Text: "And then?", Guidance: json.RawMessage(`{}`), AskedAt: c.now()}
	held := store.Question{ID: "q3", Session: "s1", State: store.Held, GuidedBy: "g", AskedAt: c.now()}
	applied := apply(t, a, store.Change{Sessions: []store.Session{session}, Questions: []store.Question{want, queued, held}})
	want.Order, queued.Order, held.Order = applied.Orders["q1"], applied.Orders["q2"], applied.Orders["q3"]
	if want.Order >= queued.Order || queued.Order >= held.Order {
		t.Errorf("orders: %v", applied.Orders)
	}
	for _, q := range []*store.Question{&want, &queued, &held} {
		q.Owner, q.Alive = "A", true
	}
	now := cmp.Transformer("UnixMilli", func(at time.Time) int64 { return at.UnixMilli() })
	b := open(t, dir, "B", c)
	check := func(when string, want ...store.Question) {
		t.Helper()
		for _, s := range []*Store{a, b} {
			same(t, when, must(s.Conversation(t.Context(), "s1"))(t), want, now)
		}
	}
	check("asked", want, queued, held)
	session.Version = 1
	same(t, "session", must(b.Session(t.Context(), "s1"))(t), session)

	gif := store.Image{MimeType: "image/gif", Data: []byte("GIF89a")}
	draft := store.Draft{QuestionID: "q1", Text: "80", Picks: json.RawMessage(`[1]`), Images: []store.Image{draftPNG, gif}}
	apply(t, a, store.Change{Drafts: []store.Draft{draft}})
	named := func(images ...store.Image) (all []store.Image) {
		for _, image := range images {
			all = append(all, store.Image{Hash: store.HashOf(image.MimeType, image.Data), MimeType: image.MimeType})
		}
		return all
	}
	draft.Images = named(draftPNG, gif)
	want.Draft = &draft
	check("drafted", want, queued, held)
	draft.Text, draft.Images = "8080", named(gif) // by its hash: the store has it
	apply(t, b, store.Change{Drafts: []store.Draft{draft}})
	check("drafted again", want, queued, held)
	whole := must(a.Question(t.Context(), "q1"))(t).Draft.Images
	gif.Hash = draft.Images[0].Hash
	same(t, "with its images", whole, []store.Image{gif})
	same(t, "the image", must(b.Image(t.Context(), gif.Hash))(t), gif)
	if _, err := b.Image(t.Context(), store.HashOf(png.MimeType, png.Data)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an image of no draft: %v", err)
	}
	same(t, "open", must(b.OpenQuestions(t.Context(), 0, 2))(t), []store.Question{want, queued}, now)
	same(t, "open, next page", must(b.OpenQuestions(t.Context(), queued.Order, 2))(t), []store.Question{held}, now)

	outcome := store.Outcome{
		QuestionID: "q1", Outcome: question.Answered, Provenance: question.Edited, Answer: json.RawMessage(`{"mode":"code"}`),
		Text: "8080", Images: []question.Image{png}, ImageCount: 1, ClosedAt: c.now(),
	}
	queued.State, session.Mistakes = store.Pending, 0
	apply(t, b, store.Change{Sessions: []store.Session{session}, Questions: []store.Question{queued}, Outcomes: []store.Outcome{outcome}})
	session.Version = 2
	want.State, want.Draft, want.Outcome = store.Closed, nil, &outcome
	keys := cmpopts.IgnoreFields(store.Outcome{}, "Key")
	same(t, "closed", must(a.Question(t.Context(), "q1"))(t), want, now, keys)
	same(t, "next", must(a.Question(t.Context(), "q2"))(t), queued, now)
	same(t, "session", must(a.Session(t.Context(), "s1"))(t), session)

	apply(t, a, store.Change{Collected: []string{"q1"}})
	want.Collected = true
	same(t, "collected", must(b.Question(t.Context(), "q1"))(t), want, now, keys)
	want.Outcome.Images = nil // lists leave them out
	same(t, "history", must(b.History(t.Context(), store.Filter{}, 0, 9))(t), store.Page{Entries: []store.Question{want}}, now, keys)
}

// What a Change may not do leaves nothing behind.
func TestRefusedChanges(t *testing.T) {
	s, _ := fresh(t)
	ask(t, s, "closed", "")
	apply(t, s, store.Change{Outcomes: []store.Outcome{answered("closed", "first")}})
	before := must(s.Revision(t.Context()))(t)
	tests := map[string]store.Change{
		"an outcome of an unknown question":   {Outcomes: []store.Outcome{answered("unknown", "x")}},
		"an unknown question that is fetched": {Collected: []string{"unknown"}},
		"a question that comes closed":        {Questions: []store.Question{{ID: "q", State: store.Closed}}},
		"a question without a state":          {Questions: []store.Question{{ID: "q"}}},
		"a question of an unknown session":    {Questions: []store.Question{{ID: "q", State: store.Pending, Session: "unknown"}}},
		"a second outcome in one Change":      {Questions: []store.Question{{ID: "q", State: store.Pending}}, Outcomes: []store.Outcome{answered("q", "x"), answered("q", "y")}},
		"a question that is closed already":   {Outcomes: []store.Outcome{answered("closed", "second")}},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			change.Sessions = []store.Session{{ID: "marker"}}
			if result := commit(t, s, change); result.Err == nil && !result.Lost.Any() {
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
	apply(t, s, store.Change{Outcomes: []store.Outcome{answered("q", "first")}})
	applied := apply(t, s, store.Change{
		Questions: []store.Question{{ID: "q", State: store.Pending, Text: "another"}},
		Drafts:    []store.Draft{{QuestionID: "q", Text: "late"}, {QuestionID: "unknown", Text: "late"}},
	})
	got := must(s.Question(t.Context(), "q"))(t)
	if got.State != store.Closed || got.Text != "asked" || got.Draft != nil || got.Outcome.Text != "first" || applied.Orders["q"] != got.Order {
		t.Errorf("%+v, %+v", got, applied)
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

func TestUseAfterClose(t *testing.T) {
	c := newClock()
	s := must(func() (*Store, error) {
		s, _, err := Open(t.Context(), t.TempDir(), store.Options{Owner: "A", Now: c.now})
		return s, err
	}())(t)
	ok(t, s.Close())
	ok(t, s.Close())
	if _, err := s.Commit(t.Context(), nil); err != store.ErrClosed { //nolint:errorlint // exactly this one
		t.Errorf("Commit: %v", err)
	}
	if _, err := s.OpenQuestions(t.Context(), 0, 99); err != store.ErrClosed { //nolint:errorlint // exactly this one
		t.Errorf("OpenQuestions: %v", err)
	}
}

func TestStatesHaveNames(t *testing.T) {
	if got := fmt.Sprint(store.Pending, store.Queued, store.Held, store.Closed, store.State(0)); got != "pending queued held closed unknown" {
		t.Error(got)
	}
}

package persistence

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/background"
	"followup/internal/conversation"
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/waits"
)

// shelf is a store that records writes, and returns what the test sets.
type shelf struct {
	store.Store // unused methods
	commits     [][]store.Change
	during      func() // called while a commit is being written
	fail        error
	result      func(store.Change) store.Result
	questions   map[string]store.Question
	retained    func(store.Retention) // called instead of removing entries
}

func (s *shelf) Close() error { return nil }

func (s *shelf) Retain(_ context.Context, r store.Retention) (int, error) {
	s.retained(r)
	return 0, nil
}

func (s *shelf) Commit(_ context.Context, changes []store.Change) ([]store.Result, error) {
	if s.during != nil {
		s.during()
	}
	if s.fail != nil {
		return nil, s.fail
	}
	s.commits = append(s.commits, changes)
	var results []store.Result
	for _, c := range changes {
		results = append(results, s.result(c))
	}
	return results, nil
}

func (s *shelf) OpenQuestions(context.Context, int64, int) (open []store.Question, err error) {
	for _, id := range slices.Sorted(maps.Keys(s.questions)) {
		if s.questions[id].Outcome == nil {
			open = append(open, s.questions[id])
		}
	}
	return open, nil
}

func (s *shelf) Question(_ context.Context, id string) (store.Question, error) {
	if q, known := s.questions[id]; known {
		return q, nil
	}
	return store.Question{}, store.ErrNotFound
}

// desk is a persister without running loops: the test does their work.
type desk struct {
	*Persister
	*conversation.Registry
	shelf   *shelf
	reports []protocol.Storage
	shown   map[string]protocol.ItemState // sent to the interface
	asked   int
}

func (d *desk) made() int { d.asked++; return d.asked }

func (d *desk) Present() bool                  { return true }
func (d *desk) Changed(r *conversation.Record) { d.shown[r.ID] = r.State }
func (d *desk) Grew(*conversation.Record)      {}
func (d *desk) Removed(*conversation.Record)   {}

func newDesk() *desk {
	d := &desk{shelf: &shelf{questions: map[string]store.Question{}}, shown: map[string]protocol.ItemState{}}
	d.shelf.result = func(store.Change) store.Result { return store.Result{} }
	beside := background.New(zap.NewNop())
	made := 0
	d.Registry = conversation.New(conversation.Options{
		Log: zap.NewNop(), Background: beside, PassText: func(*conversation.Stream) {},
		NewID: func() string { made++; return fmt.Sprint("made", made) },
	})
	d.Persister = New(d.Registry, Options{Log: zap.NewNop(), Background: beside, Slow: time.Hour, Report: func(s protocol.Storage) { d.reports = append(d.reports, s) }})
	d.Registry.Persister, d.Audience = d.Persister, d
	d.folder, d.store, d.Remember, d.lose = "folder", d.shelf, false, func() {}
	return d
}

func (d *desk) section(do func()) {
	d.Enter()
	defer d.Leave()
	do()
}

// ask asks in a session, which may be new.
func (d *desk) ask(session, id string) (r *conversation.Record) {
	d.section(func() {
		c := d.Known(session)
		if c == nil {
			c, _ = d.Open(session, protocol.SessionOpenParams{Agent: "Test", Key: session}, conversation.Settings{Locale: locale.English})
		}
		call := dialect.ReadInput("ask_followup_question", []byte(`{"question":"Q?"}`), c.Reading)
		r, _ = d.Ask(c, protocol.AskParams{QuestionID: id, Tool: "ask_followup_question"}, call)
	})
	return r
}

// answer gives an answer, and returns a receipt for it.
func (d *desk) answer(r *conversation.Record, text string) (receipt <-chan struct{}) {
	d.section(func() {
		if _, err := d.GiveAnswer(r, protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: text}, nil, ""); err != nil {
			panic(err)
		}
		receipt = d.released(r.Conversation)
	})
	return receipt
}

// released returns a channel that closes when a conversation's changes are released. It is called in a section.
func (d *desk) released(c *conversation.Conversation) <-chan struct{} {
	released := make(chan struct{})
	d.Released(c, func() { close(released) })
	return released
}

// receipt is released for a question's conversation, outside a section.
func (d *desk) receipt(r *conversation.Record) (receipt <-chan struct{}) {
	d.section(func() { receipt = d.released(r.Conversation) })
	return receipt
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// contents summarizes changes.
func contents(changes []store.Change) (all []string) {
	for _, c := range changes {
		for _, s := range c.Sessions {
			all = append(all, "session "+s.ID)
		}
		for _, q := range c.Questions {
			all = append(all, fmt.Sprint(q.ID, " ", q.State))
		}
		for _, d := range c.Drafts {
			all = append(all, d.QuestionID+" draft")
		}
		for _, o := range c.Outcomes {
			all = append(all, o.QuestionID+" said "+o.Text)
		}
	}
	return all
}

func (d *desk) wrote(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for _, changes := range d.shelf.commits {
		got = append(got, contents(changes)...)
	}
	if d.shelf.commits = nil; !slices.Equal(got, want) {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

// stored returns an outcome as in the store.
func stored(t *testing.T, id, text string) store.Outcome {
	t.Helper()
	answer, err := archive.EncodeEnded(archive.Ended{
		Item:  protocol.ItemOutcome{Outcome: protocol.OutcomeAnswered, Provenance: protocol.ProvenanceTyped, Text: text},
		Agent: protocol.Answer{QuestionID: id, Outcome: protocol.OutcomeAnswered, Text: text},
	})
	if err != nil {
		t.Fatal(err)
	}
	return store.Outcome{QuestionID: id, Outcome: question.Answered, Answer: answer, Text: text}
}

// One commit writes the changes of many sections, in order, and they are announced afterwards.
func TestJoined(t *testing.T) {
	d := newDesk()
	var receipts []<-chan struct{}
	var want []string
	for _, id := range strings.Split("abcdefghij", "") {
		r := d.ask("s"+id, id)
		receipts = append(receipts, d.answer(r, "yes "+id))
		want = append(want, "session s"+id, id+" held", id+" said yes "+id)
	}
	if slices.ContainsFunc(receipts, closed) || len(d.shown) > 0 {
		t.Error("announced before it was written")
	}
	d.commit()
	if len(d.shelf.commits) != 1 || len(d.shelf.commits[0]) != 10 {
		t.Errorf("%d commits", len(d.shelf.commits))
	}
	d.wrote(t, want...)
	if slices.ContainsFunc(receipts, func(c <-chan struct{}) bool { return !closed(c) }) || d.shown["c"] != protocol.ItemClosed {
		t.Errorf("not announced: %v", d.shown)
	}
	if d.Record("a") != nil {
		t.Error("a closed question stays in memory")
	}
	d.commit()
	d.wrote(t)
}

// Changes during a transaction go into the next commit, and are announced after it.
func TestChangedMeanwhile(t *testing.T) {
	d := newDesk()
	r := d.ask("s", "a")
	var receipt <-chan struct{}
	d.shelf.during = func() {
		d.shelf.during = nil
		receipt = d.answer(r, "yes")
	}
	d.commit()
	if closed(receipt) || d.shown["a"] != "" { // the written state is outdated
		t.Errorf("announced before it was written: %v", d.shown)
	}
	d.commit()
	d.wrote(t, "session s", "a pending", "session s", "a held", "a said yes")
	if !closed(receipt) || d.shown["a"] != protocol.ItemClosed {
		t.Errorf("not announced: %v", d.shown)
	}
}

// A change that cannot be written is reported as not saved. Work continues, and it is written when possible.
func TestCannotBeWritten(t *testing.T) {
	d := newDesk()
	d.shelf.fail = store.ErrUnavailable
	r := d.ask("s", "a")
	d.commit()
	receipt := d.answer(r, "yes")
	if !closed(receipt) || len(d.reports) != 1 || d.reports[0].Saved || !strings.Contains(d.reports[0].Problem, "not being saved") {
		t.Errorf("reported %+v", d.reports)
	}
	if d.Record("a") == nil {
		t.Fatal("an unsaved question has left memory")
	}
	d.commit()
	d.shelf.fail = nil
	d.options.Open = func(context.Context, string, store.Options) (store.Store, store.Report, error) {
		return d.shelf, store.Report{}, nil
	}
	d.open(t.Context(), func() {}) // in case the error requires a reopened store
	d.commit()
	d.wrote(t, "session s", "a held", "a said yes")
	if len(d.reports) < 2 || !d.reports[len(d.reports)-1].Saved || d.Record("a") != nil {
		t.Errorf("reported %+v", d.reports)
	}
}

// A change whose writing panics is written again, and never counts as saved.
func TestWritingPanics(t *testing.T) {
	d := newDesk()
	d.ask("s", "a")
	d.shelf.during = func() { panic("a defect") }
	d.options.Background.Do("test", d.commit)
	if len(d.reports) != 1 || d.reports[0].Saved {
		t.Errorf("reported %+v", d.reports)
	}
	d.shelf.during = nil
	d.commit()
	d.wrote(t, "session s", "a pending")
}

// A store that turns out to be damaged during a write is reported as damaged until it is reopened, even if something else fails
// meanwhile.
func TestDamagedMeanwhile(t *testing.T) {
	d := newDesk()
	d.ask("s", "a")
	d.shelf.during = func() { d.Lost(t.Context(), d.shelf, store.ErrDamaged) }
	d.commit()
	d.shelf.during, d.shelf.fail = nil, store.ErrUnavailable
	d.ask("s", "b")
	d.commit()
	for _, now := range d.reports {
		if now.Saved {
			t.Errorf("reported %+v", d.reports)
		}
	}
	if len(d.reports) != 2 || !d.health.reopen {
		t.Errorf("reported %+v, reopen: %t", d.reports, d.health.reopen)
	}
}

// A change that the store rejects never counts as saved and is retried; others continue.
func TestRefused(t *testing.T) {
	d := newDesk()
	r := d.ask("s", "a")
	d.commit()
	d.shelf.result = func(c store.Change) store.Result {
		if len(c.Outcomes) > 0 {
			return store.Result{Err: errors.New("too large")}
		}
		return store.Result{}
	}
	receipt := d.answer(r, "yes")
	for range 3 {
		d.ask("t", fmt.Sprint("other", d.made()))
		d.commit()
	}
	if !closed(receipt) || d.shown["a"] != protocol.ItemClosed {
		t.Errorf("not announced: %v", d.shown)
	}
	if now := d.reports[len(d.reports)-1]; now.Saved || r.Durable {
		t.Errorf("counts as saved: %+v", d.reports)
	}
	d.shelf.commits, d.shelf.result = nil, func(store.Change) store.Result { return store.Result{} }
	d.commit()
	d.wrote(t, "session s", "a held", "a said yes")
	if now := d.reports[len(d.reports)-1]; !now.Saved || !r.Durable {
		t.Errorf("it is saved, but reported as %+v", now)
	}
}

// A strict persister acknowledges nothing that the store rejects until it accepts it. Other sessions continue.
func TestStrictRefused(t *testing.T) {
	d := newDesk()
	d.options.Strict = true
	d.shelf.result = func(c store.Change) store.Result {
		if c.Sessions[0].ID == "s" {
			return store.Result{Err: errors.New("too large")}
		}
		return store.Result{}
	}
	r := d.ask("s", "a")
	receipts := []<-chan struct{}{d.receipt(r)}
	d.commit()
	receipts = append(receipts, d.answer(r, "yes"))
	other := d.ask("t", "b")
	taken := d.answer(other, "no")
	for range 2 {
		d.commit()
	}
	if slices.ContainsFunc(receipts, closed) || r.Announced() || len(d.shown) != 1 || r.Durable {
		t.Errorf("acknowledged: %t, %t, %v", closed(receipts[0]), closed(receipts[1]), d.shown)
	}
	if !closed(taken) || d.shown["b"] != protocol.ItemClosed {
		t.Errorf("the other session waits: %v", d.shown)
	}
	if now := d.reports[len(d.reports)-1]; now.Saved || strings.Contains(now.Problem, "too large") || strings.Contains(now.Problem, "They work") {
		t.Errorf("reported %+v", d.reports)
	}
	d.shelf.result = func(store.Change) store.Result { return store.Result{} }
	d.commit()
	if !closed(receipts[0]) || !closed(receipts[1]) || !r.Announced() || d.shown["a"] != protocol.ItemClosed || !d.reports[len(d.reports)-1].Saved {
		t.Errorf("not acknowledged: %v, %+v", d.shown, d.reports)
	}
}

// A strict persister that another process has replaced acknowledges nothing until it has the store again. Then the other process's
// outcome counts, and the client that answered here gets it.
func TestStrictSuperseded(t *testing.T) {
	d := newDesk()
	d.options.Strict = true
	r := d.ask("s", "a")
	d.commit()
	receipt := d.answer(r, "ours")
	d.shelf.fail = store.ErrGone
	d.commit()
	taken := true
	outcome := stored(t, "a", "theirs")
	there := &shelf{result: d.shelf.result, questions: map[string]store.Question{"a": {
		ID: "a", Session: "s", Tool: "ask_followup_question", State: store.Closed, Outcome: &outcome,
	}}}
	d.options.Open = func(context.Context, string, store.Options) (store.Store, store.Report, error) {
		if taken {
			return nil, store.Report{}, &store.HeldError{Address: "http://other"}
		}
		return there, store.Report{}, nil
	}
	d.open(t.Context(), func() {})
	d.commit()
	if closed(receipt) || r.Announced() || d.shown["a"] == protocol.ItemClosed || d.KeptBy() != "http://other" {
		t.Errorf("acknowledged: %t, %t, %v; kept by %q", closed(receipt), r.Announced(), d.shown, d.KeptBy())
	}
	taken = false
	d.open(t.Context(), func() {})
	d.commit()
	if !closed(receipt) || !r.Superseded || r.Outcome.Text != "theirs" {
		t.Errorf("acknowledged %t, superseded %t, %+v", closed(receipt), r.Superseded, r.Outcome)
	}
}

// An answer that cannot be encoded never counts as saved, and a strict persister does not acknowledge it.
func TestUnencodable(t *testing.T) {
	for _, strict := range []bool{false, true} {
		d := newDesk()
		d.options.Strict = strict
		r := d.ask("s", "a")
		d.commit()
		d.shelf.commits = nil
		var receipt <-chan struct{}
		d.section(func() {
			answer := protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: "yes"}
			answer.Images = []protocol.Image{{MimeType: "image/png", Data: "no base64"}}
			png := question.Image{MimeType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n")}
			if _, err := d.GiveAnswer(r, answer, []question.Image{png}, ""); err != nil {
				t.Fatal(err)
			}
			receipt = d.released(r.Conversation)
		})
		for range 2 {
			d.commit()
		}
		d.wrote(t)
		if closed(receipt) == strict || r.Durable || len(d.reports) == 0 || d.reports[len(d.reports)-1].Saved {
			t.Errorf("strict %t: acknowledged %t, durable %t, reported %+v", strict, closed(receipt), r.Durable, d.reports)
		}
	}
}

// A store's open questions are loaded, and so are earlier outcomes. Records that it does not have stay and are written.
func TestLoad(t *testing.T) {
	d := newDesk()
	closedThere, unknown := d.ask("s", "a"), d.ask("t", "b")
	outcome := stored(t, "a", "theirs")
	call, err := archive.EncodeCall(unknown.Call, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.shelf.questions = map[string]store.Question{
		"a": {ID: "a", Session: "s", Tool: "ask_followup_question", Call: call, State: store.Closed, Outcome: &outcome},
		"c": {ID: "c", Session: "s", Tool: "ask_followup_question", Call: call, State: store.Pending},
	}
	if _, err := d.load(t.Context(), d.shelf); err != nil {
		t.Fatal(err)
	}
	if closedThere.Outcome == nil || closedThere.Outcome.Text != "theirs" {
		t.Errorf("the closed question is %+v", closedThere)
	}
	if unknown.Outcome != nil || unknown.State != protocol.ItemPending {
		t.Errorf("the question that the store does not have is %+v", unknown)
	}
	if c := d.Record("c"); c == nil || !d.Orphaned(c) {
		t.Errorf("the open question is %+v", c)
	}
}

// A new store that replaces a lost one gets everything in memory, even if it can only be opened at the second try.
func TestNewStoreGetsEverything(t *testing.T) {
	d := newDesk()
	r := d.ask("s", "a")
	d.ask("s", "b")
	d.commit()
	d.answer(r, "yes")
	d.shelf.fail = store.ErrGone
	d.commit()
	d.wrote(t, "session s", "a pending", "b queued")
	fresh := &shelf{questions: map[string]store.Question{}, result: d.shelf.result}
	tries := 0
	d.options.Open = func(context.Context, string, store.Options) (store.Store, store.Report, error) {
		if tries++; tries == 1 {
			return nil, store.Report{}, store.ErrUnavailable
		}
		return fresh, store.Report{}, nil
	}
	for range 2 {
		d.open(t.Context(), func() {})
	}
	if d.reports[len(d.reports)-1].Saved {
		t.Errorf("reported as saved before it is: %+v", d.reports)
	}
	d.shelf = fresh
	d.commit()
	d.wrote(t, "session s", "a held", "b pending", "a said yes")
	if !d.reports[len(d.reports)-1].Saved {
		t.Errorf("reported %+v", d.reports)
	}
}

// A look-up waits for a store that turns out to be lost, or is being reopened.
func TestLookupInALostStore(t *testing.T) {
	d := newDesk()
	other := &shelf{questions: map[string]store.Question{}}
	lost := &lostShelf{shelf: d.shelf}
	seen := make(chan struct{}, 2)
	d.store, d.lose = lost, func() { seen <- struct{}{} }
	found := make(chan error, 1)
	go func() {
		_, err := d.Find(t.Context(), "a", false)
		found <- err
	}()
	waits.For(t, seen)
	if d.Without() {
		t.Error("it does without the store")
	}
	select {
	case err := <-found:
		t.Errorf("returned %v before it could be looked up", err)
	default:
	}
	outcome := stored(t, "a", "theirs")
	outcome.Answer = []byte("no JSON") // shows that it was read
	other.questions["a"] = store.Question{ID: "a", Outcome: &outcome}
	d.View(func() {
		d.store, d.health.reopen = other, false
		d.settled()
	})
	if err := waits.For(t, found); err == nil {
		t.Error("it was not looked up in the reopened store")
	}
}

// Records in memory are returned while a lost store is reopened.
func TestLookupInMemory(t *testing.T) {
	d := newDesk()
	asked := d.ask("s", "a")
	d.View(func() {
		d.store, d.opening, d.lose = nil, make(chan struct{}), func() { t.Error("it waited for the opening") }
	})
	ctx, end := context.WithCancel(t.Context())
	end() // so that waiters continue, as checked below
	if r, err := d.Find(ctx, "a", false); r != asked || err != nil {
		t.Errorf("got %+v, %v", r, err)
	}
	if c, err := d.Persister.Conversation(ctx, "s", false); c != asked.Conversation || err != nil {
		t.Errorf("got %+v, %v", c, err)
	}
}

// lostShelf is a lost store.
type lostShelf struct{ *shelf }

func (*lostShelf) Question(context.Context, string) (store.Question, error) {
	return store.Question{}, store.ErrGone
}

func (s *shelf) Session(context.Context, string) (store.Session, error) {
	return store.Session{}, store.ErrNotFound
}

// An invalid call is kept for its agent until the end of its stream has listed it. If that happens during a write, the next write
// records it.
func TestListedWhileItIsWritten(t *testing.T) {
	d := newDesk()
	d.section(func() {
		d.Open("s", protocol.SessionOpenParams{Agent: "Test", Key: "s"}, conversation.Settings{Locale: locale.English})
	})
	if err := d.Append(protocol.StreamParams{Session: "s", StreamID: "stream"}, 0, []byte("<ask_followup_question><question> </question></ask_followup_question>")); err != nil {
		t.Fatal(err)
	}
	var id string
	d.shelf.during = func() {
		d.shelf.during = nil
		d.section(func() {
			result, err := d.EndStream(protocol.StreamParams{Session: "s", StreamID: "stream"}, protocol.StreamComplete)
			if err != nil || len(result.Calls) != 1 {
				t.Fatal(result, err)
			}
			id = result.Calls[0].QuestionID
		})
	}
	collected := func() (all []string) {
		d.commit()
		for _, changes := range d.shelf.commits {
			for _, c := range changes {
				all = append(all, c.Collected...)
			}
		}
		return all
	}
	if got := collected(); len(got) > 0 {
		t.Errorf("collected before the end: %q", got)
	}
	if got := collected(); !slices.Equal(got, []string{id}) {
		t.Errorf("collected %q, want %q", got, id)
	}
}

// A person's retention applies to folders, and removes nothing from a database that others use too.
func TestRetentionIsForFolders(t *testing.T) {
	for _, test := range []struct {
		place string
		want  int
	}{{"/a/folder", 1}, {"postgres://host/db", 0}, {"service=team", 0}} {
		d := newDesk()
		ctx, end := context.WithCancel(t.Context())
		d.folder = test.place
		d.Retain(store.Retention{Nothing: true})
		got := 0
		d.shelf.retained = func(store.Retention) {
			got++
			end()
		}
		d.retain(ctx, d.shelf)
		end()
		if got != test.want {
			t.Errorf("%s: removed %d times, want %d", test.place, got, test.want)
		}
	}
}

// awayShelf is a store whose sessions, and then whose questions, are temporarily unreadable.
type awayShelf struct {
	*shelf
	away error
	only string // the only session
}

func (s *awayShelf) Session(_ context.Context, id string) (store.Session, error) {
	switch {
	case s.away != nil:
		return store.Session{}, s.away
	case id != s.only:
		return store.Session{}, store.ErrNotFound
	}
	return store.Session{ID: id, Document: fmt.Appendf(nil, `{"agent":"Test","key":%q,"locale":"en","limit":3}`, id)}, nil
}

// If a store becomes unavailable between reading a question and its session, it is read again: a question never gets another session,
// whose agent would receive it. The same holds for look-ups and closed questions. A question without a session is skipped.
func TestSessionThatCannotBeRead(t *testing.T) {
	d := newDesk()
	asked := d.ask("t", "b")
	call, err := archive.EncodeCall(asked.Call, nil)
	if err != nil {
		t.Fatal(err)
	}
	outcome := stored(t, "over", "there")
	there := &awayShelf{d.shelf, nil, "s"}
	open := func(id, session string) store.Question {
		return store.Question{ID: id, Session: session, Tool: "ask_followup_question", Call: call, State: store.Pending}
	}
	over := open("over", "s")
	over.State, over.Outcome = store.Closed, &outcome
	d.shelf.questions = map[string]store.Question{"a": open("a", "s"), "lost": open("lost", "gone"), "over": over}
	d.store, d.options.Slow = there, time.Millisecond
	for _, there.away = range []error{store.ErrDamaged, store.ErrGone, store.ErrUnavailable} {
		if _, err := d.load(t.Context(), there); !errors.Is(err, there.away) {
			t.Errorf("half of it was loaded: %v", err)
		}
	}
	for _, id := range []string{"a", "over"} {
		if r, err := d.Find(t.Context(), id, false); r != nil || err == nil {
			t.Errorf("%s is found as %+v, %v", id, r, err)
		}
	}
	there.away = nil
	if r, err := d.Find(t.Context(), "over", false); err != nil || r == nil || r.Conversation.ID != "s" {
		t.Errorf("the closed question is %+v, %v", r, err)
	}
	if _, err := d.load(t.Context(), there); err != nil {
		t.Fatal(err)
	}
	if r := d.Record("a"); r == nil || r.Conversation.ID != "s" {
		t.Errorf("the open question is %+v", r)
	}
	if r := d.Record("lost"); r != nil || d.Known("") != nil {
		t.Errorf("without a session: %+v", r)
	}
}

// Nothing is removed for its age by one look at the time of day: a clock that is wrong for an hour, at the start or later, removes nothing
// that it should not.
func TestRetentionNeedsProofOfTheTime(t *testing.T) {
	const year = 365 * 24 * time.Hour
	tests := []struct {
		name       string
		wrong      time.Duration
		from, till time.Duration // when the clock is wrong
	}{
		{"right", 0, 0, 0},
		{"ahead at the start", 400 * 24 * time.Hour, 0, time.Hour},
		{"ahead when entries are removed", year, 119 * time.Minute, 179 * time.Minute},
		{"ahead when they are removed again", year, 2*time.Hour + retainEvery - time.Minute, 3*time.Hour + retainEvery},
		{"back", -year, time.Hour, 90 * time.Minute},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk()
				began := time.Now()
				d.options.Now = func() time.Time {
					if since := time.Since(began); since >= test.from && since < test.till {
						return time.Now().Add(test.wrong)
					}
					return time.Now()
				}
				var mu sync.Mutex
				var got []time.Duration // since the begin, when entries were removed by a sure time
				removals := func() []time.Duration {
					mu.Lock()
					defer mu.Unlock()
					return got
				}
				ctx, end := context.WithCancel(t.Context())
				d.shelf.retained = func(r store.Retention) {
					mu.Lock()
					defer mu.Unlock()
					switch {
					case r.Now.IsZero() && r.Age == year:
					case r.Now.After(time.Now()):
						t.Errorf("after %v, it counts as %v later", time.Since(began), time.Until(r.Now))
					default:
						got = append(got, time.Since(began))
					}
				}
				d.Retain(store.Retention{Age: year})
				ended := make(chan struct{})
				go func() {
					d.retain(ctx, d.shelf)
					close(ended)
				}()
				<-time.After(3 * time.Second) // a short start
				synctest.Wait()
				if got := removals(); len(got) > 0 {
					t.Errorf("removed after %v", got)
				}
				<-time.After(2*clockProof + retainEvery)
				end()
				<-ended
				if got := removals(); len(got) < 2 {
					t.Errorf("removed after %v", got)
				}
			})
		})
	}
}

// post is a shelf with callbacks that are always due.
type post struct {
	shelf
	callbacks []store.Callback
}

func (p *post) DueCallbacks(context.Context) ([]store.Callback, error) { return p.callbacks, nil }

func (p *post) Commit(context.Context, []store.Change) ([]store.Result, error) { return nil, nil }

// Callbacks to a host that does not answer delay none to other hosts. Those beyond its limit follow when earlier ones have ended.
func TestCallbacksToADeadHost(t *testing.T) {
	d := newDesk()
	s := &post{shelf: shelf{questions: map[string]store.Question{}}}
	add := func(id, url string) {
		s.callbacks = append(s.callbacks, store.Callback{QuestionID: id, URL: url})
		s.questions[id] = store.Question{ID: id, Outcome: &store.Outcome{}}
	}
	for n := range deliveries + 1 {
		add(fmt.Sprintf("a %04d", n), fmt.Sprintf("https://dead.example/%d", n))
	}
	add("b", "https://alive.example/")
	ctx, cancel := context.WithCancel(t.Context())
	dead, alive, free := make(chan string, 2*deliveries), make(chan string, 1), make(chan struct{})
	d.options.Deliver = func(ctx context.Context, to store.Callback, _ store.Question) bool {
		if to.QuestionID == "b" {
			select {
			case alive <- to.QuestionID:
			default:
			}
			return true
		}
		dead <- to.QuestionID
		select {
		case <-free:
		case <-ctx.Done():
		}
		return false
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		d.deliver(ctx, s)
	}()
	waits.For(t, alive)
	for range perHost {
		waits.For(t, dead)
	}
	free <- struct{}{}
	waits.For(t, dead) // the next one
	cancel()
	<-ended
}

package persistence

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/background"
	"followup/internal/conversation"
	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/waits"
)

// shelf is a store that notes what is written, and gives what the test says.
type shelf struct {
	store.Store // what is not needed
	commits     [][]store.Change
	during      func() // called while a commit is being written
	fail        error
	result      func(store.Change) store.Result
	questions   map[string]store.Question
	retained    func() // called where what is not to be kept would be removed
}

func (s *shelf) Close() error { return nil }

func (s *shelf) Retain(context.Context, store.Retention) (int, error) {
	s.retained()
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

// desk is a persister whose loops do not run: the test does what they would do.
type desk struct {
	*Persister
	*conversation.Registry
	shelf *shelf
	told  []protocol.Storage
	shown map[string]protocol.ItemState // as the interface has been told
	asked int
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
	d.Persister = New(d.Registry, Options{Log: zap.NewNop(), Background: beside, Slow: time.Hour, Report: func(s protocol.Storage) { d.told = append(d.told, s) }})
	d.Registry.Persister, d.Audience = d.Persister, d
	d.folder, d.store, d.Remember, d.lose = "folder", d.shelf, false, func() {}
	return d
}

func (d *desk) section(do func()) {
	d.Enter()
	defer d.Leave()
	do()
}

// ask asks in a session of that name, which may be new.
func (d *desk) ask(session, id string) (r *conversation.Record) {
	d.section(func() {
		c := d.Known(session)
		if c == nil {
			c, _ = d.Open(session, protocol.SessionOpenParams{Agent: "Test", Key: session})
		}
		call := dialect.ReadInput("ask_followup_question", []byte(`{"question":"Q?"}`), c.Reading)
		r = d.Ask(c, protocol.AskParams{QuestionID: id, Tool: "ask_followup_question"}, call)
	})
	return r
}

// answer gives an answer, and what is closed when that may be told.
func (d *desk) answer(r *conversation.Record, text string) (receipt <-chan struct{}) {
	d.section(func() {
		if _, err := d.GiveAnswer(r, protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: text}, nil, ""); err != nil {
			panic(err)
		}
		receipt = d.Receipt(r.Conversation)
	})
	return receipt
}

// receipt is closed when a question may be told.
func (d *desk) receipt(r *conversation.Record) (receipt <-chan struct{}) {
	d.section(func() { receipt = d.Receipt(r.Conversation) })
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

// contents tells what a change is of, in short.
func contents(changes []store.Change) (all []string) {
	for _, c := range changes {
		for _, s := range c.Sessions {
			all = append(all, "session "+s.ID)
		}
		for _, q := range c.Questions {
			all = append(all, fmt.Sprint(q.ID, " ", q.State))
		}
		for _, d := range c.Drafts {
			all = append(all, d.QuestionID+" draft "+d.Text)
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

// stored is an outcome that the store has.
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

// What many sections have changed is written by one commit, in their order, and told behind it.
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
		t.Error("told before it was written")
	}
	d.commit()
	if len(d.shelf.commits) != 1 || len(d.shelf.commits[0]) != 10 {
		t.Errorf("%d commits", len(d.shelf.commits))
	}
	d.wrote(t, want...)
	if slices.ContainsFunc(receipts, func(c <-chan struct{}) bool { return !closed(c) }) || d.shown["c"] != protocol.ItemClosed {
		t.Errorf("not told: %v", d.shown)
	}
	if d.Record("a") != nil {
		t.Error("what is over stays in memory")
	}
	d.commit()
	d.wrote(t)
}

// What changes while something is being written goes with the next commit, and is told behind that one.
func TestChangedMeanwhile(t *testing.T) {
	d := newDesk()
	r := d.ask("s", "a")
	var receipt <-chan struct{}
	d.shelf.during = func() {
		d.shelf.during = nil
		receipt = d.answer(r, "yes")
	}
	d.commit()
	if closed(receipt) || d.shown["a"] != "" { // as it was written it is not any more
		t.Errorf("told before it was written: %v", d.shown)
	}
	d.commit()
	d.wrote(t, "session s", "a pending", "session s", "a held", "a said yes")
	if !closed(receipt) || d.shown["a"] != protocol.ItemClosed {
		t.Errorf("not told: %v", d.shown)
	}
}

// What cannot be written is told as not saved, goes on, and is written when it can be.
func TestCannotBeWritten(t *testing.T) {
	d := newDesk()
	d.shelf.fail = store.ErrUnavailable
	r := d.ask("s", "a")
	d.commit()
	receipt := d.answer(r, "yes")
	if !closed(receipt) || len(d.told) != 1 || d.told[0].Saved || !strings.Contains(d.told[0].Problem, "not being saved") {
		t.Errorf("told %+v", d.told)
	}
	if d.Record("a") == nil {
		t.Fatal("what is not on disk has left memory")
	}
	d.commit()
	d.shelf.fail = nil
	d.options.Open = func(context.Context, string, store.Options) (store.Store, store.Report, error) {
		return d.shelf, store.Report{}, nil
	}
	d.open(t.Context(), func() {}) // which handles that were broken may need
	d.commit()
	d.wrote(t, "session s", "a held", "a said yes")
	if len(d.told) < 2 || !d.told[len(d.told)-1].Saved || d.Record("a") != nil {
		t.Errorf("told %+v", d.told)
	}
}

// A store that turns out to be damaged while something goes into it stays told as that until it has been opened again, also
// where something else fails meanwhile.
func TestDamagedMeanwhile(t *testing.T) {
	d := newDesk()
	d.ask("s", "a")
	d.shelf.during = func() { d.Lost(t.Context(), d.shelf, store.ErrDamaged) }
	d.commit()
	d.shelf.during, d.shelf.fail = nil, store.ErrUnavailable
	d.ask("s", "b")
	d.commit()
	for _, now := range d.told {
		if now.Saved {
			t.Errorf("told %+v", d.told)
		}
	}
	if len(d.told) != 2 || !d.health.reopen {
		t.Errorf("told %+v, to be opened again: %t", d.told, d.health.reopen)
	}
}

// A change that the store refuses never counts as saved, and is tried again; others go on.
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
		t.Errorf("not told: %v", d.shown)
	}
	if now := d.told[len(d.told)-1]; now.Saved || r.Durable {
		t.Errorf("counts as saved: %+v", d.told)
	}
	d.shelf.commits, d.shelf.result = nil, func(store.Change) store.Result { return store.Result{} }
	d.commit()
	d.wrote(t, "session s", "a held", "a said yes")
	if now := d.told[len(d.told)-1]; !now.Saved || !r.Durable {
		t.Errorf("saved, and told as %+v", now)
	}
}

// A strict persister acknowledges nothing that the store refuses until the store takes it. Other sessions go on.
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
	if slices.ContainsFunc(receipts, closed) || r.Told() || len(d.shown) != 1 || r.Durable {
		t.Errorf("acknowledged: %t, %t, %v", closed(receipts[0]), closed(receipts[1]), d.shown)
	}
	if !closed(taken) || d.shown["b"] != protocol.ItemClosed {
		t.Errorf("the other session waits: %v", d.shown)
	}
	if now := d.told[len(d.told)-1]; now.Saved || strings.Contains(now.Problem, "too large") || strings.Contains(now.Problem, "They work") {
		t.Errorf("the people are told %+v", d.told)
	}
	d.shelf.result = func(store.Change) store.Result { return store.Result{} }
	d.commit()
	if !closed(receipts[0]) || !closed(receipts[1]) || !r.Told() || d.shown["a"] != protocol.ItemClosed || !d.told[len(d.told)-1].Saved {
		t.Errorf("not acknowledged: %v, %+v", d.shown, d.told)
	}
}

// A strict persister that another process has replaced acknowledges nothing until it has the store again. What the other one has written
// meanwhile stands then, and whoever gave an answer here is told so.
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
	if closed(receipt) || r.Told() || d.shown["a"] == protocol.ItemClosed || d.KeptBy() != "http://other" {
		t.Errorf("acknowledged: %t, %t, %v; kept by %q", closed(receipt), r.Told(), d.shown, d.KeptBy())
	}
	taken = false
	d.open(t.Context(), func() {})
	d.commit()
	if !closed(receipt) || !r.Beaten || r.Outcome.Text != "theirs" {
		t.Errorf("acknowledged %t, beaten %t, %+v", closed(receipt), r.Beaten, r.Outcome)
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
			receipt = d.Receipt(r.Conversation)
		})
		for range 2 {
			d.commit()
		}
		d.wrote(t)
		if closed(receipt) == strict || r.Durable || len(d.told) == 0 || d.told[len(d.told)-1].Saved {
			t.Errorf("strict %t: acknowledged %t, durable %t, told %+v", strict, closed(receipt), r.Durable, d.told)
		}
	}
}

// What is open in a store is loaded, and so are outcomes that were given before. What it does not know stays as it is here, and is written.
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
		t.Errorf("what was closed is %+v", closedThere)
	}
	if unknown.Outcome != nil || unknown.State != protocol.ItemPending {
		t.Errorf("what the store does not know is %+v", unknown)
	}
	if c := d.Record("c"); c == nil || !d.Orphaned(c) {
		t.Errorf("what was open there is %+v", c)
	}
}

// A new store in the place of the one that was lost gets all that is in memory, also where it is opened only at the second try.
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
	if d.told[len(d.told)-1].Saved {
		t.Errorf("told as saved before it is: %+v", d.told)
	}
	d.shelf = fresh
	d.commit()
	d.wrote(t, "session s", "a held", "b pending", "a said yes")
	if !d.told[len(d.told)-1].Saved {
		t.Errorf("told %+v", d.told)
	}
}

// A store that turns out to be lost while something is looked up is waited for, and so is one that is being opened again.
func TestLookupInALostStore(t *testing.T) {
	d := newDesk()
	other := &shelf{questions: map[string]store.Question{}}
	lost := &lostShelf{shelf: d.shelf}
	seen := make(chan struct{}, 2)
	d.store, d.lose = lost, func() { seen <- struct{}{} }
	found := make(chan error, 1)
	go func() {
		_, err := d.Find(t.Context(), "a")
		found <- err
	}()
	waits.For(t, seen)
	if d.InMemory("", "a") {
		t.Error("nothing is to be looked up")
	}
	select {
	case err := <-found:
		t.Errorf("told %v before it could be looked up", err)
	default:
	}
	outcome := stored(t, "a", "theirs")
	outcome.Answer = []byte("no JSON") // which tells that it was looked at
	other.questions["a"] = store.Question{ID: "a", Outcome: &outcome}
	d.View(func() {
		d.store, d.health.reopen = other, false
		d.settled()
	})
	if err := waits.For(t, found); err == nil {
		t.Error("it was not looked up in the store that came")
	}
}

// What is in memory is given while a store that was lost is being opened again.
func TestLookupInMemory(t *testing.T) {
	d := newDesk()
	asked := d.ask("s", "a")
	d.View(func() {
		d.store, d.opening, d.lose = nil, make(chan struct{}), func() { t.Error("the opening was waited for") }
	})
	ctx, end := context.WithCancel(t.Context())
	end() // so that who waits goes on, which is seen below
	if r, err := d.Find(ctx, "a"); r != asked || err != nil {
		t.Errorf("got %+v, %v", r, err)
	}
	if c, err := d.Persister.Conversation(ctx, "s"); c != asked.Conversation || err != nil {
		t.Errorf("got %+v, %v", c, err)
	}
}

// lostShelf is a store that is gone.
type lostShelf struct{ *shelf }

func (*lostShelf) Question(context.Context, string) (store.Question, error) {
	return store.Question{}, store.ErrGone
}

func (s *shelf) Session(context.Context, string) (store.Session, error) {
	return store.Session{}, store.ErrNotFound
}

// An invalid call is its agent's own until the end of its stream has told of it. What that was told of while it was being written is
// written behind it.
func TestToldWhileItIsWritten(t *testing.T) {
	d := newDesk()
	d.section(func() { d.Open("s", protocol.SessionOpenParams{Agent: "Test", Key: "s"}) })
	if err := d.Append("s", "stream", 0, []byte("<ask_followup_question><question> </question></ask_followup_question>")); err != nil {
		t.Fatal(err)
	}
	var id string
	d.shelf.during = func() {
		d.shelf.during = nil
		d.section(func() {
			result, err := d.EndStream("s", "stream", protocol.StreamComplete)
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
		t.Errorf("collected are %q, not %q", got, id)
	}
}

// How much is kept is each person's own setting, and removes nothing from a database that others use too.
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
		d.shelf.retained = func() {
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

// awayShelf is a store whose sessions, and then whose questions, cannot be read at the moment.
type awayShelf struct {
	*shelf
	away bool
	only string // the session that there is
}

func (s *awayShelf) Session(_ context.Context, id string) (store.Session, error) {
	switch {
	case s.away:
		return store.Session{}, store.ErrUnavailable
	case id != s.only:
		return store.Session{}, store.ErrNotFound
	}
	return store.Session{ID: id, Document: fmt.Appendf(nil, `{"agent":"Test","key":%q,"locale":"en","limit":3}`, id)}, nil
}

// A store that goes away between a question and its session is read again: the question is never another session's, which its agent would
// be told. So it is where somebody asks for it, also once it is over. One without a session is left out.
func TestSessionThatCannotBeRead(t *testing.T) {
	d := newDesk()
	asked := d.ask("t", "b")
	call, err := archive.EncodeCall(asked.Call, nil)
	if err != nil {
		t.Fatal(err)
	}
	outcome := stored(t, "over", "there")
	there := &awayShelf{d.shelf, true, "s"}
	open := func(id, session string) store.Question {
		return store.Question{ID: id, Session: session, Tool: "ask_followup_question", Call: call, State: store.Pending}
	}
	over := open("over", "s")
	over.State, over.Outcome = store.Closed, &outcome
	d.shelf.questions = map[string]store.Question{"a": open("a", "s"), "lost": open("lost", "gone"), "over": over}
	d.store, d.options.Slow = there, time.Millisecond
	if _, err := d.load(t.Context(), there); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("half of it was taken up: %v", err)
	}
	for _, id := range []string{"a", "over"} {
		if r, err := d.Find(t.Context(), id); r != nil || err == nil {
			t.Errorf("%s is taken for %+v, %v", id, r, err)
		}
	}
	there.away = false
	if r, err := d.Find(t.Context(), "over"); err != nil || r == nil || r.Conversation.ID != "s" {
		t.Errorf("what is over is %+v, %v", r, err)
	}
	if _, err := d.load(t.Context(), there); err != nil {
		t.Fatal(err)
	}
	if r := d.Record("a"); r == nil || r.Conversation.ID != "s" {
		t.Errorf("it is %+v", r)
	}
	if r := d.Record("lost"); r != nil || d.Known("") != nil {
		t.Errorf("of no session: %+v", r)
	}
}

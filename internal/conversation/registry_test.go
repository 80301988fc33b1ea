package conversation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"followup/internal/background"
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

// desk is a registry with a persister that the test controls, and an audience that records events.
type desk struct {
	*Registry
	sections []Section
	events   []string
	asked    int
	unkept   map[*Conversation]bool
}

func newDesk() *desk {
	d := &desk{}
	d.Registry = New(Options{
		Log: zap.NewNop(), Background: background.New(zap.NewNop()), PassText: func(*Stream) {},
		NewID: func() string { d.asked++; return fmt.Sprint("id", d.asked) },
	})
	d.Persister, d.Audience = d, d
	return d
}

func (d *desk) Persist(s Section)        { d.sections = append(d.sections, s) }
func (d *desk) Has(c *Conversation) bool { return !d.unkept[c] }
func (d *desk) Present() bool            { return true }
func (d *desk) Changed(r *Record)        { d.events = append(d.events, r.ID+" "+string(r.State)) }
func (d *desk) Grew(r *Record)           { d.events = append(d.events, r.ID+" grew") }
func (d *desk) Removed(r *Record)        { d.events = append(d.events, r.ID+" removed") }
func (d *desk) receipt(c *Conversation) <-chan struct{} {
	receipt := make(chan struct{})
	d.Released(c, func() { close(receipt) })
	return receipt
}
func (d *desk) section(do func()) { d.Enter(); defer d.Leave(); do() }
func (d *desk) open(id string) *Conversation {
	var c *Conversation
	d.section(func() {
		c, _ = d.Open(id, protocol.SessionOpenParams{Agent: "Test", Key: id}, Settings{Locale: locale.English})
	})
	return c
}

// release simulates the persister when everything is on disk.
func (d *desk) release(stored bool) {
	d.section(func() {
		for _, s := range d.sections {
			for _, r := range s.Records {
				r.Durable = stored && r.Outcome != nil
			}
			for _, c := range s.Conversations {
				d.Release(c, s.At)
			}
		}
		d.sections = nil
	})
}

func done(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

const valid = `{"question":"Q?","follow_up":["A"]}`

// ask parses a call and asks its question, in a section.
func (d *desk) ask(c *Conversation, p protocol.AskParams) *Record {
	r, err := d.Ask(c, p, dialect.ReadInput(p.Tool, p.Input, c.Reading))
	if err != nil {
		panic(err)
	}
	return r
}

func askOf(id string) protocol.AskParams {
	return protocol.AskParams{QuestionID: id, Tool: "ask_followup_question", Input: []byte(valid)}
}

// The interface, waiters and the caller learn of a change only after it is saved, in order.
func TestAnnouncedOnceSaved(t *testing.T) {
	d := newDesk()
	c := d.open("s")
	d.release(true)
	var a, b *Record
	var receipt <-chan struct{}
	d.section(func() {
		a = d.ask(c, askOf("a"))
		b = d.ask(c, askOf("b"))
		receipt = d.receipt(c)
	})
	if len(d.events) > 0 || done(receipt) {
		t.Errorf("announced before it was saved: %q", d.events)
	}
	d.release(true)
	if diff := cmp.Diff([]string{"a pending", "b queued"}, d.events); diff != "" || !done(receipt) {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	d.events = nil
	d.section(func() {
		if given, err := d.GiveAnswer(a, protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: "x"}, nil, ""); !given || err != nil {
			t.Error(given, err)
		}
		receipt = d.receipt(c)
	})
	early := d.sections
	d.section(func() { _, _ = d.SaveDraft(b, protocol.Draft{Text: "half", ChangedAt: 1}) })
	late := slices.Clone(d.sections[len(early):])
	if a.Announced() || done(receipt) {
		t.Error("announced before it was saved")
	}
	d.sections = early
	d.release(true)
	if diff := cmp.Diff([]string{"a closed"}, d.events); diff != "" || !a.Announced() || !done(receipt) {
		t.Errorf("events before b was saved (-want +got):\n%s", diff)
	}
	d.sections = late
	d.release(true)
	if diff := cmp.Diff([]string{"a closed", "b pending"}, d.events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// Memory is freed after questions with their streams and sessions are closed, and incomplete calls are dropped.
func TestMemoryIsFreed(t *testing.T) {
	d := newDesk()
	for n := range 2000 {
		id := strconv.Itoa(n)
		c := d.open(id)
		for _, text := range []string{
			"<ask_followup_question><question>Q?</question></ask_followup_question>", "<ask_followup_question><question>cut", "text",
		} {
			stream := fmt.Sprint(id, len(text))
			if err := d.Append(protocol.StreamParams{Session: id, StreamID: stream}, 0, []byte(text)); err != nil {
				t.Fatal(err)
			}
			reason := protocol.StreamComplete
			if n%2 == 0 {
				reason = protocol.StreamAborted
			}
			d.section(func() {
				if _, err := d.EndStream(protocol.StreamParams{Session: id, StreamID: stream}, reason); err != nil {
					t.Fatal(err)
				}
			})
		}
		d.section(func() {
			d.ask(c, askOf("asked"+id))
			d.Close(c)
		})
		d.release(true)
	}
	if left := len(d.records) + len(d.sessions) + len(d.streams.byID) + len(d.turns.last) + len(d.touched); left > 0 {
		t.Errorf("%d records, %d sessions, %d streams and %d turns are still in memory",
			len(d.records), len(d.sessions), len(d.streams.byID), len(d.turns.last))
	}
	if len(d.streams.past) > pastKept {
		t.Errorf("%d ids of streams are still in memory", len(d.streams.past))
	}
}

// Agents exit without closing their sessions: idle ones are evicted, and the others stay.
func TestIdleSessionsAreEvicted(t *testing.T) {
	d := newDesk()
	asks, reads, turn, unkept := d.open("asks"), d.open("reads"), d.open("turn"), d.open("unkept")
	d.unkept = map[*Conversation]bool{unkept: true}
	d.section(func() { d.ask(asks, askOf("q")) })
	if err := d.Append(protocol.StreamParams{Session: reads.ID, StreamID: "stream"}, 0, []byte("text")); err != nil {
		t.Fatal(err)
	}
	pending := d.Turn(turn.ID, "")
	idle := d.open("idle")
	d.release(true)
	for n := 0; n < 10*openKept || d.Known(idle.ID) != nil && n < 1000*openKept; n++ {
		d.open(strconv.Itoa(n))
		d.release(true)
	}
	if d.Known(idle.ID) != nil {
		t.Error("an idle session is still in memory")
	}
	for _, c := range []*Conversation{asks, reads, turn, unkept} {
		if d.Known(c.ID) != c {
			t.Errorf("%s was evicted", c.ID)
		}
	}
	if n := len(d.sessions); n > 2*openKept {
		t.Errorf("%d sessions are in memory", n)
	}
	pending.End()
	d.unkept = nil
	d.section(func() {
		if _, err := d.EndStream(protocol.StreamParams{Session: reads.ID, StreamID: "stream"}, protocol.StreamComplete); err != nil {
			t.Error(err)
		}
	})
	for n := 0; d.Known(reads.ID) != nil || d.Known(turn.ID) != nil || d.Known(unkept.ID) != nil; n++ {
		if n > 1000*openKept {
			t.Fatal("sessions that became idle are still in memory")
		}
		d.open(fmt.Sprint("more", n))
		d.release(true)
	}
}

// Without a disk, the newest closed questions and those with a waiting request stay in memory.
func TestRemember(t *testing.T) {
	d := newDesk()
	d.Remember = true
	c := d.open("s")
	end := func(id string, waited bool) {
		var r *Record
		d.section(func() {
			r = d.ask(c, askOf(id))
			if waited {
				d.StartWait(r, WaitOptions{})
			}
		})
		d.section(func() {
			if _, err := d.Dismiss(r, ""); err != nil {
				t.Fatal(err)
			}
		})
		d.release(false)
	}
	end("waited", true)
	for n := range 3 * remembered {
		end(strconv.Itoa(n), false)
	}
	if n := len(d.records); n != remembered+1 || d.records["waited"] == nil || d.records[strconv.Itoa(3*remembered-1)] == nil {
		t.Errorf("%d questions are in memory", n)
	}
}

// Without a disk, open sessions stay in memory and closed ones are evicted.
func TestRememberedSessions(t *testing.T) {
	d := newDesk()
	d.Remember = true
	stays := d.open("stays")
	for n := range 10 * openKept {
		c := d.open(strconv.Itoa(n))
		d.section(func() { d.Close(c) })
		d.release(false)
	}
	if n := len(d.sessions); n > 2*openKept || d.Known("stays") != stays || !stays.Open {
		t.Errorf("%d sessions are in memory; the open one is %+v", n, stays)
	}
	var open []*Conversation
	for n := range 3 * openKept {
		open = append(open, d.open(fmt.Sprint("open", n)))
		d.release(false)
	}
	for _, c := range open {
		if d.Known(c.ID) != c || !c.Open {
			t.Errorf("%s was evicted", c.ID)
		}
	}
}

// A late message does not open an ended stream again, even after the stream was forgotten.
func TestLateMessage(t *testing.T) {
	d := newDesk()
	d.open("s")
	d.section(func() {
		if _, err := d.EndStream(protocol.StreamParams{Session: "s", StreamID: "one"}, protocol.StreamComplete); err != nil {
			t.Fatal(err)
		}
	})
	if err := d.Append(protocol.StreamParams{Session: "s", StreamID: "one"}, 0, []byte("late")); err == nil {
		t.Error("a late message was accepted")
	}
}

// While one session's call is parsed, other sessions continue and ask. The parsed call is applied afterwards.
func TestParsingDoesNotBlockOthers(t *testing.T) {
	reads := map[string]func(*desk){
		"a stream": func(d *desk) {
			if err := d.Append(protocol.StreamParams{Session: "reads", StreamID: "stream"}, 0, []byte("<ask_followup_question><question>Q?</question></ask_followup_question>")); err != nil {
				t.Error(err)
			}
		},
		"a native call of a stream": func(d *desk) {
			if err := d.AppendInput(protocol.StreamParams{Session: "reads", StreamID: "stream"}, "call", "ask_followup_question", 0, []byte(valid)); err != nil {
				t.Error(err)
			}
			if err := d.FinishReading(protocol.StreamParams{Session: "reads", StreamID: "stream"}); err != nil {
				t.Error(err)
			}
		},
		"a whole call": func(d *desk) {
			call := d.Read("reads", "ask_followup_question", []byte(valid))
			d.section(func() { _, _ = d.Ask(d.Known("reads"), askOf("id"), call) })
		},
	}
	for name, read := range reads {
		t.Run(name, func(t *testing.T) {
			d := newDesk()
			slow, others := d.open("reads"), d.open("others")
			started, resume, finished := make(chan struct{}), make(chan struct{}), make(chan struct{})
			d.reads = func() {
				d.reads = nil
				close(started)
				<-resume
			}
			go func() {
				defer close(finished)
				read(d)
			}()
			<-started
			d.section(func() {
				if r := d.ask(others, askOf("q")); r.State != protocol.ItemPending {
					t.Errorf("the other question is %s", r.State)
				}
			})
			close(resume)
			<-finished
			d.section(func() {
				if n := len(slow.Records); n != 1 || slow.Records[0].State != protocol.ItemPending {
					t.Errorf("%d questions were read", n)
				}
			})
		})
	}
}

// The registry counts the open questions of an account.
func TestOpenOfAnAccount(t *testing.T) {
	d := newDesk()
	mine, others := d.open("mine"), d.open("others")
	d.section(func() { mine.Account, others.Account = "ci", "other" })
	var a *Record
	d.section(func() {
		a = d.ask(mine, askOf("a"))
		d.ask(mine, askOf("b"))
		d.ask(others, askOf("c"))
	})
	d.release(true)
	size := a.Call.Size()
	open := func(want int) {
		t.Helper()
		d.section(func() {
			if got, bytes := d.OpenOf("ci"); got != want || bytes != want*size || d.OpenBytes() != (want+1)*size {
				t.Errorf("%d with %d bytes are open, of %d bytes in all; want %d", got, bytes, d.OpenBytes(), want)
			}
		})
	}
	open(2)
	d.section(func() {
		if given, err := d.GiveAnswer(a, protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: "x"}, nil, ""); !given || err != nil {
			t.Error(given, err)
		}
	})
	open(1)
	d.release(true)
	d.section(func() { d.Forget(a) })
	if d.Record("a") != nil || len(d.accounts) != 2 {
		t.Errorf("%v is still in memory, and %d accounts have open questions", d.Record("a"), len(d.accounts))
	}
	recalled := StoredRecord(mine)
	recalled.ID, recalled.Call = "d", a.Call
	d.section(func() { d.AddRecord(recalled) })
	open(2)
}

// without removes a record from a list. If the record is the first, the others do not move.
func TestWithout(t *testing.T) {
	a, b, c := &Record{}, &Record{}, &Record{}
	for _, test := range []struct{ all, want []*Record }{
		{[]*Record{a, b, c}, []*Record{b, c}},
		{[]*Record{b, a, c}, []*Record{b, c}},
		{[]*Record{b, c, a}, []*Record{b, c}},
		{[]*Record{b, c}, []*Record{b, c}},
		{nil, nil},
	} {
		if got := without(slices.Clone(test.all), a); !slices.Equal(got, test.want) {
			t.Errorf("%d of %d records remain", len(got), len(test.all))
		}
	}
	if all := []*Record{a, b, c}; &without(all, a)[0] != &all[1] || all[0] != nil {
		t.Error("the others have moved, or the record is kept alive")
	}
}

// If the clock is set back while the user writes, the draft from before does not block later ones.
func TestDraftAfterTheClockIsSetBack(t *testing.T) {
	d := newDesk()
	now := time.UnixMilli(100_000)
	d.options.Now = func() time.Time { return now }
	c := d.open("s")
	d.section(func() {
		r := d.ask(c, askOf("q"))
		_, _ = d.SaveDraft(r, protocol.Draft{Text: "before", ChangedAt: 99_000})
		now = time.UnixMilli(50_000)
		for at, text := range []string{"one", "two"} {
			_, _ = d.SaveDraft(r, protocol.Draft{Text: text, ChangedAt: 49_000 + int64(at)})
			if r.Draft.Text != text {
				t.Errorf("the draft is %q, not %q", r.Draft.Text, text)
			}
		}
		_, _ = d.SaveDraft(r, protocol.Draft{Text: "older", ChangedAt: 48_000})
		if r.Draft.Text != "two" {
			t.Errorf("an older draft replaced the newer one")
		}
	})
}

// The text before a call is truncated between characters, however much white space surrounds it.
func TestContextIsCutBetweenCharacters(t *testing.T) {
	d := newDesk()
	c := d.open("s")
	text := strings.Repeat("ﷺ", question.MaxContext) + strings.Repeat("\n", 64)
	for cut := range 3 {
		of := protocol.StreamParams{Session: "s", StreamID: strconv.Itoa(cut)}
		message := "abc"[:cut] + text + "<ask_followup_question><question>Q?</question></ask_followup_question>"
		if err := d.Append(of, 0, []byte(message)); err != nil {
			t.Fatal(err)
		}
		if got := c.Records[cut].Call.Context; !utf8.ValidString(got) {
			t.Errorf("the context begins with %q", got[:4])
		}
	}
}

// An event that the session rejects is an error for its sender, and changes nothing.
func TestRejectedEvents(t *testing.T) {
	events := map[string]func(*desk, *Record) error{
		"answer": func(d *desk, r *Record) error {
			_, err := d.GiveAnswer(r, protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: "yes"}, nil, "")
			return err
		},
		"dismiss":  func(d *desk, r *Record) error { _, err := d.Dismiss(r, ""); return err },
		"withdraw": func(d *desk, r *Record) error { _, err := d.Withdraw(r, protocol.WithdrawParams{}); return err },
		"elsewhere": func(d *desk, r *Record) error {
			_, err := d.Withdraw(r, protocol.WithdrawParams{Elsewhere: true, Text: "yes"})
			return err
		},
		"touch": func(d *desk, r *Record) error { return d.StopClock(r) },
		"draft": func(d *desk, r *Record) error {
			_, err := d.SaveDraft(r, protocol.Draft{Text: "half", ChangedAt: 1})
			return err
		},
	}
	for name, send := range events {
		t.Run(name, func(t *testing.T) {
			d := newDesk()
			c := d.open("s")
			var r *Record
			d.section(func() {
				d.SetTimed(time.Hour)
				r = d.ask(c, askOf("a"))
			})
			d.release(true)
			d.events = nil
			d.section(func() {
				c.State.Open = nil // the session does not know the question, which only a bug can cause
				if err := send(d, r); err == nil {
					t.Error("it counts as accepted")
				}
			})
			d.release(true)
			if r.Outcome != nil || r.Draft != nil || r.State != protocol.ItemPending || r.Announced() || len(d.events) > 0 {
				t.Errorf("changed to %+v, announced %q", r, d.events)
			}
		})
	}
	t.Run("ask", func(t *testing.T) {
		d := newDesk()
		c := d.open("s")
		d.section(func() {
			d.ask(c, askOf("a"))
			delete(d.records, "a")
			if _, err := d.Ask(c, askOf("a"), dialect.ReadInput("ask_followup_question", []byte(valid), c.Reading)); err == nil || d.records["a"] != nil {
				t.Errorf("%v, %+v", err, d.records["a"])
			}
		})
	})
}

// A session that finishes closes with its last open question, after a restart, too. Opening it again before keeps it.
func TestFinish(t *testing.T) {
	d := newDesk()
	ask := func(c *Conversation, id string) (r *Record) {
		t.Helper()
		d.section(func() {
			var err error
			if r, err = d.Ask(c, protocol.AskParams{QuestionID: id}, question.Call{Followup: &question.Followup{Question: "Q?"}}); err != nil {
				t.Fatal(err)
			}
		})
		return r
	}
	dismiss := func(r *Record) {
		t.Helper()
		d.section(func() {
			if _, err := d.Dismiss(r, ""); err != nil {
				t.Fatal(err)
			}
		})
	}
	c := d.open("s")
	first, second := ask(c, "a"), ask(c, "b")
	d.section(func() { d.Finish(c) })
	if dismiss(first); c.Closed {
		t.Error("closed although a question is open")
	}
	if dismiss(second); !c.Closed || d.sections[len(d.sections)-1].Conversations == nil {
		t.Error("not closed with its last question")
	}
	empty := d.open("empty")
	if d.section(func() { d.Finish(empty) }); !empty.Closed {
		t.Error("a session without questions is not closed")
	}
	opened := d.open("opened again")
	third := ask(opened, "c")
	d.section(func() { d.Finish(opened) })
	if d.open("opened again"); opened.Finishing {
		t.Error("still finishing")
	}
	if dismiss(third); opened.Closed {
		t.Error("closed although it was opened again")
	}
	loaded := &Conversation{ID: "loaded", Settings: Settings{Finishing: true}}
	d.section(func() {
		d.Add(loaded)
		r := StoredRecord(loaded)
		r.ID, r.State, r.Call = "d", protocol.ItemPending, question.Call{Followup: &question.Followup{Question: "Q?"}}
		d.AddRecord(r)
		d.Restore(loaded, 0)
	})
	if dismiss(d.Record("d")); !loaded.Closed {
		t.Error("a loaded session is not closed with its question")
	}
}

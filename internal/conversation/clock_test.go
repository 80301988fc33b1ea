package conversation

import (
	"testing"
	"testing/synctest"
	"time"

	"followup/internal/protocol"
	"followup/internal/session"
)

// If a choice becomes due while no process runs, the next process makes it, after a grace period in which the user can see it.
// Timed choices must be enabled there, and an agent must wait for the question.
func TestOverdueChoice(t *testing.T) {
	d := newDesk()
	c := d.open("s")
	var r, next *Record
	d.section(func() {
		r = d.ask(c, protocol.AskParams{QuestionID: "a", Tool: "ask_followup_question", Input: []byte(valid)})
		next = d.ask(c, protocol.AskParams{QuestionID: "b", Tool: "ask_followup_question", Input: []byte(valid)})
		c.State.Clock = session.Clock{ID: "a", Due: time.Now().Add(-time.Hour).UnixMilli()} // as loaded from the store
		d.Restore(c, 0)
	})
	d.release(true)
	d.section(func() { d.expire(r) })
	if r.Outcome != nil {
		t.Fatalf("chosen although timed choices are disabled: %+v", r.Outcome)
	}
	began := time.Now()
	d.section(func() { d.SetTimed(time.Hour) })
	d.section(func() {
		first := r.expires
		if r.expiry == nil || first.Before(began.Add(grace)) || first.After(time.Now().Add(grace)) {
			t.Errorf("due at %v, but timed choices were enabled at %v", first, began)
		}
		r.expires = time.Now().Add(grace / 3)
		if d.runClock(r); r.expires.After(time.Now().Add(grace / 3)) {
			t.Errorf("an update postponed the choice to %v", r.expires)
		}
		d.Disconnect(r.Conversation)
		if d.expire(r); r.Outcome != nil || r.expiry != nil {
			t.Errorf("chosen although no agent waits: %+v", r.Outcome)
		}
		d.back(r)
		d.back(next)
		if r.expiry == nil {
			t.Error("the clock does not run after an agent returned")
		}
		d.expire(r)
	})
	d.section(func() {
		if r.Outcome == nil || r.Outcome.Provenance != protocol.ProvenanceTimer || *r.Outcome.Suggestion != 0 || r.Answer.Text != "<answer>\nA\n</answer>" {
			t.Fatalf("%+v, %+v", r.Outcome, r.Answer)
		}
		if left := time.Until(time.UnixMilli(next.Due())); left <= time.Minute {
			t.Errorf("the next question is due in %v", left)
		}
	})
}

// A question has no clock if it has no suggestions, if it has several parts, or if the user has begun to answer it.
func TestNoClock(t *testing.T) {
	d := newDesk()
	d.section(func() { d.SetTimed(time.Hour) })
	ask := func(session, tool, input string) (r *Record) {
		c := d.open(session)
		d.section(func() { r = d.ask(c, protocol.AskParams{QuestionID: session, Tool: tool, Input: []byte(input)}) })
		return r
	}
	two := `{"questions":[{"question":"A?","options":["x","y"]},{"question":"B?","options":["x","y"]}]}`
	for _, r := range []*Record{ask("1", "ask_followup_question", `{"question":"Q?"}`), ask("2", "AskUserQuestion", two)} {
		if r.State != protocol.ItemPending || r.Due() != 0 {
			t.Errorf("%s: %s, due %d", r.ID, r.State, r.Due())
		}
	}
	d.section(func() { d.SetTimed(0) })
	started := ask("4", "ask_followup_question", valid)
	d.section(func() { _, _ = d.SaveDraft(started, protocol.Draft{Text: "x", ChangedAt: 1}); d.SetTimed(time.Hour) })
	if started.Due() != 0 {
		t.Error("a clock runs although the user has begun to answer")
	}
	r := ask("3", "AskUserQuestion", `{"questions":[{"question":"A?","options":["x","y"]}]}`)
	if r.Due() == 0 {
		t.Error("a questionnaire with one question has no clock")
	}
	d.section(func() {
		_, _ = d.SaveDraft(r, protocol.Draft{Picks: []protocol.PickDraft{{Options: []int{1}}}, ChangedAt: 1})
	})
	if r.Due() != 0 {
		t.Error("a draft does not stop the clock")
	}
	d.section(func() { _, _ = d.SaveDraft(r, protocol.Draft{ChangedAt: 2}); d.SetTimed(0); d.SetTimed(time.Hour) })
	if r.Due() != 0 {
		t.Error("the clock was not stopped permanently")
	}
}

// A touch before the choice is due stops the clock.
func TestTouchStopsTheChoice(t *testing.T) {
	for name, touched := range map[string]bool{"touched": true, "left alone": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk()
				c := d.open("s")
				var r *Record
				d.section(func() {
					d.SetTimed(time.Minute)
					r = d.ask(c, askOf("q"))
				})
				d.release(true)
				<-time.After(time.Minute - 1) // by the bubble's clock
				if touched {
					d.section(func() { _ = d.StopClock(r) })
				}
				<-time.After(2)
				synctest.Wait()
				d.Enter()
				defer d.Leave()
				if chosen := r.Outcome != nil && r.Outcome.Provenance == protocol.ProvenanceTimer; chosen == touched {
					t.Errorf("touched: %t, chosen: %t", touched, chosen)
				}
			})
		})
	}
}

// A machine whose time of day jumps stalls no timed choice, and makes none early, whatever connects meanwhile.
func TestChoiceIgnoresTheTimeOfDay(t *testing.T) {
	for _, jump := range []time.Duration{-5 * time.Hour, 400 * 24 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk()
			shift := time.Duration(0)
			d.options.Now = func() time.Time { return time.Now().Add(shift) }
			c := d.open("s")
			var r *Record
			d.section(func() {
				d.SetTimed(time.Hour)
				r = d.ask(c, askOf("q"))
			})
			d.release(true)
			look := func(when string, want bool) {
				t.Helper()
				synctest.Wait()
				d.section(func() {
					if chosen := r.Outcome != nil; chosen != want {
						t.Errorf("%v, %s: chosen: %t", jump, when, chosen)
					}
				})
			}
			<-time.After(time.Minute)
			d.section(func() {
				shift = jump
				d.SetTimed(time.Hour) // another window connects
			})
			<-time.After(58 * time.Minute)
			look("before", false)
			<-time.After(time.Minute)
			look("after", true)
		})
	}
}

// An expired question cannot be answered, even before it is withdrawn. It is withdrawn when the monotonic clock says so, or when the time
// of day has said so for a while: once is not enough, since it may be wrong.
func TestExpiry(t *testing.T) {
	tests := []struct {
		name              string
		loaded            bool
		jump              time.Duration // of the time of day, after a minute
		back              time.Duration // how long it lasts
		after             time.Duration // when to look
		answerable, stays bool
	}{
		{name: "asked, before", after: 59 * time.Minute, answerable: true, stays: true},
		{name: "asked, after", after: time.Hour},
		{name: "asked, five hours back", jump: -5 * time.Hour, after: time.Hour},
		{name: "asked, just jumped", jump: 2 * time.Hour, after: 90 * time.Second, stays: true},
		{name: "asked, jumped for good", jump: 2 * time.Hour, after: 10 * time.Minute},
		{name: "asked, jumped for a moment", jump: 400 * 24 * time.Hour, back: 3 * time.Minute, after: 30 * time.Minute, answerable: true, stays: true},
		{name: "loaded, before", loaded: true, after: 59 * time.Minute, answerable: true, stays: true},
		{name: "loaded, after", loaded: true, after: time.Hour},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk()
				shift := time.Duration(0)
				d.options.Now = func() time.Time { return time.Now().Add(shift) }
				c := d.open("s")
				ask := askOf("q")
				ask.Expires = time.Now().Add(time.Hour).UnixMilli()
				var r *Record
				d.section(func() {
					if r = d.ask(c, ask); test.loaded {
						call := r.Call
						d.drop(r)
						r = StoredRecord(c)
						r.ID, r.State, r.Call = "q", protocol.ItemPending, call
						d.AddRecord(r)
						d.Restore(c, 0)
					}
				})
				d.release(true)
				jump := func(to time.Duration) { d.section(func() { shift = to }) }
				<-time.After(time.Minute)
				jump(test.jump)
				if test.back > 0 {
					<-time.After(test.back)
					jump(0)
				}
				<-time.After(test.after - time.Minute - test.back)
				synctest.Wait()
				d.section(func() {
					if stays := r.Outcome == nil; stays != test.stays {
						t.Fatalf("open: %t", stays)
					}
					if !test.stays {
						return
					}
					taken, err := d.GiveAnswer(r, protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: "yes"}, nil, "")
					if taken != test.answerable || (err == nil) != test.answerable {
						t.Errorf("answered: %t, %v", taken, err)
					}
				})
				<-time.After(2 * time.Hour) // ends all timers
			})
		})
	}
}

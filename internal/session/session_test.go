package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/question"
)

// describe writes a state in one line: the count, then the open questions.
func describe(s State) string {
	parts := []string{fmt.Sprint(s.Mistakes.Count())}
	for _, open := range s.Open {
		phase := open.Phase.String()
		if open.Left {
			phase = "left " + phase
		}
		parts = append(parts, open.ID+":"+phase)
	}
	if s.Guidance.ID != "" {
		parts = append(parts, s.Guidance.ID+":guidance for "+strings.Join(s.Guidance.Calls, ","))
	}
	if s.Clock.ID != "" {
		parts = append(parts, fmt.Sprintf("clock %s %d", s.Clock.ID, s.Clock.Due))
	}
	return strings.Join(parts, " ")
}

// The transition table: a state, an event, the next state, and its effects or its error.
func TestApply(t *testing.T) {
	var (
		none       = State{}
		streaming  = State{Open: []Open{{ID: "a", Phase: Streaming}}}
		pending    = State{Open: []Open{{ID: "a", Phase: Pending}}}
		waiting    = State{Open: []Open{{ID: "a", Phase: Pending}, {ID: "b", Phase: Queued}, {ID: "c", Phase: Streaming}}}
		left       = State{Open: []Open{{ID: "a", Phase: Pending, Left: true}, {ID: "b", Phase: Pending}, {ID: "c", Phase: Queued}}}
		allLeft    = State{Open: []Open{{ID: "a", Phase: Pending}, {ID: "b", Phase: Queued, Left: true}}}
		leftBehind = State{Open: []Open{{ID: "a", Phase: Pending}, {ID: "b", Phase: Queued, Left: true}, {ID: "c", Phase: Queued}}}
		clocked    = State{Open: []Open{{ID: "a", Phase: Pending, Left: true}, {ID: "b", Phase: Pending}}, Clock: Clock{"a", 50}}
		back       = State{Open: []Open{{ID: "a", Phase: Pending}, {ID: "b", Phase: Pending}}, Clock: Clock{"a", 50}}
		mistaken   = State{Mistakes: Mistakes{2}, Open: []Open{{ID: "a", Phase: Pending}}}
		limited    = State{Mistakes: Mistakes{2}, Limit: 3, Open: []Open{{ID: "a", Phase: Streaming}}}
		guided     = State{Mistakes: Mistakes{4}, Limit: 3, Open: []Open{{ID: "p", Phase: Pending}}, Guidance: Guidance{"g", []string{"x", "y"}}}
		dismissed  = State{Mistakes: Mistakes{3}, Limit: 3}
		timed      = State{Open: []Open{{ID: "a", Phase: Pending}, {ID: "b", Phase: Queued}}, Clock: Clock{"a", 100}}
		touched    = State{Open: []Open{{ID: "a", Phase: Pending}, {ID: "b", Phase: Queued}}, Clock: Clock{ID: "a"}}
	)
	tests := []struct {
		name    string
		from    State
		event   Event
		to      string
		effects []Effect
		err     error
	}{
		{"a call opens", none, Began{"a"}, "0 a:streaming", []Effect{Moved{"a", Streaming}}, nil},
		{"an open call opens", streaming, Began{"a"}, "0 a:streaming", nil, ErrTwice},
		{"a streamed call is complete", streaming, Asked{"a"}, "0 a:pending", []Effect{Moved{"a", Pending}}, nil},
		{"a complete call", none, Asked{"a"}, "0 a:pending", []Effect{Moved{"a", Pending}}, nil},
		{"a complete call, asked twice", pending, Asked{"a"}, "0 a:pending", nil, ErrTwice},
		{"one after another", pending, Asked{"b"}, "0 a:pending b:queued", []Effect{Moved{"b", Queued}}, nil},
		{"a streamed one is complete, after others", waiting, Asked{"c"}, "0 a:pending b:queued c:queued", []Effect{Moved{"c", Queued}}, nil},
		{"an answer makes the next one pending", waiting, Resolved{"a", question.Answered}, "0 b:pending c:streaming", []Effect{Ended{"a", question.Answered}, Moved{"b", Pending}}, nil},
		{"an answer to a queued one", waiting, Resolved{"b", question.Answered}, "0 a:pending b:queued c:streaming", nil, ErrNotPending},
		{"an answer to an arriving one", waiting, Resolved{"c", question.Answered}, "0 a:pending b:queued c:streaming", nil, ErrNotPending},
		{"an answer to none", none, Resolved{"a", question.Answered}, "0", nil, ErrNotOpen},
		{"a reply instead of an answer", waiting, Resolved{"a", question.Replied}, "0 b:pending c:streaming", []Effect{Ended{"a", question.Replied}, Moved{"b", Pending}}, nil},
		{"a reply to a queued one", waiting, Resolved{"b", question.Replied}, "0 a:pending b:queued c:streaming", nil, ErrNotPending},
		{"a reply leaves the count", mistaken, Resolved{"a", question.Replied}, "2", []Effect{Ended{"a", question.Replied}}, nil},
		{"a reply to a request for guidance", guided, Resolved{"g", question.Replied}, "4 p:pending g:guidance for x,y", nil, ErrNoReply},
		{"allowed", waiting, Resolved{"a", question.Allowed}, "0 b:pending c:streaming", []Effect{Ended{"a", question.Allowed}, Moved{"b", Pending}}, nil},
		{"denied", pending, Resolved{"a", question.Denied}, "0", []Effect{Ended{"a", question.Denied}}, nil},
		{"a queued one is allowed", waiting, Resolved{"b", question.Allowed}, "0 a:pending b:queued c:streaming", nil, ErrNotPending},
		{"a request for guidance is allowed", guided, Resolved{"g", question.Allowed}, "4 p:pending g:guidance for x,y", nil, ErrNoReply},
		{"dismissed", pending, Resolved{"a", question.Dismissed}, "0", []Effect{Ended{"a", question.Dismissed}}, nil},
		{"not shown", pending, Resolved{"a", question.NotShown}, "0", []Effect{Ended{"a", question.NotShown}}, nil},
		{"not shown in the queue", waiting, Resolved{"b", question.NotShown}, "0 a:pending c:streaming", []Effect{Ended{"b", question.NotShown}}, nil},
		{"expired in the queue", waiting, Resolved{"b", question.Expired}, "0 a:pending c:streaming", []Effect{Ended{"b", question.Expired}}, nil},
		{"disconnected while arriving", waiting, Resolved{"c", question.Disconnected}, "0 a:pending b:queued", []Effect{Ended{"c", question.Disconnected}}, nil},
		{"withdrawn while arriving", waiting, Resolved{"c", question.Withdrawn}, "0 a:pending b:queued", []Effect{Ended{"c", question.Withdrawn}}, nil},
		{"withdrawn from the queue", waiting, Resolved{"b", question.Withdrawn}, "0 a:pending c:streaming", []Effect{Ended{"b", question.Withdrawn}}, nil},
		{"withdrawn while pending", waiting, Resolved{"a", question.Withdrawn}, "0 b:pending c:streaming", []Effect{Ended{"a", question.Withdrawn}, Moved{"b", Pending}}, nil},
		{"left, it blocks none", waiting, Left{"a"}, "0 a:left pending b:pending c:streaming", []Effect{Moved{"b", Pending}}, nil},
		{"left in the queue", waiting, Left{"b"}, "0 a:pending b:left queued c:streaming", nil, nil},
		{"left with those after it", allLeft, Left{"a"}, "0 a:left pending b:left queued", nil, nil},
		{"an answer beside a left one", left, Resolved{"b", question.Answered}, "0 a:left pending c:pending", []Effect{Ended{"b", question.Answered}, Moved{"c", Pending}}, nil},
		{"an answer to a left one", left, Resolved{"a", question.Answered}, "0 b:pending c:queued", []Effect{Ended{"a", question.Answered}}, nil},
		{"one after a left one", State{Open: []Open{{ID: "a", Phase: Pending, Left: true}}}, Asked{"b"}, "0 a:left pending b:pending", []Effect{Moved{"b", Pending}}, nil},
		{"the asker of a left one is back", left, Back{"a"}, "0 a:pending b:pending c:queued", nil, nil},
		{"the asker of a left one in the queue is back", State{Open: []Open{{ID: "a", Phase: Pending, Left: true}, {ID: "b", Phase: Queued, Left: true}}}, Back{"b"}, "0 a:left pending b:pending", []Effect{Moved{"b", Pending}}, nil},
		{"guidance is left", guided, Left{"g"}, "4 p:pending g:guidance for x,y", nil, nil},
		{"withdrawing none", pending, Resolved{"x", question.Withdrawn}, "0 a:pending", nil, ErrNotOpen},
		{"an invalid call counts", none, Failed{ID: "a"}, "1", []Effect{Ended{"a", question.Invalid}}, nil},
		{"an invalid streamed call counts", waiting, Failed{ID: "c"}, "1 a:pending b:queued", []Effect{Ended{"c", question.Invalid}}, nil},
		{"a complete call cannot fail", waiting, Failed{ID: "a"}, "0 a:pending b:queued c:streaming", nil, ErrTwice},
		{"every further one counts one", mistaken, Failed{ID: "b"}, "3 a:pending", []Effect{Ended{"b", question.Invalid}}, nil},
		{"a valid call sets the count to 0, even in the queue", mistaken, Asked{"b"}, "0 a:pending b:queued", []Effect{Moved{"b", Queued}}, nil},
		{"an answer leaves the count", mistaken, Resolved{"a", question.Answered}, "2", []Effect{Ended{"a", question.Answered}}, nil},
		{"a withdrawal leaves the count", mistaken, Resolved{"a", question.Withdrawn}, "2", []Effect{Ended{"a", question.Withdrawn}}, nil},
		{"a left one becomes pending, and so does the next", leftBehind, Resolved{"a", question.Answered}, "0 b:left pending c:pending", []Effect{Ended{"a", question.Answered}, Moved{"b", Pending}, Moved{"c", Pending}}, nil},
		{"a clock starts", pending, Timed{"a", 100}, "0 a:pending clock a 100", []Effect{Clocked{"a", 100}}, nil},
		{"a running clock is not set again", timed, Timed{"a", 900}, "0 a:pending b:queued clock a 100", nil, nil},
		{"a stopped clock is not set again", touched, Timed{"a", 900}, "0 a:pending b:queued clock a 0", nil, nil},
		{"a clock beside a left one", clocked, Timed{"b", 100}, "0 a:left pending b:pending clock b 100", []Effect{Clocked{"a", 0}, Clocked{"b", 100}}, nil},
		{"a clock beside a running one", back, Timed{"b", 100}, "0 a:pending b:pending clock a 50", nil, nil},
		{"no clock for a queued one", waiting, Timed{"b", 100}, "0 a:pending b:queued c:streaming", nil, ErrNotPending},
		{"no clock for an arriving one", streaming, Timed{"a", 100}, "0 a:streaming", nil, ErrNotPending},
		{"no clock for guidance", guided, Timed{"g", 100}, "4 p:pending g:guidance for x,y", nil, ErrNotOpen},
		{"a touch stops the clock", timed, Touched{"a"}, "0 a:pending b:queued clock a 0", []Effect{Clocked{"a", 0}}, nil},
		{"a second touch changes nothing", touched, Touched{"a"}, "0 a:pending b:queued clock a 0", nil, nil},
		{"a touch before there is a clock", pending, Touched{"a"}, "0 a:pending clock a 0", nil, nil},
		{"a touch of a queued one", timed, Touched{"b"}, "0 a:pending b:queued clock a 100", nil, ErrNotPending},
		{"the clock expires", timed, Expired{"a", 100}, "0 b:pending", []Effect{Ended{"a", question.Answered}, Moved{"b", Pending}}, nil},
		{"not yet", timed, Expired{"a", 99}, "0 a:pending b:queued clock a 100", nil, ErrNotDue},
		{"not if it was stopped", touched, Expired{"a", 1e9}, "0 a:pending b:queued clock a 0", nil, ErrNotDue},
		{"not if there is none", pending, Expired{"a", 1e9}, "0 a:pending", nil, ErrNotDue},
		{"not another question", timed, Expired{"b", 1e9}, "0 a:pending b:queued clock a 100", nil, ErrNotDue},
		{"a clock ends with its question", timed, Resolved{"a", question.Answered}, "0 b:pending", []Effect{Ended{"a", question.Answered}, Moved{"b", Pending}}, nil},
		{"a withdrawal ends it too", timed, Resolved{"a", question.Withdrawn}, "0 b:pending", []Effect{Ended{"a", question.Withdrawn}, Moved{"b", Pending}}, nil},
		{"another call does not change the clock", timed, Asked{"c"}, "0 a:pending b:queued c:queued clock a 100", []Effect{Moved{"c", Queued}}, nil},
		{"below the limit a call is answered", State{Limit: 3}, Failed{"x", "g"}, "1", []Effect{Ended{"x", question.Invalid}}, nil},
		{"the call that reaches the limit is held", limited, Failed{"x", "g"}, "3 a:streaming g:guidance for x", []Effect{Guide{"g", "x"}, Held{"x", "g"}}, nil},
		{"so is a streamed one", limited, Failed{"a", "g"}, "3 g:guidance for a", []Effect{Guide{"g", "a"}, Held{"a", "g"}}, nil},
		{"a further one waits for the same guidance", guided, Failed{"z", "h"}, "5 p:pending g:guidance for x,y,z", []Effect{Held{"z", "g"}}, nil},
		{"guidance answers all and sets the count to 0", guided, Resolved{"g", question.Answered}, "0 p:pending", []Effect{Ended{"g", question.Answered}, Ended{"x", question.Invalid}, Ended{"y", question.Invalid}}, nil},
		{"without guidance the count stays", guided, Resolved{"g", question.Dismissed}, "4 p:pending", []Effect{Ended{"g", question.Dismissed}, Ended{"x", question.Invalid}, Ended{"y", question.Invalid}}, nil},
		{"guidance that nobody saw", guided, Resolved{"g", question.NotShown}, "4 p:pending", []Effect{Ended{"g", question.NotShown}, Ended{"x", question.Invalid}, Ended{"y", question.Invalid}}, nil},
		{"after a dismissal the next invalid call asks again", dismissed, Failed{"x", "h"}, "4 h:guidance for x", []Effect{Guide{"h", "x"}, Held{"x", "h"}}, nil},
		{"a valid call ends guidance", guided, Asked{"q"}, "0 p:pending q:queued", []Effect{Ended{"g", question.Withdrawn}, Ended{"x", question.Invalid}, Ended{"y", question.Invalid}, Moved{"q", Queued}}, nil},
		{"a call that is asked twice changes nothing", guided, Asked{"p"}, "4 p:pending g:guidance for x,y", nil, ErrTwice},
		{"a held call opens again", guided, Began{"x"}, "4 p:pending g:guidance for x,y", nil, ErrTwice},
		{"a held call is asked", guided, Asked{"x"}, "4 p:pending g:guidance for x,y", nil, ErrTwice},
		{"a held call fails again", guided, Failed{"x", "h"}, "4 p:pending g:guidance for x,y", nil, ErrTwice},
		{"a held call expires", guided, Resolved{"x", question.Expired}, "4 p:pending g:guidance for y", []Effect{Ended{"x", question.Expired}}, nil},
		{"a held call is withdrawn", guided, Resolved{"x", question.Withdrawn}, "4 p:pending g:guidance for y", []Effect{Ended{"x", question.Withdrawn}}, nil},
		{"an answer to a question leaves guidance open", guided, Resolved{"p", question.Answered}, "4 g:guidance for x,y", []Effect{Ended{"p", question.Answered}}, nil},
		{"the session ends while guidance is asked for", guided, Closed{}, "4", []Effect{Ended{"p", question.Withdrawn}, Ended{"g", question.Withdrawn}, Ended{"x", question.Invalid}, Ended{"y", question.Invalid}}, nil},
		{"the session ends", waiting, Closed{}, "0", []Effect{Ended{"a", question.Withdrawn}, Ended{"b", question.Withdrawn}, Ended{"c", question.Withdrawn}}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			next := test.from
			next.Open, next.Guidance.Calls = slices.Clone(next.Open), slices.Clone(next.Guidance.Calls)
			effects, err := next.Apply(test.event)
			if got := describe(next); got != test.to {
				t.Errorf("state: got %q, want %q", got, test.to)
			}
			if diff := cmp.Diff(test.effects, effects); diff != "" {
				t.Errorf("effects (-want +got):\n%s", diff)
			}
			if !errors.Is(err, test.err) {
				t.Errorf("error: got %v, want %v", err, test.err)
			}
		})
	}
}

// After any events, at most one pending question was never left, and no queued question waits without a reason.
func FuzzApply(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add([]byte{1, 17, 33, 3, 19, 2, 18})
	f.Fuzz(func(t *testing.T, script []byte) {
		s := State{Limit: 2}
		ended, back := map[string]bool{}, map[string]bool{}
		for _, b := range script {
			id := string('a' + rune(b>>4))
			event := []Event{Began{id}, Asked{id}, Failed{id, id + "!"}, Resolved{id, question.Answered}, Resolved{id, question.Dismissed}, Resolved{id, question.Withdrawn}, Resolved{id, question.NotShown}, Closed{}, Resolved{id, question.Replied},
				Timed{id, 50}, Touched{id}, Expired{id, int64(b)}, Left{id}, Back{id}, Resolved{id, question.Allowed}}[b%15]
			if ended[id] && b%15 < 3 {
				continue // ids are never reused
			}
			before := describe(s)
			effects, err := s.Apply(event)
			if after := describe(s); err != nil && after != before {
				t.Fatalf("%T was rejected, but the state changed from %q to %q", event, before, after)
			}
			if _, is := event.(Back); is {
				back[id] = true
			}
			for _, effect := range effects {
				if end, ok := effect.(Ended); ok {
					if ended[end.ID] {
						t.Fatalf("%s ended twice", end.ID)
					}
					ended[end.ID] = true
				}
			}
			check(t, s, back)
		}
	})
}

func check(t *testing.T, s State, back map[string]bool) {
	t.Helper()
	held, pending, waiting, left := 0, 0, 0, 0
	ids := map[string]bool{}
	for _, open := range s.Open {
		switch {
		case open.Phase == Pending && !open.Left && !back[open.ID]:
			held++
			pending++
		case open.Phase == Pending && !open.Left:
			pending++
		case open.Phase == Pending:
			left++
		case open.Phase == Queued && !open.Left:
			waiting++
		}
		if ids[open.ID] {
			t.Fatalf("%s is open twice: %s", open.ID, describe(s))
		}
		ids[open.ID] = true
	}
	if (s.Guidance.ID == "") != (len(s.Guidance.Calls) == 0) {
		t.Fatalf("guidance without a call, or a call held without guidance: %s", describe(s))
	}
	queued := slices.ContainsFunc(s.Open, func(o Open) bool { return o.Phase == Queued })
	if held > 1 || pending == 0 && waiting > 0 || pending+left == 0 && queued {
		t.Fatalf("two questions are pending, or a queued one waits without a reason: %s", describe(s))
	}
}

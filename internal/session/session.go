// Package session is the state machine of one conversation: which of its questions are open, which one can be answered, and how
// many consecutive calls were invalid. It is pure: Apply changes a state by an event and returns the effects; clocks, texts and
// waiting callers belong to package conversation.
package session

import (
	"errors"
	"fmt"
	"slices"

	"followup/internal/question"
)

// Phase is the phase of an open question.
type Phase int

// The phases in order. A question that arrives complete skips Streaming.
const (
	// Streaming is a question that is still arriving.
	Streaming Phase = iota
	// Queued is a complete question that waits for the previous one.
	Queued
	// Pending is a question that can be answered.
	Pending
)

func (p Phase) String() string {
	return [...]string{"streaming", "queued", "pending"}[p]
}

// Open is one open question.
type Open struct {
	ID    string
	Phase Phase
	// Left means that its asker has stopped waiting. It can still be answered, but does not block the queue.
	Left bool
}

// State is the state of a session. The zero value is a session without questions. Do not change both copies of a copied state.
type State struct {
	// Mistakes is the number of invalid calls since the last valid one.
	Mistakes Mistakes
	// Limit is the number of invalid calls in a row at which the user is asked for guidance. Zero means never.
	Limit int
	// Open are the open questions, ordered by Order. One is Pending at a time, in addition to those that were left.
	Open []Open
	// Guidance is the open request for guidance; its ID is empty if none is open.
	Guidance Guidance
	// Clock is the clock of the pending question, if timed choices are enabled.
	Clock Clock
	// ids has the ids of Open and Guidance.Calls, so that look-ups are fast in a message of thousands of calls. It is built on first
	// use.
	ids map[string]bool
}

// Guidance is a request to the user to help an agent whose calls are repeatedly invalid.
type Guidance struct {
	ID string
	// Calls are the invalid calls that wait for its end.
	Calls []string
}

// An Event is something that happened to a question, or to the session.
type Event interface{ event() }

type (
	// Began: a streamed call has begun.
	Began struct{ ID string }
	// Asked: a valid call is complete, streamed or not.
	Asked struct{ ID string }
	// Failed: an invalid call is complete, or its stream ended inside it. Guidance is the id for a request for guidance, if this
	// call reaches the limit.
	Failed struct{ ID, Guidance string }
	// Resolved: a pending question or a request for guidance ends with this outcome. An open question of any phase, or a held call, can be
	// taken back.
	Resolved struct {
		ID      string
		Outcome question.Outcome
	}
	// Left: the asker of a question has stopped waiting for it.
	Left struct{ ID string }
	// Back: the asker waits for the question again.
	Back struct{ ID string }
	// Timed: the clock of the pending question starts. Due is as in Clock.
	Timed struct {
		ID  string
		Due int64
	}
	// Touched: the user is at the pending question, so it gets no timed choice.
	Touched struct{ ID string }
	// Expired: the clock of the pending question has expired. Now is the time, in milliseconds since 1970.
	Expired struct {
		ID  string
		Now int64
	}
	// Closed: the conversation was closed.
	Closed struct{}
)

func (Began) event()    {}
func (Asked) event()    {}
func (Failed) event()   {}
func (Resolved) event() {}
func (Left) event()     {}
func (Back) event()     {}
func (Timed) event()    {}
func (Touched) event()  {}
func (Expired) event()  {}
func (Closed) event()   {}

// An Effect is a consequence of an event that the caller carries out.
type Effect interface{ effect() }

type (
	// Moved: the question is in this phase now.
	Moved struct {
		ID    string
		Phase Phase
	}
	// Guide: the user is asked for guidance under this id, because of this call.
	Guide struct{ ID, Call string }
	// Held: the invalid call is answered when the guidance has ended.
	Held struct{ ID, Guidance string }
	// Clocked: the clock of the question runs until Due, or was stopped if that is 0.
	Clocked struct {
		ID  string
		Due int64
	}
	// Ended: the question has its final outcome.
	Ended struct {
		ID      string
		Outcome question.Outcome
	}
)

func (Moved) effect()   {}
func (Guide) effect()   {}
func (Held) effect()    {}
func (Clocked) effect() {}
func (Ended) effect()   {}

// Reasons why an event is rejected. The state does not change then.
var (
	// ErrNotOpen: no open question has that id.
	ErrNotOpen = errors.New("the question is not open")
	// ErrNotPending: the question is still arriving, or queued.
	ErrNotPending = errors.New("the question cannot be answered yet")
	// ErrNoReply: guidance is given or declined; it has no replies or decisions.
	ErrNoReply = errors.New("a request for guidance cannot be replied to or decided")
	// ErrTwice: a question with that id is open already.
	ErrTwice = errors.New("a question with this id is already open")
	// ErrNotDue: the question's clock does not run, or has not expired.
	ErrNotDue = errors.New("the time for the question has not passed")
)

// Apply applies an event to the state and returns the effects in order. With an error, the state does not change.
func (s *State) Apply(e Event) (effects []Effect, err error) {
	switch e := e.(type) {
	case Began:
		effects, err = s.begin(e.ID)
	case Asked:
		if effects, err = s.ask(e.ID); err == nil {
			s.Mistakes = s.Mistakes.Valid()
			effects = append(s.endGuidance(question.Withdrawn), effects...) // the agent no longer needs help
		}
	case Failed:
		effects, err = s.fail(e)
	case Resolved:
		effects, err = s.resolve(e.ID, e.Outcome)
	case Left:
		effects = s.leave(e.ID, true)
	case Back:
		effects = s.leave(e.ID, false)
	case Timed:
		effects, err = s.clock(e.ID, e.Due)
	case Touched:
		effects, err = s.touch(e.ID)
	case Expired:
		if !s.Clock.Runs(e.ID) || e.Now < s.Clock.Due {
			return nil, ErrNotDue
		}
		effects, err = s.end(e.ID, question.Answered, Pending)
	case Closed:
		for _, open := range s.Open {
			effects = append(effects, Ended{open.ID, question.Withdrawn})
		}
		s.Open, s.ids = nil, nil
		effects = append(effects, s.endGuidance(question.Withdrawn)...)
	default:
		err = fmt.Errorf("session: unknown event %T", e)
	}
	if err != nil {
		return nil, err
	}
	s.dropClock()
	return effects, nil
}

// find returns the index of an open question, or -1. It starts with the newest, since most events are about that.
func (s *State) find(id string) int {
	for i := len(s.Open) - 1; i >= 0; i-- {
		if s.Open[i].ID == id {
			return i
		}
	}
	return -1
}

func (s *State) remove(at int) {
	delete(s.ids, s.Open[at].ID)
	s.Open = slices.Delete(s.Open, at, at+1)
}

// taken reports whether an id belongs to an open question, a held call, or the request for guidance.
func (s *State) taken(id string) bool {
	if s.ids == nil {
		s.ids = map[string]bool{}
		for _, open := range s.Open {
			s.ids[open.ID] = true
		}
		for _, call := range s.Guidance.Calls {
			s.ids[call] = true
		}
	}
	return s.ids[id] || s.guides(id)
}

// open adds a question whose id is not taken.
func (s *State) open(id string, phase Phase) {
	s.ids[id] = true
	s.Open = append(s.Open, Open{ID: id, Phase: phase})
}

func (s *State) begin(id string) ([]Effect, error) {
	if s.taken(id) {
		return nil, ErrTwice
	}
	s.open(id, Streaming)
	return []Effect{Moved{id, Streaming}}, nil
}

// ask queues a complete question, and makes it pending if there is none before it.
func (s *State) ask(id string) ([]Effect, error) {
	if !s.taken(id) {
		s.open(id, Queued)
	} else if at := s.find(id); at >= 0 && s.Open[at].Phase == Streaming {
		s.Open[at].Phase = Queued
	} else {
		return nil, ErrTwice
	}
	if effects := s.advance(); len(effects) > 0 {
		return effects, nil
	}
	return []Effect{Moved{id, Queued}}, nil
}

// fail closes an invalid call, or holds it until the user has given guidance. One that arrived complete was never open; a complete
// open one cannot fail.
func (s *State) fail(e Failed) ([]Effect, error) {
	if s.taken(e.ID) {
		at := s.find(e.ID)
		if at < 0 || s.Open[at].Phase != Streaming {
			return nil, ErrTwice
		}
		s.remove(at)
	}
	s.Mistakes = s.Mistakes.Invalid()
	if s.Limit <= 0 || s.Mistakes.Count() < s.Limit {
		return []Effect{Ended{e.ID, question.Invalid}}, nil
	}
	var effects []Effect
	if s.Guidance.ID == "" {
		s.Guidance.ID = e.Guidance
		effects = append(effects, Guide{e.Guidance, e.ID})
	}
	s.ids[e.ID] = true
	s.Guidance.Calls = append(s.Guidance.Calls, e.ID)
	return append(effects, Held{e.ID, s.Guidance.ID}), nil
}

// guides reports whether the id belongs to the open request for guidance.
func (s *State) guides(id string) bool { return id != "" && id == s.Guidance.ID }

// endGuidance ends the request for guidance, if any, and then the held calls.
func (s *State) endGuidance(outcome question.Outcome) []Effect {
	if s.Guidance.ID == "" {
		return nil
	}
	effects := []Effect{Ended{s.Guidance.ID, outcome}}
	for _, id := range s.Guidance.Calls {
		effects = append(effects, Ended{id, question.Invalid})
	}
	s.Guidance, s.ids = Guidance{}, nil
	return effects
}

// resolve ends a question. An answer to a request for guidance sets the count to 0.
func (s *State) resolve(id string, outcome question.Outcome) ([]Effect, error) {
	if s.guides(id) {
		switch outcome {
		case question.Replied, question.Allowed, question.Denied:
			return nil, ErrNoReply
		case question.Answered:
			s.Mistakes = s.Mistakes.Guided()
		}
	}
	if outcome.IsTakenBack() {
		return s.takeBack(id, outcome)
	}
	return s.end(id, outcome, Pending)
}

// takeBack closes an open question or a held call, and guidance that no call waits for any more.
func (s *State) takeBack(id string, outcome question.Outcome) ([]Effect, error) {
	at := slices.Index(s.Guidance.Calls, id)
	if at < 0 {
		return s.end(id, outcome, Streaming)
	}
	delete(s.ids, id)
	s.Guidance.Calls = slices.Delete(s.Guidance.Calls, at, at+1)
	effects := []Effect{Ended{id, outcome}}
	if len(s.Guidance.Calls) == 0 {
		effects = append(effects, s.endGuidance(question.Withdrawn)...)
	}
	return effects, nil
}

// leave sets whether an open question's asker has stopped waiting. A request for guidance blocks nothing.
func (s *State) leave(id string, left bool) []Effect {
	if at := s.find(id); at >= 0 {
		s.Open[at].Left = left
	}
	return s.advance()
}

// advance makes the first queued question pending if none is. If all pending ones were left, it takes the first that was not.
func (s *State) advance() []Effect {
	anyPending := false
	for _, o := range s.Open {
		if o.Phase == Pending && !o.Left {
			return nil
		}
		anyPending = anyPending || o.Phase == Pending
	}
	next := slices.IndexFunc(s.Open, func(o Open) bool { return o.Phase == Queued && (!anyPending || !o.Left) })
	if next < 0 {
		return nil
	}
	s.Open[next].Phase = Pending
	moved := []Effect{Moved{s.Open[next].ID, Pending}}
	if s.Open[next].Left { // it blocks nothing
		moved = append(moved, s.advance()...)
	}
	return moved
}

// end closes a question that has reached at least the given phase, or the request for guidance.
func (s *State) end(id string, outcome question.Outcome, least Phase) ([]Effect, error) {
	if s.guides(id) {
		return s.endGuidance(outcome), nil
	}
	at := s.find(id)
	if at < 0 {
		return nil, ErrNotOpen
	}
	if s.Open[at].Phase < least {
		return nil, ErrNotPending
	}
	s.remove(at)
	return append([]Effect{Ended{id, outcome}}, s.advance()...), nil
}

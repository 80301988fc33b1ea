// Package session is the state machine of one conversation: which of its questions are open, which one can be answered,
// and how many invalid calls came in a row. It is pure: Apply changes a state by an event and returns what has to be told; clocks,
// texts and waiting callers belong to package server.
package session

import (
	"errors"
	"fmt"
	"slices"

	"followup/internal/question"
)

// Phase is where an open question stands.
type Phase int

// The phases, in the order in which a question goes through them. A question that is whole when it comes skips Streaming.
const (
	// Streaming is a question that is still arriving.
	Streaming Phase = iota
	// Queued is a whole question that waits for the one before it.
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
	// Left reports that its asker has stopped waiting. It can still be answered, but holds up no question behind it.
	Left bool
}

// State is a session as the machine sees it. The zero value is a session in which nothing has been asked. It must not be copied and
// then changed by both copies.
type State struct {
	// Mistakes counts the invalid calls since the last valid one.
	Mistakes Mistakes
	// Limit is how many invalid calls in a row are answered without asking the user for guidance, that one included; 0:
	// all of them.
	Limit int
	// Open holds the open questions in the order of their asking. One is Pending at a time, beside those that were left.
	Open []Open
	// Guidance is what the user is asked when the limit is reached; its ID is empty while nothing is.
	Guidance Guidance
	// Clock is the pending question's, where the user wants a choice to be made for them after a time.
	Clock Clock
	// ids are those of Open and Guidance.Calls, so that a message of thousands of calls is not searched for each. Nil: not made yet.
	ids map[string]bool
}

// Guidance is a request to the user to help an agent whose calls are invalid again and again.
type Guidance struct {
	ID string
	// Calls are the invalid calls that are not answered before it has ended.
	Calls []string
}

// An Event is something that happened to a question, or to the session.
type Event interface{ event() }

type (
	// Began: a streamed call has opened; it is not whole yet.
	Began struct{ ID string }
	// Asked: a call is whole and valid, whether or not it was streamed.
	Asked struct{ ID string }
	// Failed: a call is whole and invalid, or its stream ended inside it. Guidance is the id that a request for guidance
	// gets, should this call reach the limit.
	Failed struct{ ID, Guidance string }
	// Answered: the user has answered the pending question, or given guidance.
	Answered struct{ ID string }
	// Replied: the user wrote about the pending question instead of answering it.
	Replied struct{ ID string }
	// Decided: the user has allowed or denied what a pending approval asks for.
	Decided struct {
		ID      string
		Allowed bool
	}
	// Dismissed: the user declined to answer, or to give guidance.
	Dismissed struct{ ID string }
	// Withdrawn: the agent took the question back, or its stream was interrupted.
	Withdrawn struct{ ID string }
	// Left: the asker of a question has stopped waiting for it.
	Left struct{ ID string }
	// Back: somebody waits for the question again.
	Back struct{ ID string }
	// NotShown: no interface came to show the pending question.
	NotShown struct{ ID string }
	// Timed: the clock of the pending question begins to run. Due is as in Clock.
	Timed struct {
		ID  string
		Due int64
	}
	// Touched: the user is at the pending question; no choice is made for them any more.
	Touched struct{ ID string }
	// Expired: the clock of the pending question has come to its end. Now is the time, in milliseconds since 1970.
	Expired struct {
		ID  string
		Now int64
	}
	// Closed: the conversation is over.
	Closed struct{}
)

func (Began) event()     {}
func (Asked) event()     {}
func (Failed) event()    {}
func (Answered) event()  {}
func (Replied) event()   {}
func (Decided) event()   {}
func (Dismissed) event() {}
func (Withdrawn) event() {}
func (Left) event()      {}
func (Back) event()      {}
func (NotShown) event()  {}
func (Timed) event()     {}
func (Touched) event()   {}
func (Expired) event()   {}
func (Closed) event()    {}

// An Effect is something to be told or done because of an event.
type Effect interface{ effect() }

type (
	// Moved: the question is in this phase now.
	Moved struct {
		ID    string
		Phase Phase
	}
	// Guide: the user is asked for guidance under this id, because of this call.
	Guide struct{ ID, Call string }
	// Held: the invalid call is not answered before the guidance has ended.
	Held struct{ ID, Guidance string }
	// Clocked: the clock of the question runs until Due, or, where that is 0, was stopped.
	Clocked struct {
		ID  string
		Due int64
	}
	// Ended: the question has its outcome, for good.
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

// Why an event is refused. The state is then as it was.
var (
	// ErrNotOpen: no open question has that id.
	ErrNotOpen = errors.New("the question is not open")
	// ErrNotPending: the question is still arriving, or waits for another one.
	ErrNotPending = errors.New("the question cannot be answered yet")
	// ErrNoReply: guidance is given or declined; there is nothing to reply to, and nothing to allow.
	ErrNoReply = errors.New("a request for guidance takes no reply and no decision")
	// ErrTwice: a question with that id is open already.
	ErrTwice = errors.New("a question with this id is open already")
	// ErrNotDue: the question's clock does not run, or has not come to its end.
	ErrNotDue = errors.New("the time for the question is not over")
)

// Apply changes the state by an event and returns the effects in order. With an error, the state is as it was.
func (s *State) Apply(e Event) (effects []Effect, err error) {
	switch e := e.(type) {
	case Began:
		effects, err = s.begin(e.ID)
	case Asked:
		if effects, err = s.ask(e.ID); err == nil {
			s.Mistakes = s.Mistakes.Valid()
			effects = append(s.endGuidance(question.Withdrawn), effects...) // the agent has helped itself
		}
	case Failed:
		effects, err = s.fail(e)
	case Answered:
		if s.guides(e.ID) {
			s.Mistakes = s.Mistakes.Guided()
		}
		effects, err = s.end(e.ID, question.Answered, Pending)
	case Replied:
		if s.guides(e.ID) {
			return nil, ErrNoReply
		}
		effects, err = s.end(e.ID, question.Replied, Pending)
	case Decided:
		if s.guides(e.ID) {
			return nil, ErrNoReply
		}
		outcome := question.Denied
		if e.Allowed {
			outcome = question.Allowed
		}
		effects, err = s.end(e.ID, outcome, Pending)
	case Dismissed:
		effects, err = s.end(e.ID, question.Dismissed, Pending)
	case NotShown:
		effects, err = s.end(e.ID, question.NotShown, Pending)
	case Withdrawn:
		effects, err = s.withdraw(e.ID)
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

// find returns the index of an open question, or -1. It begins with the newest, which most events are about.
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

// taken reports whether an id is that of an open question, of a call that is held, or of the request for guidance.
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

// ask puts a whole question in the queue, and lets it be answered if none is before it.
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

// fail closes a call that turned out invalid, or holds it until the user has given guidance. One that came whole was never
// open; one that is whole and open cannot fail.
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

// guides tells whether the id is that of the open request for guidance.
func (s *State) guides(id string) bool { return id != "" && id == s.Guidance.ID }

// endGuidance ends the request for guidance, if there is one, and then the calls that were held for it.
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

// withdraw takes back an open question, or a call that is held; guidance that no call waits for any more is not needed.
func (s *State) withdraw(id string) ([]Effect, error) {
	at := slices.Index(s.Guidance.Calls, id)
	if at < 0 {
		return s.end(id, question.Withdrawn, Streaming)
	}
	delete(s.ids, id)
	s.Guidance.Calls = slices.Delete(s.Guidance.Calls, at, at+1)
	effects := []Effect{Ended{id, question.Withdrawn}}
	if len(s.Guidance.Calls) == 0 {
		effects = append(effects, s.endGuidance(question.Withdrawn)...)
	}
	return effects, nil
}

// leave notes whether an open question's asker has stopped waiting. A request for guidance holds up nothing.
func (s *State) leave(id string, left bool) []Effect {
	if at := s.find(id); at >= 0 {
		s.Open[at].Left = left
	}
	return s.advance()
}

// advance makes the first queued question pending if none is. Beside pending ones that were left, it takes the first that was not.
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
	if s.Open[next].Left { // it holds up nothing
		moved = append(moved, s.advance()...)
	}
	return moved
}

// end closes a question that has come at least as far as the phase, or the request for guidance.
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

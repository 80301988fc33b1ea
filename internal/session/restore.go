package session

import (
	"slices"

	"followup/internal/question"
)

// Kept is what a store knows of a session.
type Kept struct {
	// Mistakes counts the invalid calls since the last valid one.
	Mistakes int
	// Limit is as in State.
	Limit int
	// Open holds the open questions in the order of their asking.
	Open []Open
	// Guidance are the open requests for guidance, in the order of their asking; there should be one at most.
	Guidance []string
	// Held are calls that wait for guidance, open or ended meanwhile.
	Held []string
	// Clock is the pending question's.
	Clock Clock
}

// Restore returns the state in which a session continues, and the effects of that: it may have only queued questions, or two requests for
// guidance, or a call that is held for nothing.
func Restore(k Kept) (State, []Effect) {
	s := State{Mistakes: Mistakes{max(k.Mistakes, 0)}, Limit: k.Limit, Open: slices.Clone(k.Open), Clock: k.Clock}
	effects := s.advance()
	if s.dropClock(); s.Clock.ID != "" {
		effects = append(effects, Clocked(s.Clock))
	}
	if len(k.Guidance) == 0 {
		for _, id := range k.Held {
			effects = append(effects, Ended{id, question.Invalid})
		}
		return s, effects
	}
	s.Guidance = Guidance{ID: k.Guidance[0], Calls: slices.Clone(k.Held)}
	for _, id := range k.Guidance[1:] {
		effects = append(effects, Ended{id, question.Withdrawn})
	}
	for _, id := range k.Held {
		effects = append(effects, Held{id, s.Guidance.ID})
	}
	return s, effects
}

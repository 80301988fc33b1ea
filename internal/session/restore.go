package session

import (
	"slices"

	"followup/internal/question"
)

// Kept is the stored state of a session.
type Kept struct {
	// Mistakes is the number of invalid calls since the last valid one.
	Mistakes int
	// Limit is as in State.
	Limit int
	// Open are the open questions, ordered by Order.
	Open []Open
	// Guidance are the open requests for guidance, ordered by Order; there should be at most one.
	Guidance []string
	// Held are calls that wait for guidance, which may have closed.
	Held []string
	// Clock is the clock of the pending question.
	Clock Clock
}

// Restore returns the state in which a session continues, and the necessary effects: a stored session may have only queued
// questions, two requests for guidance, or a call that waits for none.
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

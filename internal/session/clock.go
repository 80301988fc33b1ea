package session

// Clock is the clock of a timed choice: when the first suggestion of a pending question is chosen, unless the user touches it
// first. A session has at most one.
type Clock struct {
	// ID is the question's id; empty if there is no clock.
	ID string `json:"id"`
	// Due is the time in milliseconds since 1970; 0 if the clock was stopped permanently.
	Due int64 `json:"due,omitempty"`
}

// Runs reports whether a question's clock runs.
func (c Clock) Runs(id string) bool { return c.ID == id && c.Due > 0 }

// clock sets the clock of a pending question once: a running or stopped clock does not change, unless its question was left.
func (s *State) clock(id string, due int64) ([]Effect, error) {
	if err := s.isPending(id); err != nil {
		return nil, err
	}
	var effects []Effect
	if at := s.find(s.Clock.ID); at >= 0 {
		if s.Clock.ID == id || !s.Open[at].Left {
			return nil, nil
		}
		effects = append(effects, Clocked{s.Clock.ID, 0}) // no agent waits for that choice
	}
	s.Clock = Clock{id, due}
	return append(effects, Clocked{id, due}), nil
}

// touch stops the clock of the pending question, or prevents one.
func (s *State) touch(id string) ([]Effect, error) {
	if err := s.isPending(id); err != nil {
		return nil, err
	}
	ran := s.Clock.Runs(id)
	s.Clock = Clock{ID: id}
	if !ran {
		return nil, nil
	}
	return []Effect{Clocked{id, 0}}, nil
}

// isPending returns why the clock of a question cannot be set. Requests for guidance have none.
func (s *State) isPending(id string) error {
	at := s.find(id)
	switch {
	case at < 0:
		return ErrNotOpen
	case s.Open[at].Phase != Pending:
		return ErrNotPending
	}
	return nil
}

// dropClock removes the clock of a question that is no longer pending.
func (s *State) dropClock() {
	if s.Clock.ID != "" && s.isPending(s.Clock.ID) != nil {
		s.Clock = Clock{}
	}
}

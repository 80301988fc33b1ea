package session

// Clock is that of a timed choice: when the first suggestion of a pending question is taken, unless the user is at it by then.
// A session has one at most, whatever was left pending.
type Clock struct {
	// ID is the question's; empty: none has a clock.
	ID string
	// Due is when, in milliseconds since 1970; 0: the clock was stopped, for good.
	Due int64
}

// Runs tells whether a question's clock runs.
func (c Clock) Runs(id string) bool { return c.ID == id && c.Due > 0 }

// clock sets the clock of a pending question, once: one that runs or was stopped stays as it is, unless its question was left.
func (s *State) clock(id string, due int64) ([]Effect, error) {
	if err := s.isPending(id); err != nil {
		return nil, err
	}
	var effects []Effect
	if at := s.find(s.Clock.ID); at >= 0 {
		if s.Clock.ID == id || !s.Open[at].Left {
			return nil, nil
		}
		effects = append(effects, Clocked{s.Clock.ID, 0}) // nobody waits for that choice
	}
	s.Clock = Clock{id, due}
	return append(effects, Clocked{id, due}), nil
}

// touch stops the clock of the pending question, or keeps one from being set.
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

// isPending tells why the clock of a question cannot be set; a request for guidance has none.
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

// dropClock forgets the clock of a question that is not pending any more.
func (s *State) dropClock() {
	if s.Clock.ID != "" && s.isPending(s.Clock.ID) != nil {
		s.Clock = Clock{}
	}
}

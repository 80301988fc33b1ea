package store

import (
	"context"
	"errors"

	"followup/internal/question"
)

// mergedAtOnce is how many closed questions Merge writes in one transaction.
const mergedAtOnce = 64

// everyOutcome lets all of a history through.
var everyOutcome = []question.Outcome{
	question.Answered, question.Dismissed, question.Replied, question.Withdrawn, question.NotShown, question.Invalid,
}

// Merge brings all that is in one store into another, and tells how many questions these were. What is there already stays as it is,
// so that a merge which was cut off is done again. Open questions belong to the process that merges until it closes the store. Nobody
// else uses the first store meanwhile. What was deleted does not come along, also where it could be restored.
func Merge(ctx context.Context, from, to Store) (int, error) {
	m := merger{from: from, to: to, sessions: map[string]bool{}}
	if err := m.open(ctx); err != nil {
		return m.count, err
	}
	return m.count, m.closed(ctx)
}

type merger struct {
	from, to Store
	sessions map[string]bool // those that are there
	count    int
}

// open brings the open questions, one conversation at a time.
func (m *merger) open(ctx context.Context) error {
	for after := int64(0); ; {
		open, err := m.from.OpenQuestions(ctx, after, mergedAtOnce)
		if err != nil || len(open) == 0 {
			return err
		}
		var changes []Change
		for _, short := range open {
			after = short.Order
			q, err := m.from.Question(ctx, short.ID)
			if err != nil {
				return err
			}
			change, err := m.change(ctx, q)
			if err != nil {
				return err
			}
			if change != nil {
				changes = append(changes, *change)
			}
		}
		if err := m.write(ctx, changes); err != nil {
			return err
		}
	}
}

// closed brings the history.
func (m *merger) closed(ctx context.Context) error {
	var changes []Change
	err := m.from.Export(ctx, Selection{Filter: Filter{Outcomes: everyOutcome}}, func(q Question) error {
		change, err := m.change(ctx, q)
		if err != nil || change == nil {
			return err
		}
		if changes = append(changes, *change); len(changes) < mergedAtOnce {
			return nil
		}
		err = m.write(ctx, changes)
		changes = nil
		return err
	})
	return errors.Join(err, m.write(ctx, changes))
}

// change is what writes a question with all that belongs to it; nil where it is there.
func (m *merger) change(ctx context.Context, q Question) (*Change, error) {
	switch _, err := m.to.Question(ctx, q.ID); {
	case err == nil:
		return nil, nil
	case !errors.Is(err, ErrNotFound):
		return nil, err
	}
	c := &Change{Questions: []Question{q}}
	session, err := m.session(ctx, q.Session)
	if err != nil {
		return nil, err
	}
	if session != nil {
		c.Sessions = []Session{*session}
	}
	if q.Draft != nil {
		c.Drafts = []Draft{*q.Draft}
	}
	if q.Outcome != nil {
		c.Questions[0].State, c.Questions[0].Outcome = Held, nil
		c.Outcomes = []Outcome{*q.Outcome}
	}
	if q.Collected {
		c.Collected = []string{q.ID}
	}
	return c, nil
}

// session gives the session that a question needs; nil where it is there, or was written before.
func (m *merger) session(ctx context.Context, id string) (*Session, error) {
	if id == "" || m.sessions[id] {
		return nil, nil
	}
	m.sessions[id] = true
	switch _, err := m.to.Session(ctx, id); {
	case err == nil:
		return nil, nil
	case !errors.Is(err, ErrNotFound):
		return nil, err
	}
	session, err := m.from.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	session.Version = 0
	return &session, nil
}

// write writes changes. A change that others were faster with is there.
func (m *merger) write(ctx context.Context, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	results, err := m.to.Commit(ctx, changes)
	if err != nil {
		return err
	}
	for _, result := range results {
		if result.Err != nil {
			return result.Err
		}
		if !result.Lost.Any() {
			m.count++
		}
	}
	return nil
}

package store

import (
	"context"
	"errors"

	"followup/internal/question"
)

// mergedAtOnce is how many questions Merge writes in one transaction.
const mergedAtOnce = 64

// everyOutcome lets all of a history through.
var everyOutcome = []question.Outcome{
	question.Answered, question.Dismissed, question.Replied, question.Withdrawn, question.NotShown, question.Invalid,
}

// Merge brings all that is in one store into another, and tells how many questions these were. What is there already stays as it is.
// What was brought leaves the first store at once, so that a merge which was cut off and is done again does not bring back what was
// deleted meanwhile, or ask what was answered. Open questions belong to the process that merges until it closes the store. Nobody else
// uses the first store meanwhile. What was deleted there does not come along, also where it could be restored.
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

// open brings the open questions.
func (m *merger) open(ctx context.Context) error {
	for after := int64(0); ; {
		open, err := m.from.OpenQuestions(ctx, after, mergedAtOnce)
		if err != nil || len(open) == 0 {
			return err
		}
		for i := range open {
			after = open[i].Order
			if open[i], err = m.from.Question(ctx, open[i].ID); err != nil { // with its images
				return err
			}
		}
		if err := m.bring(ctx, open); err != nil {
			return err
		}
	}
}

// closed brings the history.
func (m *merger) closed(ctx context.Context) error {
	var some []Question
	err := m.from.Export(ctx, Selection{Filter: Filter{Outcomes: everyOutcome}}, func(q Question) (err error) {
		if some = append(some, q); len(some) == mergedAtOnce {
			err = m.bring(ctx, some)
			some = nil
		}
		return err
	})
	if err != nil {
		return err
	}
	return m.bring(ctx, some)
}

// bring writes questions with all that belongs to them, and takes them out of the first store.
func (m *merger) bring(ctx context.Context, questions []Question) error {
	if len(questions) == 0 {
		return nil
	}
	var changes, withdrawn []Change
	var ids []string
	for _, q := range questions {
		ids = append(ids, q.ID)
		if q.Outcome == nil {
			withdrawn = append(withdrawn, Change{Outcomes: []Outcome{{QuestionID: q.ID, Outcome: question.Withdrawn}}})
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
	if len(withdrawn) > 0 { // only what is closed can be deleted
		results, err := m.from.Commit(ctx, withdrawn)
		if err != nil {
			return err
		}
		for _, result := range results {
			if result.Err != nil {
				return result.Err
			}
		}
	}
	_, err := m.from.Delete(ctx, Selection{IDs: ids})
	return err
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
	var err error
	if c.Sessions, err = m.needed(ctx, q.Session); err != nil {
		return nil, err
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

// needed gives the session that is written with a question; none where it is there, or was written before.
func (m *merger) needed(ctx context.Context, id string) ([]Session, error) {
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
	return []Session{session}, nil
}

// write writes changes. One that others were faster with is there; one whose session they have written or removed is written again.
func (m *merger) write(ctx context.Context, changes []Change) error {
	for len(changes) > 0 {
		results, err := m.to.Commit(ctx, changes)
		if err != nil {
			return err
		}
		var again []Change
		for i, result := range results {
			switch lost := result.Lost.Sessions; {
			case result.Err != nil:
				return result.Err
			case len(lost) > 0:
				for _, session := range lost {
					delete(m.sessions, session.ID)
				}
				again = append(again, changes[i])
			case !result.Lost.Any():
				m.count++
			}
		}
		for i := range again {
			if again[i].Sessions, err = m.needed(ctx, again[i].Questions[0].Session); err != nil {
				return err
			}
		}
		changes = again
	}
	return nil
}

package postgres

import (
	"context"
	"errors"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// Commit writes changes; see store.Store.
func (s *Store) Commit(ctx context.Context, changes []store.Change) (results []store.Result, err error) {
	sessions, questions := named(changes)
	err = s.write(ctx, func(t *tx) error {
		err := t.lock(sessions, questions)
		if err == nil {
			results, err = engine.Write(t, changes)
		}
		return err
	})
	if err != nil && !errors.Is(err, engine.ErrNothing) {
		return nil, err
	}
	return results, nil
}

// named are the ids of the sessions and questions that changes name.
func named(changes []store.Change) (sessions, questions []string) {
	for _, c := range changes {
		for _, s := range c.Sessions {
			sessions = append(sessions, s.ID)
		}
		for _, q := range c.Questions {
			questions = append(questions, q.ID)
			if q.Session != "" {
				sessions = append(sessions, q.Session)
			}
		}
		for _, d := range c.Drafts {
			questions = append(questions, d.QuestionID)
		}
		for _, o := range c.Outcomes {
			questions = append(questions, o.QuestionID)
		}
		questions = append(questions, c.Collected...)
	}
	return sessions, questions
}

// lock keeps others from writing rows until the transaction ends, always in the same order.
func (t *tx) lock(sessions, questions []string) error {
	if len(sessions) > 0 {
		if _, err := t.exec("SELECT FROM sessions WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", sessions); err != nil {
			return err
		}
	}
	if len(questions) == 0 {
		return nil
	}
	_, err := t.exec("SELECT FROM questions WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", questions)
	return err
}

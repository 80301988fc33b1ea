package sqlite

import (
	"context"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// questionJoins are where the columns of questions come from besides questions q and outcomes o.
const (
	questionJoins = ` LEFT JOIN drafts d ON d.ord = q.ord `
	fromQuestions = " FROM questions q LEFT JOIN outcomes o ON o.key = q.outcome" + questionJoins
	// isOpen selects the open ones of questions q; see schema.sql.
	isOpen = "q.ord IN (SELECT ord FROM opened) AND q.outcome = 0"
)

// questions reads those that a condition holds for and that are not deleted, without the data of images.
func (q querier) questions(where string, args ...any) (found []store.Question, err error) {
	err = q.each("SELECT "+engine.QuestionColumns+fromQuestions+where, args, func(scan func(...any) error) error {
		one, deleted, err := engine.ScanQuestion(scan)
		if !deleted {
			found = append(found, one)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range found {
		if d := found[i].Draft; d != nil {
			if d.Images, err = q.imageNames(found[i].Order, engine.DraftImage); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// withAnswerImages adds an answer's images.
func (q querier) withAnswerImages(to *store.Question) (err error) {
	if to.Outcome == nil || to.Outcome.ImageCount == 0 {
		return nil
	}
	to.Outcome.Images, err = q.answerImages(to.Order)
	return err
}

// Session gives a session, or ErrNotFound.
func (s *Store) Session(ctx context.Context, id string) (found store.Session, err error) {
	err = s.read(ctx, func(q querier) error {
		found, err = q.session(id)
		return notFound(err)
	})
	return found, err
}

// session reads one; sql.ErrNoRows where there is none.
func (q querier) session(id string) (s store.Session, err error) {
	return engine.ScanSession(func(into ...any) error {
		return q.one("SELECT "+engine.SessionColumns+" FROM sessions WHERE id = ?", []any{id}, into)
	})
}

// list reads questions for a method that gives a list.
func (s *Store) list(ctx context.Context, where string, args ...any) (found []store.Question, err error) {
	err = s.read(ctx, func(q querier) error {
		found, err = q.questions(where, args...)
		return err
	})
	return found, err
}

// Conversation gives a session's questions in the order of asking, without images of answers.
func (s *Store) Conversation(ctx context.Context, session string) ([]store.Question, error) {
	return s.list(ctx, "WHERE q.session = ? ORDER BY q.ord", session)
}

// Question gives one question with everything that belongs to it, or ErrNotFound.
func (s *Store) Question(ctx context.Context, id string) (found store.Question, err error) {
	err = s.read(ctx, func(q querier) error {
		found, err = q.whole(id)
		return err
	})
	return found, err
}

// whole reads one question with everything that belongs to it; ErrNotFound if there is none.
func (q querier) whole(id string) (store.Question, error) {
	all, err := q.questions("WHERE q.id = ?", id)
	if err != nil {
		return store.Question{}, err
	}
	return engine.Whole(all, q.image, q.withAnswerImages)
}

// IDs returns the ids that begin with prefix; see store.Store.
func (s *Store) IDs(ctx context.Context, prefix string, limit int) (found []string, err error) {
	err = s.read(ctx, func(q querier) error {
		found, err = q.ids(prefix, limit)
		return err
	})
	return found, err
}

func (q querier) ids(prefix string, limit int) (found []string, err error) {
	const matching = "SELECT q.id FROM questions q LEFT JOIN outcomes o ON o.key = q.outcome " +
		"WHERE q.id >= ? AND q.id < ? AND o.deletion IS NULL ORDER BY q.id LIMIT ?"
	err = q.each(matching, []any{prefix, prefix + "\U0010ffff", limit}, func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		found = append(found, id)
		return err
	})
	return found, err
}

// Image gives an image of a draft by its hash, or ErrNotFound.
func (s *Store) Image(ctx context.Context, hash string) (found store.Image, err error) {
	err = s.read(ctx, func(q querier) error {
		found, err = q.image(hash)
		return notFound(err)
	})
	return found, err
}

// OpenQuestions gives the questions of all sessions that have no outcome, with their drafts, in the order of asking.
func (s *Store) OpenQuestions(ctx context.Context, after int64, limit int) ([]store.Question, error) {
	return s.list(ctx, openQuestions, after, limit)
}

const openQuestions = "WHERE " + isOpen + " AND q.ord > ? ORDER BY q.ord LIMIT ?"

// Ping returns nil if the store can be read.
func (s *Store) Ping(ctx context.Context) error {
	return s.read(ctx, func(q querier) error {
		var one int
		return q.one("SELECT count(*) FROM meta", nil, []any{&one})
	})
}

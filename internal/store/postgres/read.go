package postgres

import (
	"context"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// questionJoins are where the columns of questions come from besides questions q and outcomes o.
const (
	questionJoins = ` LEFT JOIN drafts d ON d.ord = q.ord `
	fromQuestions = " FROM questions q LEFT JOIN outcomes o ON o.ord = q.ord" + questionJoins
)

// questions reads those that a condition holds for and that are not deleted, without the data of images.
func (q querier) questions(where string, args ...any) (found []store.Question, err error) {
	var drafted []int64
	err = q.each("SELECT "+engine.QuestionColumns+fromQuestions+where, args, func(scan func(...any) error) error {
		one, deleted, err := engine.ScanQuestion(scan)
		if !deleted {
			found = append(found, one)
			if one.Draft != nil {
				drafted = append(drafted, one.Order)
			}
		}
		return err
	})
	if err != nil || len(drafted) == 0 {
		return found, err
	}
	names, err := q.imageNames(engine.DraftImage, drafted...)
	for i := range found {
		if found[i].Draft != nil {
			found[i].Draft.Images = names[found[i].Order]
		}
	}
	return found, err
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
		found, err = engine.ScanSession(func(into ...any) error {
			return q.one("SELECT "+engine.SessionColumns+" FROM sessions WHERE id = $1", []any{id}, into)
		})
		return err
	})
	return found, err
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
	return s.list(ctx, "WHERE q.session = $1 ORDER BY q.ord", session)
}

// Question gives one question with everything that belongs to it, or ErrNotFound.
func (s *Store) Question(ctx context.Context, id string) (found store.Question, err error) {
	err = s.read(ctx, func(q querier) error {
		all, err := q.questions("WHERE q.id = $1", id)
		if err != nil {
			return err
		}
		found, err = engine.Whole(all, q.image, q.withAnswerImages)
		return err
	})
	return found, err
}

// IDs returns the ids that begin with prefix; see store.Store.
func (s *Store) IDs(ctx context.Context, prefix string, limit int) (found []string, err error) {
	const matching = "SELECT q.id FROM questions q LEFT JOIN outcomes o ON o.key = q.outcome " +
		"WHERE q.id >= $1 AND q.id < $2 AND o.deletion IS NULL ORDER BY q.id LIMIT $3"
	err = s.read(ctx, func(q querier) error {
		found = nil
		return q.each(matching, []any{prefix, prefix + "\U0010ffff", limit}, func(scan func(...any) error) error {
			var id string
			err := scan(&id)
			found = append(found, id)
			return err
		})
	})
	return found, err
}

// Image gives an image of a draft by its hash, or ErrNotFound.
func (s *Store) Image(ctx context.Context, hash string) (found store.Image, err error) {
	err = s.read(ctx, func(q querier) error {
		found, err = q.image(hash)
		return err
	})
	return found, err
}

// OpenQuestions gives the questions of all sessions that have no outcome, with their drafts, in the order of asking.
func (s *Store) OpenQuestions(ctx context.Context, after int64, limit int) ([]store.Question, error) {
	return s.list(ctx, "WHERE q.outcome = 0 AND q.ord > $1 ORDER BY q.ord LIMIT $2", after, limit)
}

// Ping returns nil if the database can be read, and if this process still has the exclusive store that it has opened.
func (s *Store) Ping(ctx context.Context) error {
	if s.exclusive != nil {
		return s.exclusive.check(ctx)
	}
	return s.read(ctx, func(q querier) error {
		_, err := s.version(q)
		return err
	})
}

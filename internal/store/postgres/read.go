package postgres

import (
	"context"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// questionColumns are what engine.ScanQuestion reads. The first parameter is the clock.
var questionColumns = engine.QuestionColumns("coalesce(w.until > " + theClock + ", false)")

// questionJoins are where the columns of questions come from besides questions q and outcomes o.
const (
	questionJoins = ` LEFT JOIN leases w ON w.kind = '` + livesLease + `' AND w.id = '' AND w.owner = q.owner LEFT JOIN drafts d ON d.ord = q.ord `
	fromQuestions = " FROM questions q LEFT JOIN outcomes o ON o.ord = q.ord" + questionJoins
)

// questions reads those that a condition holds for and that are not deleted, without the data of images. The condition's parameters begin
// with the second.
func (q querier) questions(now *int64, where string, args ...any) (found []store.Question, err error) {
	var drafted []int64
	err = q.each("SELECT "+questionColumns+fromQuestions+where, append([]any{now}, args...), func(scan func(...any) error) error {
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

// question reads a closed question with its answer's images, also when it is deleted.
func (t *tx) question(id string) (found store.Question, err error) {
	there := false
	err = t.each("SELECT "+questionColumns+fromQuestions+"WHERE q.id = $2", []any{&t.now, id}, func(scan func(...any) error) (err error) {
		there = true
		found, _, err = engine.ScanQuestion(scan)
		return err
	})
	if err == nil && !there {
		err = store.ErrNotFound
	}
	if err != nil {
		return store.Question{}, err
	}
	return found, t.withAnswerImages(&found)
}

// withAnswerImages adds an answer's images.
func (q querier) withAnswerImages(to *store.Question) (err error) {
	if to.Outcome == nil || to.Outcome.ImageCount == 0 {
		return nil
	}
	to.Outcome.Images, err = q.answerImages(to.Order)
	return err
}

// drafts reads those of open questions; of one without any there is nothing but the id.
func (q querier) drafts(orders []int64) (all []store.Draft, err error) {
	var of []int64
	err = q.each(`SELECT q.ord, q.id, coalesce(d.text, ''), d.picks FROM questions q LEFT JOIN drafts d ON d.ord = q.ord
		WHERE q.ord = ANY($1) AND q.outcome = 0 ORDER BY q.ord`, []any{orders}, func(scan func(...any) error) error {
		var ord int64
		var d store.Draft
		err := scan(&ord, &d.QuestionID, &d.Text, (*[]byte)(&d.Picks))
		all, of = append(all, d), append(of, ord)
		return err
	})
	if err != nil || len(all) == 0 {
		return all, err
	}
	names, err := q.imageNames(engine.DraftImage, of...)
	for i, ord := range of {
		all[i].Images = names[ord]
	}
	return all, err
}

// Session gives a session, or ErrNotFound.
func (s *Store) Session(ctx context.Context, id string) (found store.Session, err error) {
	err = s.read(ctx, func(q querier) error {
		all, err := q.sessions([]string{id})
		if err == nil && len(all) == 0 {
			err = store.ErrNotFound
		}
		if err == nil {
			found = all[0]
		}
		return err
	})
	return found, err
}

// sessions reads those that are there.
func (q querier) sessions(ids []string) (all []store.Session, err error) {
	err = q.each("SELECT "+engine.SessionColumns+" FROM sessions WHERE id = ANY($1) ORDER BY array_position($1::text[], id)", []any{ids}, func(scan func(...any) error) error {
		s, err := engine.ScanSession(scan)
		all = append(all, s)
		return err
	})
	return all, err
}

// list reads questions for a method that gives a list.
func (s *Store) list(ctx context.Context, where string, args ...any) (found []store.Question, err error) {
	err = s.read(ctx, func(q querier) error {
		found, err = q.questions(s.clock(), where, args...)
		return err
	})
	return found, err
}

// Conversation gives a session's questions in the order of asking, without images of answers.
func (s *Store) Conversation(ctx context.Context, session string) ([]store.Question, error) {
	return s.list(ctx, "WHERE q.session = $2 ORDER BY q.ord", session)
}

// Question gives one question with everything that belongs to it, or ErrNotFound.
func (s *Store) Question(ctx context.Context, id string) (found store.Question, err error) {
	err = s.read(ctx, func(q querier) error {
		all, err := q.questions(s.clock(), "WHERE q.id = $2", id)
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
	return s.list(ctx, "WHERE q.outcome = 0 AND q.ord > $2 ORDER BY q.ord LIMIT $3", after, limit)
}

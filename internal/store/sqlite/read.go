package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// questionJoins are where the columns of questions come from besides questions q and outcomes o.
const (
	questionJoins = ` LEFT JOIN owners w ON w.owner = q.owner LEFT JOIN drafts d ON d.ord = q.ord `
	fromQuestions = " FROM questions q LEFT JOIN outcomes o ON o.key = q.outcome" + questionJoins
	// isOpen selects the open ones of questions q; see schema/3.sql.
	isOpen = "q.ord IN (SELECT ord FROM opened) AND q.outcome = 0"
)

// questionColumns are what engine.ScanQuestion reads. The first parameter is the time.
var questionColumns = engine.QuestionColumns("coalesce(w.until, 0) > ?")

// questions reads those that a condition holds for and that are not deleted, without the data of images.
func (q querier) questions(now int64, where string, args ...any) (found []store.Question, err error) {
	err = q.each("SELECT "+questionColumns+fromQuestions+where, append([]any{now}, args...), func(scan func(...any) error) error {
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

// question reads the one that a condition holds for, with everything; also when it is deleted.
func (t *tx) question(where string, args ...any) (store.Question, error) {
	var q store.Question
	err := t.each("SELECT "+questionColumns+fromQuestions+"WHERE "+where, append([]any{t.now}, args...), func(scan func(...any) error) (err error) {
		q, _, err = engine.ScanQuestion(scan)
		return err
	})
	if err == nil && q.ID == "" {
		err = store.ErrNotFound
	}
	if err != nil {
		return store.Question{}, err
	}
	return q, t.withAnswerImages(&q)
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
		found, err = q.questions(s.now().UnixMilli(), where, args...)
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
		found, err = q.whole(s.now().UnixMilli(), id)
		return err
	})
	return found, err
}

// whole reads one question with everything that belongs to it; ErrNotFound if there is none.
func (q querier) whole(now int64, id string) (store.Question, error) {
	all, err := q.questions(now, "WHERE q.id = ?", id)
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

// Revision gives the newest revision.
func (s *Store) Revision(ctx context.Context) (newest store.Revision, err error) {
	err = s.read(ctx, func(q querier) error {
		return q.one("SELECT max(rev) FROM log", nil, []any{&newest})
	})
	return newest, err
}

// Changed gives what other processes wrote after a revision.
func (s *Store) Changed(ctx context.Context, since store.Revision) (c store.Changes, err error) {
	err = s.read(ctx, func(q querier) error {
		c = store.Changes{}
		var oldest store.Revision
		if err := q.one("SELECT (SELECT min(rev) FROM log), (SELECT max(rev) FROM log)", nil, []any{&oldest, &c.Revision}); err != nil {
			return err
		}
		if c.Lapsed = engine.Lapsed(since, oldest, c.Revision); c.Lapsed {
			return nil
		}
		return q.changed(s, since, &c)
	})
	return c, err
}

func (q querier) changed(s *Store, since store.Revision, c *store.Changes) error {
	var news engine.News
	err := q.each("SELECT ord, session, what FROM log WHERE rev > ? AND rev <= ? AND owner <> ?", []any{int64(since), int64(c.Revision), s.owner}, func(scan func(...any) error) error {
		var ord int64
		var session string
		var what int
		err := scan(&ord, &session, &what)
		news.Add(ord, session, what)
		return err
	})
	if err != nil {
		return err
	}
	whole, drafts := news.Tell(c)
	now := s.now().UnixMilli()
	for _, ord := range whole {
		found, err := q.questions(now, "WHERE q.ord = ?", ord)
		if err != nil {
			return err
		}
		c.Questions = append(c.Questions, found...)
	}
	for _, ord := range drafts {
		if err := q.changedDraft(ord, c); err != nil {
			return err
		}
	}
	for _, id := range news.Sessions {
		session, err := q.session(id)
		if errors.Is(err, sql.ErrNoRows) {
			continue // removed since
		}
		if err != nil {
			return err
		}
		c.Sessions = append(c.Sessions, session)
	}
	return nil
}

// changedDraft reads the draft of a question that is open.
func (q querier) changedDraft(ord int64, c *store.Changes) error {
	var d store.Draft
	err := q.one("SELECT q.id, coalesce(d.text, ''), d.picks FROM questions q LEFT JOIN drafts d ON d.ord = q.ord WHERE q.ord = ? AND q.outcome = 0",
		[]any{ord}, []any{&d.QuestionID, &d.Text, (*[]byte)(&d.Picks)})
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	d.Images, err = q.imageNames(ord, engine.DraftImage)
	c.Drafts = append(c.Drafts, d)
	return err
}

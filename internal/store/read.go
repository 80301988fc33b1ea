package store

import (
	"context"
	"database/sql"
	"errors"

	"followup/internal/question"
)

// questionColumns are what scanQuestion reads, and questionJoins where they come from besides questions q and outcomes o.
const (
	questionColumns = `q.ord, q.id, coalesce(q.session, ''), q.state, q.collected, q.owner, coalesce(w.until, 0), q.guided_by, q.deadline,
		q.asked_at, q.tool, q.stream, q.call_id, q.agent, q.workspace, q.source, q.text, q.guidance, q.call,
		d.ord IS NOT NULL, coalesce(d.text, ''), d.picks,
		coalesce(o.key, 0), coalesce(o.outcome, ''), coalesce(o.provenance, ''), coalesce(o.closed_at, 0), coalesce(o.images, 0),
		coalesce(o.text, ''), o.answer, o.deleted_at IS NOT NULL`
	questionJoins = ` LEFT JOIN owners w ON w.owner = q.owner LEFT JOIN drafts d ON d.ord = q.ord `
	fromQuestions = " FROM questions q LEFT JOIN outcomes o ON o.key = q.outcome" + questionJoins
	// isOpen selects the open ones of questions q; see schema/3.sql.
	isOpen = "q.ord IN (SELECT ord FROM opened) AND q.outcome = 0"
)

// scanQuestion reads a row of questionColumns, without images; now decides whether the owner's lease runs.
func scanQuestion(scan func(...any) error, now int64) (q Question, deleted bool, err error) {
	var until, deadline, askedAt, closedAt int64
	var drafted bool
	var d Draft
	var o Outcome
	err = scan(&q.Order, &q.ID, &q.Session, &q.State, &q.Collected, &q.Owner, &until, &q.GuidedBy, &deadline,
		&askedAt, &q.Tool, &q.StreamID, &q.CallID, &q.Agent, &q.Workspace, &q.Source, &q.Text, (*[]byte)(&q.Guidance), (*[]byte)(&q.Call),
		&drafted, &d.Text, (*[]byte)(&d.Picks),
		&o.Key, &o.Outcome, &o.Provenance, &closedAt, &o.ImageCount, &o.Text, (*[]byte)(&o.Answer), &deleted)
	q.Deadline, q.AskedAt, o.ClosedAt = fromMillis(deadline), fromMillis(askedAt), fromMillis(closedAt)
	q.Alive = until > now
	if drafted {
		d.QuestionID = q.ID
		q.Draft = &d
	}
	if o.Key != 0 {
		o.QuestionID = q.ID
		q.Outcome = &o
	}
	return q, deleted, err
}

// questions reads those that a condition holds for, with the images of drafts. Deleted ones are only told by id.
func (q querier) questions(now int64, from, where string, args ...any) (found []Question, deleted []string, err error) {
	err = q.each("SELECT "+questionColumns+from+where, args, func(scan func(...any) error) error {
		one, gone, err := scanQuestion(scan, now)
		if gone {
			deleted = append(deleted, one.ID)
		} else {
			found = append(found, one)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	for i := range found {
		if d := found[i].Draft; d != nil {
			if d.Images, err = q.images(found[i].Order, draftImage); err != nil {
				return nil, nil, err
			}
		}
	}
	return found, deleted, nil
}

func (q querier) images(ord int64, role string) (images []question.Image, err error) {
	err = q.each("SELECT mime, data FROM images WHERE ord = ? AND role = ? ORDER BY n", []any{ord, role}, func(scan func(...any) error) error {
		var image question.Image
		err := scan(&image.MimeType, &image.Data)
		images = append(images, image)
		return err
	})
	return images, err
}

// question reads the one that a condition holds for, with everything; also when it is deleted.
func (t *tx) question(where string, args ...any) (Question, error) {
	var q Question
	err := t.each("SELECT "+questionColumns+fromQuestions+"WHERE "+where, args, func(scan func(...any) error) (err error) {
		q, _, err = scanQuestion(scan, t.now)
		return err
	})
	if err == nil && q.ID == "" {
		err = ErrNotFound
	}
	if err != nil {
		return Question{}, err
	}
	return q, t.withAnswerImages(&q)
}

// withAnswerImages adds an answer's images.
func (q querier) withAnswerImages(to *Question) (err error) {
	if to.Outcome == nil || to.Outcome.ImageCount == 0 {
		return nil
	}
	to.Outcome.Images, err = q.images(to.Order, answerImage)
	return err
}

// Session gives a session, or ErrNotFound.
func (s *Store) Session(ctx context.Context, id string) (found Session, err error) {
	err = s.read(ctx, func(q querier) error {
		found, err = q.session(id)
		return notFound(err)
	})
	return found, err
}

func (q querier) session(id string) (s Session, err error) {
	s.ID = id
	err = q.one("SELECT agent, key, folders, locale, options, mistakes, mistake_limit, guidance, closed FROM sessions WHERE id = ?", []any{id},
		[]any{&s.Agent, &s.Key, (*[]byte)(&s.Folders), &s.Locale, (*[]byte)(&s.Options), &s.Mistakes, &s.Limit, &s.Guidance, &s.Closed})
	if err != nil {
		return Session{}, err
	}
	return s, nil
}

// list reads questions for a method that gives a list.
func (s *Store) list(ctx context.Context, where string, args ...any) (found []Question, err error) {
	err = s.read(ctx, func(q querier) error {
		found, _, err = q.questions(s.now().UnixMilli(), fromQuestions, where, args...)
		return err
	})
	return found, err
}

// Conversation gives a session's questions in the order of asking, without images of answers.
func (s *Store) Conversation(ctx context.Context, session string) ([]Question, error) {
	return s.list(ctx, "WHERE q.session = ? ORDER BY q.ord", session)
}

// Question gives one question with everything that belongs to it, or ErrNotFound.
func (s *Store) Question(ctx context.Context, id string) (found Question, err error) {
	err = s.read(ctx, func(q querier) error {
		all, _, err := q.questions(s.now().UnixMilli(), fromQuestions, "WHERE q.id = ?", id)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return ErrNotFound
		}
		found = all[0]
		return q.withAnswerImages(&found)
	})
	return found, err
}

// OpenQuestions gives the questions of all sessions that have no outcome, with their drafts, in the order of asking.
func (s *Store) OpenQuestions(ctx context.Context) ([]Question, error) {
	return s.list(ctx, "WHERE "+isOpen+" ORDER BY q.ord")
}

// Orphans gives those of the OpenQuestions that have no owner whose lease runs.
func (s *Store) Orphans(ctx context.Context) ([]Question, error) {
	return s.list(ctx, "WHERE "+isOpen+" AND coalesce(w.until, 0) <= ? ORDER BY q.ord", s.now().UnixMilli())
}

// Revision gives the newest revision.
func (s *Store) Revision(ctx context.Context) (newest Revision, err error) {
	err = s.read(ctx, func(q querier) error {
		return q.one("SELECT max(rev) FROM log", nil, []any{&newest})
	})
	return newest, err
}

// Changed gives what other processes wrote after a revision.
func (s *Store) Changed(ctx context.Context, since Revision) (c Changes, err error) {
	err = s.read(ctx, func(q querier) error {
		c = Changes{}
		var oldest Revision
		if err := q.one("SELECT (SELECT min(rev) FROM log), (SELECT max(rev) FROM log)", nil, []any{&oldest, &c.Revision}); err != nil {
			return err
		}
		if c.Lapsed = since < oldest-1; c.Lapsed {
			return nil
		}
		return q.changed(s, since, &c)
	})
	return c, err
}

func (q querier) changed(s *Store, since Revision, c *Changes) error {
	const log = "FROM log WHERE rev > ? AND rev <= ? AND owner <> ?"
	args := []any{int64(since), int64(c.Revision), s.owner}
	var err error
	c.Questions, c.Deleted, err = q.questions(s.now().UnixMilli(), fromQuestions,
		"WHERE q.ord IN (SELECT ord "+log+") ORDER BY q.ord", args...)
	if err != nil {
		return err
	}
	var sessions []string
	err = q.each("SELECT DISTINCT session "+log+" AND session <> ''", args, func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		sessions = append(sessions, id)
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range sessions {
		session, err := q.session(id)
		if errors.Is(err, sql.ErrNoRows) {
			continue // removed since
		}
		if err != nil {
			return err
		}
		c.Sessions = append(c.Sessions, session)
	}
	return q.one("SELECT EXISTS (SELECT 1 "+log+" AND ord < 0)", args, []any{&c.Removed})
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"followup/internal/store"
)

// questionColumns are what scanQuestion reads, and questionJoins where they come from besides questions q and outcomes o.
const (
	questionColumns = `q.ord, q.id, coalesce(q.session, ''), q.state, q.collected, q.owner, coalesce(w.until, 0), q.guided_by, q.deadline,
		q.asked_at, q.tool, q.stream, q.call_id, q.agent, q.workspace, q.source, q.text, q.guidance, q.call,
		d.ord IS NOT NULL, coalesce(d.text, ''), d.picks,
		coalesce(o.key, 0), coalesce(o.outcome, ''), coalesce(o.provenance, ''), coalesce(o.closed_at, 0), coalesce(o.images, 0),
		coalesce(o.text, ''), o.answer, o.deletion IS NOT NULL`
	questionJoins = ` LEFT JOIN owners w ON w.owner = q.owner LEFT JOIN drafts d ON d.ord = q.ord `
	fromQuestions = " FROM questions q LEFT JOIN outcomes o ON o.key = q.outcome" + questionJoins
	// isOpen selects the open ones of questions q; see schema/3.sql.
	isOpen = "q.ord IN (SELECT ord FROM opened) AND q.outcome = 0"
)

// scanQuestion reads a row of questionColumns, without images; now decides whether the owner's lease runs.
func scanQuestion(scan func(...any) error, now int64) (q store.Question, deleted bool, err error) {
	var until, deadline, askedAt, closedAt int64
	var drafted bool
	var d store.Draft
	var o store.Outcome
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

// questions reads those that a condition holds for and that are not deleted, without the data of images.
func (q querier) questions(now int64, where string, args ...any) (found []store.Question, err error) {
	err = q.each("SELECT "+questionColumns+fromQuestions+where, args, func(scan func(...any) error) error {
		one, deleted, err := scanQuestion(scan, now)
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
			if d.Images, err = q.imageNames(found[i].Order, draftImage); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// question reads the one that a condition holds for, with everything; also when it is deleted.
func (t *tx) question(where string, args ...any) (store.Question, error) {
	var q store.Question
	err := t.each("SELECT "+questionColumns+fromQuestions+"WHERE "+where, args, func(scan func(...any) error) (err error) {
		q, _, err = scanQuestion(scan, t.now)
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

func (q querier) session(id string) (s store.Session, err error) {
	s.ID = id
	err = q.one("SELECT agent, key, folders, locale, options, mistakes, mistake_limit, guidance, closed, version FROM sessions WHERE id = ?", []any{id},
		[]any{&s.Agent, &s.Key, (*[]byte)(&s.Folders), &s.Locale, (*[]byte)(&s.Options), &s.Mistakes, &s.Limit, &s.Guidance, &s.Closed, &s.Version})
	if err != nil {
		return store.Session{}, err
	}
	return s, nil
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
		all, err := q.questions(s.now().UnixMilli(), "WHERE q.id = ?", id)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return store.ErrNotFound
		}
		found = all[0]
		if found.Draft != nil {
			for i, image := range found.Draft.Images {
				if found.Draft.Images[i], err = q.image(image.Hash); err != nil {
					return err
				}
			}
		}
		return q.withAnswerImages(&found)
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
		if c.Lapsed = since < oldest-1; c.Lapsed {
			return nil
		}
		return q.changed(s, since, &c)
	})
	return c, err
}

func (q querier) changed(s *Store, since store.Revision, c *store.Changes) error {
	const log = "FROM log WHERE rev > ? AND rev <= ? AND owner <> ?"
	args := []any{int64(since), int64(c.Revision), s.owner}
	written := map[int64]int{} // what of each question
	var orders []int64
	var sessions []string
	seen := map[string]bool{}
	err := q.each("SELECT ord, session, what "+log, args, func(scan func(...any) error) error {
		var ord int64
		var session string
		var what int
		err := scan(&ord, &session, &what)
		if session != "" && !seen[session] {
			seen[session] = true
			sessions = append(sessions, session)
		}
		if _, known := written[ord]; ord > 0 && !known {
			orders = append(orders, ord)
		}
		written[ord] |= what
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(orders)
	now := s.now().UnixMilli()
	for _, ord := range orders {
		what := written[ord]
		c.History = c.History || what&wroteHistory != 0
		switch {
		case what&(wroteQuestion|wroteOutcome) != 0:
			found, err := q.questions(now, "WHERE q.ord = ?", ord)
			if err != nil {
				return err
			}
			c.Questions = append(c.Questions, found...)
		case what&wroteDraft != 0:
			if err := q.changedDraft(ord, c); err != nil {
				return err
			}
		}
	}
	c.History = c.History || written[0]&wroteHistory != 0
	c.Accounts = written[0]&wroteAccounts != 0
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
	d.Images, err = q.imageNames(ord, draftImage)
	c.Drafts = append(c.Drafts, d)
	return err
}

package postgres

import (
	"context"

	"followup/internal/store"
)

// questionColumns are what scanQuestion reads, of questions q and outcomes o, and questionJoins where the rest comes from. The first
// parameter is the clock.
const questionColumns = `q.ord, q.id, coalesce(q.session, ''), q.state, q.collected, q.owner, coalesce(w.until > ` + theClock + `, false), q.guided_by, q.deadline,
	q.asked_at, q.tool, q.stream, q.call_id, q.agent, q.workspace, q.source, q.text, q.guidance, q.call,
	d.ord IS NOT NULL, coalesce(d.text, ''), d.picks,
	coalesce(o.key, 0), coalesce(o.outcome, ''), coalesce(o.provenance, ''), coalesce(o.closed_at, 0), coalesce(o.images, 0),
	coalesce(o.text, ''), o.answer, o.deletion IS NOT NULL`

const (
	questionJoins = ` LEFT JOIN leases w ON w.kind = '` + livesLease + `' AND w.id = '' AND w.owner = q.owner LEFT JOIN drafts d ON d.ord = q.ord `
	fromQuestions = " FROM questions q LEFT JOIN outcomes o ON o.ord = q.ord" + questionJoins
)

// scanQuestion reads a row of questionColumns, without images.
func scanQuestion(scan func(...any) error) (q store.Question, deleted bool, err error) {
	var deadline, askedAt, closedAt int64
	var drafted bool
	var d store.Draft
	var o store.Outcome
	err = scan(&q.Order, (*text)(&q.ID), (*text)(&q.Session), &q.State, &q.Collected, (*text)(&q.Owner), &q.Alive, (*text)(&q.GuidedBy), &deadline,
		&askedAt, (*text)(&q.Tool), (*text)(&q.StreamID), (*text)(&q.CallID), (*text)(&q.Agent), (*text)(&q.Workspace), (*text)(&q.Source),
		(*text)(&q.Text), (*[]byte)(&q.Guidance), (*[]byte)(&q.Call),
		&drafted, (*text)(&d.Text), (*[]byte)(&d.Picks),
		&o.Key, (*text)(&o.Outcome), (*text)(&o.Provenance), &closedAt, &o.ImageCount, (*text)(&o.Text), (*[]byte)(&o.Answer), &deleted)
	q.Deadline, q.AskedAt, o.ClosedAt = fromMillis(deadline), fromMillis(askedAt), fromMillis(closedAt)
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

// questions reads those that a condition holds for and that are not deleted, without the data of images. The condition's parameters begin
// with the second.
func (q querier) questions(now *int64, where string, args ...any) (found []store.Question, err error) {
	var drafted []int64
	err = q.each("SELECT "+questionColumns+fromQuestions+where, append([]any{now}, args...), func(scan func(...any) error) error {
		one, deleted, err := scanQuestion(scan)
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
	names, err := q.imageNames(draftImage, drafted...)
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
	err = t.each("SELECT "+questionColumns+fromQuestions+"WHERE q.id = $2", []any{&t.now, text(id)}, func(scan func(...any) error) (err error) {
		there = true
		found, _, err = scanQuestion(scan)
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
		err := scan(&ord, (*text)(&d.QuestionID), (*text)(&d.Text), (*[]byte)(&d.Picks))
		all, of = append(all, d), append(of, ord)
		return err
	})
	if err != nil || len(all) == 0 {
		return all, err
	}
	names, err := q.imageNames(draftImage, of...)
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
	err = q.each(`SELECT id, agent, key, folders, locale, options, mistakes, mistake_limit, guidance, closed, version
		FROM sessions WHERE id = ANY($1) ORDER BY array_position($1::text[], id)`, []any{escapedAll(ids)}, func(scan func(...any) error) error {
		var s store.Session
		err := scan((*text)(&s.ID), (*text)(&s.Agent), (*text)(&s.Key), (*[]byte)(&s.Folders), (*text)(&s.Locale), (*[]byte)(&s.Options),
			&s.Mistakes, &s.Limit, (*text)(&s.Guidance), &s.Closed, &s.Version)
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
	return s.list(ctx, "WHERE q.session = $2 ORDER BY q.ord", text(session))
}

// Question gives one question with everything that belongs to it, or ErrNotFound.
func (s *Store) Question(ctx context.Context, id string) (found store.Question, err error) {
	err = s.read(ctx, func(q querier) error {
		all, err := q.questions(s.clock(), "WHERE q.id = $2", text(id))
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
		return err
	})
	return found, err
}

// OpenQuestions gives the questions of all sessions that have no outcome, with their drafts, in the order of asking.
func (s *Store) OpenQuestions(ctx context.Context, after int64, limit int) ([]store.Question, error) {
	return s.list(ctx, "WHERE q.outcome = 0 AND q.ord > $2 ORDER BY q.ord LIMIT $3", after, limit)
}

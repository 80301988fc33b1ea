package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"followup/internal/question"
	"followup/internal/store"
)

// The columns that scanQuestion reads. asked are in both halves.
const (
	asked = `q.ord, q.id, coalesce(q.session, ''), q.collected, q.guided_by, q.deadline, q.asked_at, q.tool, q.stream, q.call_id,
		q.agent, q.workspace, q.recipient, q.source, q.text, q.guidance, q.call, `
	fromInbox = "SELECT " + asked + `q.state, CASE WHEN d.id IS NULL THEN 0 ELSE 1 END, coalesce(d.text, ''), d.picks, 0,
		coalesce(o.outcome, ''), coalesce(o.provenance, ''), coalesce(o.closed_at, 0), coalesce(o.images, 0), coalesce(o.text, ''), o.answer
		FROM questions q LEFT JOIN drafts d ON d.id = q.id LEFT JOIN outcomes o ON o.id = q.id `
	entry       = asked + "5, 0, '', NULL, q.key, q.outcome, q.provenance, q.closed_at, q.images, q.said, q.answer"
	fromHistory = "SELECT " + entry + " FROM entries q "
	// shown leaves out what was deleted, and can still be restored.
	shown = " NOT EXISTS (SELECT 1 FROM deleted d WHERE d.key = q.key)"
)

// scanQuestion reads a row of either half, without images.
func scanQuestion(scan func(...any) error) (q store.Question, err error) {
	var deadline, askedAt, closedAt int64
	var drafted bool
	var d store.Draft
	var o store.Outcome
	err = scan(&q.Order, &q.ID, &q.Session, &q.Collected, &q.GuidedBy, &deadline, &askedAt, &q.Tool, &q.StreamID, &q.CallID,
		&q.Agent, &q.Workspace, &q.To, &q.Source, &q.Text, (*[]byte)(&q.Guidance), (*[]byte)(&q.Call),
		&q.State, &drafted, &d.Text, (*[]byte)(&d.Picks),
		&o.Key, (*string)(&o.Outcome), (*string)(&o.Provenance), &closedAt, &o.ImageCount, &o.Text, (*[]byte)(&o.Answer))
	q.Deadline, q.AskedAt, o.ClosedAt = fromMillis(deadline), fromMillis(askedAt), fromMillis(closedAt)
	if drafted {
		d.QuestionID = q.ID
		q.Draft = &d
	}
	if o.Outcome != "" {
		o.QuestionID = q.ID
		q.Outcome, q.State = &o, store.Closed
	}
	return q, err
}

// questions reads rows of either half, with the names of drafts' images.
func (q Queries) questions(query string, args ...any) (all []store.Question, err error) {
	err = q.Each(query, args, func(scan func(...any) error) error {
		one, err := scanQuestion(scan)
		all = append(all, one)
		return err
	})
	for i := range all {
		if d := all[i].Draft; d != nil && err == nil {
			d.Images, err = q.images(draftImages, d.QuestionID)
		}
	}
	return all, err
}

// What images reads.
const (
	draftImages = "SELECT b.hash, b.mime, NULL FROM images i JOIN blobs b ON b.hash = i.hash WHERE i.id = ? ORDER BY i.n"
	inboxImages = "SELECT b.hash, b.mime, b.data FROM images i JOIN blobs b ON b.hash = i.hash WHERE i.id = ? ORDER BY i.n"
	entryImages = "SELECT b.hash, b.mime, b.data FROM entry_images i JOIN entry_blobs b ON b.hash = i.hash WHERE i.key = ? ORDER BY i.n"
)

func (q Queries) images(query string, of any) (all []store.Image, err error) {
	err = q.Each(query, []any{of}, func(scan func(...any) error) error {
		var image store.Image
		err := scan(&image.Hash, &image.MimeType, &image.Data)
		all = append(all, image)
		return err
	})
	return all, err
}

// complete adds the data of a question's images, of its draft or its answer.
func (q Queries) complete(one *store.Question) error {
	query, of := inboxImages, any(one.ID)
	if one.Outcome != nil && one.Outcome.Key != 0 {
		query, of = entryImages, int64(one.Outcome.Key)
	}
	switch {
	case one.Draft != nil:
		images, err := q.images(query, of)
		one.Draft.Images = images
		return err
	case one.Outcome != nil && one.Outcome.ImageCount > 0:
		images, err := q.images(query, of)
		for _, image := range images {
			one.Outcome.Images = append(one.Outcome.Images, question.Image{MimeType: image.MimeType, Data: image.Data})
		}
		return err
	}
	return nil
}

// Question returns one question with everything that belongs to it.
func (s *Store) Question(ctx context.Context, id string) (found store.Question, err error) {
	read := func(half Half, query string) error {
		return half.Read(ctx, func(q Queries) error {
			all, err := q.questions(query, id)
			if err == nil && len(all) == 0 {
				err = store.ErrNotFound
			}
			if err != nil {
				return err
			}
			found = all[0]
			return q.complete(&found)
		})
	}
	// In this order: what leaves the inbox is in the history by then.
	if err = read(s.inbox, fromInbox+"WHERE q.id = ?"); !errors.Is(err, store.ErrNotFound) {
		return found, err
	}
	if err = read(s.history, fromHistory+"WHERE q.id = ? AND"+shown); err != nil {
		return found, err
	}
	err = s.inbox.Read(ctx, func(q Queries) error {
		noted, err := q.has("SELECT 1 FROM collected WHERE id = ?", id)
		found.Collected = found.Collected || noted
		return err
	})
	return found, err
}

// has reports whether a query finds a row.
func (q Queries) has(query string, args ...any) (bool, error) {
	var one int
	err := q.One(query, args, &one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Conversation returns a session's questions in the order of asking, without images.
func (s *Store) Conversation(ctx context.Context, session string) (all []store.Question, err error) {
	var closed []store.Question
	err = s.inbox.Read(ctx, func(q Queries) (err error) {
		all, err = q.questions(fromInbox+"WHERE q.session = ?", session)
		return err
	})
	if err == nil {
		err = s.history.Read(ctx, func(q Queries) (err error) {
			closed, err = q.questions(fromHistory+"WHERE q.session = ? AND"+shown, session)
			return err
		})
	}
	for _, one := range closed {
		if !slices.ContainsFunc(all, func(other store.Question) bool { return other.ID == one.ID }) {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b store.Question) int { return cmp.Compare(a.Order, b.Order) })
	return all, err
}

// IDs returns ids that begin with prefix, of open and closed questions, in the order of their bytes.
func (s *Store) IDs(ctx context.Context, prefix string, limit int) (all []string, err error) {
	read := func(half Half, query string) error {
		return half.Read(ctx, func(q Queries) error {
			some, err := Column[string](q, query+" q.id >= ? AND q.id < ? ORDER BY q.id LIMIT ?", prefix, prefix+"\U0010ffff", limit)
			all = append(all, some...)
			return err
		})
	}
	err = errors.Join(
		read(s.inbox, "SELECT q.id FROM questions q WHERE"),
		read(s.history, "SELECT q.id FROM entries q WHERE"+shown+" AND"),
	)
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(limit, len(all))], err
}

// OpenQuestions returns the questions without an outcome whose Order is greater than after, in that order.
func (s *Store) OpenQuestions(ctx context.Context, after int64, limit int) (all []store.Question, err error) {
	err = s.inbox.Read(ctx, func(q Queries) (err error) {
		all, err = q.questions(fromInbox+"WHERE o.id IS NULL AND q.ord > ? ORDER BY q.ord LIMIT ?", after, limit)
		return err
	})
	return all, err
}

// Image returns an image of a draft by its hash.
func (s *Store) Image(ctx context.Context, hash string) (store.Image, error) {
	image := store.Image{Hash: hash}
	err := s.inbox.Read(ctx, func(q Queries) error {
		return notFound(q.One("SELECT mime, data FROM blobs b WHERE hash = ? AND EXISTS (SELECT 1 FROM images i JOIN drafts d ON d.id = i.id WHERE i.hash = b.hash)",
			[]any{hash}, &image.MimeType, &image.Data))
	})
	return image, err
}

func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}

const sessionColumns = "id, agent, key, folders, locale, options, mistakes, mistake_limit, guidance, closed"

// Session returns a session.
func (s *Store) Session(ctx context.Context, id string) (found store.Session, err error) {
	err = s.inbox.Read(ctx, func(q Queries) error {
		return notFound(q.One("SELECT "+sessionColumns+" FROM sessions WHERE id = ?", []any{id},
			&found.ID, &found.Agent, &found.Key, (*[]byte)(&found.Folders), &found.Locale, (*[]byte)(&found.Options),
			&found.Mistakes, &found.Limit, &found.Guidance, &found.Closed))
	})
	return found, err
}

package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/store"
)

// The columns that scanQuestion reads. asked are those of both halves.
const (
	asked = `q.ord, q.id, coalesce(q.session, ''), q.collected, q.guided_by, q.deadline, q.asked_at, q.tool, q.stream, q.call_id,
		q.agent, q.workspace, q.recipient, q.source, q.text, q.guidance, q.call, `
	fromInbox = "SELECT " + asked + `q.state, CASE WHEN d.id IS NULL THEN 0 ELSE 1 END, d.document, 0,
		coalesce(o.outcome, ''), coalesce(o.provenance, ''), coalesce(o.closed_at, 0), coalesce(o.images, 0), coalesce(o.text, ''), o.answer
		FROM questions q LEFT JOIN drafts d ON d.id = q.id LEFT JOIN outcomes o ON o.id = q.id `
	entry       = asked + "'closed', 0, NULL, q.key, q.outcome, q.provenance, q.closed_at, q.images, q.said, q.answer"
	fromHistory = "SELECT " + entry + " FROM entries q "
	// shown excludes deleted entries that can still be restored.
	shown = " NOT EXISTS (SELECT 1 FROM deleted d WHERE d.key = q.key)"
)

// askedOf returns the columns of a question in both halves, and their values.
func askedOf(q store.Question) (columns string, args []any) {
	var session any // or NULL
	if q.Session != "" {
		session = q.Session
	}
	columns = "id, session, collected, guided_by, deadline, asked_at, tool, stream, call_id, agent, workspace, recipient, source, " +
		"text, guidance, call"
	return columns, []any{
		q.ID, session, number(q.Collected), q.GuidedBy, store.Millis(q.Deadline), store.Millis(q.AskedAt), q.Tool, q.StreamID, q.CallID, q.Agent,
		q.Workspace, q.To, q.Source, q.Text, []byte(q.Guidance), []byte(q.Call),
	}
}

// insertInto returns a statement that inserts a row into a table.
func insertInto(table, columns string) string {
	return "INSERT INTO " + table + " (" + columns + ") VALUES (" + strings.Repeat("?, ", strings.Count(columns, ",")) + "?)"
}

// scanQuestion reads a row of either half, without images.
func scanQuestion(scan Scan) (q store.Question) {
	var deadline, askedAt, closedAt int64
	var drafted bool
	var d store.Draft
	var o store.Outcome
	scan(&q.Order, &q.ID, &q.Session, &q.Collected, &q.GuidedBy, &deadline, &askedAt, &q.Tool, &q.StreamID, &q.CallID,
		&q.Agent, &q.Workspace, &q.To, &q.Source, &q.Text, (*[]byte)(&q.Guidance), (*[]byte)(&q.Call),
		&q.State, &drafted, (*[]byte)(&d.Document),
		&o.Key, (*string)(&o.Outcome), (*string)(&o.Provenance), &closedAt, &o.ImageCount, &o.Text, (*[]byte)(&o.Answer))
	q.Deadline, q.AskedAt, o.ClosedAt = store.FromMillis(deadline), store.FromMillis(askedAt), store.FromMillis(closedAt)
	switch {
	case o.Outcome != "":
		o.QuestionID = q.ID
		q.Outcome, q.State = &o, store.Closed
	case drafted:
		d.QuestionID = q.ID
		q.Draft = &d
	}
	return q
}

// questions reads rows of either half, without images.
func (q *Queries) questions(query string, args ...any) (all []store.Question) {
	for scan := range q.Each(query, args...) {
		all = append(all, scanQuestion(scan))
	}
	return all
}

// whole reads questions of either half with the images of their drafts and answers.
func (q *Queries) whole(query string, args ...any) []store.Question {
	all := q.questions(query, args...)
	for i := range all {
		one := &all[i]
		switch o := one.Outcome; {
		case one.Draft != nil:
			for scan := range q.Each("SELECT hash, mime, data FROM images WHERE id = ? ORDER BY n", one.ID) {
				var image store.Image
				scan(&image.Hash, &image.MimeType, &image.Data)
				one.Draft.Images = append(one.Draft.Images, image)
			}
		case o != nil && o.ImageCount > 0:
			query, of := "SELECT mime, data FROM images WHERE id = ? ORDER BY n", any(one.ID)
			if o.Key != 0 {
				query, of = "SELECT mime, data FROM entry_images WHERE key = ? ORDER BY n", int64(o.Key)
			}
			for scan := range q.Each(query, of) {
				var image question.Image
				scan(&image.MimeType, &image.Data)
				o.Images = append(o.Images, image)
			}
		}
	}
	return all
}

// read returns the question that a query finds, with everything that belongs to it.
func (s *Store) read(ctx context.Context, half Half, query string, args ...any) (store.Question, error) {
	all, err := read(ctx, half, func(q *Queries) []store.Question { return q.whole(query, args...) })
	if err == nil && len(all) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return store.Question{}, err
	}
	return all[0], nil
}

func (s *Store) Question(ctx context.Context, id string) (found store.Question, err error) {
	// In this order, since a question is in the history before it leaves the inbox.
	if found, err = s.read(ctx, s.inbox, fromInbox+"WHERE q.id = ?", id); !errors.Is(err, store.ErrNotFound) {
		return found, err
	}
	if found, err = s.read(ctx, s.history, fromHistory+"WHERE q.id = ? AND"+shown, id); err != nil {
		return found, err
	}
	err = s.inbox.Read(ctx, func(q *Queries) {
		noted := q.has("SELECT 1 FROM collected WHERE id = ?", id)
		found.Collected = found.Collected || noted
	})
	return found, err
}

func (s *Store) DueCallbacks(ctx context.Context) ([]store.Callback, error) {
	return read(ctx, s.inbox, func(q *Queries) (all []store.Callback) {
		for scan := range q.Each(`SELECT c.id, c.url, c.secret, c.private FROM callbacks c WHERE NOT EXISTS (SELECT 1 FROM questions q
			WHERE q.id = c.id AND NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.id = c.id)) ORDER BY c.id`) {
			var one store.Callback
			scan(&one.QuestionID, &one.URL, &one.Secret, &one.Private)
			all = append(all, one)
		}
		return all
	})
}

func (s *Store) Conversation(ctx context.Context, session string) ([]store.Question, error) {
	var collected []string // since they were moved
	all, err := read(ctx, s.inbox, func(q *Queries) []store.Question {
		collected = Column[string](q, "SELECT id FROM collected")
		return q.questions(fromInbox+"WHERE q.session = ?", session)
	})
	if err != nil {
		return nil, err
	}
	closed, err := read(ctx, s.history, func(q *Queries) []store.Question {
		return q.questions(fromHistory+"WHERE q.session = ? AND"+shown, session)
	})
	for _, one := range closed {
		one.Collected = one.Collected || slices.Contains(collected, one.ID)
		if !slices.ContainsFunc(all, func(other store.Question) bool { return other.ID == one.ID }) {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b store.Question) int { return cmp.Compare(a.Order, b.Order) })
	return all, err
}

func (s *Store) IDs(ctx context.Context, prefix string, limit int) ([]string, error) {
	ids := func(from string) func(*Queries) []string {
		return func(q *Queries) []string {
			return Column[string](q, "SELECT q.id FROM "+from+" q.id >= ? AND q.id < ? ORDER BY q.id LIMIT ?", prefix, prefix+"\U0010ffff", limit)
		}
	}
	open, err := read(ctx, s.inbox, ids("questions q WHERE"))
	closed, err2 := read(ctx, s.history, ids("entries q WHERE"+shown+" AND"))
	all := slices.Compact(slices.Sorted(slices.Values(append(open, closed...))))
	return all[:min(limit, len(all))], errors.Join(err, err2)
}

func (s *Store) OpenQuestions(ctx context.Context, after int64, limit int) ([]store.Question, error) {
	return read(ctx, s.inbox, func(q *Queries) []store.Question {
		return q.whole(fromInbox+"WHERE o.id IS NULL AND q.ord > ? ORDER BY q.ord LIMIT ?", after, limit)
	})
}

func (s *Store) Session(ctx context.Context, id string) (found store.Session, err error) {
	err = s.inbox.Read(ctx, func(q *Queries) {
		if !q.One("SELECT id, document, closed FROM sessions WHERE id = ?", []any{id}, &found.ID, (*[]byte)(&found.Document), &found.Closed) {
			q.Fail(store.ErrNotFound)
		}
	})
	return found, err
}

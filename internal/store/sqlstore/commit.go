package sqlstore

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"followup/internal/store"
)

// Commit writes all changes in one transaction. If one is rejected, which is rare, each gets its own transaction.
func (s *Store) Commit(ctx context.Context, changes []store.Change) ([]store.Result, error) {
	var refused error
	results, err := write(ctx, s.inbox, func(q *Queries, now int64) []store.Result {
		refused = nil
		c := &committing{Queries: q, store: s, now: now}
		results := make([]store.Result, len(changes))
		for i, change := range changes {
			results[i].Orders = c.change(change)
		}
		if err := q.Err; err != nil && (errors.Is(err, store.ErrNotFound) || errors.Is(err, ErrSenseless) || s.Refuses(err)) {
			refused, q.Err = err, ErrNothing
		}
		return results
	})
	defer s.stir()
	switch {
	case err != nil:
		return nil, err
	case refused == nil:
		for _, change := range changes {
			s.waiting.Add(int64(len(change.Outcomes)))
		}
		return results, nil
	case len(changes) == 1:
		return []store.Result{{Err: refused}}, nil
	}
	results = nil
	for _, change := range changes {
		one, err := s.Commit(ctx, []store.Change{change})
		if err != nil {
			return nil, err
		}
		results = append(results, one...)
	}
	return results, nil
}

// committing is a transaction of Commit.
type committing struct {
	*Queries
	store *Store
	now   int64
}

// moved returns the Order of a question in the history, and false if there is none.
func (c *committing) moved(id string) (order int64, there bool) {
	look := func(q *Queries) { there = q.One("SELECT ord FROM entries WHERE id = ?", []any{id}, &order) }
	if c.store.history == c.store.inbox { // of one database, so that no second connection is needed
		look(c.Queries)
	} else {
		c.Fail(c.store.history.Read(c.Ctx, look))
	}
	return order, there
}

// change writes a change, and returns the Order of its questions.
func (c *committing) change(change store.Change) map[string]int64 {
	orders := make(map[string]int64, len(change.Questions))
	for _, s := range change.Sessions {
		c.Exec(`INSERT INTO sessions (id, document, closed, used_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET document = excluded.document, closed = excluded.closed, used_at = excluded.used_at`,
			s.ID, []byte(s.Document), number(s.Closed), c.now)
	}
	for _, q := range change.Questions {
		orders[q.ID] = c.question(q)
	}
	for _, d := range change.Drafts {
		c.draft(d)
	}
	for _, o := range change.Outcomes {
		c.outcome(o)
	}
	for _, id := range change.Collected {
		if c.Exec("UPDATE questions SET collected = 1 WHERE id = ?", id) == 0 {
			c.Exec("INSERT INTO collected (id) VALUES (?) ON CONFLICT DO NOTHING", id) // for the mover
		}
	}
	for _, b := range change.Callbacks {
		c.Exec(insertInto("callbacks", "id, url, secret, private")+" ON CONFLICT DO NOTHING", b.QuestionID, b.URL, b.Secret, number(b.Private))
	}
	for _, id := range change.Delivered {
		c.Exec("DELETE FROM callbacks WHERE id = ?", id)
	}
	return orders
}

// question adds a question, or updates it while it is open, and returns its Order.
func (c *committing) question(q store.Question) (order int64) {
	if q.State == "" || q.State == store.Closed {
		c.Fail(fmt.Errorf("%w: question %s: a question is written as pending, queued or held, not as %q", ErrSenseless, q.ID, q.State))
		return 0
	}
	state, deadline := string(q.State), store.Millis(q.Deadline)
	if c.One("SELECT ord FROM questions WHERE id = ?", []any{q.ID}, &order) {
		c.Exec(`UPDATE questions SET state = ?, deadline = ?, guided_by = ?
			WHERE ord = ? AND (state, deadline, guided_by) <> (?, ?, ?)
			AND NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.id = questions.id)`, state, deadline, q.GuidedBy, order, state, deadline, q.GuidedBy)
		return order
	}
	if order, closed := c.moved(q.ID); closed {
		return order
	}
	columns, args := askedOf(q)
	insert := insertInto("questions", "state, "+columns) + " ON CONFLICT (id) DO NOTHING RETURNING ord"
	if !c.One(insert, append([]any{state}, args...), &order) && c.Err == nil { // added by a transaction over a broken connection, which ended meanwhile
		return c.question(q)
	}
	return order
}

// draft writes the draft of an open question, or deletes an empty one.
func (c *committing) draft(d store.Draft) {
	if !c.has("SELECT 1 FROM questions q WHERE q.id = ? AND NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.id = q.id)", d.QuestionID) {
		return
	}
	if len(d.Document) == 0 {
		c.Exec("DELETE FROM drafts WHERE id = ?", d.QuestionID)
	} else {
		c.Exec(insertInto("drafts", "id, document")+" ON CONFLICT (id) DO UPDATE SET document = excluded.document", d.QuestionID, []byte(d.Document))
	}
	c.putImages(d.QuestionID, d.Images)
}

// outcome closes a question, unless it is closed.
func (c *committing) outcome(o store.Outcome) {
	closedAt := c.now
	if !o.ClosedAt.IsZero() {
		closedAt = o.ClosedAt.UnixMilli()
	}
	added := c.Exec(`INSERT INTO outcomes (id, outcome, provenance, closed_at, images, text, answer)
		SELECT q.id, ?, ?, CAST(? AS bigint), CAST(? AS bigint), ?, ? FROM questions q WHERE q.id = ? ON CONFLICT DO NOTHING`,
		string(o.Outcome), string(o.Provenance), closedAt, len(o.Images), o.Text, []byte(o.Answer), o.QuestionID)
	if added == 0 && !c.has("SELECT 1 FROM questions WHERE id = ?", o.QuestionID) {
		if _, there := c.moved(o.QuestionID); !there {
			c.Fail(store.ErrNotFound)
		}
	}
	if added == 0 || len(o.Images) == 0 { // the draft's images are removed with the question, when it is moved
		return
	}
	images := make([]store.Image, len(o.Images))
	for i, image := range o.Images {
		images[i] = store.Image{MimeType: image.MimeType, Data: image.Data}
	}
	c.putImages(o.QuestionID, images)
}

// putImages sets the images of a question. If they have not changed, nothing is decoded or written.
func (c *committing) putImages(id string, images []store.Image) {
	hashes := make([]string, len(images))
	for n, image := range images {
		if hashes[n] = image.Hash; image.Data != nil {
			hashes[n] = store.HashOf(image.MimeType, image.Data)
		}
	}
	if slices.Equal(Column[string](c.Queries, "SELECT hash FROM images WHERE id = ? ORDER BY n", id), hashes) {
		return
	}
	c.Exec("DELETE FROM images WHERE id = ?", id)
	for n, image := range images {
		if image.Data == nil {
			var err error
			if image.Data, err = base64.StdEncoding.DecodeString(image.Base64); err != nil {
				c.Fail(fmt.Errorf("%w: an image is not base64: %w", ErrSenseless, err))
			}
		}
		c.Exec(insertInto("images", "id, n, hash, mime, data"), id, n, hashes[n], image.MimeType, image.Data)
	}
}

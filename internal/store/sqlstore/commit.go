package sqlstore

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"followup/internal/store"
)

// Commit writes all changes in one transaction. If one is rejected, which is rare, each gets its own transaction.
func (s *Store) Commit(ctx context.Context, changes []store.Change) ([]store.Result, error) {
	var refused error
	results, err := write(ctx, s.inbox, func(q Queries, now int64) ([]store.Result, error) {
		refused = nil
		c := &committing{Queries: q, store: s, now: now}
		results := make([]store.Result, len(changes))
		for i, change := range changes {
			if err := c.change(change, &results[i]); err != nil {
				if errors.Is(err, store.ErrNotFound) || errors.Is(err, ErrSenseless) || s.Refuses(err) {
					refused, err = err, ErrNothing
				}
				return nil, err
			}
		}
		return results, nil
	})
	s.stir()
	switch {
	case err != nil || refused == nil:
		return results, err
	case len(changes) == 1:
		return []store.Result{{Err: refused}}, nil
	}
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
	Queries
	store *Store
	now   int64
}

// moved returns the Order of a question in the history, and false if there is none.
func (c *committing) moved(id string) (order int64, there bool, err error) {
	look := func(q Queries) error { return q.One("SELECT ord FROM entries WHERE id = ?", []any{id}, &order) }
	if c.store.history == c.store.inbox { // of one database, so that no second connection is needed
		err = look(c.Queries)
	} else {
		err = c.store.history.Read(c.Ctx, look)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return order, err == nil, err
}

func (c *committing) change(change store.Change, result *store.Result) error {
	result.Orders = make(map[string]int64, len(change.Questions))
	for _, s := range change.Sessions {
		if err := c.session(s); err != nil {
			return err
		}
	}
	for _, q := range change.Questions {
		order, err := c.question(q)
		if err != nil {
			return err
		}
		result.Orders[q.ID] = order
	}
	for _, d := range change.Drafts {
		if err := c.draft(d); err != nil {
			return err
		}
	}
	for _, o := range change.Outcomes {
		if err := c.outcome(o); err != nil {
			return err
		}
	}
	for _, id := range change.Collected {
		if err := c.collected(id); err != nil {
			return err
		}
	}
	for _, b := range change.Callbacks {
		err := c.Exec(insertInto("callbacks", "id, url, secret, private")+" ON CONFLICT DO NOTHING", b.QuestionID, b.URL, b.Secret, number(b.Private))
		if err != nil {
			return err
		}
	}
	for _, id := range change.Delivered {
		if err := c.Exec("DELETE FROM callbacks WHERE id = ?", id); err != nil {
			return err
		}
	}
	return nil
}

func (c *committing) session(s store.Session) error {
	return c.Exec(`INSERT INTO sessions (id, document, closed, used_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET document = excluded.document, closed = excluded.closed, used_at = excluded.used_at`,
		s.ID, []byte(s.Document), number(s.Closed), c.now)
}

// question adds a question, or updates it while it is open, and returns its Order.
func (c *committing) question(q store.Question) (order int64, err error) {
	if q.State == "" || q.State == store.Closed {
		return 0, fmt.Errorf("%w: question %s: a question is written as pending, queued or held, not as %q", ErrSenseless, q.ID, q.State)
	}
	state, deadline := string(q.State), millis(q.Deadline)
	if err = c.One("SELECT ord FROM questions WHERE id = ?", []any{q.ID}, &order); err == nil {
		err = c.Exec(`UPDATE questions SET state = ?, deadline = ?, guided_by = ?
			WHERE ord = ? AND (state, deadline, guided_by) <> (?, ?, ?)
			AND NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.id = questions.id)`, state, deadline, q.GuidedBy, order, state, deadline, q.GuidedBy)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return order, err
	}
	if order, closed, err := c.moved(q.ID); err != nil || closed {
		return order, err
	}
	columns, args := askedOf(q)
	insert := insertInto("questions", "state, "+columns) + " ON CONFLICT (id) DO NOTHING RETURNING ord"
	err = c.One(insert, append([]any{state}, args...), &order)
	if errors.Is(err, sql.ErrNoRows) { // added by a transaction over a broken connection, which ended meanwhile
		return c.question(q)
	}
	return order, err
}

// draft writes the draft of an open question, or deletes an empty one.
func (c *committing) draft(d store.Draft) error {
	open, err := c.has("SELECT 1 FROM questions q WHERE q.id = ? AND NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.id = q.id)", d.QuestionID)
	if err != nil || !open {
		return err
	}
	if d.Text == "" && len(d.Picks) == 0 && len(d.Images) == 0 {
		err = c.Exec("DELETE FROM drafts WHERE id = ?", d.QuestionID)
	} else {
		err = c.Exec(insertInto("drafts", "id, text, picks")+" ON CONFLICT (id) DO UPDATE SET text = excluded.text, picks = excluded.picks",
			d.QuestionID, d.Text, []byte(d.Picks))
	}
	if err != nil {
		return err
	}
	return c.putImages(d.QuestionID, d.Images)
}

// outcome closes a question, unless it is closed.
func (c *committing) outcome(o store.Outcome) error {
	closedAt := c.now
	if !o.ClosedAt.IsZero() {
		closedAt = o.ClosedAt.UnixMilli()
	}
	added, err := c.Changed(`INSERT INTO outcomes (id, outcome, provenance, closed_at, images, text, answer)
		SELECT q.id, ?, ?, CAST(? AS bigint), CAST(? AS bigint), ?, ? FROM questions q WHERE q.id = ? ON CONFLICT DO NOTHING`,
		string(o.Outcome), string(o.Provenance), closedAt, len(o.Images), o.Text, []byte(o.Answer), o.QuestionID)
	if err != nil {
		return err
	}
	switch {
	case added == 0:
		return c.isClosed(o.QuestionID)
	case len(o.Images) == 0: // the draft's images are removed with the question, when it is moved
		return nil
	}
	return c.putImages(o.QuestionID, answerImages(o))
}

// isClosed returns store.ErrNotFound if no question has the id.
func (c *committing) isClosed(id string) error {
	there, err := c.has("SELECT 1 FROM questions WHERE id = ?", id)
	if err == nil && !there {
		_, there, err = c.moved(id)
	}
	if err == nil && !there {
		err = store.ErrNotFound
	}
	return err
}

// answerImages returns an outcome's images.
func answerImages(o store.Outcome) (images []store.Image) {
	for _, image := range o.Images {
		images = append(images, store.Image{MimeType: image.MimeType, Data: image.Data})
	}
	return images
}

// collected records that a question's agent has received the answer.
func (c *committing) collected(id string) error {
	noted, err := c.Changed("UPDATE questions SET collected = 1 WHERE id = ?", id)
	if err != nil || noted > 0 {
		return err
	}
	return c.Exec("INSERT INTO collected (id) VALUES (?) ON CONFLICT DO NOTHING", id) // for the mover
}

// putImages sets the images of a question. If they have not changed, nothing is decoded or written.
func (c *committing) putImages(id string, images []store.Image) error {
	there, err := Column[string](c.Queries, "SELECT hash FROM images WHERE id = ? ORDER BY n", id)
	if err != nil {
		return err
	}
	hashes := make([]string, len(images))
	for n, image := range images {
		if hashes[n] = image.Hash; image.Data != nil {
			hashes[n] = store.HashOf(image.MimeType, image.Data)
		}
	}
	if slices.Equal(there, hashes) {
		return nil
	}
	if err := c.Exec("DELETE FROM images WHERE id = ?", id); err != nil {
		return err
	}
	for n, image := range images {
		if image.Data == nil {
			if image.Data, err = base64.StdEncoding.DecodeString(image.Base64); err != nil {
				return fmt.Errorf("%w: an image is not base64: %w", ErrSenseless, err)
			}
		}
		if err := c.Exec(insertInto("images", "id, n, hash, mime, data"), id, n, hashes[n], image.MimeType, image.Data); err != nil {
			return err
		}
	}
	return nil
}

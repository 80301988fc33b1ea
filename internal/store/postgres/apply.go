package postgres

import (
	"errors"

	"github.com/jackc/pgx/v5"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// PutSession implements engine.Writer, as the other methods do.
func (t *tx) PutSession(s store.Session) error {
	_, err := t.exec("INSERT INTO sessions ("+engine.SessionColumns+", used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"+engine.SessionWritten,
		s.ID, s.Agent, s.Key, []byte(s.Folders), s.Locale, []byte(s.Options), s.Mistakes, s.Limit, s.Guidance, s.Closed, t.now)
	t.news = true
	return err
}

// PutQuestion adds a question, or updates it while it is open.
func (t *tx) PutQuestion(q store.Question) (order int64, err error) {
	t.news = true
	err = t.one("UPDATE questions SET state = $1, guided_by = $2, deadline = $3 WHERE id = $4 AND outcome = 0 RETURNING ord",
		[]any{int(q.State), q.GuidedBy, engine.Millis(q.Deadline), q.ID}, []any{&order})
	if !errors.Is(err, pgx.ErrNoRows) {
		return order, err
	}
	order, added, err := t.insertQuestion(q)
	if err != nil || added {
		return order, err
	}
	err = t.one("SELECT ord FROM questions WHERE id = $1", []any{q.ID}, []any{&order}) // closed, so it stays as it is
	return order, err
}

// insertQuestion adds a question, unless there is one with its id.
func (t *tx) insertQuestion(q store.Question) (ord int64, added bool, err error) {
	err = t.one("INSERT INTO questions ("+engine.NewQuestion+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT (id) DO NOTHING RETURNING ord`,
		engine.NewValues(q), []any{&ord})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, nil
	}
	return ord, err == nil, err
}

// PutDraft writes a draft, or removes it.
func (t *tx) PutDraft(d store.Draft, empty bool) error {
	var ord int64
	err := t.one("SELECT ord FROM questions WHERE id = $1 AND outcome = 0 FOR NO KEY UPDATE", []any{d.QuestionID}, []any{&ord})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if empty {
		return t.dropDraft(ord)
	}
	_, err = t.exec("INSERT INTO drafts (ord, text, picks) VALUES ($1, $2, $3) ON CONFLICT (ord) DO UPDATE SET text = excluded.text, picks = excluded.picks",
		ord, d.Text, []byte(d.Picks))
	if err == nil {
		err = t.putImages(ord, engine.DraftImage, d.Images)
	}
	return err
}

func (t *tx) dropDraft(ord int64) error {
	dropped, err := t.exec("DELETE FROM drafts WHERE ord = $1", ord)
	if err != nil || dropped == 0 {
		return err
	}
	return t.putImages(ord, engine.DraftImage, nil)
}

// PutOutcome closes a question, unless it is closed.
func (t *tx) PutOutcome(o store.Outcome) error {
	at := engine.ClosedAt(o, t.now)
	key := engine.FirstKey(at)
	var ord int64
	var drafted bool
	x := engine.Indexed{Said: o.Text, Outcome: string(o.Outcome)}
	err := t.one(`UPDATE questions q SET state = $1, outcome = $2 WHERE id = $3 AND outcome = 0
		RETURNING ord, text, agent, workspace, EXISTS (SELECT FROM drafts d WHERE d.ord = q.ord)`,
		[]any{int(store.Closed), int64(key), o.QuestionID}, []any{&ord, &x.Asked, &x.Agent, &x.Workspace, &drafted})
	if errors.Is(err, pgx.ErrNoRows) {
		return notFound(t.one("SELECT ord FROM questions WHERE id = $1", []any{o.QuestionID}, []any{&ord}))
	}
	if err != nil {
		return err
	}
	placed, err := t.insertOutcome(ord, o, key, at)
	if err != nil {
		return err
	}
	if placed != key {
		if _, err := t.exec("UPDATE questions SET outcome = $1 WHERE ord = $2", int64(placed), ord); err != nil {
			return err
		}
	}
	if drafted { // behind the outcome, which may have the same images
		if err := t.dropDraft(ord); err != nil {
			return err
		}
	}
	t.news = true
	return t.index(placed, x)
}

// insertOutcome gives a question its outcome's row, at the key or behind it.
func (t *tx) insertOutcome(ord int64, o store.Outcome, key store.Key, at int64) (store.Key, error) {
	for {
		added, err := t.exec(`INSERT INTO outcomes (key, ord, outcome, provenance, closed_at, images, text, answer)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (key) DO NOTHING`,
			int64(key), ord, string(o.Outcome), string(o.Provenance), at, len(o.Images), o.Text, []byte(o.Answer))
		if err != nil {
			return 0, err
		}
		if added > 0 {
			break
		}
		if key, err = t.freeKey(key); err != nil {
			return 0, err
		}
	}
	if len(o.Images) == 0 {
		return key, nil
	}
	return key, t.putImages(ord, engine.AnswerImage, engine.AnswerImages(o))
}

// freeKey gives the first key that is free behind one that is not. There may be very many with nothing in between.
func (t *tx) freeKey(taken store.Key) (free store.Key, err error) {
	err = t.one(`SELECT o.key + 1 FROM outcomes o WHERE o.key >= $1 AND NOT EXISTS (SELECT FROM outcomes n WHERE n.key = o.key + 1)
		ORDER BY o.key LIMIT 1`, []any{int64(taken)}, []any{&free})
	if errors.Is(err, pgx.ErrNoRows) { // it was another transaction's, which was taken back
		return taken, nil
	}
	return free, err
}

// Collect notes that the agent has the answer. A question that was removed meanwhile needs no note.
func (t *tx) Collect(id string) error {
	_, err := t.exec("UPDATE questions SET collected = true WHERE id = $1", id)
	return err
}

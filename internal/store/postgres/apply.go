package postgres

import (
	"errors"

	"github.com/jackc/pgx/v5"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// PutSession is of engine.Writer, as the others are.
func (t *tx) PutSession(s store.Session, lost *store.Lost) error {
	args := []any{
		s.ID, s.Agent, s.Key, []byte(s.Folders), s.Locale, []byte(s.Options), s.Mistakes, s.Limit, s.Guidance, s.Closed, t.now, s.Version,
	}
	written, err := t.exec(`UPDATE sessions SET agent = $2, key = $3, folders = $4, locale = $5, options = $6, mistakes = $7, mistake_limit = $8,
		guidance = $9, closed = $10, used_at = $11, version = version + 1 WHERE id = $1 AND version = $12`, args...)
	if err == nil && written == 0 {
		// It is new, or was removed, or others have written it.
		written, err = t.exec(`INSERT INTO sessions
			(id, agent, key, folders, locale, options, mistakes, mistake_limit, guidance, closed, used_at, version)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::bigint + 1) ON CONFLICT DO NOTHING`, args...)
	}
	if err != nil {
		return err
	}
	if written == 0 {
		stands, err := t.sessions([]string{s.ID})
		lost.Sessions = append(lost.Sessions, stands...)
		return err
	}
	t.noteSession(s.ID)
	return nil
}

// PutQuestion adds a question, or brings it up to date.
func (t *tx) PutQuestion(q store.Question, lost *store.Lost) (int64, error) {
	for {
		var ord int64
		err := t.one("UPDATE questions SET state = $1, guided_by = $2, deadline = $3 WHERE id = $4 AND outcome = 0 RETURNING ord",
			[]any{int(q.State), q.GuidedBy, engine.Millis(q.Deadline), q.ID}, []any{&ord})
		if err == nil {
			t.noteQuestion(ord, engine.WroteQuestion)
			return ord, nil
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return 0, err
		}
		err = t.one("SELECT ord FROM questions WHERE id = $1", []any{q.ID}, []any{&ord})
		if !errors.Is(err, pgx.ErrNoRows) {
			return ord, err // closed, so it stays as it is
		}
		if q.Session != "" {
			var there bool
			err := t.one("SELECT true FROM sessions WHERE id = $1 FOR KEY SHARE", []any{q.Session}, []any{&there})
			if errors.Is(err, pgx.ErrNoRows) {
				lost.Sessions = append(lost.Sessions, store.Session{ID: q.Session})
				return 0, nil
			}
			if err != nil {
				return 0, err
			}
		}
		ord, added, err := t.insertQuestion(q, t.store.owner)
		switch {
		case err != nil:
			return 0, err
		case !added: // another process was faster
			continue
		}
		t.noteQuestion(ord, engine.WroteQuestion)
		return ord, t.extendLease(false)
	}
}

// insertQuestion adds a question, unless there is one with its id.
func (t *tx) insertQuestion(q store.Question, owner string) (ord int64, added bool, err error) {
	err = t.one("INSERT INTO questions ("+engine.NewQuestion+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT (id) DO NOTHING RETURNING ord`,
		engine.NewValues(q, owner), []any{&ord})
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
		err = t.dropDraft(ord)
	} else {
		_, err = t.exec("INSERT INTO drafts (ord, text, picks) VALUES ($1, $2, $3) ON CONFLICT (ord) DO UPDATE SET text = excluded.text, picks = excluded.picks",
			ord, d.Text, []byte(d.Picks))
		if err == nil {
			err = t.putImages(ord, engine.DraftImage, d.Images)
		}
	}
	if err == nil {
		t.noteQuestion(ord, engine.WroteDraft)
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

// PutOutcome gives an open question its outcome, or notes the one that it has. Of processes that come at once, one has its update done.
func (t *tx) PutOutcome(o store.Outcome, lost *store.Lost) error {
	at := engine.ClosedAt(o, t.now)
	key := engine.FirstKey(at)
	var ord int64
	var drafted bool
	x := engine.Indexed{Said: o.Text, Outcome: string(o.Outcome)}
	err := t.one(`UPDATE questions q SET state = $1, outcome = $2 WHERE id = $3 AND outcome = 0
		RETURNING ord, text, agent, workspace, EXISTS (SELECT FROM drafts d WHERE d.ord = q.ord)`,
		[]any{int(store.Closed), int64(key), o.QuestionID}, []any{&ord, &x.Asked, &x.Agent, &x.Workspace, &drafted})
	if errors.Is(err, pgx.ErrNoRows) {
		return t.closed(o, lost)
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
	t.closes = append(t.closes, o.QuestionID)
	t.noteQuestion(ord, engine.WroteOutcome)
	return t.index(placed, x)
}

// closed notes the outcome of a question that is closed. One that this process has written itself, when it could not be told so, is
// the one that it writes.
func (t *tx) closed(o store.Outcome, lost *store.Lost) error {
	q, err := t.question(o.QuestionID)
	if err != nil {
		return err
	}
	t.store.mu.Lock()
	mine := t.store.mine[o.QuestionID]
	t.store.mu.Unlock()
	if mine {
		t.closes = append(t.closes, o.QuestionID)
		return nil
	}
	if q.Outcome == nil { // it was asked only now
		return errMeanwhile
	}
	lost.Outcomes = append(lost.Outcomes, *q.Outcome)
	return nil
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

// Collect notes that the agent has got the answer.
func (t *tx) Collect(id string) error {
	var ord int64
	if err := t.one("UPDATE questions SET collected = true WHERE id = $1 RETURNING ord", []any{id}, []any{&ord}); err != nil {
		return notFound(err)
	}
	t.noteQuestion(ord, engine.WroteCollected)
	return nil
}

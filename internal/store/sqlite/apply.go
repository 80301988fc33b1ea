package sqlite

import (
	"database/sql"
	"errors"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// PutSession implements engine.Writer, as the other methods do.
func (t *tx) PutSession(s store.Session) error {
	_, err := t.exec("INSERT INTO sessions ("+engine.SessionColumns+", used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"+engine.SessionWritten,
		s.ID, s.Agent, s.Key, []byte(s.Folders), s.Locale, []byte(s.Options), s.Mistakes, s.Limit, s.Guidance, s.Closed, t.now)
	return err
}

// PutQuestion adds a question, or brings it up to date.
func (t *tx) PutQuestion(q store.Question) (int64, error) {
	var ord int64
	err := t.one("UPDATE questions SET state = ?, guided_by = ?, deadline = ? WHERE id = ? AND outcome = 0 RETURNING ord",
		[]any{int(q.State), q.GuidedBy, engine.Millis(q.Deadline), q.ID}, []any{&ord})
	if !errors.Is(err, sql.ErrNoRows) {
		return ord, err
	}
	err = t.one("SELECT ord FROM questions WHERE id = ?", []any{q.ID}, []any{&ord})
	if !errors.Is(err, sql.ErrNoRows) {
		return ord, err // closed, so it stays as it is
	}
	if ord, err = t.insertQuestion(q); err != nil {
		return 0, err
	}
	_, err = t.exec("INSERT INTO opened (ord) VALUES (?)", ord)
	return ord, err
}

func (t *tx) insertQuestion(q store.Question) (ord int64, err error) {
	err = t.one("INSERT INTO questions ("+engine.NewQuestion+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ord",
		engine.NewValues(q), []any{&ord})
	return ord, err
}

// PutDraft writes a draft, or removes it.
func (t *tx) PutDraft(d store.Draft, empty bool) error {
	var ord int64
	err := t.one("SELECT ord FROM questions WHERE id = ? AND outcome = 0", []any{d.QuestionID}, []any{&ord})
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if empty {
		return t.dropDraft(ord)
	}
	_, err = t.exec("INSERT INTO drafts (ord, text, picks) VALUES (?, ?, ?) ON CONFLICT (ord) DO UPDATE SET text = excluded.text, picks = excluded.picks",
		ord, d.Text, []byte(d.Picks))
	return errors.Join(err, t.putImages(ord, engine.DraftImage, d.Images))
}

func (t *tx) dropDraft(ord int64) error {
	dropped, err := t.exec("DELETE FROM drafts WHERE ord = ?", ord)
	if err != nil || dropped == 0 {
		return err
	}
	if err := t.dirty(logDirty); err != nil {
		return err
	}
	return t.putImages(ord, engine.DraftImage, nil)
}

// PutOutcome closes a question, unless it is closed.
func (t *tx) PutOutcome(o store.Outcome) error {
	var ord int64
	var drafted bool
	err := t.one("SELECT ord, EXISTS (SELECT 1 FROM drafts d WHERE d.ord = q.ord) FROM questions q WHERE id = ? AND outcome = 0",
		[]any{o.QuestionID}, []any{&ord, &drafted})
	if errors.Is(err, sql.ErrNoRows) {
		return notFound(t.one("SELECT ord FROM questions WHERE id = ?", []any{o.QuestionID}, []any{&ord}))
	}
	if err != nil {
		return err
	}
	key, err := t.insertOutcome(ord, o, engine.ClosedAt(o, t.now))
	if err != nil {
		return err
	}
	if drafted { // behind the outcome, which may have the same images
		if err := t.dropDraft(ord); err != nil {
			return err
		}
	}
	// RETURNING is not used where an answer waits: it makes a table of its own.
	_, err = t.exec("UPDATE questions SET state = ?, outcome = ? WHERE ord = ?", int(store.Closed), int64(key), ord)
	return err
}

// insertOutcome gives a question its outcome's row. Outcomes of the same millisecond get keys one behind the other.
func (t *tx) insertOutcome(ord int64, o store.Outcome, at int64) (store.Key, error) {
	key := engine.FirstKey(at)
	for {
		added, err := t.exec(`INSERT INTO outcomes (key, ord, outcome, provenance, closed_at, images, text, answer)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
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
	if _, err := t.exec("INSERT INTO unindexed (key) VALUES (?)", int64(key)); err != nil || len(o.Images) == 0 {
		return key, err
	}
	return key, t.putImages(ord, engine.AnswerImage, engine.AnswerImages(o))
}

// freeKey gives a key that is free behind one that is not. There may be very many with nothing in between: it steps over them in
// steps that double, and then looks for where they end.
func (t *tx) freeKey(taken store.Key) (store.Key, error) {
	free := taken + 1
	for step := store.Key(1); ; step *= 2 {
		there, err := t.hasKey(free)
		if err != nil {
			return 0, err
		}
		if !there {
			break
		}
		taken, free = free, free+step
	}
	for free-taken > 1 {
		middle := taken + (free-taken)/2
		there, err := t.hasKey(middle)
		switch {
		case err != nil:
			return 0, err
		case there:
			taken = middle
		default:
			free = middle
		}
	}
	return free, nil
}

func (t *tx) hasKey(key store.Key) (there bool, err error) {
	t.probes++
	err = t.one("SELECT EXISTS (SELECT 1 FROM outcomes WHERE key = ?)", []any{int64(key)}, []any{&there})
	return there, err
}

// Collect notes that the agent has the answer. A question that was removed meanwhile needs no note.
func (t *tx) Collect(id string) error {
	_, err := t.exec("UPDATE questions SET collected = 1 WHERE id = ?", id)
	return err
}

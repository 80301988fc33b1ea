package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"followup/internal/question"
)

// Roles of images.
const (
	draftImage  = "draft"
	answerImage = "answer"
)

// errLost rolls a Change back.
var errLost = errors.New("a question has its outcome already")

// Apply writes a Change, in one transaction with one flush, and returns when it is durable. Errors: ErrNotFound for an outcome
// or a collected id of an unknown question, ErrUnavailable, ErrNewer, ErrDamaged; nothing was written then.
func (s *Store) Apply(ctx context.Context, c Change) (Applied, error) {
	var applied Applied
	err := s.write(ctx, func(t *tx) error {
		applied = Applied{Orders: map[string]int64{}}
		for _, session := range c.Sessions {
			if err := t.putSession(session); err != nil {
				return err
			}
		}
		for _, q := range c.Questions {
			ord, err := t.putQuestion(q)
			if err != nil {
				return err
			}
			applied.Orders[q.ID] = ord
		}
		for _, d := range c.Drafts {
			if err := t.putDraft(d); err != nil {
				return err
			}
		}
		for _, o := range c.Outcomes {
			if err := t.close(o, &applied); err != nil {
				return err
			}
		}
		if len(applied.Lost) > 0 {
			return errLost
		}
		for _, id := range c.Collected {
			if err := t.collect(id); err != nil {
				return err
			}
		}
		if applied.Revision = t.noted; applied.Revision != 0 {
			return nil
		}
		return t.one("SELECT max(rev) FROM log", nil, []any{&applied.Revision})
	})
	if errors.Is(err, errLost) {
		return Applied{Lost: applied.Lost}, nil
	}
	if err != nil {
		return Applied{}, err
	}
	return applied, nil
}

// CloseQuestion records how a question ended, unless it has ended already. It gives the outcome that stands now.
func (s *Store) CloseQuestion(ctx context.Context, o Outcome) (recorded bool, now Outcome, err error) {
	applied, err := s.Apply(ctx, Change{Outcomes: []Outcome{o}})
	if err != nil {
		return false, Outcome{}, err
	}
	if len(applied.Lost) > 0 {
		return false, applied.Lost[0], nil
	}
	q, err := s.Question(ctx, o.QuestionID)
	if err != nil {
		return false, Outcome{}, err
	}
	return true, *q.Outcome, nil
}

// noteQuestion and noteSession write the log that Changed reads.
func (t *tx) noteQuestion(ord int64, key Key) error { return t.note(ord, "", key) }

func (t *tx) noteSession(id string) error { return t.note(0, id, 0) }

func (t *tx) note(ord int64, session string, key Key) error {
	rev, err := t.insert("INSERT INTO log (ord, session, owner, outcome) VALUES (?, ?, ?, ?)", ord, session, t.store.owner, int64(key))
	t.noted = Revision(rev)
	return err
}

func (t *tx) putSession(s Session) error {
	_, err := t.exec(`INSERT INTO sessions (id, agent, key, folders, locale, options, mistakes, mistake_limit, guidance, closed, used_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET agent = excluded.agent, key = excluded.key, folders = excluded.folders, locale = excluded.locale,
		options = excluded.options, mistakes = excluded.mistakes, mistake_limit = excluded.mistake_limit, guidance = excluded.guidance,
		closed = excluded.closed, used_at = excluded.used_at`,
		s.ID, s.Agent, s.Key, []byte(s.Folders), s.Locale, []byte(s.Options), s.Mistakes, s.Limit, s.Guidance, s.Closed, t.now)
	if err != nil {
		return err
	}
	return t.noteSession(s.ID)
}

// putQuestion brings an open question up to date, or adds a new one; it gives the place in the order of asking.
func (t *tx) putQuestion(q Question) (int64, error) {
	if q.State < Pending || q.State >= Closed {
		return 0, fmt.Errorf("store: question %s: a question is written as pending, queued or held, not as %v", q.ID, q.State)
	}
	var ord int64
	err := t.one("UPDATE questions SET state = ?, guided_by = ?, deadline = ? WHERE id = ? AND outcome = 0 RETURNING ord",
		[]any{int(q.State), q.GuidedBy, millis(q.Deadline), q.ID}, []any{&ord})
	if err == nil {
		return ord, t.noteQuestion(ord, 0)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	err = t.one("SELECT ord FROM questions WHERE id = ?", []any{q.ID}, []any{&ord})
	if !errors.Is(err, sql.ErrNoRows) {
		return ord, err // closed, so it stays as it is
	}
	if err := t.extendLease(false); err != nil {
		return 0, err
	}
	if ord, err = t.insertQuestion(q, t.store.owner); err != nil {
		return 0, err
	}
	if _, err := t.exec("INSERT INTO opened (ord) VALUES (?)", ord); err != nil {
		return 0, err
	}
	return ord, t.noteQuestion(ord, 0)
}

func (t *tx) insertQuestion(q Question, owner string) (ord int64, err error) {
	session := sql.NullString{String: q.Session, Valid: q.Session != ""}
	err = t.one(`INSERT INTO questions
		(id, session, state, owner, guided_by, deadline, asked_at, tool, stream, call_id, agent, workspace, source, text, guidance, call)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ord`,
		[]any{
			q.ID, session, int(q.State), owner, q.GuidedBy, millis(q.Deadline), millis(q.AskedAt), q.Tool, q.StreamID, q.CallID,
			q.Agent, q.Workspace, q.Source, q.Text, []byte(q.Guidance), []byte(q.Call),
		}, []any{&ord})
	return ord, err
}

func (t *tx) putDraft(d Draft) error {
	var ord int64
	err := t.one("SELECT ord FROM questions WHERE id = ? AND outcome = 0", []any{d.QuestionID}, []any{&ord})
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if d.Text == "" && len(d.Picks) == 0 && len(d.Images) == 0 {
		if err := t.dropDraft(ord); err != nil {
			return err
		}
		return t.noteQuestion(ord, 0)
	}
	if _, err := t.exec("INSERT INTO drafts (ord, text, picks) VALUES (?, ?, ?) ON CONFLICT (ord) DO UPDATE SET text = excluded.text, picks = excluded.picks",
		ord, d.Text, []byte(d.Picks)); err != nil {
		return err
	}
	if err := t.putImages(ord, draftImage, d.Images); err != nil {
		return err
	}
	return t.noteQuestion(ord, 0)
}

func (t *tx) dropDraft(ord int64) error {
	dropped, err := t.exec("DELETE FROM drafts WHERE ord = ?", ord)
	if err != nil || dropped == 0 {
		return err
	}
	_, err = t.exec("DELETE FROM images WHERE ord = ? AND role = ?", ord, draftImage)
	return err
}

// putImages makes these the question's images of that role. Those that are there already are not written again.
func (t *tx) putImages(ord int64, role string, images []question.Image) error {
	var there [][]byte
	err := t.each("SELECT hash FROM images WHERE ord = ? AND role = ? ORDER BY n", []any{ord, role}, func(scan func(...any) error) error {
		var hash []byte
		err := scan(&hash)
		there = append(there, hash)
		return err
	})
	if err != nil {
		return err
	}
	for n, image := range images {
		hash := hashOf(image)
		if n < len(there) && bytes.Equal(there[n], hash) {
			continue
		}
		_, err := t.exec("INSERT OR REPLACE INTO images (ord, role, n, mime, hash, data) VALUES (?, ?, ?, ?, ?, ?)",
			ord, role, n, image.MimeType, hash, image.Data)
		if err != nil {
			return err
		}
	}
	if len(there) <= len(images) {
		return nil
	}
	_, err = t.exec("DELETE FROM images WHERE ord = ? AND role = ? AND n >= ?", ord, role, len(images))
	return err
}

func hashOf(image question.Image) []byte {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\n", image.MimeType)
	hash.Write(image.Data)
	return hash.Sum(nil)
}

// close gives an open question its outcome, or notes the one that it has.
func (t *tx) close(o Outcome, applied *Applied) error {
	at := t.now
	if !o.ClosedAt.IsZero() {
		at = o.ClosedAt.UnixMilli()
	}
	var ord int64
	var drafted bool
	err := t.one("SELECT ord, EXISTS (SELECT 1 FROM drafts d WHERE d.ord = q.ord) FROM questions q WHERE id = ? AND outcome = 0",
		[]any{o.QuestionID}, []any{&ord, &drafted})
	if errors.Is(err, sql.ErrNoRows) {
		q, err := t.question("q.id = ?", o.QuestionID)
		if err == nil {
			applied.Lost = append(applied.Lost, *q.Outcome)
		}
		return err
	}
	if err != nil {
		return err
	}
	if drafted {
		if err := t.dropDraft(ord); err != nil {
			return err
		}
	}
	key, err := t.insertOutcome(ord, o, at)
	if err != nil {
		return err
	}
	// RETURNING is not used where an answer waits: it makes a table of its own.
	if _, err := t.exec("UPDATE questions SET state = ?, outcome = ? WHERE ord = ?", int(Closed), int64(key), ord); err != nil {
		return err
	}
	return t.noteQuestion(ord, key)
}

// insertOutcome gives a question its outcome's row. Outcomes of the same millisecond get keys one behind the other.
func (t *tx) insertOutcome(ord int64, o Outcome, at int64) (Key, error) {
	key := firstKey(at)
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
		if key, err = t.freeKey(key, at); err != nil {
			return 0, err
		}
	}
	if len(o.Images) == 0 {
		return key, nil
	}
	return key, t.putImages(ord, answerImage, o.Images)
}

// freeKey gives the first key that is free behind one that is not. Of what has no time there may be very much, with nothing
// behind it.
func (t *tx) freeKey(taken Key, at int64) (free Key, err error) {
	if at <= 0 {
		err = t.one("SELECT max(key) + 1 FROM outcomes WHERE key < ?", []any{int64(firstKey(dayMillis))}, []any{&free})
		return free, err
	}
	err = t.one("SELECT a.key + 1 FROM outcomes a WHERE a.key >= ? AND NOT EXISTS (SELECT 1 FROM outcomes b WHERE b.key = a.key + 1) ORDER BY a.key LIMIT 1",
		[]any{int64(taken)}, []any{&free})
	return free, err
}

func (t *tx) collect(id string) error {
	var ord int64
	if err := t.one("SELECT ord FROM questions WHERE id = ?", []any{id}, []any{&ord}); err != nil {
		return notFound(err)
	}
	if _, err := t.exec("UPDATE questions SET collected = 1 WHERE ord = ?", ord); err != nil {
		return err
	}
	return t.noteQuestion(ord, 0)
}

const (
	keysPerMilli = 1024 // how many keys a millisecond has
	dayMillis    = 24 * 60 * 60 * 1000
)

// firstKey is the smallest key of a millisecond; the first one of all is 1.
func firstKey(milli int64) Key { return max(Key(milli)*keysPerMilli, 1) }

// millis is how a time is stored; 0 is none.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// fromMillis is millis's inverse.
func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

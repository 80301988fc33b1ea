package sqlite

import (
	"context"
	"fmt"
	"time"

	"followup/internal/store"
)

// importUnits is what an exchange costs besides its texts.
const importUnits = 10

// Import adds exchanges out of other tools' logs, and tells how many were added and how many were known, also when it fails
// half way or ctx ends: importing again adds the others. Give a few hundred at a time.
func (s *Store) Import(ctx context.Context, exchanges []store.Imported) (added, known int, err error) {
	for _, x := range exchanges {
		if x.Source == "" || x.Key == "" || x.Outcome.Outcome == "" {
			return 0, 0, fmt.Errorf("store: an exchange to import needs a source, a key and an outcome; got %q, %q, %q", x.Source, x.Key, x.Outcome.Outcome)
		}
	}
	defer func() {
		if added > 0 {
			s.bell.ring()
		}
	}()
	left := exchanges
	for len(left) > 0 {
		isNew, done := 0, 0
		err := s.steps(ctx, func(t *tx, m *meter) (bool, error) {
			isNew, done = 0, 0
			for more := true; more && done < len(left); done++ {
				added, err := t.importOne(left[done])
				if err != nil {
					return false, err
				}
				if added {
					isNew++
				}
				more = m.spend(importUnits + unitsOf(sizeOf(left[done])))
			}
			if isNew == 0 {
				return false, errNothing
			}
			return false, nil
		})
		if err != nil {
			return added, known, err
		}
		added += isNew
		known += done - isNew
		left = left[done:]
	}
	if added == 0 {
		return added, known, nil
	}
	// Indexed at once: much that waits would be waited for by the next search.
	if err := s.indexAll(ctx); err != nil {
		return added, known, err
	}
	if err := s.merge(ctx); err != nil {
		return added, known, err
	}
	return added, known, s.emptyLarge(ctx)
}

// sizeOf is how many bytes an exchange brings.
func sizeOf(x store.Imported) int {
	return len(x.Question.Call) + len(x.Question.Text) + len(x.Outcome.Answer) + len(x.Outcome.Text)
}

func (t *tx) importOne(x store.Imported) (isNew bool, err error) {
	there, err := t.imported(x)
	if there || err != nil {
		return false, err
	}
	q := x.Question
	q.ID = x.IDs()[0]
	q.Session, q.State, q.Source = "", store.Closed, x.Source
	ord, err := t.insertQuestion(q, "")
	if err != nil {
		return false, err
	}
	if x.Outcome.ClosedAt.IsZero() {
		x.Outcome.ClosedAt = time.UnixMilli(millis(q.AskedAt)) // without any time: before all others
	}
	key, err := t.insertOutcome(ord, x.Outcome, x.Outcome.ClosedAt.UnixMilli())
	if err != nil {
		return false, err
	}
	if _, err := t.exec("UPDATE questions SET outcome = ?, collected = 1 WHERE ord = ?", int64(key), ord); err != nil {
		return false, err
	}
	return true, t.noteQuestion(ord, wroteHistory, key)
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// importNamespace makes an imported question's id from (source, key), so that it is the same at every import.
var importNamespace = uuid.MustParse("a3c5a0b4-44a5-4b0e-8a0c-0e7d1f0d9c55")

// Import adds exchanges out of other tools' logs, and tells how many were added and how many were known. Give a few hundred
// at a time: each call is one transaction.
func (s *Store) Import(ctx context.Context, exchanges []Imported) (added, known int, err error) {
	for _, x := range exchanges {
		if x.Source == "" || x.Key == "" || x.Outcome.Outcome == "" {
			return 0, 0, fmt.Errorf("store: an exchange to import needs a source, a key and an outcome; got %q, %q, %q", x.Source, x.Key, x.Outcome.Outcome)
		}
	}
	err = s.write(ctx, func(t *tx) error {
		added, known = 0, 0
		for _, x := range exchanges {
			switch isNew, err := t.importOne(x); {
			case err != nil:
				return err
			case isNew:
				added++
			default:
				known++
			}
		}
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	return added, known, nil
}

func (t *tx) importOne(x Imported) (isNew bool, err error) {
	q := x.Question
	q.ID = uuid.NewSHA1(importNamespace, []byte(x.Source+"\x00"+x.Key)).String()
	q.Session, q.State, q.Source = "", Closed, x.Source
	var ord int64
	err = t.one("SELECT ord FROM questions WHERE id = ?", []any{q.ID}, []any{&ord})
	if !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	if ord, err = t.insertQuestion(q, ""); err != nil {
		return false, err
	}
	if x.Outcome.ClosedAt.IsZero() {
		x.Outcome.ClosedAt = time.UnixMilli(millis(q.AskedAt)) // without any time: before all others
	}
	key, err := t.insertOutcome(ord, x.Outcome)
	if err != nil {
		return false, err
	}
	if _, err := t.exec("UPDATE questions SET collected = 1 WHERE ord = ?", ord); err != nil {
		return false, err
	}
	return true, t.noteQuestion(ord, key)
}

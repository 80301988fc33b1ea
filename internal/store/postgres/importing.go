package postgres

import (
	"context"
	"fmt"
	"time"

	"followup/internal/store"
)

// Import adds exchanges out of other tools' logs, and tells how many were added and how many were known, also when it fails
// half way or ctx ends: importing again adds the others. Give a few hundred at a time.
func (s *Store) Import(ctx context.Context, exchanges []store.Imported) (added, known int, err error) {
	for _, x := range exchanges {
		if x.Source == "" || x.Key == "" || x.Outcome.Outcome == "" {
			return 0, 0, fmt.Errorf("store: an exchange to import needs a source, a key and an outcome; got %q, %q, %q", x.Source, x.Key, x.Outcome.Outcome)
		}
	}
	for left := exchanges; len(left) > 0; {
		isNew, done := 0, 0
		err := s.step(ctx, func(t *tx) error {
			isNew, done = 0, 0
			for size := 0; done < min(len(left), atOnce) && size < importedBytes; done++ {
				x := left[done]
				size += len(x.Question.Call) + len(x.Question.Text) + len(x.Outcome.Answer) + len(x.Outcome.Text)
				added, err := t.importOne(x)
				if err != nil {
					return err
				}
				if added {
					isNew++
				}
			}
			if isNew == 0 {
				return errNothing
			}
			return nil
		})
		if err != nil {
			return added, known, err
		}
		added, known, left = added+isNew, known+done-isNew, left[done:]
	}
	return added, known, nil
}

// importedBytes is how much of texts goes into one transaction.
const importedBytes = 1 << 20

func (t *tx) importOne(x store.Imported) (isNew bool, err error) {
	known, err := t.known([]store.Imported{x})
	if known > 0 || err != nil {
		return false, err
	}
	q := x.Question
	q.ID = x.IDs()[0]
	q.Session, q.State, q.Source = "", store.Closed, x.Source
	ord, added, err := t.insertQuestion(q, "")
	if err != nil || !added {
		return false, err
	}
	if x.Outcome.ClosedAt.IsZero() {
		x.Outcome.ClosedAt = time.UnixMilli(millis(q.AskedAt)) // without any time: before all others
	}
	at := x.Outcome.ClosedAt.UnixMilli()
	key, err := t.insertOutcome(ord, x.Outcome, firstKey(at), at)
	if err != nil {
		return false, err
	}
	if _, err := t.exec("UPDATE questions SET outcome = $1, collected = true WHERE ord = $2", int64(key), ord); err != nil {
		return false, err
	}
	t.noteQuestion(ord, wroteHistory)
	return true, t.index(key, indexed{asked: q.Text, said: x.Outcome.Text, agent: q.Agent, workspace: q.Workspace, outcome: string(x.Outcome.Outcome)})
}

// known tells how many of the exchanges are there, deleted or not.
func (q querier) known(exchanges []store.Imported) (known int, err error) {
	of := map[string][]int{}
	var ids []string
	for i, x := range exchanges {
		for _, id := range x.IDs() {
			of[id] = append(of[id], i)
			ids = append(ids, id)
		}
	}
	there, err := column[string](q, "SELECT id FROM questions WHERE id = ANY($1)", ids)
	found := map[int]bool{}
	for _, id := range there {
		for _, i := range of[id] {
			found[i] = true
		}
	}
	return len(found), err
}

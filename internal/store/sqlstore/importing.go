package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"followup/internal/store"
)

// importedAtOnce is how many exchanges one transaction adds.
const importedAtOnce = 128

func (s *Store) Import(ctx context.Context, exchanges []store.Imported) (added, known int, err error) {
	for _, x := range exchanges {
		if x.Source == "" || x.Key == "" || x.Outcome.Outcome == "" {
			return 0, 0, fmt.Errorf("store: an exchange to import needs a source, a key and an outcome; got %q, %q, %q", x.Source, x.Key, x.Outcome.Outcome)
		}
	}
	s.catchUp(ctx)
	for some := range slices.Chunk(exchanges, importedAtOnce) {
		open, err := s.open(ctx, some)
		if err != nil {
			return added, known, err
		}
		isNew, err := write(ctx, s.history, func(q Queries, _ int64) (isNew int, err error) {
			for _, x := range some {
				changed := false
				if !open[x.ID()] {
					changed, err = s.importOne(q, x)
				}
				if err != nil {
					return 0, err
				}
				isNew += number(changed)
			}
			if isNew == 0 {
				err = ErrNothing
			}
			return isNew, err
		})
		if err != nil {
			return added, known, err
		}
		added, known = added+isNew, known+len(some)-isNew
	}
	return added, known, nil
}

// open returns which exchanges are questions in the inbox.
func (s *Store) open(ctx context.Context, exchanges []store.Imported) (map[string]bool, error) {
	return read(ctx, s.inbox, func(q Queries) (map[string]bool, error) {
		open := map[string]bool{}
		for some := range slices.Chunk(exchanges, inList) {
			ids := make([]string, len(some))
			for i, x := range some {
				ids[i] = x.ID()
			}
			in, args := list(ids)
			found, err := Column[string](q, "SELECT id FROM questions WHERE id IN "+in, args...)
			if err != nil {
				return nil, err
			}
			for _, id := range found {
				open[id] = true
			}
		}
		return open, nil
	})
}

// stored looks an exchange up in the history. What it returns as amended is the outcome that the exchange gives it, if it gives it one.
func (q Queries) stored(x store.Imported) (key store.Key, amended *store.Outcome, err error) {
	var o store.Outcome
	deleted := false
	err = q.One("SELECT q.key, q.outcome, q.provenance, q.said, q.answer, CASE WHEN"+shown+" THEN 0 ELSE 1 END FROM entries q WHERE q.id = ?", []any{x.ID()},
		&key, (*string)(&o.Outcome), (*string)(&o.Provenance), &o.Text, (*[]byte)(&o.Answer), &deleted)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil, nil
	}
	if err != nil || deleted || x.Amend == nil {
		return key, nil, err
	}
	if better, amends := x.Amend(o); amends {
		amended = &better
	}
	return key, amended, nil
}

// importOne adds an exchange, or amends the question that it is, and reports whether it did.
func (s *Store) importOne(q Queries, x store.Imported) (changed bool, err error) {
	key, amended, err := q.stored(x)
	switch {
	case err != nil:
		return false, err
	case amended != nil:
		_, err := q.Exec("UPDATE entries SET outcome = ?, provenance = ?, said = ?, answer = ? WHERE key = ?",
			string(amended.Outcome), string(amended.Provenance), amended.Text, []byte(amended.Answer), int64(key))
		if err == nil {
			err = s.Unindex(q, []store.Key{key})
		}
		if err == nil {
			err = Index(s.Backend, q, int64(key))
		}
		return true, err
	case key != 0:
		return false, nil
	}
	one, o := x.Question, x.Outcome
	one.ID, one.Session, one.Source, one.Collected, one.Order = x.ID(), "", x.Source, true, 0
	if o.ClosedAt.IsZero() { // without any time: before all others
		o.ClosedAt = one.AskedAt
	}
	return true, s.add(q, one, o)
}

func (s *Store) Known(ctx context.Context, exchanges []store.Imported) (int, error) {
	s.catchUp(ctx)
	open, err := s.open(ctx, exchanges)
	if err != nil {
		return 0, err
	}
	return read(ctx, s.history, func(q Queries) (known int, err error) {
		for _, x := range exchanges {
			key, amended, err := q.stored(x)
			if err != nil {
				return 0, err
			}
			known += number(open[x.ID()] || key != 0 && amended == nil)
		}
		return known, nil
	})
}

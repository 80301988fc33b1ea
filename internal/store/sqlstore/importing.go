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

// Import adds exchanges from other tools' logs; see store.Store.
func (s *Store) Import(ctx context.Context, exchanges []store.Imported) (added, known int, err error) {
	for _, x := range exchanges {
		if x.Source == "" || x.Key == "" || x.Outcome.Outcome == "" {
			return 0, 0, fmt.Errorf("store: an exchange to import needs a source, a key and an outcome; got %q, %q, %q", x.Source, x.Key, x.Outcome.Outcome)
		}
	}
	s.catchUp(ctx)
	for some := range slices.Chunk(exchanges, importedAtOnce) {
		open, err := s.open(ctx, some)
		isNew := 0
		if err == nil {
			err = write(ctx, s.history, func(q Queries, _ int64) error {
				isNew = 0
				for _, x := range some {
					if open[x.ID()] {
						continue
					}
					changed, err := s.importOne(q, x)
					if err != nil {
						return err
					}
					isNew += number(changed)
				}
				if isNew == 0 {
					return ErrNothing
				}
				return nil
			})
		}
		if err != nil {
			return added, known, err
		}
		added, known = added+isNew, known+len(some)-isNew
	}
	return added, known, nil
}

// open returns which exchanges are questions in the inbox.
func (s *Store) open(ctx context.Context, exchanges []store.Imported) (open map[string]bool, err error) {
	open = map[string]bool{}
	err = s.inbox.Read(ctx, func(q Queries) error {
		for some := range slices.Chunk(exchanges, inList) {
			ids := make([]string, len(some))
			for i, x := range some {
				ids[i] = x.ID()
			}
			in, args := list(ids)
			found, err := Column[string](q, "SELECT id FROM questions WHERE id IN "+in, args...)
			if err != nil {
				return err
			}
			for _, id := range found {
				open[id] = true
			}
		}
		return nil
	})
	return open, err
}

// stored is the entry of an exchange.
type stored struct {
	key     store.Key
	asked   store.Question // what it is found by
	outcome store.Outcome
}

// stored looks an exchange up in the history. What it returns as amended is the outcome that the exchange gives it, if it gives it one.
func (q Queries) stored(x store.Imported) (found stored, there bool, amended *store.Outcome, err error) {
	o := &found.outcome
	deleted := false
	err = q.One("SELECT q.key, q.text, q.agent, q.workspace, q.recipient, q.outcome, q.provenance, q.said, q.answer, CASE WHEN"+shown+" THEN 0 ELSE 1 END FROM entries q WHERE q.id = ?", []any{x.ID()},
		&found.key, &found.asked.Text, &found.asked.Agent, &found.asked.Workspace, &found.asked.To, (*string)(&o.Outcome), (*string)(&o.Provenance), &o.Text, (*[]byte)(&o.Answer), &deleted)
	if errors.Is(err, sql.ErrNoRows) {
		return found, false, nil, nil
	}
	if err != nil || deleted || x.Amend == nil {
		return found, err == nil, nil, err
	}
	if better, amends := x.Amend(*o); amends {
		amended = &better
	}
	return found, true, amended, nil
}

// importOne adds an exchange, or amends the question that it is, and reports whether it did.
func (s *Store) importOne(q Queries, x store.Imported) (changed bool, err error) {
	found, there, amended, err := q.stored(x)
	switch {
	case err != nil:
		return false, err
	case amended != nil:
		_, err := q.Exec("UPDATE entries SET outcome = ?, provenance = ?, said = ?, answer = ? WHERE key = ?",
			string(amended.Outcome), string(amended.Provenance), amended.Text, []byte(amended.Answer), int64(found.key))
		if err == nil {
			err = s.Unindex(q, []store.Key{found.key})
		}
		if err == nil {
			err = s.index(q, found.key, found.asked, *amended)
		}
		return true, err
	case there:
		return false, nil
	}
	one, o := x.Question, x.Outcome
	one.ID, one.Session, one.Source, one.Collected, one.Order = x.ID(), "", x.Source, true, 0
	if o.ClosedAt.IsZero() { // without any time: before all others
		o.ClosedAt = one.AskedAt
	}
	return true, s.add(q, one, o)
}

// Known returns how many of the exchanges Import would not add.
func (s *Store) Known(ctx context.Context, exchanges []store.Imported) (known int, err error) {
	s.catchUp(ctx)
	open, err := s.open(ctx, exchanges)
	if err != nil {
		return 0, err
	}
	err = s.history.Read(ctx, func(q Queries) error {
		known = 0
		for _, x := range exchanges {
			_, there, amended, err := q.stored(x)
			if err != nil {
				return err
			}
			known += number(open[x.ID()] || there && amended == nil)
		}
		return nil
	})
	return known, err
}

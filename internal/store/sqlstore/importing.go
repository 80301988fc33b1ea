package sqlstore

import (
	"context"
	"fmt"
	"slices"

	"followup/internal/store"
)

// importedAtOnce is how many questions one transaction adds.
const importedAtOnce = 128

func (s *Store) Import(ctx context.Context, exchanges []store.Imported) (added, known int, err error) {
	for _, x := range exchanges {
		if x.Source == "" || x.Key == "" || x.Outcome.Outcome == "" {
			return 0, 0, fmt.Errorf("store: an exchange to import needs a source, a key and an outcome; got %q, %q, %q", x.Source, x.Key, x.Outcome.Outcome)
		}
	}
	return s.imports(ctx, exchanges, true)
}

func (s *Store) Known(ctx context.Context, exchanges []store.Imported) (int, error) {
	_, known, err := s.imports(ctx, exchanges, false)
	return known, err
}

// imports adds or amends questions, or only counts them.
func (s *Store) imports(ctx context.Context, exchanges []store.Imported, all bool) (added, known int, err error) {
	s.catchUp(ctx)
	for some := range slices.Chunk(exchanges, importedAtOnce) {
		open, err := s.open(ctx, some)
		if err != nil {
			return added, known, err
		}
		isNew, err := write(ctx, s.history, func(q *Queries, _ int64) (isNew int) {
			for _, x := range some {
				if slices.Contains(open, x.ID()) {
					continue
				}
				key, amended := q.stored(x)
				if key != 0 && amended == nil {
					continue
				}
				if isNew++; all {
					s.importOne(q, x, key, amended)
				}
			}
			if isNew == 0 || !all {
				q.Fail(ErrNothing)
			}
			return isNew
		})
		if err != nil {
			return added, known, err
		}
		added, known = added+isNew, known+len(some)-isNew
	}
	return added, known, nil
}

// open returns the ids of the questions that are in the inbox.
func (s *Store) open(ctx context.Context, exchanges []store.Imported) ([]string, error) {
	ids := make([]string, len(exchanges))
	for i, x := range exchanges {
		ids[i] = x.ID()
	}
	return read(ctx, s.inbox, func(q *Queries) []string {
		return Column[string](q, "SELECT id FROM questions WHERE id = ANY (?)", ids)
	})
}

// stored looks a question up in the history. amended is the outcome that the import gives it, or nil.
func (q *Queries) stored(x store.Imported) (key store.Key, amended *store.Outcome) {
	var o store.Outcome
	deleted := false
	found := q.One("SELECT q.key, q.outcome, q.provenance, q.said, q.answer, CASE WHEN"+shown+" THEN 0 ELSE 1 END FROM entries q WHERE q.id = ?", []any{x.ID()},
		&key, (*string)(&o.Outcome), (*string)(&o.Provenance), &o.Text, (*[]byte)(&o.Answer), &deleted)
	if !found || deleted || x.Amend == nil {
		return key, nil
	}
	if better, amends := x.Amend(o); amends {
		amended = &better
	}
	return key, amended
}

// importOne adds a question, or amends the one with a key.
func (s *Store) importOne(q *Queries, x store.Imported, key store.Key, amended *store.Outcome) {
	if amended != nil {
		q.Exec("UPDATE entries SET outcome = ?, provenance = ?, said = ?, answer = ? WHERE key = ?",
			string(amended.Outcome), string(amended.Provenance), amended.Text, []byte(amended.Answer), int64(key))
		q.Exec("DELETE FROM search WHERE rowid = ?", int64(key))
		Index(s.Backend, q, int64(key))
		return
	}
	one, o := x.Question, x.Outcome
	one.ID, one.Session, one.Source, one.Collected, one.Order = x.ID(), "", x.Source, true, 0
	if o.ClosedAt.IsZero() { // without any time: first of all
		o.ClosedAt = one.AskedAt
	}
	s.add(q, one, o)
}

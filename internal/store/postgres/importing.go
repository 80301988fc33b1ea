package postgres

import (
	"context"
	"maps"
	"slices"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// Import adds exchanges out of other tools' logs, and tells how many were added and how many were known, also when it fails
// half way or ctx ends: importing again adds the others. Give a few hundred at a time.
func (s *Store) Import(ctx context.Context, exchanges []store.Imported) (added, known int, err error) {
	return engine.Import(exchanges, func(left []store.Imported) (isNew, done int, err error) {
		err = s.step(ctx, func(t *tx) error {
			isNew, done = 0, 0
			for size := 0; done < min(len(left), atOnce) && size < importedBytes; done++ {
				size += engine.Size(left[done])
				added, err := t.importOne(left[done])
				if err != nil {
					return err
				}
				if added {
					isNew++
				}
			}
			if isNew == 0 {
				return engine.ErrNothing
			}
			return nil
		})
		return isNew, done, err
	})
}

// importedBytes is how much of texts goes into one transaction.
const importedBytes = 1 << 20

func (t *tx) importOne(x store.Imported) (isNew bool, err error) {
	known, err := t.known([]store.Imported{x})
	if known > 0 || err != nil {
		return false, err
	}
	q, o, at := engine.Exchange(x)
	ord, added, err := t.insertQuestion(q)
	if err != nil || !added {
		return false, err
	}
	key, err := t.insertOutcome(ord, o, engine.FirstKey(at), at)
	if err != nil {
		return false, err
	}
	if _, err := t.exec("UPDATE questions SET outcome = $1, collected = true WHERE ord = $2", int64(key), ord); err != nil {
		return false, err
	}
	t.news = true
	return true, t.index(key, engine.Indexed{Asked: q.Text, Said: o.Text, Agent: q.Agent, Workspace: q.Workspace, Outcome: string(o.Outcome)})
}

// known tells how many of the exchanges are there, deleted or not.
func (q querier) known(exchanges []store.Imported) (known int, err error) {
	times := map[string]int{} // that an id stands among them
	for _, x := range exchanges {
		times[x.ID()]++
	}
	there, err := column[string](q, "SELECT id FROM questions WHERE id = ANY($1)", slices.Collect(maps.Keys(times)))
	for _, id := range there {
		known += times[id]
	}
	return known, err
}

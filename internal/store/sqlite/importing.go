package sqlite

import (
	"context"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// importUnits is what an exchange costs besides its texts.
const importUnits = 10

// Import adds exchanges out of other tools' logs, and tells how many were added and how many were known, also when it fails
// half way or ctx ends: importing again adds the others. Give a few hundred at a time.
func (s *Store) Import(ctx context.Context, exchanges []store.Imported) (added, known int, err error) {
	added, known, err = engine.Import(exchanges, func(left []store.Imported) (isNew, done int, err error) {
		err = s.steps(ctx, func(t *tx, m *meter) (bool, error) {
			isNew, done = 0, 0
			for more := true; more && done < len(left); done++ {
				added, err := t.importOne(left[done])
				if err != nil {
					return false, err
				}
				if added {
					isNew++
				}
				more = m.spend(importUnits + unitsOf(engine.Size(left[done])))
			}
			if isNew == 0 {
				return false, engine.ErrNothing
			}
			return false, nil
		})
		return isNew, done, err
	})
	if err != nil || added == 0 {
		return added, known, err
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

// amend gives a closed question the outcome that an exchange knows better, at the same place in the history.
func (t *tx) amend(s stored, x store.Imported) (amended bool, err error) {
	o, amended := engine.Amended(x, s.outcome)
	if !amended {
		return false, nil
	}
	was, found, err := t.indexed(s.key)
	if err == nil && found {
		err = t.unindex(was, map[forgotten]bool{})
	}
	if err != nil {
		return false, err
	}
	_, err = t.exec("UPDATE outcomes SET outcome = ?, provenance = ?, text = ?, answer = ? WHERE key = ?",
		string(o.Outcome), string(o.Provenance), o.Text, []byte(o.Answer), int64(s.key))
	if err != nil {
		return false, err
	}
	_, err = t.exec("INSERT INTO unindexed (key) VALUES (?) ON CONFLICT DO NOTHING", int64(s.key))
	return true, err
}

func (t *tx) importOne(x store.Imported) (isNew bool, err error) {
	found, there, err := t.stored(x)
	if err != nil {
		return false, err
	}
	if there {
		return t.amend(found, x)
	}
	q, o, at := engine.Exchange(x)
	ord, err := t.insertQuestion(q)
	if err != nil {
		return false, err
	}
	key, err := t.insertOutcome(ord, o, at)
	if err != nil {
		return false, err
	}
	_, err = t.exec("UPDATE questions SET outcome = ?, collected = 1 WHERE ord = ?", int64(key), ord)
	return true, err
}

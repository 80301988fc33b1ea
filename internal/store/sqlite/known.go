package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// stored is what the store has of an exchange's question.
type stored struct {
	key     store.Key
	outcome store.Outcome // empty while it is open, and where it is deleted
}

// stored looks an exchange's question up, and reports whether it is there, deleted or not.
func (q querier) stored(x store.Imported) (s stored, there bool, err error) {
	o := &s.outcome
	var answer []byte
	err = q.one(`SELECT coalesce(o.key, 0), coalesce(o.outcome, ''), coalesce(o.text, ''), coalesce(o.answer, x'')
		FROM questions q LEFT JOIN outcomes o ON o.key = q.outcome AND o.deletion IS NULL WHERE q.id = ?`,
		[]any{x.ID()}, []any{&s.key, &o.Outcome, &o.Text, &answer})
	if errors.Is(err, sql.ErrNoRows) {
		return s, false, nil
	}
	o.Answer = answer
	return s, err == nil, err
}

// known tells how many of the exchanges are there.
func (q querier) known(exchanges []store.Imported) (known int, err error) {
	for _, x := range exchanges {
		found, there, err := q.stored(x)
		if err != nil {
			return 0, err
		}
		if _, amended := engine.Amended(x, found.outcome); there && !amended {
			known++
		}
	}
	return known, nil
}

// Known tells how many of the exchanges Import would not add.
func (s *Store) Known(ctx context.Context, exchanges []store.Imported) (known int, err error) {
	err = s.read(ctx, func(q querier) error {
		known, err = q.known(exchanges)
		return err
	})
	return known, err
}

// Known tells how many of the exchanges are there; see store.Store.
func (r *Reading) Known(ctx context.Context, exchanges []store.Imported) (int, error) {
	known, err := querier{ctx, r.reads}.known(exchanges)
	if r.moved(err) {
		if err = r.again(ctx, err); err == nil {
			return r.Known(ctx, exchanges)
		}
	}
	return known, classify(err)
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"followup/internal/store"
)

// imported reports whether an exchange is there, deleted or not.
func (q querier) imported(x store.Imported) (bool, error) {
	var ord int64
	err := q.one("SELECT ord FROM questions WHERE id = ?", []any{x.ID()}, []any{&ord})
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// known tells how many of the exchanges are there.
func (q querier) known(exchanges []store.Imported) (known int, err error) {
	for _, x := range exchanges {
		there, err := q.imported(x)
		if err != nil {
			return 0, err
		}
		if there {
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

package sqlite

import (
	"context"
	"errors"

	sqlite3 "modernc.org/sqlite/lib"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// Commit writes changes; see store.Store.
func (s *Store) Commit(ctx context.Context, changes []store.Change) (results []store.Result, err error) {
	err = s.write(ctx, func(t *tx) (err error) {
		results, err = engine.Write(t, changes)
		return err
	})
	if err != nil && !errors.Is(err, engine.ErrNothing) {
		return nil, err
	}
	return results, nil
}

// Part runs a part of the transaction in a savepoint.
func (t *tx) Part(alone bool, part func() error) error {
	if alone {
		return part()
	}
	if _, err := t.exec("SAVEPOINT change"); err != nil {
		return err
	}
	failed := part()
	if failed != nil {
		if !t.IsOfChange(failed) {
			return failed
		}
		if _, err := t.exec("ROLLBACK TO change"); err != nil {
			return err
		}
	}
	if _, err := t.exec("RELEASE change"); err != nil {
		return err
	}
	return failed
}

// IsOfChange tells whether an error is the change's own fault, so that others can be written.
func (*tx) IsOfChange(err error) bool {
	c, ok := code(err)
	if !ok {
		return true
	}
	switch c {
	case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE:
		return true
	}
	return false
}

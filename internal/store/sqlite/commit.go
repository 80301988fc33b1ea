package sqlite

import (
	"context"
	"errors"

	sqlite3 "modernc.org/sqlite/lib"

	"followup/internal/store"
)

var (
	// errLost takes a Change back that others were faster than.
	errLost = errors.New("others were first")
	// errNothing takes a transaction back in which nothing was written.
	errNothing = errors.New("nothing was written")
)

// Commit writes changes; see store.Store.
func (s *Store) Commit(ctx context.Context, changes []store.Change) (results []store.Result, err error) {
	err = s.write(ctx, func(t *tx) error {
		results = make([]store.Result, len(changes))
		any := false
		for i := range changes {
			written, err := t.attempt(changes[i], &results[i], len(changes) > 1)
			if err != nil {
				return err
			}
			any = any || written
		}
		if !any {
			return errNothing
		}
		return nil
	})
	if errors.Is(err, errNothing) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return results, nil
}

// attempt writes one change of several, or leaves nothing of it behind.
func (t *tx) attempt(c store.Change, result *store.Result, several bool) (written bool, err error) {
	if several {
		if _, err := t.exec("SAVEPOINT change"); err != nil {
			return false, err
		}
	}
	leased := t.leased
	failed := t.apply(c, result)
	if failed != nil {
		if !isOfChange(failed) {
			return false, failed
		}
		t.leased, result.Orders = leased, nil
		if !errors.Is(failed, errLost) {
			*result = store.Result{Err: failed}
		}
	}
	if several {
		if failed != nil {
			if _, err := t.exec("ROLLBACK TO change"); err != nil {
				return false, err
			}
		}
		if _, err := t.exec("RELEASE change"); err != nil {
			return false, err
		}
	}
	return failed == nil, nil
}

// isOfChange tells whether an error is the change's own fault, so that others can be written.
func isOfChange(err error) bool {
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

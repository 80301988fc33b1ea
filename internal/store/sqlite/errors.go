package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	modernc "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"followup/internal/store"
)

// code gives SQLite's primary result code, and false where the error is not SQLite's.
func code(err error) (int, bool) {
	var e *modernc.Error
	if !errors.As(err, &e) {
		return 0, false
	}
	return e.Code() & 0xff, true
}

// isBusy tells whether another connection was in the way, so that trying again helps.
func isBusy(err error) bool {
	c, ok := code(err)
	return ok && (c == sqlite3.SQLITE_BUSY || c == sqlite3.SQLITE_LOCKED)
}

// errHeld is that of a lock that another process does not let go.
var errHeld = errors.New("another process has held it")

// Refuses reports whether SQLite refuses a value: a constraint, a length, a type.
func (f *folder) Refuses(err error) bool {
	c, ok := code(err)
	return ok && (c == sqlite3.SQLITE_CONSTRAINT || c == sqlite3.SQLITE_TOOBIG || c == sqlite3.SQLITE_MISMATCH)
}

// isDamage tells whether the file's content is at fault.
func isDamage(err error) bool {
	c, ok := code(err)
	return errors.Is(err, store.ErrDamaged) || ok && (c == sqlite3.SQLITE_CORRUPT || c == sqlite3.SQLITE_NOTADB)
}

// classify wraps an error of the driver's or the file system's in the one that callers test for.
func classify(err error) error {
	if err == nil || isKnown(err) {
		return err
	}
	if isDamage(err) {
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	var path *fs.PathError
	c, isSQLite := code(err)
	switch {
	case errors.As(err, &path):
	case !isSQLite:
		return err
	default:
		switch c {
		case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM,
			sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL,
			sqlite3.SQLITE_NOLFS:
		default:
			return err
		}
	}
	return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
}

// isKnown reports whether callers know the error as it is.
func isKnown(err error) bool {
	for _, known := range []error{store.ErrUnavailable, store.ErrNewer, store.ErrDamaged, store.ErrGone, store.ErrClosed, store.ErrNotFound, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	modernc "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"followup/internal/store"
)

// is reports whether an error is SQLite's with one of these primary result codes.
func is(err error, codes ...int) bool {
	e, ours := errors.AsType[*modernc.Error](err)
	return ours && slices.Contains(codes, e.Code()&0xff)
}

// isBusy reports whether another connection was in the way, so that retrying helps.
func isBusy(err error) bool { return is(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) }

// errHeld is the error of a lock that another process does not release.
var errHeld = errors.New("another process has locked it")

func (f *folder) Refuses(err error) bool {
	return is(err, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH)
}

// isDamage reports whether the file's content is at fault.
func isDamage(err error) bool {
	return errors.Is(err, store.ErrDamaged) || is(err, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
}

// diskError is SQLite's error about a disk, and the system's for the same.
type diskError struct{ error }

func (e diskError) Unwrap() error { return e.error }

func (e diskError) Is(target error) bool {
	return target == syscall.ENOSPC && is(e.error, sqlite3.SQLITE_FULL) || target == fs.ErrPermission && is(e.error, sqlite3.SQLITE_READONLY)
}

// classify wraps an error of the driver or the file system in the one that callers test for.
func classify(err error) error {
	if err == nil || store.IsKnown(err) {
		return err
	}
	var path *fs.PathError
	switch {
	case isDamage(err):
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	case errors.As(err, &path), is(err, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN,
		sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL,
		sqlite3.SQLITE_NOLFS):
		return fmt.Errorf("%w: %w", store.ErrUnavailable, diskError{err})
	}
	return err
}

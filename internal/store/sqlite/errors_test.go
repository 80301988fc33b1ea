package sqlite

import (
	"database/sql"
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"followup/internal/store"
)

// SQLite's error about a disk is also the system's error, from which callers derive advice for the user.
func TestErrorsOfTheDisk(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pragma string
		want   error
	}{
		{"max_page_count = 1", syscall.ENOSPC},
		{"query_only = 1", fs.ErrPermission},
	} {
		db, err := sql.Open("sqlite", ":memory:")
		ok(t, err)
		db.SetMaxOpenConns(1) // each connection would have its own database in memory
		_, err = db.ExecContext(t.Context(), "PRAGMA "+test.pragma)
		ok(t, err)
		_, err = db.ExecContext(t.Context(), "CREATE TABLE t (n); CREATE TABLE u (n)")
		if got := classify(err); !errors.Is(got, test.want) || !errors.Is(got, store.ErrUnavailable) || !errors.Is(got, err) {
			t.Errorf("%s: %v", test.pragma, got)
		}
		ok(t, db.Close())
	}
}

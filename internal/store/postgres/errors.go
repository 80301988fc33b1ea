package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"followup/internal/store"
)

// errUnsure is that of a transaction whose end nobody knows yet: the connection broke while it was being committed.
var errUnsure = errors.New("the connection broke while a transaction was being committed")

// code is an error's SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html); empty where the server did not say it.
func code(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// isCollision tells whether another transaction was in the way, so that trying again helps: a serialization failure, a deadlock, a
// lock that was waited for too long.
func isCollision(err error) bool {
	return slices.Contains([]string{"40001", "40P01", "55P03"}, code(err))
}

// isCut tells whether the connection is at fault, or a server that stops, starts, or has become another's standby.
func isCut(err error) bool {
	c := code(err)
	switch {
	case err == nil || isOurs(err) || errors.Is(err, pgx.ErrNoRows) || errors.Is(err, context.Canceled):
		return false
	case c == "":
		return true
	}
	return strings.HasPrefix(c, "08") || slices.Contains([]string{"57P01", "57P02", "57P03", "57P05", "25P03", "25006", "53300"}, c)
}

// isOfChange tells whether an error is the change's own fault, so that others can be written: a value that cannot be, a constraint, a
// limit of the program's.
func isOfChange(err error) bool {
	c := code(err)
	return errors.Is(err, errLost) || errors.Is(err, store.ErrNotFound) || errors.Is(err, errSenseless) ||
		strings.HasPrefix(c, "22") || strings.HasPrefix(c, "23") || strings.HasPrefix(c, "54")
}

// errSenseless is that of a change in which something makes no sense.
var errSenseless = errors.New("store")

// classify wraps an error of the driver's or the server's in the one that callers test for.
func classify(err error) error {
	switch {
	case errors.Is(err, errUnsure) && !errors.Is(err, store.ErrUnavailable):
	case err == nil || isOurs(err) || errors.Is(err, context.Canceled):
		return err
	case slices.Contains([]string{"42P01", "3F000", "42703"}, code(err)):
		return fmt.Errorf("%w: %w", store.ErrGone, err)
	}
	return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
}

// isOurs tells whether callers know the error as it is.
func isOurs(err error) bool {
	for _, known := range []error{store.ErrUnavailable, store.ErrNewer, store.ErrDamaged, store.ErrGone, store.ErrClosed, store.ErrNotFound, errNothing, errUnsure} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// notFound makes ErrNotFound of a row that is missing.
func notFound(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}

package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"followup/internal/store"
	"followup/internal/store/sqlstore"
)

// errCut is the error of a closed connection.
var errCut = errors.New("the connection broke")

// code returns an error's SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html); empty if it is not from the
// server.
func code(err error) string {
	if e, is := errors.AsType[*pgconn.PgError](err); is {
		return e.Code
	}
	return ""
}

// isCollision reports whether to retry: a serialization failure, a deadlock, or a lock timeout.
func isCollision(err error) bool {
	return slices.Contains([]string{"40001", "40P01", "55P03"}, code(err))
}

// isCut reports whether the connection broke, or its server is stopping, starting, or has become a standby.
func isCut(err error) bool {
	c := code(err)
	_, network := errors.AsType[net.Error](err)
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	switch {
	case err == nil || isKnown(err) || errors.Is(err, sql.ErrNoRows):
		return false
	case c != "":
		return strings.HasPrefix(c, "08") || slices.Contains([]string{"57P01", "57P02", "57P03", "57P05", "25P03", "25006", tooMany}, c)
	case network || connecting:
		return true
	}
	return isAny(err, errCut, driver.ErrBadConn, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, pgconn.ErrConnClosed, context.DeadlineExceeded)
}

// tooMany is the code of a server that accepts no more connections; existing ones are intact.
const tooMany = "53300"

func isAny(err error, of ...error) bool {
	return slices.ContainsFunc(of, func(one error) bool { return errors.Is(err, one) })
}

// cutOf distinguishes an error of a closed connection from one of the written values.
func cutOf(conn *pgx.Conn, err error) error {
	if isAny(err, driver.ErrBadConn, sql.ErrConnDone) { // database/sql is closing it
		return fmt.Errorf("%w: %w", errCut, err)
	}
	if err == nil || !conn.IsClosed() || code(err) != "" {
		return err
	}
	return fmt.Errorf("%w: %w", errCut, err)
}

// Refuses reports whether the server, or the driver before it, rejects a value: an invalid one, a constraint, a limit.
func (d *database) Refuses(err error) bool {
	if c := code(err); c != "" {
		return strings.HasPrefix(c, "22") || strings.HasPrefix(c, "23") || strings.HasPrefix(c, "54")
	}
	return !isKnown(err) && !isCut(err) && !isCollision(err)
}

// classify wraps an error of the driver or the server in the one that callers test for.
func classify(err error) error {
	switch {
	case err == nil || isKnown(err):
		return err
	case slices.Contains([]string{"42P01", "3F000", "42703"}, code(err)):
		return fmt.Errorf("%w: %w", store.ErrGone, err)
	case isNoAddress(err):
		return fmt.Errorf("%w: %w: %w", store.ErrUnavailable, store.ErrAddress, err)
	}
	return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
}

// isNoAddress reports whether the server, database or role does not exist, or the password is wrong.
func isNoAddress(err error) bool {
	unknown, is := errors.AsType[*net.DNSError](err)
	return is && unknown.IsNotFound || strings.HasPrefix(code(err), "28") || code(err) == "3D000"
}

// isKnown reports whether callers know the error: it is one of the store's, ErrNothing, or a cancelled context's.
func isKnown(err error) bool {
	return store.IsKnown(err) || isAny(err, sqlstore.ErrNothing, context.Canceled)
}

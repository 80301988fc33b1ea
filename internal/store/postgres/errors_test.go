package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"followup/internal/store"
)

// Broken connections are retried, a change's own errors are returned for that change, and others end the transaction.
func TestErrorClasses(t *testing.T) {
	_, unencoded := pgtype.NewMap().Encode(pgtype.Int4OID, pgtype.BinaryFormatCode, int64(1)<<53, nil)
	if unencoded == nil {
		t.Fatal("it was encoded")
	}
	server := func(code string) error { return fmt.Errorf("server: %w", &pgconn.PgError{Code: code}) }
	const cut, ofChange, collision, other = "cut", "of the change", "collision", "other"
	for _, test := range []struct {
		err  error
		want string
	}{
		{unencoded, ofChange},
		{errors.New("unknown"), ofChange},
		{server("22001"), ofChange},
		{server("23505"), ofChange},
		{server("54000"), ofChange},
		{io.EOF, cut},
		{driver.ErrBadConn, cut}, // also of a context that ended before the statement was sent, such as while the process was stopped
		{io.ErrUnexpectedEOF, cut},
		{&net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, cut},
		{net.ErrClosed, cut},
		{pgconn.ErrConnClosed, cut},
		{&pgconn.ConnectError{}, cut},
		{context.DeadlineExceeded, cut},
		{fmt.Errorf("%w: a message of an unknown kind", errCut), cut},
		{server("08006"), cut},
		{server("57P01"), cut},
		{server(tooMany), cut},
		{server("40001"), collision},
		{server("40P01"), collision},
		{server("57014"), other},
		{server("42P01"), other},
		{store.ErrClosed, other},
		{context.Canceled, other},
	} {
		got := other
		for name, is := range map[string]bool{cut: isCut(test.err), ofChange: (*database)(nil).Refuses(test.err), collision: isCollision(test.err)} {
			switch {
			case is && got != other:
				t.Errorf("%v has several classes", test.err)
			case is:
				got = name
			}
		}
		if got != test.want {
			t.Errorf("%v: got %s, want %s", test.err, got, test.want)
		}
	}
	if isCut(pgx.ErrNoRows) || isCut(nil) {
		t.Error("no rows, or no error, counts as a cut")
	}
}

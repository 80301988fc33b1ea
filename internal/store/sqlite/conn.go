package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"sync"

	modernc "modernc.org/sqlite"

	"followup/internal/store"
)

// pragma is a setting that every connection has, and the value that reading it back must give.
type pragma struct{ name, value string }

// pragmas of a connection. The log is not moved into the file at a commit, which would add flushes to an answer; Idle does it.
var pragmas = []pragma{
	{"busy_timeout", "0"}, // waiting is done by patiently: SQLite's own is not fair, and does not end with a context
	{"journal_mode", "wal"},
	{"synchronous", "2"}, // FULL
	{"secure_delete", "1"},
	{"foreign_keys", "1"},
	{"wal_autocheckpoint", "0"},
	{"journal_size_limit", fmt.Sprint(2 * usual.logLimit)}, // to which its file is cut when it begins anew: flushing a file that grows takes longer
	{"temp_store", "2"},                                    // memory: no text in files elsewhere
	{"cache_size", "-1024"},
	{"trusted_schema", "0"},
}

// connector opens connections to one file, each with all pragmas set and read back.
type connector struct {
	driver.Connector
	pragmas []pragma
}

func connect(path string, more ...pragma) (*connector, error) {
	return connectAs("", path, append(pragmas[:len(pragmas):len(pragmas)], more...))
}

func connectAs(how, path string, pragmas []pragma) (*connector, error) {
	path, err := filepath.Abs(path) // what comes first in a relative one would be taken for a host
	if err != nil {
		return nil, err
	}
	slashed := filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		slashed = "/" + slashed
	}
	name := url.URL{Scheme: "file", Path: slashed, RawQuery: how}
	base, err := modernc.NewConnector(name.String())
	if err != nil {
		return nil, err
	}
	return &connector{base, pragmas}, nil
}

// Connect opens a connection.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range c.pragmas {
		if err := p.set(ctx, conn); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return conn, nil
}

// set gives a connection the setting and makes sure that it has it: SQLite answers an impossible one with another value, and
// with no error.
func (p pragma) set(ctx context.Context, conn driver.Conn) error {
	if _, err := conn.(driver.ExecerContext).ExecContext(ctx, "PRAGMA "+p.name+" = "+p.value, nil); err != nil {
		return err
	}
	rows, err := conn.(driver.QueryerContext).QueryContext(ctx, "PRAGMA "+p.name, nil)
	if err != nil {
		return err
	}
	got := make([]driver.Value, 1)
	if err := rows.Next(got); err != nil && !errors.Is(err, io.EOF) {
		return errors.Join(err, rows.Close())
	}
	if fmt.Sprint(got[0]) != p.value {
		return errors.Join(fmt.Errorf("%w: %s is %v and cannot be made %s", store.ErrUnavailable, p.name, got[0], p.value), rows.Close())
	}
	return rows.Close()
}

// statements prepares each statement once. The text of a statement is its key.
type statements struct {
	mu       sync.Mutex
	prepared map[string]statement
	prepare  func(query string) (statement, error)
	ran      int // how many were run
}

func (s *statements) get(query string) (statement, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ran++
	if stmt, ok := s.prepared[query]; ok {
		return stmt, nil
	}
	stmt, err := s.prepare(query)
	if err != nil {
		return nil, err
	}
	if s.prepared == nil {
		s.prepared = map[string]statement{}
	}
	s.prepared[query] = stmt
	return stmt, nil
}

func (s *statements) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stmt := range s.prepared {
		_ = stmt.Close() // the connection is about to go, and takes it along
	}
	s.prepared = nil
}

// querier runs prepared statements: in a transaction of the writer, or on any connection for reading.
type querier struct {
	ctx        context.Context
	statements *statements
}

// exec runs a statement and gives the number of rows that it changed.
func (q querier) exec(query string, args ...any) (int64, error) {
	result, err := q.run(query, args)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// insert runs a statement that adds a row, and gives the row's id.
func (q querier) insert(query string, args ...any) (int64, error) {
	result, err := q.run(query, args)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

func (q querier) run(query string, args []any) (driver.Result, error) {
	stmt, err := q.statements.get(query)
	if err != nil {
		return nil, err
	}
	return stmt.exec(q.ctx, args)
}

// one reads the columns of the first row; sql.ErrNoRows when there is none.
func (q querier) one(query string, args, into []any) error {
	rows, err := q.query(query, args)
	if err != nil {
		return err
	}
	switch {
	case rows.Next():
		err = rows.Scan(into...)
	case rows.Err() != nil:
		err = rows.Err()
	default:
		err = sql.ErrNoRows
	}
	if closing := rows.Close(); closing != nil && (err == nil || errors.Is(err, sql.ErrNoRows)) {
		return closing
	}
	return err
}

// each calls row for every row.
func (q querier) each(query string, args []any, row func(scan func(into ...any) error) error) error {
	rows, err := q.query(query, args)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

func (q querier) query(query string, args []any) (rows, error) {
	stmt, err := q.statements.get(query)
	if err != nil {
		return nil, err
	}
	return stmt.query(q.ctx, args)
}

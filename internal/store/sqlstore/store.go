// Package sqlstore is the store on an SQL database, written once for SQLite and PostgreSQL.
//
// It has two halves. The inbox has open questions, and outcomes that were not moved yet. The history has closed questions and the
// search. A mover copies closed questions from one to the other, by id, and then removes them from the inbox (maintain.go). So no
// answer waits for the history, whose deletions, imports and searches may take long.
package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
)

// Backend is what differs between the databases.
type Backend interface {
	// Index adds an entry of the history to the search, with its tokens.
	Index(q Queries, key store.Key, tokens []string) error
	// Plan returns the parts of the history to read for a search, newest first.
	Plan(q Queries, s Search, first, end store.Key) ([]Part, error)
	// Refuses reports whether an error is the fault of the written values, so that other writes can succeed.
	Refuses(err error) bool
	// Recover restores what can be read of a damaged history that was set aside. Nothing is moved or purged before.
	Recover(ctx context.Context) error
	// Tidy runs deferred work while nothing is written.
	Tidy(ctx context.Context) error
	// Erase removes all traces of removed rows from the files.
	Erase(ctx context.Context) error
	// Owns, Beat, Ping and Close are methods of the store.
	Owns(path string) bool
	Beat(ctx context.Context, address string, leaves bool) ([]store.Member, time.Time, error)
	Ping(ctx context.Context) error
	Close() error
}

// Half is a half of the store.
type Half interface {
	// Read runs queries that only read.
	Read(ctx context.Context, run func(Queries) error) error
	// Write runs a transaction, and retries it if that may succeed. now is the time in milliseconds. When it returns nil, the
	// changes are durable. Once the transaction has begun, it ignores the end of ctx.
	Write(ctx context.Context, run func(q Queries, now int64) error) error
}

// Queries run on a connection. Parameters are question marks; for a list of values use "= ANY (?)" with a []string or []int64.
type Queries struct {
	Ctx context.Context
	On  interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	}
	// Adapt converts a query and its arguments for the database.
	Adapt func(query string, args []any) (string, []any)
}

// Changed runs a statement and returns the number of changed rows.
func (q Queries) Changed(query string, args ...any) (int64, error) {
	query, args = q.Adapt(query, args)
	result, err := q.On.ExecContext(q.Ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Exec runs a statement.
func (q Queries) Exec(query string, args ...any) error {
	_, err := q.Changed(query, args...)
	return err
}

// One reads the only row; sql.ErrNoRows if there is none.
func (q Queries) One(query string, args []any, into ...any) error {
	none := sql.ErrNoRows
	err := q.Each(query, args, func(scan func(...any) error) error {
		none = nil
		return scan(into...)
	})
	return cmp.Or(err, none)
}

// errEnough ends a query whose other rows are not needed.
var errEnough = errors.New("enough")

func enough(err error) error {
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// Each calls row for each row, until it returns an error.
func (q Queries) Each(query string, args []any, row func(scan func(...any) error) error) error {
	query, args = q.Adapt(query, args)
	rows, err := q.On.QueryContext(q.Ctx, query, args...)
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

// Rows reads each row by a function.
func Rows[T any](q Queries, query string, args []any, read func(scan func(...any) error, into *T) error) (all []T, err error) {
	err = q.Each(query, args, func(scan func(...any) error) error {
		var one T
		err := read(scan, &one)
		all = append(all, one)
		return err
	})
	return all, err
}

// Column reads the only column of each row.
func Column[T any](q Queries, query string, args ...any) ([]T, error) {
	return Rows(q, query, args, func(scan func(...any) error, into *T) error { return scan(into) })
}

// documents reads the only column of each row as JSON.
func documents[T any](q Queries, query string, args ...any) ([]T, error) {
	return Rows(q, query, args, func(scan func(...any) error, into *T) error {
		var document []byte
		if err := scan(&document); err != nil {
			return err
		}
		return json.Unmarshal(document, into)
	})
}

var (
	// ErrNothing rolls back a transaction in which nothing was written.
	ErrNothing = errors.New("nothing was written")
	// ErrSenseless is the error of an invalid change.
	ErrSenseless = errors.New("store")
)

// read returns the result of read-only queries.
func read[T any](ctx context.Context, half Half, run func(Queries) (T, error)) (result T, err error) {
	err = half.Read(ctx, func(q Queries) (err error) {
		result, err = run(q)
		return err
	})
	return result, err
}

// write returns the result of a transaction, which may find that there is nothing to write.
func write[T any](ctx context.Context, half Half, run func(q Queries, now int64) (T, error)) (result T, err error) {
	err = half.Write(ctx, func(q Queries, now int64) (err error) {
		result, err = run(q, now)
		return err
	})
	if errors.Is(err, ErrNothing) {
		err = nil
	}
	return result, err
}

// Store is an open store; store.Store documents its methods.
type Store struct {
	Backend
	inbox, history Half // possibly one database

	// MostLookedAt is how many entries' texts are read for one page.
	MostLookedAt int

	log     *zap.Logger
	stirred chan struct{} // receives after a write, without blocking
	moving  chan struct{} // held while something is moved
	quiet   time.Duration
}

var _ store.Store = (*Store)(nil)

// New returns the store on a backend.
func New(b Backend, inbox, history Half, log *zap.Logger) *Store {
	return &Store{Backend: b, inbox: inbox, history: history, log: log, MostLookedAt: mostLookedAt, stirred: make(chan struct{}, 1), moving: make(chan struct{}, 1), quiet: defaultQuiet}
}

// millis returns a time as it is stored; 0 if it is zero.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// fromMillis is the inverse of millis.
func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// number returns a boolean as it is stored.
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

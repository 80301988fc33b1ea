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
	"errors"
	"iter"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
)

// Backend has the methods that differ between the databases.
type Backend interface {
	// Index adds an entry of the history to the search, with its tokens.
	Index(q *Queries, key store.Key, tokens []string)
	// Plan returns the parts of the history to read for a search, newest first.
	Plan(q *Queries, s Search, first, end store.Key) []Part
	// Refuses reports whether an error is the fault of the written values, so that other writes can succeed.
	Refuses(err error) bool
	// Recover restores the readable rows of damaged files that were set aside. Nothing is moved or purged before that.
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
	Read(ctx context.Context, run func(*Queries)) error
	// Write runs a transaction, and retries it if that may succeed. now is the time in milliseconds. When it returns nil, the
	// changes are durable. Once the transaction has begun, it ignores the end of ctx.
	Write(ctx context.Context, run func(q *Queries, now int64)) error
}

// Queries run on a connection until one of them fails. After that, they do nothing and return zero values. Parameters are
// question marks; for a list of values use "= ANY (?)" with a []string or []int64.
type Queries struct {
	Ctx context.Context
	On  interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	}
	// Adapt converts a query and its arguments for the database.
	Adapt func(query string, args []any) (string, []any)
	// Err is the first error. It rolls a transaction back.
	Err error
}

// Fail records an error, unless it is nil or not the first one.
func (q *Queries) Fail(err error) { q.Err = cmp.Or(q.Err, err) }

// Exec runs a statement, and returns the number of changed rows.
func (q *Queries) Exec(query string, args ...any) (changed int64) {
	if q.Err != nil {
		return 0
	}
	query, args = q.Adapt(query, args)
	result, err := q.On.ExecContext(q.Ctx, query, args...)
	if err == nil {
		changed, err = result.RowsAffected()
	}
	q.Fail(err)
	return changed
}

// Scan reads the columns of a row.
type Scan func(into ...any)

// Each iterates over rows.
func (q *Queries) Each(query string, args ...any) iter.Seq[Scan] {
	return func(yield func(Scan) bool) {
		if q.Err != nil {
			return
		}
		query, args := q.Adapt(query, args)
		rows, err := q.On.QueryContext(q.Ctx, query, args...)
		if err != nil {
			q.Fail(err)
			return
		}
		defer func() { q.Fail(errors.Join(rows.Err(), rows.Close())) }()
		scan := func(into ...any) { q.Fail(rows.Scan(into...)) }
		for q.Err == nil && rows.Next() && yield(scan) {
		}
	}
}

// One reads the first row, and reports whether there is one.
func (q *Queries) One(query string, args []any, into ...any) bool {
	for scan := range q.Each(query, args...) {
		scan(into...)
		return q.Err == nil
	}
	return false
}

// has reports whether a query finds a row.
func (q *Queries) has(query string, args ...any) bool { return q.One(query, args, new(int)) }

// Column reads the only column of each row.
func Column[T any](q *Queries, query string, args ...any) (all []T) {
	for scan := range q.Each(query, args...) {
		var one T
		scan(&one)
		all = append(all, one)
	}
	return all
}

var (
	// ErrNothing rolls back a transaction in which nothing was written.
	ErrNothing = errors.New("nothing was written")
	// ErrSenseless is the error of an invalid change.
	ErrSenseless = errors.New("store")
)

// read returns the result of read-only queries.
func read[T any](ctx context.Context, half Half, run func(*Queries) T) (result T, err error) {
	err = half.Read(ctx, func(q *Queries) { result = run(q) })
	return result, err
}

// write returns the result of a transaction, which may find that there is nothing to write.
func write[T any](ctx context.Context, half Half, run func(q *Queries, now int64) T) (result T, err error) {
	err = half.Write(ctx, func(q *Queries, now int64) { result = run(q, now) })
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
	// Monotonic is the clock that waits are measured by.
	Monotonic func() time.Time

	log     *zap.Logger
	stirred chan struct{} // receives after a write, without blocking
	moving  chan struct{} // held while something is moved
	waits   waits
	waiting atomic.Int64 // questions closed since Maintain has moved the last crowd
}

var _ store.Store = (*Store)(nil)

// New returns the store on a backend.
func New(b Backend, inbox, history Half, o store.Options) *Store {
	if o.Monotonic == nil {
		o.Monotonic = time.Now
	}
	return &Store{Backend: b, inbox: inbox, history: history, log: cmp.Or(o.Log, zap.NewNop()), Monotonic: o.Monotonic, MostLookedAt: mostLookedAt, stirred: make(chan struct{}, 1), moving: make(chan struct{}, 1)}
}

// number returns a boolean as it is stored.
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

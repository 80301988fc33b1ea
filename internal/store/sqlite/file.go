package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the driver

	"followup/internal/store"
	"followup/internal/store/sqlstore"
)

const (
	// maxReaders is how many connections read one file.
	maxReaders = 4
	// busyPatience limits the wait for another process, with busyPause between tries. SQLite's own wait does not end with a context.
	busyPatience = 5 * time.Second
	busyPause    = 2 * time.Millisecond
	// closePatience is how long closing waits for a transaction.
	closePatience = 5 * time.Second
)

// besides are the extensions of the files that belong to a database.
var besides = []string{"", "-wal", "-shm"}

// file is one of the two SQLite files, with a connection that writes and some that read.
type file struct {
	half
	path   string
	now    func() time.Time
	turn   chan struct{} // held while the writing connection is in use
	writes statements    // on one connection
	reads  statements

	known  []os.FileInfo // the files when they were opened
	closed atomic.Bool
}

var _ sqlstore.Half = (*file)(nil)

// connect opens connections to a file, with further pragmas.
func connect(path string, more ...string) (*sql.DB, error) {
	path, err := filepath.Abs(path) // the first element of a relative one would be parsed as a host
	if err != nil {
		return nil, err
	}
	slashed := filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		slashed = "/" + slashed
	}
	address := url.URL{Scheme: "file", Path: slashed, RawQuery: url.Values{"_pragma": append(more, "trusted_schema(0)", "cell_size_check(1)")}.Encode()}
	return sql.Open("sqlite", address.String())
}

// Read runs queries on one of the reading connections.
func (f *file) Read(ctx context.Context, run func(*sqlstore.Queries)) error {
	return f.patiently(ctx, func() error {
		if err := f.usable(); err != nil {
			return err
		}
		q := &sqlstore.Queries{Ctx: ctx, On: &f.reads, Adapt: adapt}
		run(q)
		return q.Err
	})
}

// Write runs a transaction. It is the file's only writer from its beginning, so that no other one makes it fail halfway.
func (f *file) Write(ctx context.Context, run func(q *sqlstore.Queries, now int64)) error {
	return f.alone(ctx, func(q *sqlstore.Queries) {
		if q.Exec("BEGIN IMMEDIATE"); q.Err != nil {
			return
		}
		defer func() { _, _ = q.On.ExecContext(q.Ctx, "ROLLBACK") }() // unless committed, even after a panic
		run(q, f.now().UnixMilli())
		q.Exec("COMMIT")
	})
}

// alone runs work on the writing connection. Once begun, it ignores the end of ctx.
func (f *file) alone(ctx context.Context, work func(*sqlstore.Queries)) error {
	return f.patiently(ctx, func() error {
		select {
		case f.turn <- struct{}{}:
			defer func() { <-f.turn }()
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := f.usable(); err != nil {
			return err
		}
		q := &sqlstore.Queries{Ctx: context.WithoutCancel(ctx), On: &f.writes, Adapt: adapt}
		work(q)
		return q.Err
	})
}

// statements caches prepared statements: preparing one takes longer than running it.
type statements struct {
	db       *sql.DB
	mu       sync.Mutex
	prepared map[string]*sql.Stmt
}

func (p *statements) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.prepared[query]; s != nil {
		return s, nil
	}
	s, err := p.db.PrepareContext(ctx, query)
	if p.prepared == nil {
		p.prepared = map[string]*sql.Stmt{}
	}
	if err == nil {
		p.prepared[query] = s
	}
	return s, err
}

// ExecContext implements sql.DB's. A query without arguments may be several statements, and is not prepared.
func (p *statements) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if len(args) == 0 {
		return p.db.ExecContext(ctx, query)
	}
	s, err := p.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// QueryContext implements sql.DB's.
func (p *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := p.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// adapt passes a list of values to SQLite as one JSON array.
func adapt(query string, args []any) (string, []any) {
	args = slices.Clone(args)
	for i, arg := range args {
		switch arg.(type) {
		case []string, []int64:
			list, _ := json.Marshal(arg)
			args[i] = string(list)
		}
	}
	return strings.ReplaceAll(query, "= ANY (?)", "IN (SELECT value FROM json_each(?))"), args
}

// patiently retries while another process is in the way, and classifies other errors.
func (f *file) patiently(ctx context.Context, try func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for began := time.Now(); ; {
		err := try()
		if err != nil && f.closed.Load() {
			return store.ErrClosed
		}
		if !isBusy(err) || time.Since(began) > busyPatience {
			return classify(err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w: %w", store.ErrUnavailable, ctx.Err(), err)
		case <-time.After(busyPause):
		}
	}
}

// usable returns why the file cannot be used: it is closed, or was removed or replaced. Writes to a removed file would be lost.
func (f *file) usable() error {
	if f.closed.Load() {
		return store.ErrClosed
	}
	for i, was := range f.known {
		now, err := os.Stat(f.path + besides[i])
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%w: %w", store.ErrGone, err)
		case err != nil:
			return err
		case !os.SameFile(now, was):
			return fmt.Errorf("%w: %s is another file now", store.ErrGone, filepath.Base(f.path)+besides[i])
		}
	}
	return nil
}

func (f *file) ping(ctx context.Context) error {
	return f.Read(ctx, func(q *sqlstore.Queries) { q.One("PRAGMA schema_version", nil, new(int)) })
}

// close closes the connections; with the last one of all processes, SQLite removes the log and its index.
func (f *file) close() error {
	if f.closed.Swap(true) {
		return nil
	}
	var err error
	if f.writes.db != nil {
		select { // after the last transaction
		case f.turn <- struct{}{}:
			defer func() { <-f.turn }()
		case <-time.After(closePatience):
		}
		err = f.writes.db.Close()
	}
	if f.reads.db != nil {
		err = errors.Join(err, f.reads.db.Close())
	}
	return err
}

// Package store keeps sessions, questions, drafts and outcomes on disk: one SQLite file that all windows share. What a
// method has written is durable when it returns.
package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
)

// Options are what a store runs on.
type Options struct {
	// Owner names this process among those that share the store: random, and not empty.
	Owner string
	// Now is the clock; nil: the system's.
	Now func() time.Time
	// Log gets what no caller is told; nil: nobody does. No text of a question or an answer is logged.
	Log *zap.Logger
	// Lease is how long questions stay this process's after a Renew; 0: DefaultLease.
	Lease time.Duration
}

const (
	// DefaultLease is how long a process owns its questions after it was last heard of.
	DefaultLease = 30 * time.Second
	// Undo is how long a deleted question can be restored.
	Undo = 10 * time.Second
	// UncollectedKept is how long an answer that no agent has collected outlives the Retention.
	UncollectedKept = 7 * 24 * time.Hour
)

const (
	maxReaders    = 4
	closePatience = 5 * time.Second
)

// Report is what opening a store found.
type Report struct {
	// SetAside is the path that a damaged file was renamed to; empty when none was.
	SetAside string
	// Damage is what was wrong with it.
	Damage error
	// Migrated is the schema version that the file had, when it was brought up to date; 0 otherwise.
	Migrated int
}

// Store is an open store. Its methods may be called from several goroutines. A write that has begun is carried through when
// its context ends.
type Store struct {
	dir, owner string
	now        func() time.Time
	lease      time.Duration
	log        *zap.Logger
	lock       *os.File // shared by all processes that have the file open

	mu     sync.Mutex // held by the one transaction that writes
	writer *sql.Conn  // nil when the store is closed
	writes statements
	reads  statements
	pools  []*sql.DB

	closed  atomic.Bool
	wrote   atomic.Int64  // how many transactions this process has committed
	settled atomic.Int64  // how many there were when Maintain last looked at the log
	calm    *time.Timer   // ends when nothing was written for the time of quiet
	busy    chan struct{} // gets a word when there was no quiet for long, if there is room
	quiet   time.Duration
	suspect sync.Once
	leased  int64   // until when this process's lease runs; guarded by mu
	scanned scanned // guarded by mu
	idle    sync.Mutex
	rested  rest // guarded by idle
}

// Open opens the store in a folder, making both if need be: the folder with mode 0700, files with 0600. It brings a file of
// an earlier version up to date and sets a damaged one aside. Errors: ErrNewer, ErrDamaged (while another process has the
// damaged file open), ErrUnavailable.
func Open(ctx context.Context, dir string, o Options) (*Store, Report, error) {
	if o.Owner == "" {
		return nil, Report{}, errors.New("store: Options.Owner is empty")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	if o.Lease <= 0 {
		o.Lease = DefaultLease
	}
	opening := opener{dir: dir, options: o, log: o.Log}
	s, err := opening.open(ctx)
	return s, opening.report, classify(err)
}

// Opening is a store that is being opened beside other work.
type Opening struct {
	done   chan struct{}
	store  *Store
	report Report
	err    error
}

// Begin starts opening a store and returns at once. Ending ctx gives up the opening.
func Begin(ctx context.Context, dir string, o Options) *Opening {
	opening := &Opening{done: make(chan struct{})}
	go func() {
		defer close(opening.done)
		opening.store, opening.report, opening.err = Open(ctx, dir, o)
	}()
	return opening
}

// Wait gives what Open gives, when it is there. It may be called often; ending its ctx ends the waiting only.
func (o *Opening) Wait(ctx context.Context) (*Store, Report, error) {
	select {
	case <-o.done:
		return o.store, o.report, o.err
	case <-ctx.Done():
		return nil, Report{}, ctx.Err()
	}
}

// connect opens the connections: one that writes, and as many as are needed that read.
func (s *Store) connect(ctx context.Context, path string) error {
	writing, err := connect(path)
	if err != nil {
		return err
	}
	reading, err := connect(path, pragma{"query_only", "1"})
	if err != nil {
		return err
	}
	writers, readers := sql.OpenDB(writing), sql.OpenDB(reading)
	readers.SetMaxOpenConns(maxReaders)
	readers.SetMaxIdleConns(1)
	s.pools = []*sql.DB{readers, writers}
	if s.writer, err = writers.Conn(ctx); err != nil {
		return err
	}
	s.reads.prepare = func(query string) (statement, error) {
		stmt, err := readers.PrepareContext(context.Background(), query)
		return pooled{stmt}, err
	}
	return s.writer.Raw(func(conn any) error { // it stays the writer's, so that its statements can be run directly
		s.writes.prepare = func(query string) (statement, error) {
			stmt, err := conn.(driver.ConnPrepareContext).PrepareContext(context.Background(), query)
			return direct{stmt}, err
		}
		return nil
	})
}

// disconnect closes the connections. Together with the last one of all processes, SQLite removes the files beside the file.
func (s *Store) disconnect() error {
	var errs []error
	s.reads.close()
	s.writes.close()
	if s.writer != nil {
		errs = append(errs, s.writer.Close())
		s.writer = nil
	}
	for _, pool := range s.pools {
		errs = append(errs, pool.Close())
	}
	return errors.Join(errs...)
}

// Close gives up this process's leases and closes the files. A second Close does nothing.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	last := s.transactLocked(ctx, (*tx).endLease)
	if s.wrote.Load() > 0 { // the last process to close the file moves the log into it
		last = errors.Join(last, s.transactLocked(ctx, (*tx).cleanPages))
	}
	opening, err := acquire(ctx, filepath.Join(s.dir, openingName), true)
	if err != nil {
		s.log.Warn("closing the store while another process opens it", zap.Error(err))
	} else {
		defer func() { _ = opening.Close() }() // nothing was written to it
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return classify(errors.Join(last, s.disconnect(), s.lock.Close()))
}

// Package sqlite is the engine that keeps the store in a folder: one SQLite file.
package sqlite

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

	"followup/internal/store"
	"followup/internal/store/engine"
)

const (
	maxReaders    = 4
	closePatience = 5 * time.Second
)

// Store is an open store; see store.Store for what its methods do.
type Store struct {
	dir string
	now func() time.Time
	thresholds
	log       *zap.Logger
	lock      *os.File // shared by all processes that have the file open
	exclusive *os.File // locked by the process with the exclusive store; nil in others

	header *headerFile

	files       []os.FileInfo // what the file and those beside it were when they were opened; see besides
	paths       []string      // of these
	turn        chan struct{} // holds a value while the writer is in use
	writer      *sql.Conn     // nil when the store is closed
	unflushed   bool          // its commits are not flushed; guarded by turn
	waiting     atomic.Int64  // how many wait for the writer, or use it, and are waited for
	maintaining chan struct{} // holds a value while somebody does what can wait
	worked      atomic.Int64  // how many transactions were steps
	flushed     atomic.Int64  // how often the log was flushed behind them
	stepped     atomic.Int64  // how many steps of such work there were
	lastStep    atomic.Int64  // how long the last one took
	units       int           // how much the next step may do; guarded by turn
	largest     int           // how many statements the largest step ran; guarded by turn
	emptying    atomic.Bool   // the log is being emptied between steps
	patience    time.Duration
	writes      statements
	reads       statements
	pools       []*sql.DB

	closed  atomic.Bool
	wrote   atomic.Int64  // how many transactions this process has committed
	looked  atomic.Int64  // how many there were when Maintain last looked at the log
	calm    *time.Timer   // ends when nothing was written for the time of quiet
	busy    chan struct{} // gets a word when there was no quiet for long, if there is room
	quiet   time.Duration
	suspect sync.Once
	scanned scanned // guarded by turn
	unclean unclean
	rested  rest      // guarded by maintaining
	swept   time.Time // guarded by maintaining
}

var _ store.Store = (*Store)(nil)

// open returns why the store cannot be used, if it is closed or gone.
func (s *Store) open() error {
	if s.closed.Load() {
		return store.ErrClosed
	}
	return s.there()
}

// Open opens the store in a folder, creating both if need be: the folder with mode 0700, files with 0600. It sets aside a file
// that is damaged, or that an earlier build or another program has made. Errors: ErrNewer, ErrDamaged (while another process has the
// damaged file open), ErrUnavailable.
func Open(ctx context.Context, dir string, o store.Options) (*Store, store.Report, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	opening := opener{dir: dir, options: o, log: o.Log}
	s, err := opening.open(ctx)
	return s, opening.report, classify(err)
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
	return errors.Join(append(errs, s.header.close())...)
}

// Close closes the files. A second Close does nothing.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	last := s.patiently(ctx, true, func() error { return s.transactInTurn(ctx, true, (*tx).cleanAll) })
	opening, err := acquire(ctx, filepath.Join(s.dir, openingName), true)
	if err != nil {
		s.log.Warn("closing the store while another process opens it", zap.Error(err))
	} else {
		defer func() { _ = opening.Close() }() // nothing was written to it
	}
	s.turn <- struct{}{} // what was begun is carried through
	defer func() { <-s.turn }()
	if errors.Is(last, store.ErrGone) || errors.Is(last, engine.ErrNothing) {
		last = nil // there is nothing to leave behind
	}
	err = errors.Join(last, s.disconnect(), s.lock.Close())
	if s.exclusive != nil {
		err = errors.Join(err, s.exclusive.Close())
	}
	return classify(err)
}

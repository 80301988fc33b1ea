// Package postgres is the engine that keeps the store in a PostgreSQL database.
package postgres

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/zap"

	"followup/internal/store"
)

const (
	// maxConns is how many connections a process has for its reads and writes, besides the one that holds the exclusive store's lock. They are made when they are
	// needed, and closed when they are not.
	maxConns = 4
	// connectPatience bounds how long a server is waited for that does not answer.
	connectPatience    = 5 * time.Second
	schemaPatience     = 5 * time.Minute
	usualClosePatience = 3 * time.Second
	// patience bounds how long other transactions are waited for, all tries together, and usualCutPatience a server that is not there: it
	// may only have been started anew.
	patience         = 60 * time.Second
	usualCutPatience = 2 * time.Second
	// workPatience is how long a read or a transaction may take altogether. The server ends its statements earlier.
	workPatience = 40 * time.Second
	// usualFirstPatience is how long the first try of a transaction may take. It has another connection tried where this one carries nothing
	// any more and has not been closed; a server that is slow has workPatience with the second try.
	usualFirstPatience = 5 * time.Second
	// pingPatience is how long a connection that was idle may take to answer before another one is taken.
	pingPatience     = 2 * time.Second
	statementTimeout = 30 * time.Second
	lockTimeout      = 10 * time.Second
	idleTimeout      = 15 * time.Second
	// The pauses between tries.
	firstPause = 2 * time.Millisecond
	lastPause  = 200 * time.Millisecond
)

// Advisory locks, each with the store's lockID; see exclusive.go, index.go.
const (
	schemaLock = 0x666f6c31
	keeperLock = 0x666f6c32
	wordsLock  = 0x666f6c33
)

// Store is an open store; see store.Store for what its methods do.
type Store struct {
	schema    string
	lockID    int32 // tells the locks of the stores of one database apart
	now       func() time.Time
	log       *zap.Logger
	pool      *pgxpool.Pool
	config    *pgx.ConnConfig
	exclusive *exclusive // nil if other processes may write too

	closed  atomic.Bool
	stirred chan struct{} // gets a word when something was written, if there is room
	quiet   time.Duration
	near    int // how many of the newest entries are searched by reading them
	// cutPatience is how long a server is waited for that is not there.
	cutPatience time.Duration
	// firstPatience is how long the first try of a transaction may take.
	firstPatience time.Duration
	// closePatience is how long Close waits for the server, and then for those who use a connection.
	closePatience time.Duration

	mu    sync.Mutex
	swept time.Time
}

var (
	_ store.Store  = (*Store)(nil)
	_ store.Reader = (*Store)(nil)
)

// Owns reports false: the store has no files here.
func (s *Store) Owns(string) bool { return false }

// Close closes the connections. A second Close does nothing.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		s.pool.Close()
		if s.exclusive != nil { // behind the last transaction
			s.exclusive.close()
		}
	}()
	select {
	case <-closed:
	case <-time.After(s.closePatience): // what still runs ends by itself
	}
	return nil
}

// read runs queries on any connection.
func (s *Store) read(ctx context.Context, run func(querier) error) error {
	return s.patiently(ctx, func() error {
		if s.closed.Load() {
			return store.ErrClosed
		}
		ctx, cancel := context.WithTimeout(ctx, workPatience)
		defer cancel()
		return notFound(run(querier{ctx, s.pool}))
	})
}

// patiently tries again while other transactions are in the way, or the server was away for a moment, at least once, and classifies what
// else goes wrong.
func (s *Store) patiently(ctx context.Context, try func() error) error {
	began := time.Now()
	again := false
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := try()
		if err != nil && s.closed.Load() {
			return store.ErrClosed
		}
		limit := patience
		switch {
		case isCollision(err):
		case isCut(err):
			limit = s.cutPatience
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if code(err) != tooMany {
				s.pool.Reset() // the others are broken too, or soon will be
			}
		default:
			return classify(err)
		}
		if again && time.Since(began)+pause > limit {
			return classify(err)
		}
		again = true
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(jittered(pause)):
		}
	}
}

// lockOf are the two numbers of an advisory lock.
func lockOf(lock int, s *Store) string { return fmt.Sprintf("%d, %d", lock, s.lockID) }

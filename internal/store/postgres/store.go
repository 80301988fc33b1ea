// Package postgres is the store in a PostgreSQL database; see package sqlstore.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"followup/internal/store"
	"followup/internal/store/sqlstore"
)

const (
	// maxConns is how many connections a process has for its reads and writes, besides the one that holds the exclusive store's lock. They are
	// made when they are needed, and closed when they are not.
	maxConns = 4
	// connectPatience bounds how long a server is waited for that does not answer.
	connectPatience    = 5 * time.Second
	schemaPatience     = 5 * time.Minute
	usualClosePatience = 3 * time.Second
	// patience bounds how long other transactions are waited for, all tries together, and usualCutPatience a server that is not there: it
	// may only have been restarted.
	patience         = 60 * time.Second
	usualCutPatience = 2 * time.Second
	// workPatience is how long a read or a transaction may take altogether. The server ends its statements earlier.
	workPatience = 40 * time.Second
	// usualFirstPatience is how long the first try of a read or a transaction may take. It has another connection tried where this one carries nothing
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

// Advisory locks, each with the database's lockID; see exclusive.go.
const (
	schemaLock = 0x666f6c31
	keeperLock = 0x666f6c32
)

// database is an open store's schema of a database.
type database struct {
	schema    string
	lockID    int32 // tells the locks of the stores of one database apart
	now       func() time.Time
	pool      *pgxpool.Pool
	db        *sql.DB // the pool, as package sqlstore takes it
	config    *pgx.ConnConfig
	exclusive *exclusive // nil if other processes may write too

	closed atomic.Bool
	near   int // how many of the newest entries are searched by reading them
	// cutPatience is how long a server is waited for that is not there, firstPatience how long the first try may take, and
	// closePatience how long Close waits for the server, and then for those who use a connection.
	cutPatience, firstPatience, closePatience time.Duration
}

var (
	_ sqlstore.Backend = (*database)(nil)
	_ sqlstore.Half    = (*database)(nil)
)

// Owns reports false: the store has no files here.
func (d *database) Owns(string) bool { return false }

// Recover does nothing: the server's administrator has backups.
func (d *database) Recover(context.Context) error { return nil }

// Tidy does nothing: the tables and the index are the server's to tidy up, by its autovacuum.
func (d *database) Tidy(context.Context) error { return nil }

// Erase does nothing: what files, logs, replicas and backups hold of removed rows is the administrator's.
func (d *database) Erase(context.Context) error { return nil }

// LockAccounts locks the accounts against other processes.
func (d *database) LockAccounts(q sqlstore.Queries) error {
	_, err := q.Exec("LOCK TABLE accounts IN EXCLUSIVE MODE")
	return err
}

// Close closes the connections. A second Close does nothing.
func (d *database) Close() error {
	if d.closed.Swap(true) {
		return nil
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = d.db.Close() // whose connections are the pool's
		d.pool.Close()
		if d.exclusive != nil { // behind the last transaction
			d.exclusive.close()
		}
	}()
	select {
	case <-closed:
	case <-time.After(d.closePatience): // what still runs ends by itself
	}
	return nil
}

// Ping returns nil if the database can be read, and if this process still has the exclusive store that it has opened.
func (d *database) Ping(ctx context.Context) error {
	if d.closed.Load() {
		return store.ErrClosed
	}
	if d.exclusive != nil {
		return d.exclusive.check(ctx)
	}
	return d.Read(ctx, func(q sqlstore.Queries) error {
		version := 0
		if err := q.One("SELECT version FROM schema_version", nil, &version); err != nil {
			return err
		}
		return checkVersion(version)
	})
}

// Read runs queries on any connection.
func (d *database) Read(ctx context.Context, run func(sqlstore.Queries) error) error {
	patience := d.firstPatience
	return d.patiently(ctx, func() error {
		if d.closed.Load() {
			return store.ErrClosed
		}
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		patience = workPatience
		return run(sqlstore.Queries{Ctx: ctx, On: d.db, Adapt: adapt, Into: into})
	})
}

// Write runs a transaction. Where the connection breaks during the commit, the transaction is run again: writing the same again changes
// nothing.
func (d *database) Write(ctx context.Context, run func(q sqlstore.Queries, now int64) error) error {
	patience := d.firstPatience
	return d.patiently(ctx, func() error {
		if d.closed.Load() {
			return store.ErrClosed
		}
		err := d.transact(ctx, patience, run)
		patience = workPatience
		return err
	})
}

// transact runs a transaction once. What has begun does not end with ctx.
func (d *database) transact(ctx context.Context, patience time.Duration, run func(q sqlstore.Queries, now int64) error) error {
	waiting, end := context.WithTimeout(ctx, patience)
	conn, err := d.db.Conn(waiting)
	end()
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // back to the pool, which closes one that is not between transactions
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	var direct *pgx.Conn
	if err := conn.Raw(func(driver any) error { direct = driver.(*stdlib.Conn).Conn(); return nil }); err != nil {
		return err
	}
	now, err := d.begin(ctx, direct)
	if err == nil {
		err = run(sqlstore.Queries{Ctx: ctx, On: conn, Adapt: adapt, Into: into}, now)
	}
	if err != nil {
		err = cutOf(direct, err)
		_, _ = direct.Exec(ctx, "ROLLBACK") // or the connection is closed, with the same effect
		return err
	}
	tag, err := direct.Exec(ctx, "COMMIT")
	if err == nil && tag.String() == "ROLLBACK" {
		err = errors.New("the server has rolled the transaction back")
	}
	return cutOf(direct, err)
}

// begin begins a transaction, makes sure that this process may write, and returns the time: all in one exchange with the server.
func (d *database) begin(ctx context.Context, conn *pgx.Conn) (now int64, err error) {
	version := 0
	batch := &pgx.Batch{}
	batch.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	batch.Queue("SELECT "+theClock+", version FROM schema_version", d.clock()).QueryRow(func(row pgx.Row) error { return row.Scan(&now, &version) })
	superseded := func() bool { return false }
	if d.exclusive != nil {
		superseded = d.exclusive.fence(batch)
	}
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return 0, err
	}
	if superseded() {
		return 0, errSuperseded
	}
	return now, checkVersion(version)
}

// theClock is the store's: what the first parameter says, or else the server's, which is the same for all processes.
const theClock = "coalesce($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)"

// clock is what theClock is given: nil for the server's time.
func (d *database) clock() *int64 {
	if d.now == nil {
		return nil
	}
	now := d.now().UnixMilli()
	return &now
}

// patiently tries again while other transactions are in the way, or the server was away for a moment, at least once, and classifies what
// else goes wrong.
func (d *database) patiently(ctx context.Context, try func() error) error {
	began := time.Now()
	again := false
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := try()
		if err != nil && d.closed.Load() {
			return store.ErrClosed
		}
		limit := patience
		switch {
		case isCollision(err):
		case isCut(err):
			limit = d.cutPatience
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if code(err) != tooMany {
				d.pool.Reset() // the others are broken too, or soon will be
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

// jittered keeps those who wait for the same from trying at the same time.
func jittered(pause time.Duration) time.Duration { return pause/2 + rand.N(pause) }

// lockOf are the two numbers of an advisory lock.
func lockOf(lock int, d *database) string { return fmt.Sprintf("%d, %d", lock, d.lockID) }

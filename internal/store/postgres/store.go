// Package postgres is the store in a PostgreSQL database; see package sqlstore.
package postgres

import (
	"context"
	"database/sql"
	"errors"
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
	// maxConns limits the connections of a process, besides the one that holds the lock. They are opened on demand, and closed when
	// idle.
	maxConns = 4
	// connectPatience limits the wait for a server that does not respond.
	connectPatience    = 5 * time.Second
	schemaPatience     = 5 * time.Minute
	usualClosePatience = 3 * time.Second
	// patience limits the wait for other transactions, and usualCutPatience that for a missing server, which may be restarting.
	patience         = 60 * time.Second
	usualCutPatience = 2 * time.Second
	// workPatience limits a read or a transaction in total. The server ends its statements earlier.
	workPatience = 40 * time.Second
	// usualFirstPatience limits the first try of a transaction, so that a dead connection is replaced. A slow server has
	// workPatience later.
	usualFirstPatience = 5 * time.Second
	// pingPatience is how long an idle connection may take to respond before another one is used.
	pingPatience     = 2 * time.Second
	statementTimeout = 30 * time.Second
	lockTimeout      = 10 * time.Second
	// idleTimeout is how long the server keeps the locks of a transaction whose connection is dead. It is not longer than the first try of
	// the transaction, so that the second one does not wait for them.
	idleTimeout = usualFirstPatience
	// The pauses between tries.
	firstPause = 2 * time.Millisecond
	lastPause  = 200 * time.Millisecond
)

// Advisory locks: for creating a schema, with a hash of its name, and for the exclusive store; see exclusive.go.
const (
	schemaLock = 0x666f6c31
	keeperLock = 0x666f6c32
)

type database struct {
	schema    string
	now       func() time.Time
	pool      *pgxpool.Pool
	db        *sql.DB // the pool, for package sqlstore
	config    *pgx.ConnConfig
	exclusive *exclusive // nil if other processes may also write

	closed atomic.Bool
	near   int // how many of the newest entries are searched by reading them
	// Limits for a missing server, for the first try, and for Close; see usualCutPatience and the others.
	cutPatience, firstPatience, closePatience time.Duration
}

var (
	_ sqlstore.Backend = (*database)(nil)
	_ sqlstore.Half    = (*database)(nil)
)

// Owns returns false: the store has no files here.
func (d *database) Owns(string) bool { return false }

// Recover does nothing: the server's administrator has backups.
func (d *database) Recover(context.Context) error { return nil }

// Tidy does nothing: the server's autovacuum does.
func (d *database) Tidy(context.Context) error { return nil }

// Erase does nothing: the administrator is responsible for removed rows in files, logs, replicas and backups.
func (d *database) Erase(context.Context) error { return nil }

// Beat records a heartbeat; see store.Store. It does not wait for the disk.
func (d *database) Beat(ctx context.Context, address string, leaves bool) (all []store.Member, now time.Time, err error) {
	err = d.Read(ctx, func(q *sqlstore.Queries) {
		own := `INSERT INTO hubs SELECT ?, 1, clock_timestamp() FROM set_config('synchronous_commit', 'off', true)
			ON CONFLICT (address) DO UPDATE SET beats = hubs.beats + 1, at = excluded.at`
		if leaves {
			own = "DELETE FROM hubs WHERE address = ? OR at < clock_timestamp() - interval '1 hour'"
		}
		q.Exec(own, address)
		all = nil
		for scan := range q.Each(`SELECT address, beats, (extract(epoch FROM clock_timestamp() - at) * 1000)::bigint,
			(extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM hubs WHERE at > clock_timestamp() - interval '1 hour'`) {
			var m store.Member
			var silent, at int64
			scan(&m.Address, &m.Beats, &silent, &at)
			m.Silent, now = time.Duration(silent)*time.Millisecond, time.UnixMilli(at)
			all = append(all, m)
		}
	})
	return all, now, err
}

func (d *database) Close() error {
	if d.closed.Swap(true) {
		return nil
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = d.db.Close() // whose connections are the pool's
		d.pool.Close()
		if d.exclusive != nil { // after the last transaction
			d.exclusive.close()
		}
	}()
	select {
	case <-closed:
	case <-time.After(d.closePatience): // running work ends by itself
	}
	return nil
}

// Ping returns nil if the database can be read, and this process still has the exclusive store, if it has opened one.
func (d *database) Ping(ctx context.Context) error {
	if d.closed.Load() {
		return store.ErrClosed
	}
	if d.exclusive != nil {
		return d.exclusive.check(ctx)
	}
	return d.Read(ctx, func(q *sqlstore.Queries) {
		version := 0
		q.One("SELECT version FROM schema_version", nil, &version)
		q.Fail(checkVersion(version))
	})
}

// Read runs queries on any connection.
func (d *database) Read(ctx context.Context, run func(*sqlstore.Queries)) error {
	return d.patiently(ctx, func(bound time.Duration) error {
		ctx, cancel := context.WithTimeout(ctx, bound)
		defer cancel()
		q := &sqlstore.Queries{Ctx: ctx, On: d.db, Adapt: adapt}
		run(q)
		return q.Err
	})
}

// Write runs a transaction, and again if the connection breaks during the commit: writing the same twice changes nothing.
func (d *database) Write(ctx context.Context, run func(q *sqlstore.Queries, now int64)) error {
	return d.patiently(ctx, func(bound time.Duration) error { return d.transact(ctx, bound, run) })
}

// transact runs a transaction once. Once begun, it ignores the end of ctx.
func (d *database) transact(ctx context.Context, patience time.Duration, run func(q *sqlstore.Queries, now int64)) error {
	until := time.Now().Add(patience)
	waiting, end := context.WithDeadline(ctx, until)
	conn, err := d.db.Conn(waiting)
	end()
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // returns it to the pool, which closes one in a transaction
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), until)
	defer cancel()
	var direct *pgx.Conn
	if err := conn.Raw(func(driver any) error { direct = driver.(*stdlib.Conn).Conn(); return nil }); err != nil {
		return err
	}
	now, err := d.begin(ctx, direct)
	if err == nil {
		q := &sqlstore.Queries{Ctx: ctx, On: conn, Adapt: adapt}
		run(q, now)
		err = q.Err
	}
	if err != nil {
		if err = cutOf(direct, err); !errors.Is(err, errCut) {
			_, _ = direct.Exec(ctx, "ROLLBACK") // otherwise the connection is closed, with the same effect
		}
		return err
	}
	tag, err := direct.Exec(ctx, "COMMIT")
	if err == nil && tag.String() == "ROLLBACK" {
		err = errors.New("the server has rolled the transaction back")
	}
	return cutOf(direct, err)
}

// begin begins a transaction, makes sure that this process may write, and returns the time: all in one round trip.
func (d *database) begin(ctx context.Context, conn *pgx.Conn) (now int64, err error) {
	version := 0
	batch := &pgx.Batch{}
	batch.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	batch.Queue("SELECT "+theClock+", version FROM schema_version", d.clock()).QueryRow(func(row pgx.Row) error { return row.Scan(&now, &version) })
	epoch, own := int64(0), int64(0)
	if d.exclusive != nil {
		own = d.exclusive.epoch
		batch.Queue("SELECT epoch FROM keeper FOR SHARE").QueryRow(func(row pgx.Row) error { return row.Scan(&epoch) })
	}
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return 0, err
	}
	if epoch != own {
		return 0, errSuperseded
	}
	return now, checkVersion(version)
}

// theClock is the store's time: the first parameter, or else the server's time, which is the same for all processes.
const theClock = "coalesce($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)"

// clock returns the parameter of theClock: nil for the server's time.
func (d *database) clock() *int64 {
	if d.now == nil {
		return nil
	}
	now := d.now().UnixMilli()
	return &now
}

// patiently retries, at least once, after collisions and broken connections, and classifies other errors. bound limits one try.
func (d *database) patiently(ctx context.Context, try func(bound time.Duration) error) error {
	began, bound := time.Now(), d.firstPatience
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := store.ErrClosed
		if !d.closed.Load() {
			err = try(bound)
		}
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
				d.pool.Reset() // the other connections are broken too, or soon will be
			}
		default:
			return classify(err)
		}
		if bound == workPatience && time.Since(began)+pause > limit {
			return classify(err)
		}
		bound = workPatience
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(jittered(pause)):
		}
	}
}

// jittered randomizes a pause, so that processes do not retry simultaneously.
func jittered(pause time.Duration) time.Duration { return pause/2 + rand.N(pause) }

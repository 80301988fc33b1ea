package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"followup/internal/store"
)

// A store that is opened exclusively is one process's at a time: the process that holds an advisory lock in a session of its own. A lock
// alone is not enough. The server gives it to the next process when the session ends, and the former one may not have noticed. So each
// process that gets the lock increments an epoch, and every transaction checks that the epoch is still its own (fencing). The transaction
// shares the row's lock, so that the next process waits for it, and loads what it has written.

// exclusive is the lock of an exclusive store.
type exclusive struct {
	store *database
	epoch int64

	mu   sync.Mutex
	pid  uint32    // the server's process of that session, or of the one before
	conn *pgx.Conn // whose session holds the lock; nil once it has broken
}

var errSuperseded = fmt.Errorf("%w: another process has taken over the database", store.ErrGone)

// exclusivePatience is how long opening waits for another process to end.
const exclusivePatience = 2 * time.Second

// takeExclusive makes this process the one that has the store.
func (s *database) takeExclusive(ctx context.Context, address string) error {
	e := &exclusive{store: s}
	ctx, cancel := context.WithTimeout(ctx, exclusivePatience+connectPatience)
	defer cancel()
	conn, err := e.lockBehindFormer(ctx)
	if err == nil {
		err = conn.QueryRow(ctx, "UPDATE keeper SET epoch = epoch + 1, address = $1, running = true RETURNING epoch", address).Scan(&e.epoch)
	}
	if err != nil {
		if conn != nil {
			closeConn(conn)
		}
		return classify(err)
	}
	e.conn, e.pid, s.exclusive = conn, conn.PgConn().PID(), e
	return nil
}

// lockBehindFormer opens a session that holds the lock, once it is free. A former process that has not closed the store may only have lost its connections, such as
// when the server was restarted: it gets some time to come back, so that nobody has to move.
func (e *exclusive) lockBehindFormer(ctx context.Context) (*pgx.Conn, error) {
	var free time.Time // since when nobody has the lock
	for until := time.Now().Add(exclusivePatience); ; {
		conn, err := e.lock(ctx)
		running := false
		if err == nil {
			err = conn.QueryRow(ctx, "SELECT running FROM keeper").Scan(&running)
			if err == nil && (!running || !free.IsZero() && time.Since(free) > returnPatience) {
				return conn, nil
			}
			closeConn(conn)
		}
		switch held := new(store.HeldError); {
		case err == nil && free.IsZero():
			free = time.Now()
		case err == nil:
		case !errors.As(err, &held), time.Now().After(until):
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(jittered(lastPause)):
		}
	}
}

// returnPatience is how long a process whose connections have broken may take to come back.
const returnPatience = 3 * time.Second

// lock opens a session that holds the lock; a store.HeldError if another one does.
func (e *exclusive) lock(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, e.store.config.Copy())
	if err != nil {
		return nil, err
	}
	var held bool
	if err = e.store.settle(ctx, conn); err == nil {
		err = conn.QueryRow(ctx, "SELECT pg_try_advisory_lock("+lockOf(keeperLock, e.store)+")").Scan(&held)
	}
	if err == nil && !held {
		other := &store.HeldError{}
		if err = conn.QueryRow(ctx, "SELECT address FROM keeper").Scan(&other.Address); err == nil {
			err = other
		}
	}
	if err != nil {
		closeConn(conn)
		return nil, err
	}
	return conn, nil
}

func closeConn(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = conn.Close(ctx) // it ends with the process in any case
}

// fence has a transaction check the epoch. The function that it returns reports, once the batch was sent, whether another process has taken
// over.
func (e *exclusive) fence(batch *pgx.Batch) (superseded func() bool) {
	epoch := int64(-1)
	batch.Queue("SELECT epoch FROM keeper FOR SHARE").QueryRow(func(row pgx.Row) error { return row.Scan(&epoch) })
	return func() bool { return epoch != e.epoch }
}

// check makes sure that this process has the lock, and takes it again after its session has broken. Nobody has taken over meanwhile if the
// epoch is still this process's.
func (e *exclusive) check(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.store.closed.Load() {
		return store.ErrClosed
	}
	if e.conn != nil {
		var epoch int64
		var version int
		err := e.conn.QueryRow(ctx, "SELECT epoch, version FROM keeper, schema_version").Scan(&epoch, &version)
		switch {
		case err == nil && epoch == e.epoch:
			return checkVersion(version)
		case err == nil:
			return errSuperseded
		case !e.conn.IsClosed():
			return classify(err)
		}
		e.conn = nil
	}
	conn, err := e.lock(ctx)
	if held := new(store.HeldError); errors.As(err, &held) {
		var epoch int64
		if reading := e.store.pool.QueryRow(ctx, "SELECT epoch FROM keeper").Scan(&epoch); reading == nil && epoch != e.epoch {
			return errSuperseded
		}
		if err = e.endFormerSession(ctx); err == nil {
			conn, err = e.lock(ctx)
		}
	}
	if err != nil {
		return classify(err)
	}
	tag, err := conn.Exec(ctx, "UPDATE keeper SET running = true WHERE epoch = $1", e.epoch)
	if err == nil && tag.RowsAffected() == 0 {
		err = errSuperseded
	}
	if err != nil {
		closeConn(conn)
		return classify(err)
	}
	e.conn, e.pid = conn, conn.PgConn().PID()
	return nil
}

// endFormerSession ends this process's own former session where it still holds the lock: the server has not noticed that its link is dead.
func (e *exclusive) endFormerSession(ctx context.Context) error {
	_, err := e.store.pool.Exec(ctx, `SELECT pg_terminate_backend(pid, 1000) FROM pg_locks
		WHERE locktype = 'advisory' AND granted AND pid = $1 AND classid = $2 AND objid = $3`, e.pid, keeperLock, uint32(e.store.lockID)) //nolint:gosec // the same bits
	return err
}

func (e *exclusive) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, _ = e.conn.Exec(ctx, "UPDATE keeper SET running = false WHERE epoch = $1", e.epoch) // or the next one waits a little longer
		closeConn(e.conn)
		e.conn = nil
	}
}

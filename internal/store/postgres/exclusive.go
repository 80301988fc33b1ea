package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"followup/internal/store"
)

// Only one process at a time has the exclusive store: the one whose session holds an advisory lock. The lock alone is not enough: when the
// session ends, the server gives it to the next process, and the former one may not have noticed. So each process that gets the lock
// increments an epoch, and every transaction checks that the epoch has not changed (fencing). The transaction shares the row's lock, so
// that the next process waits for it, and then loads its writes.

type exclusive struct {
	store *database
	epoch int64

	mu   sync.Mutex
	pid  uint32    // the server's process of the current session, or of the previous one
	conn *pgx.Conn // its session holds the lock; nil once it has broken
}

var errSuperseded = fmt.Errorf("%w: another process has taken over the database", store.ErrGone)

// exclusivePatience is how long opening waits for another process to end.
const exclusivePatience = 2 * time.Second

func (s *database) takeExclusive(ctx context.Context, o store.Options) error {
	e := &exclusive{store: s}
	ctx, cancel := context.WithTimeout(ctx, exclusivePatience+connectPatience)
	defer cancel()
	conn, err := e.lock(ctx, exclusivePatience, o.Dead)
	if err == nil {
		if err = conn.QueryRow(ctx, "UPDATE keeper SET epoch = epoch + 1, address = $1 RETURNING epoch", o.Address).Scan(&e.epoch); err != nil {
			closeConn(conn)
		}
	}
	if err != nil {
		return classify(err)
	}
	e.conn, e.pid, s.exclusive = conn, conn.PgConn().PID(), e
	return nil
}

// lock opens a session that holds the lock, or returns a store.HeldError after patience. It ends the sessions of a dead process.
func (e *exclusive) lock(ctx context.Context, patience time.Duration, dead func(string) bool) (_ *pgx.Conn, err error) {
	conn, err := pgx.ConnectConfig(ctx, e.store.config.Copy())
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			closeConn(conn)
		}
	}()
	if err := e.store.settle(ctx, conn); err != nil {
		return nil, err
	}
	for until := time.Now().Add(patience); ; {
		other, held := &store.HeldError{}, false
		if err := conn.QueryRow(ctx, "SELECT address, "+tryLock+" FROM keeper", keeperLock).Scan(&other.Address, &held); err != nil {
			return nil, err
		}
		if dead != nil && dead(other.Address) {
			if err := endSessions(ctx, conn, 0); err != nil {
				return nil, err
			}
		}
		switch {
		case held:
			return conn, nil
		case time.Now().After(until):
			return nil, other
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(jittered(lastPause)):
		}
	}
}

// tryLock acquires the lock of a store, whose id is that of its table in the database.
const tryLock = "pg_try_advisory_lock($1, 'keeper'::regclass::oid::int4)"

// endSessions ends the session that holds the lock, and those of its process's transactions, unless pid is another one. 0 means
// any.
func endSessions(ctx context.Context, on querier, pid uint32) error {
	_, err := on.Exec(ctx, `SELECT pg_terminate_backend(pid, 1000) FROM pg_locks
		WHERE granted AND pid <> pg_backend_pid() AND $1::bigint IN (0, pid)
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND (locktype = 'advisory' AND classid = $2 AND objid = 'keeper'::regclass
			OR locktype = 'relation' AND relation = 'keeper'::regclass AND mode = 'RowShareLock')`, pid, keeperLock)
	return err
}

func closeConn(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = conn.Exec(ctx, "SELECT pg_advisory_unlock_all()") // otherwise the next process waits until the session has ended
	_ = conn.Close(ctx)                                      // it also ends with the process
}

// current returns errSuperseded if another process has taken over.
func (e *exclusive) current(ctx context.Context, on querier) error {
	var epoch int64
	version := 0
	err := on.QueryRow(ctx, "SELECT epoch, version FROM keeper, schema_version").Scan(&epoch, &version)
	if err == nil && epoch != e.epoch {
		err = errSuperseded
	}
	return cmp.Or(err, checkVersion(version))
}

// check makes sure that this process has the lock. If its session has broken, it acquires the lock again, provided that the epoch
// is still its own.
func (e *exclusive) check(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.store.closed.Load() {
		return store.ErrClosed
	}
	if e.conn != nil {
		soon, cancel := context.WithTimeout(ctx, pingPatience) // its end closes a dead connection
		err := e.current(soon, e.conn)
		if cancel(); !e.conn.IsClosed() {
			return classify(err)
		}
		e.conn = nil
	}
	conn, err := e.lock(ctx, 0, nil)
	if held := new(store.HeldError); errors.As(err, &held) {
		if err = e.current(ctx, e.store.pool); err == nil {
			// The server may not have noticed that this process's own former session is dead.
			err = endSessions(ctx, e.store.pool, e.pid)
		}
		if err == nil {
			conn, err = e.lock(ctx, 0, nil)
		}
	}
	if err != nil {
		return classify(err)
	}
	if err := e.current(ctx, conn); err != nil {
		closeConn(conn)
		return classify(err)
	}
	e.conn, e.pid = conn, conn.PgConn().PID()
	return nil
}

func (e *exclusive) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.conn != nil {
		closeConn(e.conn)
		e.conn = nil
	}
}

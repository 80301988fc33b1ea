package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"followup/internal/store"
	"followup/internal/store/engine"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// tx is a write transaction. Its rows are locked in the order of sessions, questions, images, words; within each, by their names: so
// transactions wait for each other and do not get in each other's way. Where they do, the server ends one, and it is run again.
type tx struct {
	querier
	store   *Store
	mark    string // its own, in the notes of what may be forgotten
	now     int64  // milliseconds; the same for all that is written
	news    bool   // maintenance may have something to do
	words   []string
	facets  []engine.Facet
	last    func(*pgx.Batch) // queues what else belongs into the exchange that ends it
	dropped []string         // hashes of images that may be in nothing any more
}

// jittered keeps those who wait for the same from trying at the same time.
func jittered(pause time.Duration) time.Duration { return pause/2 + rand.N(pause) }

// write runs a transaction. When it returns without error, what was written is durable. Where the connection breaks during the commit, the
// transaction is run again: writing the same again changes nothing.
func (s *Store) write(ctx context.Context, run func(*tx) error) error {
	patience := s.firstPatience
	return s.patiently(ctx, func() error {
		if s.closed.Load() {
			return store.ErrClosed
		}
		err := s.transact(ctx, patience, run)
		patience = workPatience
		return err
	})
}

// transact runs a transaction once. What has begun does not end with ctx.
func (s *Store) transact(ctx context.Context, patience time.Duration, run func(*tx) error) error {
	waiting, end := context.WithTimeout(ctx, patience)
	conn, err := s.pool.Acquire(waiting)
	end()
	if err != nil {
		return err
	}
	defer conn.Release() // which closes one that is not between transactions
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	t := &tx{querier: querier{ctx, conn}, store: s, mark: strconv.FormatUint(rand.Uint64(), 36)}
	var version int
	batch := &pgx.Batch{}
	batch.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	batch.Queue("SELECT "+theClock+", version FROM schema_version", s.clock()).QueryRow(func(row pgx.Row) error {
		return row.Scan(&t.now, &version)
	})
	superseded := func() bool { return false }
	if s.exclusive != nil {
		superseded = s.exclusive.fence(batch)
	}
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	if err = checkVersion(version); err == nil && superseded() {
		err = errSuperseded
	}
	if err == nil {
		err = run(t)
	}
	if err == nil {
		err = t.dropImages()
	}
	if err != nil {
		err = cutOf(conn.Conn(), err)
		_, _ = conn.Exec(ctx, "ROLLBACK") // or the connection is closed, with the same effect
		return err
	}
	if err := t.commit(conn.Conn()); err != nil {
		return err
	}
	if t.news {
		select {
		case s.stirred <- struct{}{}:
		default:
		}
	}
	return nil
}

// commit ends the transaction, in one exchange with the server.
func (t *tx) commit(conn *pgx.Conn) error {
	batch := &pgx.Batch{}
	if t.last != nil {
		t.last(batch)
	}
	if len(t.words) > 0 || len(t.facets) > 0 {
		t.queueWords(batch)
	}
	batch.Queue("COMMIT")
	results := conn.SendBatch(t.ctx, batch)
	var err error
	for range batch.Len() {
		tag, failed := results.Exec()
		if failed != nil {
			err = failed
			break
		}
		if tag.String() == "ROLLBACK" {
			err = errors.New("the server has rolled the transaction back")
		}
	}
	if closing := results.Close(); err == nil {
		err = closing
	}
	return cutOf(conn, err)
}

// cut tells an error of the transaction's connection from one of what was to be written.
func (t *tx) cut(err error) error { return cutOf(t.on.(*pgxpool.Conn).Conn(), err) }

// Part runs a part of the transaction in a savepoint.
func (t *tx) Part(alone bool, part func() error) error {
	if alone {
		return t.cut(part())
	}
	if _, err := t.exec("SAVEPOINT change"); err != nil {
		return err
	}
	words, facets, dropped := len(t.words), len(t.facets), len(t.dropped)
	failed := t.cut(part())
	end := "RELEASE SAVEPOINT change"
	if failed != nil {
		if !t.IsOfChange(failed) {
			return failed
		}
		t.words, t.facets, t.dropped = t.words[:words], t.facets[:facets], t.dropped[:dropped]
		end = "ROLLBACK TO SAVEPOINT change; RELEASE SAVEPOINT change"
	}
	for _, query := range strings.Split(end, "; ") {
		if _, err := t.exec(query); err != nil {
			return err
		}
	}
	return failed
}

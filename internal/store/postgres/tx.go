package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/zap"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// tx is a write transaction. Its rows are locked in the order of sessions, questions, images, words; within each, by their names: so
// transactions wait for each other and do not get in each other's way. Where they do, the server ends one, and it is run again.
type tx struct {
	querier
	store   *Store
	id      string // PostgreSQL's: https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT
	mark    string // our own, in the log
	now     int64  // milliseconds; the same for all that is written
	leased  int64  // until when the lease runs if it was extended; 0 otherwise
	notes   []note
	words   []string // that the search has to know
	facets  []engine.Facet
	last    func(*pgx.Batch) // queues what else belongs into the exchange that ends it
	dropped []string         // hashes of images that may be in nothing any more
	closes  []string         // questions that it closes
}

// jittered keeps those who wait for the same from trying at the same time.
func jittered(pause time.Duration) time.Duration { return pause/2 + rand.N(pause) }

// write runs a transaction. When it returns without error, what was written is durable.
func (s *Store) write(ctx context.Context, run func(*tx) error) error {
	return s.patiently(ctx, func() error {
		if s.closed.Load() {
			return store.ErrClosed
		}
		if err := s.makeSure(ctx); err != nil {
			return err
		}
		err := s.transact(ctx, run)
		var ended *unsureError
		if errors.As(err, &ended) {
			err = s.makeSureNow(ctx, ended)
		}
		return err
	})
}

// transact runs a transaction once. What has begun does not end with ctx.
func (s *Store) transact(ctx context.Context, run func(*tx) error) error {
	waiting, end := context.WithTimeout(ctx, workPatience)
	conn, err := s.pool.Acquire(waiting)
	end()
	if err != nil {
		return err
	}
	defer conn.Release() // which closes one that is not between transactions
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), workPatience)
	defer cancel()
	t := &tx{querier: querier{ctx, conn}, store: s, mark: strconv.FormatUint(rand.Uint64(), 36)}
	var version int
	batch := &pgx.Batch{}
	batch.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	batch.Queue("SELECT "+theClock+", pg_current_xact_id()::text, version FROM schema_version", s.clock()).QueryRow(func(row pgx.Row) error {
		return row.Scan(&t.now, &t.id, &version)
	})
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	if err := checkVersion(version); err != nil { // another build has replaced the schema
		return err
	}
	err = run(t)
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
	if len(t.notes) > 0 {
		select {
		case s.stirred <- struct{}{}:
		default:
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leased = max(s.leased, t.leased)
	for _, id := range t.closes {
		delete(s.mine, id)
	}
	return nil
}

// commit writes what the others are to learn, and ends the transaction: all of it in one exchange with the server, so that the locks
// that others wait for are held for as short as can be.
func (t *tx) commit(conn *pgx.Conn) error {
	batch := &pgx.Batch{}
	if t.last != nil {
		t.last(batch)
	}
	if len(t.words) > 0 || len(t.facets) > 0 {
		t.queueWords(batch)
	}
	if len(t.notes) > 0 {
		t.queueNotes(batch)
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
	if err = cutOf(conn, err); !isCut(err) {
		return err
	}
	return t.store.unsureOf(unsure{t.id, t.mark, t.closes}, err)
}

// unsureOf notes that nobody knows how a transaction ended.
func (s *Store) unsureOf(u unsure, cause error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsure = append(s.unsure, u)
	return &unsureError{u, cause}
}

// unsure is a transaction that may have been committed.
type unsure struct {
	id     string
	mark   string
	closes []string
}

// unsureError is the error of a transaction that may have been committed.
type unsureError struct {
	of    unsure
	cause error
}

func (e *unsureError) Error() string   { return fmt.Sprintf("%v: %v", errUnsure, e.cause) }
func (e *unsureError) Unwrap() []error { return []error{errUnsure, e.cause} }

// makeSure finds out what became of transactions whose connections broke while they were being committed. Outcomes that turn out to have
// been written are this process's own when it writes them again.
func (s *Store) makeSure(ctx context.Context) error {
	s.mu.Lock()
	all := slices.Clone(s.unsure)
	s.mu.Unlock()
	for _, u := range all {
		if _, err := s.makeSureOf(ctx, u); err != nil {
			return err
		}
	}
	return nil
}

// makeSureOf tells whether a transaction was committed.
func (s *Store) makeSureOf(ctx context.Context, u unsure) (committed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, connectPatience)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		var status *string
		err := querier{ctx, s.pool}.one("SELECT pg_xact_status($1::text::xid8)", []any{u.id}, []any{&status})
		if code(err) == "22023" { // a server that has never seen it
			err = nil
		}
		if err != nil {
			return false, err
		}
		if status != nil && *status == "in progress" { // the server has not noticed yet that the connection is gone
			select {
			case <-ctx.Done():
				return false, errUnsure
			case <-time.After(pause):
				continue
			}
		}
		// That it has ended is all that its number tells: a server that crashed may give it to another transaction. The mark in the log is
		// of this one alone.
		err = querier{ctx, s.pool}.one("SELECT EXISTS (SELECT FROM log WHERE mark = $1)", []any{u.mark}, []any{&committed})
		if err != nil {
			return false, err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		known := slices.IndexFunc(s.unsure, func(other unsure) bool { return other.mark == u.mark })
		if known < 0 { // somebody else has asked meanwhile
			return committed, nil
		}
		s.unsure = slices.Delete(s.unsure, known, known+1)
		if committed {
			for _, id := range u.closes {
				s.mine[id] = true
			}
		}
		s.log.Info("the server was asked what became of a transaction", zap.Bool("committed", committed))
		return committed, nil
	}
}

// makeSureNow waits for the server to come back and say what became of the transaction that has just ended so; it gives nil where it
// was committed, and what has it run again where it was not.
func (s *Store) makeSureNow(ctx context.Context, ended *unsureError) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), surePatience)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		committed, err := s.makeSureOf(ctx, ended.of)
		switch {
		case err == nil && committed:
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, id := range ended.of.closes { // its caller is told now
				delete(s.mine, id)
			}
			return nil
		case err == nil:
			return errAborted
		case !isCut(err) && !errors.Is(err, errUnsure):
			return err
		}
		s.pool.Reset()
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", store.ErrUnavailable, ended.cause)
		case <-time.After(jittered(pause)):
		}
	}
}

// errAborted has a transaction run again that was not committed.
var errAborted = errors.New("the connection broke before the transaction was committed")

// surePatience is how long the server is waited for to say what became of a transaction.
const surePatience = 5 * time.Second

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
	notes, words, facets, dropped, closes, leased := len(t.notes), len(t.words), len(t.facets), len(t.dropped), len(t.closes), t.leased
	failed := t.cut(part())
	end := "RELEASE SAVEPOINT change"
	if failed != nil {
		if !t.IsOfChange(failed) {
			return failed
		}
		t.notes, t.words, t.facets, t.dropped, t.closes, t.leased = t.notes[:notes], t.words[:words], t.facets[:facets], t.dropped[:dropped], t.closes[:closes], leased
		end = "ROLLBACK TO SAVEPOINT change; RELEASE SAVEPOINT change"
	}
	for _, query := range strings.Split(end, "; ") {
		if _, err := t.exec(query); err != nil {
			return err
		}
	}
	return failed
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"followup/internal/store"
)

// patience bounds how long a write or a read waits for other processes, all tries together.
const patience = 60 * time.Second

// tx is a write transaction.
type tx struct {
	querier
	store  *Store
	now    int64 // milliseconds; the same for all that is written
	leased int64 // until when the lease runs if it was extended; 0 otherwise
}

// write runs a transaction. It holds the file's one place for writers from the beginning, so that it cannot fail half way
// because of another writer. When it returns without error, what was written is durable.
func (s *Store) write(ctx context.Context, run func(*tx) error) error {
	return s.patiently(ctx, func() error {
		if s.closed.Load() {
			return store.ErrClosed
		}
		return s.transactLocked(context.WithoutCancel(ctx), run)
	})
}

func (s *Store) transactLocked(ctx context.Context, run func(*tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writer == nil {
		return store.ErrClosed
	}
	return s.transact(ctx, run)
}

func (s *Store) transact(ctx context.Context, run func(*tx) error) (err error) {
	q := querier{ctx, &s.writes}
	if _, err := q.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	done := false
	defer func() {
		if !done { // also when run panics
			_, rollback := q.exec("ROLLBACK")
			if rollback != nil {
				s.log.Debug("rolled back already") // SQLite does so by itself when the disk is full
			}
		}
	}()
	var version int
	if err := q.one("PRAGMA user_version", nil, []any{&version}); err != nil {
		return err
	}
	if version > len(schemas) { // another process has brought the file up to date
		return fmt.Errorf("%w: schema %d, this one knows %d", store.ErrNewer, version, len(schemas))
	}
	t := &tx{querier: q, store: s, now: s.now().UnixMilli()}
	if err := run(t); err != nil {
		return err
	}
	if _, err := q.exec("COMMIT"); err != nil {
		return err
	}
	done = true
	s.leased = max(s.leased, t.leased)
	s.stir()
	return nil
}

// read runs queries. It holds nobody up.
func (s *Store) read(ctx context.Context, run func(querier) error) error {
	return s.patiently(ctx, func() error {
		if s.closed.Load() {
			return store.ErrClosed
		}
		return run(querier{ctx, &s.reads})
	})
}

// patiently tries again while other connections are in the way, and classifies what else goes wrong.
func (s *Store) patiently(ctx context.Context, try func() error) error {
	deadline := time.Now().Add(patience)
	for pause := time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := try()
		if !isBusy(err) || time.Now().After(deadline) {
			return s.note(classify(err))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}

// note leaves word of damage for whoever opens the store next.
func (s *Store) note(err error) error {
	if errors.Is(err, store.ErrDamaged) {
		s.suspect.Do(func() { suspect(s.dir, s.log) })
	}
	return err
}

// notFound makes ErrNotFound of a row that is missing.
func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"followup/internal/store"
)

// patience bounds how long a write or a read waits for other processes, all tries together, where its context does not.
const patience = 60 * time.Second

// The pauses between tries: a writer that somebody waits for tries often at first.
const (
	firstPause = 500 * time.Microsecond
	eagerPause = 500 * time.Microsecond
	eagerFor   = 200 * time.Millisecond
	lastPause  = 25 * time.Millisecond
)

// tx is a write transaction.
type tx struct {
	querier
	store   *Store
	now     int64    // milliseconds; the same for all that is written
	probes  int      // how many keys were looked up
	scanned *scanned // how far the log was read then; nil: as before
	done    []func() // see then
}

// then has something done when all of this is committed, and before anything else is written: until then it may be taken back, and run
// again from its beginning.
func (t *tx) then(do func()) { t.done = append(t.done, do) }

// write runs a transaction that somebody waits for; steps runs those that can wait. It holds the file's one place for writers from
// the beginning, so that it cannot fail half way because of another writer. When it returns without error, what was written is
// durable.
func (s *Store) write(ctx context.Context, run func(*tx) error) error {
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	return s.patiently(ctx, true, func() error {
		if s.closed.Load() {
			return store.ErrClosed
		}
		return s.transactInTurn(ctx, true, run)
	})
}

// transactInTurn runs a transaction when no other one of this process runs, and flushes it or not.
func (s *Store) transactInTurn(ctx context.Context, flush bool, run func(*tx) error) error {
	return s.inTurn(ctx, func(ctx context.Context) error {
		if err := s.there(); err != nil {
			return err
		}
		if err := s.flushCommits(ctx, flush); err != nil {
			return err
		}
		began := time.Now()
		err := s.transact(ctx, run)
		if err == nil && !flush {
			s.fit(time.Since(began)) // with the commit, in which FTS5 does most of its work
		}
		return err
	})
}

// inTurn lets one goroutine at a time work with the writer. What it has begun does not end with ctx.
func (s *Store) inTurn(ctx context.Context, work func(context.Context) error) error {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.turn }()
	if s.writer == nil {
		return store.ErrClosed
	}
	return work(context.WithoutCancel(ctx))
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
	if version > schemaVersion { // another process has migrated the file
		return fmt.Errorf("%w: schema %d, this one knows %d", store.ErrNewer, version, schemaVersion)
	}
	t := &tx{querier: q, store: s, now: s.now().UnixMilli()}
	if err := run(t); err != nil {
		return err
	}
	if _, err := q.exec("COMMIT"); err != nil {
		return err
	}
	done = true
	if t.scanned != nil {
		s.scanned = *t.scanned
	}
	for _, do := range t.done {
		do()
	}
	s.stir()
	return nil
}

// read runs queries. It holds nobody up.
func (s *Store) read(ctx context.Context, run func(querier) error) error {
	return s.patiently(ctx, false, func() error {
		if err := s.open(); err != nil {
			return err
		}
		return run(querier{ctx, &s.reads})
	})
}

// know notes what the file is, and those beside it; SQLite has them open for as long as it is.
func (s *Store) know(count int) error {
	for _, path := range s.paths[len(s.files):count] {
		file, err := os.Stat(path)
		if err != nil {
			return err
		}
		s.files = append(s.files, file)
	}
	return nil
}

// there makes sure that the files are where they were when they were opened: what is written to one that was removed is lost.
func (s *Store) there() error {
	for i, file := range s.files {
		now, err := os.Stat(s.paths[i])
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%w: %w", store.ErrGone, err)
		case err != nil:
			return err
		case !os.SameFile(now, file):
			return fmt.Errorf("%w: %s is another file now", store.ErrGone, filepath.Base(s.paths[i]))
		}
	}
	return nil
}

// patiently tries again while other connections are in the way, and classifies what else goes wrong. An eager caller tries often at first.
func (s *Store) patiently(ctx context.Context, eager bool, try func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := try()
	if !isBusy(err) {
		return s.note(classify(err))
	}
	began := time.Now()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if eager && time.Since(began) < eagerFor {
			pause = min(pause, eagerPause)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w: %w", store.ErrUnavailable, ctx.Err(), err)
		case <-time.After(pause/2 + rand.N(pause)):
		}
		if err = try(); !isBusy(err) || time.Since(began) > s.patience {
			return s.note(classify(err))
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

package postgres

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
	"followup/internal/store/engine"
)

const (
	// defaultQuiet is how long nothing is written before Maintain does what can wait, and restEvery how often it looks in any case.
	defaultQuiet = time.Second
	restEvery    = 10 * time.Minute
	// logKept is how many revisions Changed can look back.
	logKept = 10_000
	// trimmedAtOnce is how many rows of the log are removed in one transaction.
	trimmedAtOnce = 2000
	// sweepEvery is how often sessions are looked for that are over.
	sweepEvery = 24 * time.Hour
)

// Maintain does what can wait whenever this process has been quiet; see store.Store.
func (s *Store) Maintain(ctx context.Context) {
	calm := time.NewTimer(jittered(s.quiet)) // what an earlier process has left
	defer calm.Stop()
	away := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.stirred:
			calm.Reset(jittered(2 * s.quiet)) // processes that share a store do not look at the same moment
		case <-calm.C:
			due, err := s.rest(ctx)
			if err != nil && !away && ctx.Err() == nil && !errors.Is(err, store.ErrClosed) {
				s.log.Warn("the store could not be tidied up", zap.Error(err))
			}
			away = err != nil
			select { // its own writes are no reason to look again
			case <-s.stirred:
			default:
			}
			calm.Reset(min(max(due, s.quiet), restEvery))
		}
	}
}

// rest does what there is to do in a time of quiet, and tells when to look again.
func (s *Store) rest(ctx context.Context) (due time.Duration, err error) {
	if err := s.Idle(ctx); err != nil {
		return restEvery / 10, err
	}
	var left *int64
	err = s.read(ctx, func(q querier) error {
		return q.one("SELECT min(at) + $2::bigint - "+theClock+" FROM deletions", []any{s.clock(), store.Undo.Milliseconds()}, []any{&left})
	})
	if err != nil || left == nil {
		return restEvery, err
	}
	return time.Duration(*left) * time.Millisecond, nil
}

// Idle does at once what can wait; see store.Store. The index and the tables are the server's to tidy up, by its autovacuum.
func (s *Store) Idle(ctx context.Context) error {
	if _, err := s.Purge(ctx); err != nil {
		return err
	}
	for _, do := range []func(context.Context) error{s.forget, s.trim, s.sweep} {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// trim removes what Changed is not asked for any more. One process at a time does.
func (s *Store) trim(ctx context.Context) error {
	for trimmed := int64(trimmedAtOnce); trimmed == trimmedAtOnce; {
		var due bool
		err := s.read(ctx, func(q querier) error {
			return q.one("SELECT max(rev) - min(rev) > $1 FROM log", []any{logKept + trimmedAtOnce}, []any{&due})
		})
		if err != nil || !due {
			return err
		}
		err = s.step(ctx, func(t *tx) (err error) {
			var mine bool
			trimmed = 0
			if err := t.one("SELECT pg_try_advisory_xact_lock("+lockOf(maintenanceLock, s)+")", nil, []any{&mine}); err != nil || !mine {
				return errors.Join(err, engine.ErrNothing)
			}
			trimmed, err = t.exec(`DELETE FROM log WHERE rev IN
				(SELECT rev FROM log WHERE rev <= (SELECT max(rev) FROM log) - $1 ORDER BY rev LIMIT $2)`, logKept, trimmedAtOnce)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sweep forgets sessions that are over, now and then: also where all of the history is kept.
func (s *Store) sweep(ctx context.Context) error {
	s.mu.Lock()
	due := time.Since(s.swept) >= sweepEvery
	s.mu.Unlock()
	if !due {
		return nil
	}
	now, err := s.time(ctx)
	if err == nil {
		err = remover{s}.ForgetSessions(ctx, now-engine.SessionKept.Milliseconds())
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.swept = time.Now()
	return nil
}

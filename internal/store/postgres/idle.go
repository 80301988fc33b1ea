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
	// sweepEvery is how often sessions are looked for that are over.
	sweepEvery = 24 * time.Hour
)

// Maintain does what can wait whenever it has been quiet; see store.Store.
func (s *Store) Maintain(ctx context.Context) {
	calm := time.NewTimer(s.quiet) // what an earlier process has left
	defer calm.Stop()
	away := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.stirred:
			calm.Reset(s.quiet)
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
	for _, do := range []func(context.Context) error{s.forget, s.sweep} {
		if err := do(ctx); err != nil {
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

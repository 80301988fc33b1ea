package sqlite

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
	"followup/internal/store/engine"
)

const (
	// defaultQuiet is how long nothing is written before Maintain does what can wait.
	defaultQuiet = time.Second
	// busyCommits is after how many transactions the write-ahead log is looked at when it never is quiet.
	busyCommits = 100
)

// rest is what this process had done when it last had nothing to do.
type rest struct {
	wrote   int64 // how many transactions it had committed that were no steps
	resting bool
}

// Idle does at once what can wait; see store.Store.
func (s *Store) Idle(ctx context.Context) error {
	if _, err := s.Purge(ctx); err != nil {
		return err
	}
	return s.alone(ctx, func() error { return s.tidy(ctx) })
}

// tidy indexes what is new for the search, merges the index, moves the log into the file, and cleans the files.
func (s *Store) tidy(ctx context.Context) error {
	for _, do := range []func(context.Context) error{s.salvage, s.scrub, s.sweep} {
		if err := do(ctx); err != nil {
			return err
		}
	}
	answered := s.wrote.Load() - s.worked.Load() // before the work, so that what is written meanwhile is not passed over
	if s.rested.resting && s.rested.wrote == answered {
		return nil
	}
	for _, do := range []func(context.Context) error{s.indexAll, s.merge, s.trim, s.emptyLog} {
		if err := do(ctx); err != nil {
			return err
		}
	}
	s.rested = rest{wrote: answered, resting: true}
	return nil
}

// sweepEvery is how often sessions are looked for that are over.
const sweepEvery = 24 * time.Hour

// sweep forgets sessions that are over, now and then: also where all of the history is kept.
func (s *Store) sweep(ctx context.Context) error {
	now := s.now()
	if now.Sub(s.swept) < sweepEvery {
		return nil
	}
	if err := (remover{s}).ForgetSessions(ctx, now.Add(-engine.SessionKept).UnixMilli()); err != nil {
		return err
	}
	s.swept = now
	return nil
}

// trim removes the entries of questions that are no longer open.
func (s *Store) trim(ctx context.Context) error {
	const trimming = `DELETE FROM opened WHERE ord IN (SELECT o.ord FROM opened o WHERE NOT EXISTS
		(SELECT 1 FROM questions q WHERE q.ord = o.ord AND q.outcome = 0) LIMIT 500)`
	for trimmed := int64(1); trimmed > 0; {
		err := s.once(ctx, func(t *tx) (err error) {
			if trimmed, err = t.exec(trimming); err == nil && trimmed == 0 {
				return engine.ErrNothing
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Maintain does what can wait whenever it has been quiet; see store.Store.
func (s *Store) Maintain(ctx context.Context) {
	s.calm.Reset(0) // what an earlier process has left
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.busy:
			s.complain(s.alone(ctx, func() error { return s.emptyLarge(ctx) }))
			s.looked.Store(s.wrote.Load())
		case <-s.calm.C:
			s.rest(ctx)
		}
	}
}

// rest does what there is to do in a time of quiet.
func (s *Store) rest(ctx context.Context) {
	_, err := s.Purge(ctx)
	s.complain(err)
	s.complain(s.alone(ctx, func() error { return s.tidy(ctx) }))
	s.looked.Store(s.wrote.Load())
	due, purging := s.purgeDue(ctx)
	s.complain(purging)
	if due > 0 {
		s.calm.Reset(due)
	}
}

// stir counts a transaction. It only sets the clock that Maintain waits for: to wake that would take an answer as long as several
// statements.
func (s *Store) stir() {
	s.calm.Reset(s.quiet)
	if s.wrote.Add(1)-s.looked.Load() < busyCommits {
		return
	}
	select {
	case s.busy <- struct{}{}:
	default:
	}
}

// complain logs what goes wrong in the background: the next try may go better.
func (s *Store) complain(err error) {
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, store.ErrClosed) {
		s.log.Warn("the store could not be tidied up", zap.Error(err))
	}
}

// purgeDue tells when there is something to purge; 0 when there is nothing.
func (s *Store) purgeDue(ctx context.Context) (due time.Duration, err error) {
	err = s.read(ctx, func(q querier) error {
		var deleted int64
		err := q.one("SELECT coalesce(min(at), 0) FROM deletions", nil, []any{&deleted})
		if err == nil && deleted != 0 {
			due = max(time.UnixMilli(deleted).Add(store.Undo).Sub(s.now()), time.Millisecond)
		}
		return err
	})
	return due, err
}

package sqlstore

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
)

const (
	// defaultQuiet is how long nothing is written before Maintain does what can wait, and longest how long it waits for that.
	defaultQuiet = time.Second
	longest      = 10 * time.Second
	// retryEvery is how soon what has failed is tried again.
	retryEvery = time.Minute
	// sweepEvery is how often sessions are looked for that are over.
	sweepEvery = 24 * time.Hour
)

// stir has Maintain do what can wait.
func (s *Store) stir() {
	select {
	case s.stirred <- struct{}{}:
	default:
	}
}

// Maintain does what can wait whenever nothing was written for a moment, until ctx ends.
func (s *Store) Maintain(ctx context.Context) {
	next := time.NewTimer(0) // for what an earlier process has left
	defer next.Stop()
	var since time.Time // when the first of what waits was written
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.stirred:
			if since.IsZero() {
				since = time.Now()
			}
			next.Reset(min(s.quiet, longest-time.Since(since)))
		case <-next.C:
			since = time.Time{}
			err := s.Idle(ctx)
			due := time.Duration(0)
			if err == nil {
				due, err = s.purgeDue(ctx)
			}
			if err != nil {
				s.complain(ctx, err)
				due = retryEvery
			}
			if due > 0 {
				next.Reset(due)
			}
		}
	}
}

// complain logs what goes wrong in the background: the next try may go better.
func (s *Store) complain(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrClosed) {
		s.log.Warn("the store could not be tidied up", zap.Error(err))
	}
}

// Idle does at once what can wait; see store.Store.
func (s *Store) Idle(ctx context.Context) error {
	if err := s.Move(ctx); err != nil {
		return err
	}
	if _, err := s.Purge(ctx); err != nil {
		return err
	}
	if last := s.swept.Load(); time.Since(time.UnixMilli(last)) >= sweepEvery {
		if err := s.forgetOldSessions(ctx); err != nil {
			return err
		}
		s.swept.Store(time.Now().UnixMilli())
	}
	return s.Tidy(ctx)
}

// forgetOldSessions removes sessions that are over, also where all of the history is kept.
func (s *Store) forgetOldSessions(ctx context.Context) error {
	now, err := s.now(ctx)
	if err != nil {
		return err
	}
	return s.forgetSessions(ctx, now-sessionKept.Milliseconds())
}

// now returns the store's time in milliseconds.
func (s *Store) now(ctx context.Context) (at int64, err error) {
	err = write(ctx, s.inbox, func(_ Queries, now int64) error {
		at = now
		return ErrNothing
	})
	return at, err
}

// purgeDue returns when there is something to purge; 0 if there is nothing.
func (s *Store) purgeDue(ctx context.Context) (due time.Duration, err error) {
	var first int64
	err = s.history.Read(ctx, func(q Queries) error { return q.One("SELECT coalesce(min(at), 0) FROM deletions", nil, &first) })
	if err != nil || first == 0 {
		return 0, err
	}
	now, err := s.now(ctx)
	return max(time.Duration(first-now)*time.Millisecond+store.Undo, time.Millisecond), err
}

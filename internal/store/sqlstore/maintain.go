package sqlstore

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
)

const (
	// defaultQuiet is how long nothing must be written before Maintain runs deferred work, and longest how long it waits for that.
	defaultQuiet = time.Second
	longest      = 10 * time.Second
	// retryEvery is the pause before failed work is retried.
	retryEvery = time.Minute
)

// stir makes Maintain run deferred work.
func (s *Store) stir() {
	select {
	case s.stirred <- struct{}{}:
	default:
	}
}

func (s *Store) Maintain(ctx context.Context) {
	next := time.NewTimer(0) // for work that an earlier process has left
	defer next.Stop()
	defer time.AfterFunc(store.Undo, s.stir).Stop() // for its last deletions
	var since time.Time                             // the first write since then
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
			if err := s.Idle(ctx); err != nil {
				if ctx.Err() == nil && !errors.Is(err, store.ErrClosed) {
					s.log.Warn("the store could not be tidied up", zap.Error(err))
				}
				next.Reset(retryEvery)
			}
		}
	}
}

func (s *Store) Idle(ctx context.Context) error {
	if err := s.Move(ctx); err != nil {
		return err
	}
	if _, err := s.Purge(ctx); err != nil {
		return err
	}
	return s.Tidy(ctx)
}

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
)

// stir has Maintain do what can wait.
func (s *Store) stir() {
	select {
	case s.stirred <- struct{}{}:
	default:
	}
}

func (s *Store) Maintain(ctx context.Context) {
	next := time.NewTimer(0) // for what an earlier process has left
	defer next.Stop()
	defer time.AfterFunc(store.Undo, s.stir).Stop() // for its last deletions
	var since time.Time                             // when the first of what waits was written
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

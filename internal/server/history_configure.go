package server

import (
	"context"
	"time"

	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// retainEvery is how often what is too old is looked for.
const retainEvery = 24 * time.Hour

func (s *Server) historyConfigure(_ context.Context, p protocol.HistoryConfigureParams) (protocol.None, error) {
	if p.RetentionDays < 0 {
		return protocol.None{}, s.refused(locale.HistoryBadRetention)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.retention = &store.Retention{Nothing: !p.Keep, Age: time.Duration(p.RetentionDays) * 24 * time.Hour}
	s.retainSoon()
	return protocol.None{}, nil
}

// retainSoon has it looked for what is not to be kept.
func (s *Server) retainSoon() {
	select {
	case s.retainNow <- struct{}{}:
	default: // somebody has said so already
	}
}

// retain removes what is not to be kept: once it is known what that is, then every day, and after every collected answer where
// nothing is kept. It ends with ctx.
func (s *Server) retain(ctx context.Context, in store.Store) {
	daily := time.NewTicker(retainEvery)
	defer daily.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-daily.C:
		case <-s.retainNow:
		}
		s.mu.Lock()
		what := s.retention
		s.mu.Unlock()
		if what == nil || *what == (store.Retention{}) {
			continue
		}
		removed, err := in.Retain(ctx, *what)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			s.log.Warn("could not remove what is not to be kept; it is tried again later", zap.Error(err))
		case removed > 0:
			s.log.Info("removed what is not to be kept", zap.Int("questions", removed))
		}
	}
}

package server

import (
	"context"
	"time"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

func (s *Server) historyConfigure(_ context.Context, p protocol.HistoryConfigureParams) (protocol.None, error) {
	if p.RetentionDays < 0 {
		return protocol.None{}, locale.Refuse(locale.HistoryBadRetention)
	}
	s.keeper.Retain(store.Retention{Nothing: !p.Keep, Age: time.Duration(p.RetentionDays) * 24 * time.Hour})
	return protocol.None{}, nil
}

package server

import (
	"context"
	"errors"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) historyGet(ctx context.Context, p protocol.QuestionParams) (protocol.HistoryEntry, error) {
	entry, err := s.history.Get(ctx, p.QuestionID)
	var unknown *locale.Refusal
	if errors.As(err, &unknown) && unknown.Key == locale.HistoryUnknownEntry {
		// After a restart of the keeper, a relay asks how a hub's question ended.
		if link := s.hubSoon(ctx); link != nil {
			return rpc.Call(ctx, link.conn, protocol.HistoryGet, p)
		}
	}
	return entry, err
}

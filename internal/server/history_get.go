package server

import (
	"context"

	"followup/internal/protocol"
)

func (s *Server) historyGet(ctx context.Context, p protocol.QuestionParams) (protocol.HistoryEntry, error) {
	return s.history.Get(ctx, p.QuestionID)
}

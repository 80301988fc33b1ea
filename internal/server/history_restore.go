package server

import (
	"context"

	"followup/internal/protocol"
)

func (s *Server) historyRestore(ctx context.Context, p protocol.HistoryRestoreParams) (protocol.HistoryDeleteResult, error) {
	return s.history.Restore(ctx, p.Undo)
}

package server

import (
	"context"

	"followup/internal/protocol"
)

func (s *Server) historyList(ctx context.Context, p protocol.HistoryListParams) (protocol.HistoryPage, error) {
	return s.history.Page(ctx, protocol.HistorySearchParams{Filter: p.Filter, After: p.After, Limit: p.Limit})
}

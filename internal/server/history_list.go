package server

import (
	"context"

	"followup/internal/archive"
	"followup/internal/protocol"
)

func (s *Server) historyList(ctx context.Context, p protocol.HistoryListParams) (protocol.HistoryPage, error) {
	return s.historyPage(ctx, archive.NewFilter(p.Filter, ""), p.After, p.Limit)
}

package server

import (
	"context"

	"followup/internal/archive"
	"followup/internal/protocol"
)

func (s *Server) historySearch(ctx context.Context, p protocol.HistorySearchParams) (protocol.HistoryPage, error) {
	return s.historyPage(ctx, archive.NewFilter(p.Filter, p.Text), p.After, p.Limit)
}

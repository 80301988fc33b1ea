package server

import (
	"context"

	"followup/internal/protocol"
)

func (s *Server) historyFacets(ctx context.Context, _ protocol.None) (protocol.HistoryFacetsResult, error) {
	return s.history.Facets(ctx)
}

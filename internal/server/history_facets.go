package server

import (
	"context"

	"followup/internal/protocol"
)

func (s *Server) historyFacets(ctx context.Context, _ protocol.None) (protocol.HistoryFacetsResult, error) {
	result := protocol.HistoryFacetsResult{Agents: []string{}, Workspaces: []string{}}
	from, _ := s.historyStore()
	if from == nil {
		return result, nil
	}
	facets, err := from.Facets(ctx)
	if err != nil {
		return result, s.unreadable(ctx, err)
	}
	result.Agents = append(result.Agents, facets.Agents...)
	result.Workspaces = append(result.Workspaces, facets.Workspaces...)
	return result, nil
}

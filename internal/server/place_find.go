package server

import (
	"context"

	"followup/internal/places"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) placeFind(_ context.Context, p protocol.PlaceFindParams) (rpc.Waiting[protocol.PlaceFindResult], error) {
	return func(context.Context) (protocol.PlaceFindResult, error) {
		return protocol.PlaceFindResult{Places: places.Find(p.Texts, p.Folders)}, nil
	}, nil
}

package server

import (
	"context"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) inboxStatus(context.Context, protocol.None) (rpc.Waiting[protocol.InboxStatusResult], error) {
	return func(ctx context.Context) (result protocol.InboxStatusResult, err error) {
		if err := s.ready(ctx); err != nil {
			return result, err
		}
		result.Shown = s.shown()
		s.registry.View(func() { result.Storage = s.inboxes.Storage() })
		if s.guest == nil {
			result.NotOpened = s.notOpened.Load()
		}
		return result, nil
	}, nil
}

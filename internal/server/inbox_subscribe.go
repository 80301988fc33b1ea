package server

import (
	"context"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) inboxSubscribe(context.Context, protocol.None) (rpc.Waiting[rpc.Late[protocol.Inbox]], error) {
	return func(ctx context.Context) (rpc.Late[protocol.Inbox], error) {
		return func() protocol.Inbox {
			s.setView(func(v *view) { v.shows = true })
			return s.inbox.Subscribe()
		}, s.ready(ctx)
	}, nil
}

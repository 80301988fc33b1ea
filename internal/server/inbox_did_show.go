package server

import (
	"context"

	"followup/internal/protocol"
)

func (s *Server) inboxDidShow(_ context.Context, p protocol.InboxDidShowParams) error {
	s.setView(func(v *view) { v.hides = !p.Shown })
	return nil
}

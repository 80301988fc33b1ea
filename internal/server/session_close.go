package server

import (
	"context"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) sessionClose(_ context.Context, p protocol.SessionParams) (rpc.Begun[protocol.None], error) {
	return inTurn(s, p.Session, func() (*conversation.Conversation, protocol.None, error) {
		c, err := s.conversation(p.Session)
		if err == nil {
			s.registry.Close(c)
		}
		return c, protocol.None{}, err
	})
}

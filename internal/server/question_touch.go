package server

import (
	"context"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// questionTouch knows of no error: a question that is not here has no clock here. It is answered when that is kept.
func (s *Server) questionTouch(_ context.Context, p protocol.QuestionParams) (rpc.Begun[protocol.None], error) {
	r := s.record(p.QuestionID)
	if r == nil {
		return rpc.Begun[protocol.None]{}, nil
	}
	s.registry.Enter()
	defer s.registry.Leave()
	s.registry.StopClock(r)
	return untold[protocol.None]{s.registry.Receipt(r.Conversation), func() protocol.None { return protocol.None{} }}.begun(), nil
}

package server

import (
	"context"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// questionTouch has no error: an unknown question has no clock. It returns once the change is durable.
func (s *Server) questionTouch(_ context.Context, p protocol.QuestionParams) (rpc.Begun[protocol.None], error) {
	r := s.record(p.QuestionID)
	if r == nil {
		return rpc.Begun[protocol.None]{}, nil
	}
	s.registry.Enter()
	defer s.registry.Leave()
	s.registry.StopClock(r)
	return withheld[protocol.None]{s.registry.Receipt(r.Conversation), func() protocol.None { return protocol.None{} }}.begun(), nil
}

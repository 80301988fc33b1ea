package server

import (
	"context"

	"followup/internal/protocol"
)

// questionTouch knows of no error: a question that is not here has no clock here.
func (s *Server) questionTouch(_ context.Context, p protocol.QuestionParams) (protocol.None, error) {
	r := s.record(p.QuestionID)
	if r == nil {
		return protocol.None{}, nil
	}
	s.registry.Enter()
	defer s.registry.Leave()
	s.registry.StopClock(r)
	return protocol.None{}, nil
}

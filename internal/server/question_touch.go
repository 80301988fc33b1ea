package server

import (
	"context"

	"followup/internal/protocol"
)

func (s *Server) questionTouch(_ context.Context, p protocol.QuestionParams) error {
	r := s.record(p.QuestionID)
	if r == nil {
		return nil
	}
	s.registry.Enter()
	defer s.registry.Leave()
	s.registry.StopClock(r)
	return nil
}

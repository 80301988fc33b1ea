package server

import (
	"context"

	"followup/internal/protocol"
)

func (s *Server) questionTouch(_ context.Context, p protocol.QuestionParams) error {
	s.registry.Enter()
	defer s.registry.Leave()
	if r := s.registry.Record(p.QuestionID); r != nil {
		s.registry.StopClock(r)
	}
	return nil
}

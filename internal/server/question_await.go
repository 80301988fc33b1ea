package server

import (
	"context"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) questionAwait(_ context.Context, p protocol.QuestionParams) (rpc.Waiting[protocol.Answer], error) {
	s.enter()
	defer s.leave()
	r, err := s.record(p.QuestionID)
	if err != nil {
		return nil, err
	}
	s.waiting(r)
	return func(ctx context.Context) (protocol.Answer, error) { return s.wait(ctx, r, 0) }, nil
}

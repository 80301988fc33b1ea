package server

import (
	"context"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) questionAwait(_ context.Context, p protocol.QuestionParams) (rpc.Waiting[protocol.Answer], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.record(p.QuestionID)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (protocol.Answer, error) { return s.wait(ctx, r) }, nil
}

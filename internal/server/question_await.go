package server

import (
	"context"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) questionAwait(_ context.Context, p protocol.QuestionParams) (rpc.Waiting[protocol.Answer], error) {
	turn := s.registry.TurnBehind(p.QuestionID)
	begin := func(ctx context.Context) (rpc.Waiting[protocol.Answer], error) {
		if turn != nil {
			defer turn.End()
			if err := turn.Wait(ctx); err != nil {
				return nil, err
			}
		}
		r, err := s.find(ctx, p.QuestionID)
		if err != nil {
			return nil, err
		}
		return s.waiting(r), nil
	}
	if turn == nil {
		if r := s.record(p.QuestionID); r != nil {
			return s.waiting(r), nil
		}
	}
	return func(ctx context.Context) (protocol.Answer, error) {
		wait, err := begin(ctx)
		if err != nil {
			return protocol.Answer{}, err
		}
		return wait(ctx)
	}, nil
}

func (s *Server) waiting(r *conversation.Record) rpc.Waiting[protocol.Answer] {
	s.registry.Enter()
	defer s.registry.Leave()
	return s.registry.StartWait(r, conversation.WaitOptions{})
}

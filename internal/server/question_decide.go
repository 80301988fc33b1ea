package server

import (
	"context"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) questionDecide(_ context.Context, p protocol.DecideParams) (rpc.Begun[protocol.CloseResult], error) {
	return onQuestion(s, p.QuestionID, atHub(protocol.QuestionDecide, p), func(r *conversation.Record) (bool, error) {
		if err := s.mayClose(r); err != nil {
			return false, err
		}
		return s.registry.GiveDecision(r, p, s.clientName(), s.person())
	}, closed)
}

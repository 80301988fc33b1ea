package server

import (
	"context"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) questionDismiss(_ context.Context, p protocol.QuestionParams) (rpc.Begun[protocol.CloseResult], error) {
	return onQuestion(s, p.QuestionID, atHub(protocol.QuestionDismiss, p), func(r *conversation.Record) (bool, error) {
		if err := s.mayClose(r); err != nil {
			return false, err
		}
		return s.registry.Dismiss(r, s.person())
	}, closed)
}

package server

import (
	"context"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/session"
)

func (s *Server) questionDismiss(_ context.Context, p protocol.QuestionParams) (rpc.Begun[protocol.CloseResult], error) {
	return onQuestion(s, p.QuestionID, func(r *conversation.Record) (bool, error) {
		done, err := s.registry.End(r, session.Dismissed{ID: r.ID})
		return s.by(r, done, err)
	}, closed)
}

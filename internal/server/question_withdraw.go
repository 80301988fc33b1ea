package server

import (
	"context"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/session"
)

func (s *Server) questionWithdraw(_ context.Context, p protocol.QuestionParams) (rpc.Begun[protocol.CloseResult], error) {
	return onQuestion(s, p.QuestionID, func(r *conversation.Record) (bool, error) {
		return s.registry.End(r, session.Withdrawn{ID: r.ID})
	}, closed)
}

package server

import (
	"context"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) questionWithdraw(_ context.Context, p protocol.WithdrawParams) (rpc.Begun[protocol.CloseResult], error) {
	return onQuestion(s, p.QuestionID, nil, func(r *conversation.Record) (bool, error) {
		return s.registry.Withdraw(r, p)
	}, closed)
}

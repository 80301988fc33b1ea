package server

import (
	"context"

	"followup/internal/protocol"
	"followup/internal/session"
)

func (s *Server) questionDismiss(_ context.Context, p protocol.QuestionParams) (protocol.CloseResult, error) {
	return s.close(p.QuestionID, session.Dismissed{ID: p.QuestionID})
}

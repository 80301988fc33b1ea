package server

import (
	"context"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) questionAnswer(_ context.Context, p protocol.AnswerParams) (rpc.Begun[protocol.CloseResult], error) {
	images := conversation.ReadImages(p.Images)
	return onQuestion(s, p.QuestionID, func(r *conversation.Record) (bool, error) {
		done, err := s.registry.GiveAnswer(r, p, images)
		return s.by(r, done, err)
	}, closed)
}

package server

import (
	"context"

	"followup/internal/archive"
	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) questionAnswer(_ context.Context, p protocol.AnswerParams) (rpc.Begun[protocol.CloseResult], error) {
	images, _ := archive.DecodeImages(p.Images) // the registry rejects an answer that lacks images
	return onQuestion(s, p.QuestionID, atHub(protocol.QuestionAnswer, p), func(r *conversation.Record) (bool, error) {
		return s.registry.GiveAnswer(r, p, images, s.person())
	}, closed)
}

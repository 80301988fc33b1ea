package server

import (
	"context"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/archive"
	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) questionSaveDraft(_ context.Context, p protocol.SaveDraftParams) (rpc.Begun[protocol.None], error) {
	if err := archive.CheckDraft(p.Draft); err != nil {
		return rpc.Begun[protocol.None]{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "the draft cannot be kept: %v", err)
	}
	return onQuestion(s, p.QuestionID, func(r *conversation.Record) (bool, error) {
		s.registry.SaveDraft(r, p.Draft)
		return true, nil
	}, func(*conversation.Record, bool) protocol.None { return protocol.None{} })
}

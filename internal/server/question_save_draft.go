package server

import (
	"context"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/archive"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) questionSaveDraft(_ context.Context, p protocol.SaveDraftParams) (protocol.None, error) {
	if _, _, err := archive.EncodeDraft(p.Draft); err != nil {
		return protocol.None{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "the draft cannot be kept: %v", err)
	}
	s.enter()
	defer s.leave()
	r, err := s.record(p.QuestionID)
	if err != nil {
		return protocol.None{}, err
	}
	if r.outcome != nil || r.draft != nil && p.Draft.ChangedAt < r.draft.ChangedAt {
		return protocol.None{}, nil
	}
	r.draft, r.draftChanged = &p.Draft, true
	s.touch(r)
	return protocol.None{}, nil
}

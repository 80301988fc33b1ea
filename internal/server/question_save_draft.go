package server

import (
	"context"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/archive"
	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) questionSaveDraft(_ context.Context, p protocol.SaveDraftParams) (rpc.Begun[protocol.SaveDraftResult], error) {
	if err := archive.NameImages(&p.Draft); err != nil {
		return rpc.Begun[protocol.SaveDraftResult]{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "the draft cannot be kept: %v", err)
	}
	p.Draft.By = s.account()
	var result protocol.SaveDraftResult
	atHub := func(ctx context.Context, l *hubLink) (protocol.SaveDraftResult, error) {
		return s.saveHubDraft(ctx, l, p)
	}
	return onQuestion(s, p.QuestionID, atHub, func(r *conversation.Record) (bool, error) {
		if err := s.mayClose(r); err != nil { // otherwise their draft would block those who may
			return false, err
		}
		if r.Outcome == nil && r.Draft != nil && r.Draft.By != p.Draft.By && !archive.EmptyDraft(*r.Draft) {
			result.Unkept = !archive.EmptyDraft(p.Draft)
			return true, nil // a draft belongs to its owner
		}
		result.Missing = s.registry.SaveDraft(r, p.Draft)
		s.inbox.HasImages(r.ID, p.Draft.Images)
		return true, nil
	}, func(r *conversation.Record, _ bool) protocol.SaveDraftResult {
		if r.Outcome == nil && len(result.Missing) == 0 {
			s.inboxes.ChangedElsewhere(r, s.inbox) // it is durable now
		}
		return result
	})
}

package server

import (
	"context"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/archive"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// questionConfirm does not take the question's turn: a decided question does not change otherwise.
func (s *Server) questionConfirm(_ context.Context, p protocol.ConfirmParams) (begun rpc.Begun[protocol.CloseResult], err error) {
	if !p.Effective.IsDecision() {
		return begun, rpc.Errorf(jsonrpc2.CodeInvalidParams, "effective is %q; it must be allowed or denied", p.Effective)
	}
	begun.Wait = func(ctx context.Context) (protocol.CloseResult, error) { return s.confirm(ctx, p) }
	return begun, nil
}

// confirm records which decision on an approval took effect. The first report counts.
func (s *Server) confirm(ctx context.Context, p protocol.ConfirmParams) (result protocol.CloseResult, err error) {
	r, err := s.find(ctx, p.QuestionID)
	if err != nil {
		return result, err
	}
	s.registry.View(func() {
		if r.Outcome != nil {
			result.Outcome = *r.Outcome
		}
	})
	switch {
	case !result.Outcome.Outcome.IsDecision():
		return result, rpc.Errorf(protocol.CodeConflict, "nobody has decided on the question %s", p.QuestionID)
	case !r.Call.Beside: // nothing else could take effect
		return result, nil
	}
	effective := p.Effective
	err = s.persister.Amend(ctx, r.ID, func(e *archive.Ended) bool {
		if e.Item.Effective != "" {
			effective = e.Item.Effective
			return false
		}
		e.Item.Effective = p.Effective
		return true
	})
	if err != nil {
		return result, err
	}
	s.section(func() {
		if kept := s.registry.Record(r.ID); kept != nil {
			r = kept
		}
		s.registry.Confirm(r, effective)
		result = closed(r, r.Outcome.Effective == p.Effective)
	})
	return result, nil
}

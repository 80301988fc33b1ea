package server

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
	"followup/internal/session"
)

func (s *Server) questionAsk(_ context.Context, p protocol.AskParams) (rpc.Waiting[protocol.Answer], error) {
	if _, err := uuid.Parse(p.QuestionID); err != nil {
		return nil, rpc.Errorf(jsonrpc2.CodeInvalidParams, "questionId is %q; it must be a UUID", p.QuestionID)
	}
	if !known(p.Tool) {
		return nil, unknownTool(p.Tool)
	}
	if p.Deadline < 0 {
		return nil, rpc.Errorf(jsonrpc2.CodeInvalidParams, "deadline is %d; it must not be negative", p.Deadline)
	}
	s.enter()
	defer s.leave()
	c, err := s.conversation(p.Session)
	if err != nil {
		return nil, err
	}
	deadline := time.Duration(p.Deadline) * time.Millisecond
	if id, ok := awaited(p.Input); ok {
		return s.askedAwait(c, id, deadline)
	}
	r, err := s.find(p.QuestionID)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		r = s.newRecord(c, p.QuestionID, p.Tool)
		if deadline > 0 {
			r.deadline = r.askedAt.Add(deadline)
		}
		s.take(r, dialect.ReadInput(p.Tool, p.Input, c.reading))
	case r.session.id != c.id:
		return nil, rpc.Errorf(jsonrpc2.CodeInvalidParams, "the question %s belongs to another session", p.QuestionID)
	}
	return s.asking(r, deadline), nil
}

// take notes what a call was read as, and lets the session go on from there.
func (s *Server) take(r *record, call question.Call) {
	r.call = call
	s.logCall(r)
	if call.Err != nil {
		s.mustApply(r.session, s.failed(r))
		return
	}
	s.mustApply(r.session, session.Asked{ID: r.id})
}

// logCall tells what was wrong with a call, or mended in it, by code: what was asked stays out of the log.
func (s *Server) logCall(r *record) {
	fields := []zap.Field{zap.String("question", r.id), zap.String("tool", r.tool)}
	switch {
	case r.call.Err != nil:
		s.log.Warn("an invalid call", append(fields, zap.String("error", string(r.call.Err.Code)))...)
	case len(r.call.Repairs)+len(r.call.Notices) > 0:
		s.log.Info("a call with flaws", append(fields,
			zap.Strings("repairs", codes(r.call.Repairs)), zap.Strings("notices", codes(r.call.Notices)))...)
	default:
		s.log.Debug("a call", fields...)
	}
}

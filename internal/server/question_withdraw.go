package server

import (
	"context"

	"followup/internal/protocol"
	"followup/internal/session"
)

func (s *Server) questionWithdraw(_ context.Context, p protocol.QuestionParams) (protocol.CloseResult, error) {
	return s.close(p.QuestionID, session.Withdrawn{ID: p.QuestionID})
}

// close ends a question by an event of the user's or the agent's, once: a question that has its outcome keeps it.
func (s *Server) close(id string, e session.Event) (protocol.CloseResult, error) {
	s.enter()
	defer s.leave()
	r, err := s.record(id)
	if err != nil {
		return protocol.CloseResult{}, err
	}
	if r.state == protocol.ItemClosed {
		return protocol.CloseResult{Outcome: *r.outcome}, nil
	}
	if err := s.apply(r.session, e); err != nil {
		return protocol.CloseResult{}, s.refusal(err)
	}
	return s.closed(r), nil
}

// closed makes an outcome durable and tells whether it was taken: another window's may have been first.
func (s *Server) closed(r *record) protocol.CloseResult {
	s.commit()
	return protocol.CloseResult{Accepted: !r.beaten, Outcome: *r.outcome}
}

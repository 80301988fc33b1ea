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
	s.mu.Lock()
	defer s.mu.Unlock()
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
	return protocol.CloseResult{Accepted: true, Outcome: *r.outcome}, nil
}

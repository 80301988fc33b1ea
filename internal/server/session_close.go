package server

import (
	"context"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/session"
)

func (s *Server) sessionClose(_ context.Context, p protocol.SessionParams) (protocol.None, error) {
	s.enter()
	defer s.leave()
	c, err := s.conversation(p.Session)
	if err != nil {
		return protocol.None{}, err
	}
	s.mustApply(c, session.Closed{})
	c.open, c.closed = false, true
	for id, st := range s.streams {
		if st.session == c {
			delete(s.streams, id)
		}
	}
	s.log.Info("session closed", zap.String("session", c.id))
	return protocol.None{}, nil
}

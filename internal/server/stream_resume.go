package server

import (
	"context"

	"go.uber.org/zap"

	"followup/internal/conversation"
	"followup/internal/protocol"
)

func (s *Server) streamResume(_ context.Context, p protocol.StreamResumeParams) error {
	turn := s.registry.Turn(p.Session, "")
	s.background.Go("notification", func() {
		defer turn.End()
		if err := s.resume(context.Background(), turn, p); err != nil {
			s.log.Warn("a stream was not resumed", zap.Error(err))
		}
	})
	return nil
}

// resume loads what an earlier process saved of a stream's calls, in the session's turn.
func (s *Server) resume(ctx context.Context, turn *conversation.Turn, p protocol.StreamResumeParams) error {
	if err := turn.Wait(ctx); err != nil {
		return err
	}
	c, err := s.persister.Conversation(ctx, p.Session)
	var past []*conversation.Record
	if err == nil && c != nil {
		if err := s.reopen(p); err != nil {
			return err
		}
		past, err = s.persister.Past(ctx, c)
	}
	s.registry.Enter()
	defer s.registry.Leave()
	if err != nil {
		s.registry.Refuse(p.Session, p.StreamID, err)
		return err
	}
	return s.registry.Resume(p.Session, p.StreamID, past)
}

func (s *Server) reopen(p protocol.StreamResumeParams) error {
	s.registry.Enter()
	defer s.registry.Leave()
	s.restartStream(p.StreamID)
	return s.registry.Reopen(p.Session, p.StreamID)
}

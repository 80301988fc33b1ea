package server

import (
	"context"
	"slices"

	"go.uber.org/zap"

	"followup/internal/protocol"
)

func (s *Server) sessionGet(_ context.Context, p protocol.SessionParams) (protocol.SessionState, error) {
	s.enter()
	defer s.leave()
	c, err := s.conversation(p.Session)
	if err != nil {
		return protocol.SessionState{}, err
	}
	state := protocol.SessionState{
		Session: c.id, Agent: c.agent, Key: c.key, ConsecutiveMistakes: c.state.Mistakes.Count(),
		WorkspaceFolders: c.folders, Conversation: []protocol.ConversationItem{},
	}
	if state.WorkspaceFolders == nil {
		state.WorkspaceFolders = []protocol.WorkspaceFolder{}
	}
	for _, r := range s.conversationSoFar(c) {
		state.Conversation = append(state.Conversation, protocol.ConversationItem{
			QuestionID: r.id, Tool: r.tool, Payload: payload(r), Error: callError(r), Guidance: r.guidance, State: r.state,
			Outcome: r.outcome, AskedAt: r.askedAt.UnixMilli(),
		})
	}
	return state, nil
}

// conversationSoFar is every call of a session: those that are over are read from the store.
func (s *Server) conversationSoFar(c *conversation) []*record {
	if s.store == nil {
		return c.records
	}
	stored, err := s.store.Conversation(context.Background(), c.id)
	if err != nil {
		s.log.Error("a conversation could not be read", zap.String("session", c.id), zap.Error(err))
		return c.records
	}
	var all []*record
	for _, q := range stored {
		if q.Outcome == nil || s.records[q.ID] != nil {
			continue
		}
		r, err := s.recall(q)
		if err != nil {
			s.log.Error("a question in the store cannot be read", zap.String("question", q.ID), zap.Error(err))
			continue
		}
		all = append(all, r)
	}
	all = append(all, c.records...)
	slices.SortStableFunc(all, func(a, b *record) int { return a.order - b.order })
	return all
}

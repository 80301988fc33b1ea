package server

import (
	"context"

	"followup/internal/protocol"
)

func (s *Server) sessionGet(_ context.Context, p protocol.SessionParams) (protocol.SessionState, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
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
	for _, r := range c.records {
		state.Conversation = append(state.Conversation, protocol.ConversationItem{
			QuestionID: r.id, Tool: r.tool, Payload: payload(r), Error: callError(r), Guidance: r.guidance, State: r.state,
			Outcome: r.outcome, AskedAt: r.askedAt.UnixMilli(),
		})
	}
	return state, nil
}

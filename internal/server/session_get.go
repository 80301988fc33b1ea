package server

import (
	"context"
	"slices"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) sessionGet(_ context.Context, p protocol.SessionParams) (rpc.Begun[protocol.SessionState], error) {
	begun, err := inTurn(s, p.Session, func() (*conversation.Conversation, *conversation.Conversation, error) {
		c, err := s.conversation(p.Session)
		return c, c, err
	})
	if err != nil {
		return rpc.Begun[protocol.SessionState]{}, err
	}
	return rpc.Begun[protocol.SessionState]{Wait: func(ctx context.Context) (protocol.SessionState, error) {
		c, err := begun.End(ctx)
		if err != nil {
			return protocol.SessionState{}, err
		}
		made, err := s.beginLarge(ctx)
		if err != nil {
			return protocol.SessionState{}, err
		}
		defer made()
		past, _ := s.persister.Past(ctx, c) // without it, the result has what is in memory
		var state protocol.SessionState
		s.registry.View(func() { state = sessionState(c, past) })
		return state, nil
	}}, nil
}

// sessionState returns a session with its past questions and those in memory.
func sessionState(c *conversation.Conversation, past []*conversation.Record) protocol.SessionState {
	state := protocol.SessionState{
		Session: c.ID, Agent: c.Agent, Key: c.Key, ConsecutiveMistakes: c.State.Mistakes.Count(),
		WorkspaceFolders: c.Folders, Conversation: []protocol.ConversationItem{},
	}
	if state.WorkspaceFolders == nil {
		state.WorkspaceFolders = []protocol.WorkspaceFolder{}
	}
	all := append(slices.DeleteFunc(past, func(r *conversation.Record) bool {
		return slices.ContainsFunc(c.Records, func(here *conversation.Record) bool { return here.ID == r.ID })
	}), c.Records...)
	slices.SortStableFunc(all, func(a, b *conversation.Record) int { return a.Order - b.Order })
	for _, r := range all {
		state.Conversation = append(state.Conversation, protocol.ConversationItem{
			QuestionID: r.AgentID(), Tool: r.Tool, Payload: r.Payload(), Error: r.Error(), Guidance: r.Guidance, State: r.State,
			Outcome: r.Outcome, Collected: r.Collected, AskedAt: r.AskedAt.UnixMilli(),
		})
	}
	return state
}

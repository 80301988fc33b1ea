package server

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
)

// sessionNamespace derives a session's id from (agent, key), so that it is the same in every process.
var sessionNamespace = uuid.MustParse("5b2d8f0e-6c1a-4e53-9a57-0f1b8f3a7c42")

func (s *Server) sessionOpen(ctx context.Context, p protocol.SessionOpenParams) (rpc.Begun[protocol.SessionOpenResult], error) {
	if strings.TrimSpace(p.Agent) == "" || strings.TrimSpace(p.Key) == "" {
		return rpc.Begun[protocol.SessionOpenResult]{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "a session needs an agent and a key that are not blank")
	}
	switch p.ResultTag {
	case "", protocol.ResultTagAnswer, protocol.ResultTagUserMessage:
	default:
		return rpc.Begun[protocol.SessionOpenResult]{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "resultTag is %q; it must be answer or user_message", p.ResultTag)
	}
	err := checkLimits(p.Limits)
	if err == nil {
		err = s.checkSession(p)
	}
	if err != nil {
		return rpc.Begun[protocol.SessionOpenResult]{}, err
	}
	name, account := p.Agent+"\x00"+p.Key, s.account()
	if account != "" { // accounts cannot use each other's sessions, and questions outlive the connection
		name = "\x00" + account + "\x00" + name
		p.Agent = nameAt(p.Agent, account)
		p.Bound = nil
	}
	id := uuid.NewSHA1(sessionNamespace, []byte(name)).String()
	return inSession(ctx, s, id, 0, func(context.Context) (rpc.Begun[protocol.SessionOpenResult], error) {
		return durably(s, func() (*conversation.Conversation, func() protocol.SessionOpenResult, error) {
			c, first := s.registry.Open(id, p, conversation.Settings{Account: account, Folders: s.folders, Locale: s.locale()})
			if s.guest == nil {
				s.registry.Locale, s.sessions[id], c.NotShownAfter = s.locale(), true, s.patience
			}
			if first {
				s.log.Info("session opened", zap.String("session", id), zap.String("agent", p.Agent))
			}
			return c, func() protocol.SessionOpenResult { return protocol.SessionOpenResult{Session: id} }, nil
		})
	})
}

// nameAt returns the name of an agent at a hub, which ends with its account.
func nameAt(agent, account string) string { return agent + " · " + account }

// maxSession is how many bytes of text a session at a hub may have. A question keeps its session in memory, and only the question's own
// text counts against the budgets.
const maxSession = 64 << 10

// checkSession rejects a session at a hub that has too much text.
func (s *Server) checkSession(p protocol.SessionOpenParams) error {
	if s.guest == nil {
		return nil
	}
	size := len(p.Agent) + len(p.Key)
	for _, tag := range p.OpaqueTags {
		size += len(tag)
	}
	folders := p.WorkspaceFolders
	if folders == nil {
		folders = s.folders
	}
	for _, f := range folders {
		size += len(f.URI) + len(f.Name)
	}
	if size > maxSession {
		return rpc.Errorf(jsonrpc2.CodeInvalidParams,
			"the session's agent, key, folders and tags have %d KiB; at most %d KiB are possible at a hub", size>>10, maxSession>>10)
	}
	return nil
}

// checkLimits rejects counts outside the allowed range.
func checkLimits(limits *protocol.Limits) error {
	if limits == nil {
		return nil
	}
	for _, count := range []struct {
		name         string
		value, least int
	}{{"questions", limits.Questions, question.MaxQuestions}, {"options", limits.Options, question.MaxOptions}} {
		if v := count.value; v != 0 && (v < count.least || v > question.MaxRaised) {
			return rpc.Errorf(jsonrpc2.CodeInvalidParams, "limits.%s is %d; it must be %d to %d", count.name, v, count.least, question.MaxRaised)
		}
	}
	return nil
}

func (s *Server) sessionGet(ctx context.Context, p protocol.SessionParams) (rpc.Begun[protocol.SessionState], error) {
	return inStoredSession(ctx, s, p.Session, func() (rpc.Begun[protocol.SessionState], error) {
		current, err := durably(s, func() (*conversation.Conversation, func() *conversation.Conversation, error) {
			c, err := s.conversation(p.Session)
			return c, func() *conversation.Conversation { return c }, err
		})
		return rpc.Begun[protocol.SessionState]{Wait: func(ctx context.Context) (state protocol.SessionState, err error) {
			c, err := current.End(ctx)
			if err != nil {
				return state, err
			}
			made, err := s.beginLarge(ctx)
			if err != nil {
				return state, err
			}
			defer made()
			_ = s.persister.Await(ctx, true)
			past, _ := s.persister.Past(ctx, c) // if the store cannot be read, the result has what is in memory
			s.registry.View(func() { state = sessionState(c, past) })
			return state, nil
		}}, err
	})
}

// sessionState returns a session with its stored questions and those in memory.
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
		item := protocol.ConversationItem{
			QuestionID: r.AgentID(), Tool: r.Tool, Payload: r.Payload(), Error: r.Error(), Guidance: r.Guidance, State: r.State,
			Outcome: r.Outcome, Collected: r.Collected, AskedAt: r.AskedAt.UnixMilli(),
		}
		if r.Undecided() {
			item.State, item.Outcome = protocol.ItemPending, nil
		}
		state.Conversation = append(state.Conversation, item)
	}
	return state
}

// sessionClose does nothing to a session that is closed or unknown, so that it can be repeated.
func (s *Server) sessionClose(ctx context.Context, p protocol.SessionCloseParams) (rpc.Begun[protocol.None], error) {
	begun, err := inStoredSession(ctx, s, p.Session, func() (rpc.Begun[protocol.None], error) {
		return durably(s, func() (*conversation.Conversation, func() protocol.None, error) {
			c, err := s.conversation(p.Session)
			if over := s.registry.Known(p.Session); over != nil && over.Closed && s.owns(over) {
				return over, nothing, nil
			}
			switch {
			case err != nil:
			case p.Finish:
				s.registry.Finish(c)
				s.finishes(c)
			default:
				s.registry.Close(c)
				delete(s.sessions, p.Session)
			}
			return c, nothing, err
		})
	})
	if s.guest != nil { // an agent gets no other result for another's session
		return begun, err
	}
	return ignoringUnknown(begun, err)
}

// finishes remembers that the peer has left a session, whose questions are orphaned if the peer disconnects. It forgets those that have
// ended, now and then: a peer may ask any number of questions. It is called in a section.
func (s *Server) finishes(c *conversation.Conversation) {
	if s.sessions[c.ID] = false; len(s.sessions) < s.forgetAt {
		return
	}
	maps.DeleteFunc(s.sessions, func(id string, open bool) bool {
		c := s.registry.Known(id)
		return !open && (c == nil || c.Closed)
	})
	s.forgetAt = max(2*len(s.sessions), leastForgotten)
}

// leastForgotten is how many sessions a peer has before any are forgotten.
const leastForgotten = 64

func nothing() (none protocol.None) { return none }

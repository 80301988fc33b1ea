package server

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
)

// sessionNamespace makes a session's id from (agent, key), so that it is the same in every process.
var sessionNamespace = uuid.MustParse("5b2d8f0e-6c1a-4e53-9a57-0f1b8f3a7c42")

func (s *Server) sessionOpen(_ context.Context, p protocol.SessionOpenParams) (protocol.SessionOpenResult, error) {
	if strings.TrimSpace(p.Agent) == "" || strings.TrimSpace(p.Key) == "" {
		return protocol.SessionOpenResult{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "a session needs an agent and a key that are not blank")
	}
	switch p.ResultTag {
	case "", protocol.ResultTagAnswer, protocol.ResultTagUserMessage:
	default:
		return protocol.SessionOpenResult{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "resultTag is %q; it must be answer or user_message", p.ResultTag)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := uuid.NewSHA1(sessionNamespace, []byte(p.Agent+"\x00"+p.Key)).String()
	c, ok := s.sessions[id]
	if !ok {
		c = &conversation{id: id, agent: p.Agent, key: p.Key, folders: s.folders, locale: s.locale, resultTag: protocol.ResultTagAnswer}
		c.state.Limit = DefaultMistakeLimit
		s.sessions[id] = c
		s.log.Info("session opened", zap.String("session", id), zap.String("agent", p.Agent))
	}
	c.update(p)
	return protocol.SessionOpenResult{Session: id}, nil
}

// update takes the options that are named; the others stay as they are.
func (c *conversation) update(p protocol.SessionOpenParams) {
	if p.WorkspaceFolders != nil {
		c.folders = p.WorkspaceFolders
	}
	if p.Locale != "" {
		c.locale = locale.Match(p.Locale)
	}
	if p.MistakeLimit != nil {
		c.state.Limit = *p.MistakeLimit
	}
	if p.ResultTag != "" {
		c.resultTag = p.ResultTag
	}
	if p.Strict != nil {
		c.reading.Strict = *p.Strict
	}
	if p.OpaqueTags != nil {
		c.reading.OpaqueTags = p.OpaqueTags
	}
	if p.Limits != nil {
		c.reading.Limits = question.Limits{Parameter: p.Limits.Parameter, Message: p.Limits.Message}
	}
}

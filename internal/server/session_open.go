package server

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
	"followup/internal/session"
	"followup/internal/store"
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
	if err := checkLimits(p.Limits); err != nil {
		return protocol.SessionOpenResult{}, err
	}
	s.enter()
	defer s.leave()
	id := uuid.NewSHA1(sessionNamespace, []byte(p.Agent+"\x00"+p.Key)).String()
	c, err := s.reopen(id, p)
	if err != nil {
		return protocol.SessionOpenResult{}, err
	}
	c.update(p)
	s.touchSession(c)
	return protocol.SessionOpenResult{Session: id}, nil
}

// checkLimits refuses counts that a questionnaire may not be given.
func checkLimits(limits *protocol.Limits) error {
	if limits == nil {
		return nil
	}
	for name, count := range map[string]struct{ value, least int }{
		"questions": {limits.Questions, question.MaxQuestions}, "options": {limits.Options, question.MaxOptions},
	} {
		if v := count.value; v != 0 && (v < count.least || v > question.MaxRaised) {
			return rpc.Errorf(jsonrpc2.CodeInvalidParams, "limits.%s is %d; it must be %d to %d", name, v, count.least, question.MaxRaised)
		}
	}
	return nil
}

// reopen gives the session that is open, or goes on with the one in the store, or begins a new one. A conversation that was
// over begins anew.
func (s *Server) reopen(id string, p protocol.SessionOpenParams) (*conversation, error) {
	c, ok := s.sessions[id]
	if !ok && s.store != nil {
		switch row, err := s.store.Session(context.Background(), id); {
		case err == nil:
			if c, err = fromRow(row); err != nil {
				return nil, err
			}
		case !errors.Is(err, store.ErrNotFound):
			s.log.Error("a session could not be looked up", zap.String("session", id), zap.Error(err))
		}
	}
	if c == nil {
		c = &conversation{id: id, agent: p.Agent, key: p.Key, closed: true}
	}
	if c.closed {
		c.folders, c.locale, c.resultTag, c.reading = s.folders, s.locale, protocol.ResultTagAnswer, dialect.Options{}
		c.state = session.State{Limit: DefaultMistakeLimit}
		c.closed = false
	}
	if !c.open {
		s.log.Info("session opened", zap.String("session", id), zap.String("agent", p.Agent))
	}
	c.open, s.sessions[id] = true, c
	return c, nil
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
		c.reading.Limits = question.Limits(*p.Limits)
	}
}

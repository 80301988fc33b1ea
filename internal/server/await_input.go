package server

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// codeUnknownQuestion is that of an agent that waits for a question which it has not asked. It is no mistake in a call.
const codeUnknownQuestion = "unknown_question"

// awaited reads the input by which a tool waits for a question in place of asking one: an object, or a string that holds one,
// with the one key "await".
func awaited(input json.RawMessage) (id string, ok bool) {
	var inside string
	if json.Unmarshal(input, &inside) == nil {
		input = json.RawMessage(inside)
	}
	if len(bytes.TrimSpace(input)) > 1<<10 {
		return "", false
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil || len(fields) != 1 || fields["await"] == nil {
		return "", false
	}
	return id, json.Unmarshal(fields["await"], &id) == nil
}

// askedAwait waits for a question that an agent has asked before. Whoever knows its id may have the answer: only the ticket of the
// one that asked names it, and what an agent is called may change.
func (s *Server) askedAwait(c *conversation, id string, deadline time.Duration) (rpc.Waiting[protocol.Answer], error) {
	r, err := s.find(id)
	if err != nil {
		return nil, err
	}
	if r == nil || r.guidance != nil {
		words := c.locale.Text(locale.TicketUnknown, id)
		return func(context.Context) (protocol.Answer, error) {
			return protocol.Answer{
				QuestionID: id, Outcome: protocol.OutcomeInvalid, Text: words, Images: []protocol.Image{},
				Error: &protocol.CallError{Code: codeUnknownQuestion, Message: words},
			}, nil
		}, nil
	}
	s.waiting(r)
	return func(ctx context.Context) (protocol.Answer, error) { return s.wait(ctx, r, deadline) }, nil
}

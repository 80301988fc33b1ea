package server

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"time"

	"github.com/google/uuid"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
)

func (s *Server) questionAsk(ctx context.Context, p protocol.AskParams) (rpc.Waiting[protocol.Answer], error) {
	if _, err := uuid.Parse(p.QuestionID); err != nil {
		return nil, rpc.Errorf(jsonrpc2.CodeInvalidParams, "questionId is %q; it must be a UUID", p.QuestionID)
	}
	if err := conversation.NoTool(p.Tool); err != nil {
		return nil, err
	}
	if p.Deadline < 0 {
		return nil, rpc.Errorf(jsonrpc2.CodeInvalidParams, "deadline is %d; it must not be negative", p.Deadline)
	}
	id, collects := awaited(p.Input)
	if !collects {
		id = p.QuestionID
	}
	turn := s.registry.Turn(p.Session, id)
	ask := func(ctx context.Context) (rpc.Waiting[protocol.Answer], error) {
		defer turn.End()
		if err := s.loadInTurn(ctx, turn, p.Session); err != nil {
			return nil, err
		}
		if collects {
			return s.collect(ctx, p, id)
		}
		return s.ask(ctx, p)
	}
	known := s.record(id) != nil || s.guest == nil && s.persister.InMemory("", id)
	if known && turn.Come() && len(p.Input) <= readAtOnce && s.persister.InMemory(p.Session, "") {
		return ask(ctx)
	}
	return func(ctx context.Context) (protocol.Answer, error) {
		wait, err := ask(ctx)
		if err != nil {
			return protocol.Answer{}, err
		}
		return wait(ctx)
	}, nil
}

// ask asks a question, or finds it by its id.
func (s *Server) ask(ctx context.Context, p protocol.AskParams) (rpc.Waiting[protocol.Answer], error) {
	if err := s.checkCallback(&p); err != nil {
		return nil, err
	}
	r, id, err := s.keptAs(ctx, p.QuestionID)
	if err != nil {
		return nil, err
	}
	var call question.Call
	if r == nil || p.Tool == question.ToolApproval {
		call = s.registry.Read(p.Session, p.Tool, p.Input)
	}
	p.PreviousPlan = "" // an agent could hide changes
	if r == nil && call.Approval != nil && call.Approval.Subject.Kind == question.SubjectPlan {
		p.PreviousPlan = s.previousPlan(ctx, p.Session, p.To)
	}
	s.registry.Enter()
	defer s.registry.Leave()
	c, err := s.conversation(p.Session)
	if err != nil {
		return nil, err
	}
	if r == nil {
		r = s.registry.Record(id) // it may have been asked meanwhile
	}
	how := conversation.WaitOptions{Deadline: time.Duration(p.Deadline) * time.Millisecond, Asks: true}
	if r == nil && p.Rejoin {
		if left := s.registry.Rejoin(c, p.Tool, call); left != nil {
			return s.registry.StartWait(left, how), nil
		}
	}
	switch {
	case r == nil:
		if err := s.checkAddressee(p); err != nil { // not for a known question, whose addressee may have left
			return nil, err
		}
		if err := s.checkRoom(call.Size()); err != nil {
			return nil, err
		}
		if id != p.QuestionID {
			c.Alias(id, p.QuestionID)
			p.QuestionID = id
		}
		r = s.registry.Ask(c, p, call)
	case r.Conversation.ID != c.ID:
		return nil, rpc.Errorf(protocol.CodeConflict, "the question %s belongs to another session", p.QuestionID)
	case !reflect.DeepEqual(r.Call.Approval, call.Approval): // the user decided on something else
		return nil, rpc.Errorf(protocol.CodeConflict, "the question %s asks for something else", p.QuestionID)
	}
	return s.registry.StartWait(r, how), nil
}

// previousPlan returns the text of a session's last plan for the same people; empty if there is none, or the store cannot be read.
func (s *Server) previousPlan(ctx context.Context, session, to string) (text string) {
	var c *conversation.Conversation
	s.registry.View(func() { c = s.registry.Known(session) })
	if c == nil {
		return ""
	}
	past, _ := s.persister.Past(ctx, c) // the user can decide without it
	order := 0
	s.registry.View(func() {
		for _, r := range append(past, c.Records...) {
			if a := r.Call.Approval; a != nil && a.Subject.Kind == question.SubjectPlan && r.Call.To == to && r.Order >= order {
				text, order = a.Subject.Text, r.Order
			}
		}
	})
	return text
}

const ticketUnknown locale.Key = `There is no question "{0}" that you have asked. Its answer cannot be collected; ask the question ` +
	"again if you still need to know."

// collect waits for an agent's earlier question. Knowing its id is enough, since only the asker's ticket has it, and the agent's
// name may change.
func (s *Server) collect(ctx context.Context, p protocol.AskParams, id string) (rpc.Waiting[protocol.Answer], error) {
	r, _, err := s.keptAs(ctx, id)
	if err != nil {
		return nil, err
	}
	s.registry.Enter()
	defer s.registry.Leave()
	c, err := s.conversation(p.Session)
	if err != nil {
		return nil, err
	}
	if r == nil || r.Guidance != nil {
		words := c.Locale.Text(ticketUnknown, id)
		return func(context.Context) (protocol.Answer, error) {
			return protocol.Answer{
				QuestionID: id, Outcome: protocol.OutcomeInvalid, Text: words, Images: []protocol.Image{},
				Error: &protocol.CallError{Code: protocol.ErrorUnknownQuestion, Message: words},
			}, nil
		}, nil
	}
	other := r.Conversation.ID != c.ID && !p.Rejoin
	return s.registry.StartWait(r, conversation.WaitOptions{Deadline: time.Duration(p.Deadline) * time.Millisecond, Other: other}), nil
}

// awaited parses the input by which a tool waits for a question instead of asking: an object, or a string that contains one, with
// the single key "await".
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

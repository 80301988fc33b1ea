package server

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"reflect"
	"time"

	"github.com/google/uuid"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/archive"
	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
)

func (s *Server) questionAsk(ctx context.Context, p protocol.AskParams) (begun rpc.Begun[protocol.Answer], err error) {
	if _, err := uuid.Parse(p.QuestionID); err != nil {
		return begun, rpc.Errorf(jsonrpc2.CodeInvalidParams, "questionId is %q; it must be a UUID", p.QuestionID)
	}
	if err := conversation.NoTool(p.Tool); err != nil {
		return begun, err
	}
	if err := checkMilliseconds("deadline", p.Deadline); err != nil {
		return begun, err
	}
	id, collects := awaited(p.Input)
	if !collects {
		id = p.QuestionID
	}
	known := s.record(id) != nil || !s.persister.Stores() || isFresh(p) && s.persister.Without()
	turn, atOnce := s.registry.Turn(p.Session, id), known && s.parsesAtOnce(p.Session, len(p.Input))
	return inTurn(ctx, turn, atOnce, func(ctx context.Context) (begun rpc.Begun[protocol.Answer], err error) {
		_, err = s.persister.Conversation(ctx, p.Session, isFresh(p))
		switch {
		case err != nil:
		case collects:
			begun.Wait, err = s.collect(ctx, p, id)
		default:
			begun.Wait, err = s.ask(ctx, p)
		}
		return begun, err
	})
}

// isFresh reports whether a question cannot have been asked before. An agent that rejoins may have asked it in another session.
func isFresh(p protocol.AskParams) bool { return p.New && !p.Rejoin }

// ask asks a question, or finds it by its id.
func (s *Server) ask(ctx context.Context, p protocol.AskParams) (rpc.Waiting[protocol.Answer], error) {
	if err := s.checkCallback(&p); err != nil {
		return nil, err
	}
	r, id, err := s.keptAs(ctx, p.QuestionID, isFresh(p))
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
		if err := s.checkAddressee(p); err != nil { // only for new questions: a known one's addressee may have left
			return nil, err
		}
		if err := s.checkRoom(call.Size()); err != nil {
			return nil, err
		}
		if id != p.QuestionID {
			c.Alias(id, p.QuestionID)
			p.QuestionID = id
		}
		if r, err = s.registry.Ask(c, p, call); err != nil {
			return nil, err
		}
	case r.Conversation.ID != c.ID:
		return nil, rpc.Errorf(protocol.CodeConflict, "the question %s belongs to another session", p.QuestionID)
	case !reflect.DeepEqual(r.Call.Approval, call.Approval): // the user decided on something else
		return nil, rpc.Errorf(protocol.CodeConflict, "the question %s asks for something else", p.QuestionID)
	}
	return s.registry.StartWait(r, how), nil
}

// previousPlan returns the text of a session's last plan for the same people, or "" if it has made none or the store cannot be read.
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

// collect waits for an agent's earlier question. It only checks the id, since only the asker's ticket has it, and the agent's name may change.
func (s *Server) collect(ctx context.Context, p protocol.AskParams, id string) (rpc.Waiting[protocol.Answer], error) {
	r, _, err := s.keptAs(ctx, id, false)
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

func (s *Server) questionAwait(ctx context.Context, p protocol.QuestionParams) (rpc.Begun[protocol.Answer], error) {
	turn, r := s.registry.TurnBehind(p.QuestionID), s.record(p.QuestionID)
	return inTurn(ctx, turn, r != nil, func(ctx context.Context) (begun rpc.Begun[protocol.Answer], err error) {
		if r == nil {
			if r, err = s.find(ctx, p.QuestionID); err != nil {
				return begun, err
			}
		}
		s.registry.Enter()
		defer s.registry.Leave()
		begun.Wait = s.registry.StartWait(r, conversation.WaitOptions{})
		return begun, nil
	})
}

func (s *Server) questionAnswer(ctx context.Context, p protocol.AnswerParams) (rpc.Begun[protocol.CloseResult], error) {
	images, _ := archive.DecodeImages(p.Images) // the registry rejects an answer that lacks images
	return onQuestion(ctx, s, p.QuestionID, atHub(protocol.QuestionAnswer, p), func(r *conversation.Record) (bool, error) {
		return s.registry.GiveAnswer(r, p, images, s.person())
	}, closed)
}

func (s *Server) questionReply(ctx context.Context, p protocol.ReplyParams) (rpc.Begun[protocol.CloseResult], error) {
	images, _ := archive.DecodeImages(p.Images) // the registry rejects an answer that lacks images
	return onQuestion(ctx, s, p.QuestionID, atHub(protocol.QuestionReply, p), func(r *conversation.Record) (bool, error) {
		return s.registry.GiveReply(r, p, images, s.person())
	}, closed)
}

func (s *Server) questionDecide(ctx context.Context, p protocol.DecideParams) (rpc.Begun[protocol.CloseResult], error) {
	return onQuestion(ctx, s, p.QuestionID, atHub(protocol.QuestionDecide, p), func(r *conversation.Record) (bool, error) {
		if err := s.mayClose(r); err != nil {
			return false, err
		}
		return s.registry.GiveDecision(r, p, s.clientName(), s.person())
	}, closed)
}

func (s *Server) questionDismiss(ctx context.Context, p protocol.QuestionParams) (rpc.Begun[protocol.CloseResult], error) {
	return onQuestion(ctx, s, p.QuestionID, atHub(protocol.QuestionDismiss, p), func(r *conversation.Record) (bool, error) {
		if err := s.mayClose(r); err != nil {
			return false, err
		}
		return s.registry.Dismiss(r, s.person())
	}, closed)
}

func (s *Server) questionWithdraw(ctx context.Context, p protocol.WithdrawParams) (rpc.Begun[protocol.CloseResult], error) {
	return onQuestion(ctx, s, p.QuestionID, nil, func(r *conversation.Record) (bool, error) {
		return s.registry.Withdraw(r, p)
	}, closed)
}

func (s *Server) questionSaveDraft(ctx context.Context, p protocol.SaveDraftParams) (rpc.Begun[protocol.SaveDraftResult], error) {
	if err := archive.NameImages(&p.Draft); err != nil {
		return rpc.Begun[protocol.SaveDraftResult]{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "the draft cannot be kept: %v", err)
	}
	p.Draft.By = s.account()
	var result protocol.SaveDraftResult
	atHub := func(ctx context.Context, l *hubLink) (protocol.SaveDraftResult, error) {
		return s.saveHubDraft(ctx, l, p)
	}
	return onQuestion(ctx, s, p.QuestionID, atHub, func(r *conversation.Record) (bool, error) {
		if err := s.mayClose(r); err != nil { // otherwise their draft would block those who may
			return false, err
		}
		if r.Outcome == nil && r.Draft != nil && r.Draft.By != p.Draft.By && !archive.EmptyDraft(*r.Draft) {
			result.Unkept = !archive.EmptyDraft(p.Draft)
			return true, nil // a draft belongs to its owner
		}
		var err error
		if result.Missing, err = s.registry.SaveDraft(r, p.Draft); err != nil {
			return false, err
		}
		s.inbox.HasImages(r.ID, p.Draft.Images)
		return true, nil
	}, func(r *conversation.Record, _ bool) protocol.SaveDraftResult {
		if r.Outcome == nil && len(result.Missing) == 0 {
			s.inboxes.ChangedElsewhere(r, s.inbox) // it is durable now
		}
		return result
	})
}

// questionTouch ignores unknown questions, since they have no clock. It returns once the change is durable.
func (s *Server) questionTouch(ctx context.Context, p protocol.QuestionParams) (rpc.Begun[protocol.None], error) {
	stop := func(r *conversation.Record) (bool, error) { return true, s.registry.StopClock(r) }
	return ignoringUnknown(onQuestion(ctx, s, p.QuestionID, nil, stop, func(*conversation.Record, bool) protocol.None { return nothing() }))
}

// ignoringUnknown returns a handler's result, without the error of an unknown question or session.
func ignoringUnknown(begun rpc.Begun[protocol.None], err error) (rpc.Begun[protocol.None], error) {
	if wait := begun.Wait; wait != nil {
		begun.Wait = func(ctx context.Context) (protocol.None, error) {
			_, err := wait(ctx)
			return protocol.None{}, unlessUnknown(err)
		}
	}
	return begun, unlessUnknown(err)
}

func unlessUnknown(err error) error {
	if isUnknown(err) {
		return nil
	}
	return err
}

func (s *Server) timerConfigure(_ context.Context, p protocol.TimerConfigureParams) (protocol.None, error) {
	if err := checkMilliseconds("after", p.After); err != nil {
		return protocol.None{}, err
	}
	s.registry.Enter()
	defer s.registry.Leave()
	s.registry.SetTimed(time.Duration(p.After) * time.Millisecond)
	return protocol.None{}, nil
}

// checkMilliseconds rejects a number of milliseconds that is negative, or too large for a time.Duration, which would wrap around.
func checkMilliseconds(name string, n int) error {
	if n < 0 || int64(n) > math.MaxInt64/int64(time.Millisecond) {
		return rpc.Errorf(jsonrpc2.CodeInvalidParams, "%s is %d; it must be a time in milliseconds", name, n)
	}
	return nil
}

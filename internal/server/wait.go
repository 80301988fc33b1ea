package server

import (
	"context"
	"errors"
	"time"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/session"
)

// waiting is a request that waits for a question. It is begun while the question is looked up, so that the question stays.
func (s *Server) waiting(r *record) {
	r.waiters++
	s.claim(r)
}

// wait gives the answer to a question once there is one, or a ticket when the deadline has passed. Waiting was called before.
func (s *Server) wait(ctx context.Context, r *record, deadline time.Duration) (protocol.Answer, error) {
	var passed <-chan time.Time
	if deadline > 0 {
		timer := time.NewTimer(deadline)
		defer timer.Stop()
		passed = timer.C
	}
	answer, err := s.answerOf(ctx, r, passed)
	s.enter()
	defer s.leave()
	r.waiters--
	if err == nil && answer.Outcome != protocol.OutcomeWaiting {
		s.collect(r)
	}
	s.forget(r)
	return answer, err
}

func (s *Server) answerOf(ctx context.Context, r *record, passed <-chan time.Time) (protocol.Answer, error) {
	select {
	case <-r.done:
	case <-passed:
		select { // the answer may have come at the same moment: it counts
		case <-r.done:
		default:
			return s.ticket(r), nil
		}
	case <-ctx.Done():
		select {
		case <-r.done:
		default:
			return protocol.Answer{}, context.Cause(ctx)
		}
	}
	if r.answer.Outcome == protocol.OutcomeWithdrawn {
		return protocol.Answer{}, rpc.Errorf(protocol.CodeCancelled, "the question was withdrawn")
	}
	return r.answer, nil
}

// collect notes that an agent has been given its answer. That is written with whatever is written next, or with the lease: a
// write of its own would come between the answer and the agent.
func (s *Server) collect(r *record) {
	if r.collected {
		return
	}
	r.collected = true
	if r.outcomeInStore {
		s.unsaved.collected = append(s.unsaved.collected, r.id)
	}
}

// ticket is what an agent gets in place of an answer that has not come in time.
func (s *Server) ticket(r *record) protocol.Answer {
	return protocol.Answer{
		QuestionID: r.id, Outcome: protocol.OutcomeWaiting, Text: r.session.locale.Text(locale.TicketWaiting, r.id),
		Images: []protocol.Image{},
	}
}

// asking is what question/ask waits by: its cancellation withdraws the question, unless somebody else has asked it too.
func (s *Server) asking(r *record, deadline time.Duration) rpc.Waiting[protocol.Answer] {
	r.askers++
	s.waiting(r)
	return func(ctx context.Context) (protocol.Answer, error) {
		answer, err := s.wait(ctx, r, deadline)
		s.enter()
		defer s.leave()
		r.askers--
		if errors.Is(err, rpc.ErrCancelled) && r.askers == 0 && r.state != protocol.ItemClosed {
			s.mustApply(r.session, session.Withdrawn{ID: r.id})
		}
		return answer, err
	}
}

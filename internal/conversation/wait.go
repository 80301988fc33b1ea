package conversation

import (
	"context"
	"errors"
	"time"

	"followup/internal/locale"
	"followup/internal/protocol"
)

// ErrWithdrawn is the error of waiting for a question that was withdrawn.
var ErrWithdrawn = errors.New("the question was withdrawn")

// WaitOptions are how a request waits for a question.
type WaitOptions struct {
	// Deadline is the time after which it gets a ticket. Zero means never.
	Deadline time.Duration
	// Asks means that the request is question/ask: cancelling it withdraws the question, unless another request asks it too.
	Asks bool
	// Other means that the request belongs to another conversation than the question, so the answer does not count as collected.
	Other bool
}

// StartWait starts to wait for a question, in the section in which it was looked up, so that it stays in memory. It returns a
// function that blocks until the answer. A question whose only request was cancelled is orphaned. Disconnect handles the end of a
// connection: while a keeper ends, no question is orphaned.
func (g *Registry) StartWait(r *Record, how WaitOptions) func(context.Context) (protocol.Answer, error) {
	if how.Asks {
		r.askers++
	}
	r.waiters++
	g.back(r)
	return func(ctx context.Context) (answer protocol.Answer, err error) {
		var passed <-chan time.Time
		if how.Deadline > 0 {
			passed = time.After(how.Deadline)
		}
		select {
		case <-r.done:
		case <-passed:
		case <-ctx.Done():
		}
		g.Enter()
		defer g.Leave()
		switch announced := r.Announced(); { // an answer that came at the same moment counts
		case announced && r.Answer.Outcome == protocol.OutcomeWithdrawn:
			err = ErrWithdrawn
		case announced:
			answer = r.Answer
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		default:
			answer = ticket(r)
		}
		r.waiters--
		if how.Asks {
			r.askers--
		}
		switch {
		case r.State == protocol.ItemClosed || !errors.Is(err, g.options.Cancelled):
		case how.Asks && r.askers == 0:
			g.withdraw(r)
		case r.waiters == 0:
			g.leave(r)
		}
		r.promised = r.promised && (how.Other || !r.Announced())
		if !how.Other && err == nil && answer.Outcome != protocol.OutcomeWaiting {
			g.collect(r)
		}
		g.Forget(r)
		return answer, err
	}
}

// collect records that the agent has received the answer.
func (g *Registry) collect(r *Record) {
	delete(g.orphans, r)
	if !r.Collected {
		r.Collected = true
		g.section.Collected = append(g.section.Collected, r)
	}
}

// ticket returns an agent's answer for a deadline that has passed.
func ticket(r *Record) protocol.Answer {
	return protocol.Answer{
		QuestionID: r.AgentID(), Outcome: protocol.OutcomeWaiting, Text: r.Conversation.Locale.Text(locale.TicketWaiting, r.AgentID()),
		Images: []protocol.Image{},
	}
}

// EndBound withdraws the orphaned questions of bound sessions.
func (g *Registry) EndBound() {
	for _, r := range g.records {
		if r.Conversation.Bound && g.Orphaned(r) {
			g.withdraw(r)
		}
	}
}

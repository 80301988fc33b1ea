package conversation

import (
	"context"
	"errors"
	"time"

	"followup/internal/locale"
	"followup/internal/protocol"
)

// ErrWithdrawn is what those get who wait for a question that was taken back.
var ErrWithdrawn = errors.New("the question was withdrawn")

// Wait is how a request waits for a question.
type Wait struct {
	// Deadline is after how long it gets a ticket. Zero means never.
	Deadline time.Duration
	// Asks says that the request is question/ask: if its client cancels it, the question is withdrawn, unless another one asks it too.
	Asks bool
	// Other says that another conversation waits than the one that asked, which is not given the answer by it.
	Other bool
}

// Waiting begins to wait for a question, in the section in which it was looked up, so that it stays. It returns the second half, which
// waits. A question whose only waiting request is cancelled was left. The end of a connection is for Disconnect: while a keeper ends,
// nothing was left.
func (g *Registry) Waiting(r *Record, how Wait) func(context.Context) (protocol.Answer, error) {
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
		switch told := r.Told(); { // an answer that has come at the same moment counts
		case told && r.Answer.Outcome == protocol.OutcomeWithdrawn:
			err = ErrWithdrawn
		case told:
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
		r.promised = r.promised && (how.Other || !r.Told())
		if !how.Other && err == nil && answer.Outcome != protocol.OutcomeWaiting {
			g.collect(r)
		}
		g.Forget(r)
		return answer, err
	}
}

// collect notes that the agent has been given the answer.
func (g *Registry) collect(r *Record) {
	delete(g.orphans, r)
	if !r.Collected {
		r.Collected = true
		g.section.Collected = append(g.section.Collected, r)
	}
}

// ticket is what an agent gets in place of an answer that has not come in time.
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

package conversation

import (
	"context"
	"errors"
	"time"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/session"
)

// ErrWithdrawn is what those get who wait for a question that was taken back.
var ErrWithdrawn = errors.New("the question was withdrawn")

// Waiting begins to wait for a question, in the section in which it was looked up, so that it stays. It gives the second half,
// which waits, for a ticket at most that long if a deadline is set.
func (g *Registry) Waiting(r *Record, deadline time.Duration) func(context.Context) (protocol.Answer, error) {
	return g.waiting(r, deadline, true)
}

// WaitingElse is Waiting for another conversation than the one that asked: that has not been given the answer by it.
func (g *Registry) WaitingElse(r *Record, deadline time.Duration) func(context.Context) (protocol.Answer, error) {
	return g.waiting(r, deadline, false)
}

func (g *Registry) waiting(r *Record, deadline time.Duration, collects bool) func(context.Context) (protocol.Answer, error) {
	r.waiters++
	g.back(r)
	return func(ctx context.Context) (protocol.Answer, error) {
		var passed <-chan time.Time
		if deadline > 0 {
			timer := time.NewTimer(deadline)
			defer timer.Stop()
			passed = timer.C
		}
		answer, err := g.answer(ctx, r, passed)
		g.Enter()
		defer g.Leave()
		r.waiters--
		r.promised = r.promised && (!collects || !r.Told())
		if collects && err == nil && answer.Outcome != protocol.OutcomeWaiting {
			g.collect(r)
		}
		g.Forget(r)
		return answer, err
	}
}

// collect notes that the agent has been given the answer.
func (g *Registry) collect(r *Record) {
	if !r.Collected {
		r.Collected = true
		g.section.Collected = append(g.section.Collected, r)
	}
}

func (g *Registry) answer(ctx context.Context, r *Record, passed <-chan time.Time) (protocol.Answer, error) {
	select {
	case <-r.done:
	case <-passed:
		if !r.Told() { // the answer may have come at the same moment: it counts
			g.mu.Lock()
			defer g.mu.Unlock()
			return ticket(r), nil
		}
	case <-ctx.Done():
		if !r.Told() {
			return protocol.Answer{}, context.Cause(ctx)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.Answer.Outcome == protocol.OutcomeWithdrawn {
		return protocol.Answer{}, ErrWithdrawn
	}
	return r.Answer, nil
}

// ticket is what an agent gets in place of an answer that has not come in time.
func ticket(r *Record) protocol.Answer {
	return protocol.Answer{
		QuestionID: r.ID, Outcome: protocol.OutcomeWaiting, Text: r.Conversation.Locale.Text(locale.TicketWaiting, r.ID),
		Images: []protocol.Image{},
	}
}

// Asking is Waiting for question/ask: when its context ends because of the cause, the question is withdrawn, unless another request asks it too.
func (g *Registry) Asking(r *Record, deadline time.Duration, cause error) func(context.Context) (protocol.Answer, error) {
	r.askers++
	wait := g.Waiting(r, deadline)
	return func(ctx context.Context) (protocol.Answer, error) {
		answer, err := wait(ctx)
		g.Enter()
		defer g.Leave()
		if r.askers--; r.askers == 0 && errors.Is(err, cause) && r.State != protocol.ItemClosed {
			g.mustApply(r.Conversation, session.Withdrawn{ID: r.ID})
		}
		return answer, err
	}
}

// EndBound withdraws the orphaned questions of bound sessions.
func (g *Registry) EndBound() {
	for _, r := range g.records {
		if r.Conversation.Bound && g.Orphaned(r) {
			g.mustApply(r.Conversation, session.Withdrawn{ID: r.ID})
		}
	}
}

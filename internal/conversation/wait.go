package conversation

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

// ErrWithdrawn is returned to requests that wait for a withdrawn question.
var ErrWithdrawn = errorf(protocol.CodeCancelled, "the question was withdrawn")

// WaitOptions are how a request waits for a question.
type WaitOptions struct {
	// Deadline is how long the request waits before it gets a ticket. Zero means no limit.
	Deadline time.Duration
	// Asks means that the request is question/ask: cancelling it withdraws the question, unless another request asks it too.
	Asks bool
	// Other means that the request belongs to another conversation than the question, so the answer does not count as collected. Cancelling
	// it orphans the question only if such requests alone have brought it back, since its asker need not be the one who waits.
	Other bool
}

// StartWait begins to wait for a question, in the section in which it was looked up, so that the question stays in memory. It
// returns a function that blocks until the answer. Cancelling the only request orphans the question. Disconnect handles closed
// connections, because a keeper that exits must not orphan questions.
func (g *Registry) StartWait(r *Record, how WaitOptions) func(context.Context) (protocol.Answer, error) {
	if how.Asks {
		r.askers++
	}
	r.waiters++
	r.visited = how.Other && (r.left || r.visited)
	g.back(r)
	released := make(chan struct{}) // a ticket says that the question is asked
	g.Released(r.Conversation, func() { close(released) })
	return func(ctx context.Context) (answer protocol.Answer, err error) {
		var passed <-chan time.Time
		if how.Deadline > 0 {
			passed = time.After(how.Deadline)
		}
		select {
		case <-r.done:
		case <-passed:
			select {
			case <-released:
			case <-r.done:
			case <-ctx.Done():
			}
		case <-ctx.Done():
		}
		g.Enter()
		defer g.Leave()
		switch announced := r.Announced(); { // an answer that arrived at the same moment counts
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
			_ = g.withdraw(r)
		case r.waiters == 0 && (!how.Other || r.visited):
			g.leave(r)
		}
		if err == nil {
			r.visited = false
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

// ticket returns the agent's answer when the deadline passes first.
func ticket(r *Record) protocol.Answer {
	return protocol.Answer{
		QuestionID: r.AgentID(), Outcome: protocol.OutcomeWaiting, Text: r.Conversation.Locale.Text(locale.TicketWaiting, r.AgentID()),
		Images: []protocol.Image{},
	}
}

// EndBound closes the orphaned questions of bound sessions.
func (g *Registry) EndBound() {
	for _, r := range g.records {
		if r.Conversation.Bound && g.Orphaned(r) {
			_ = g.takeBack(r, question.Disconnected)
		}
	}
}

// Disconnect orphans the questions of a conversation whose client has disconnected, or closes them if it is bound. Questions
// that another client waits for do not change.
func (g *Registry) Disconnect(c *Conversation) {
	for _, r := range slices.Backward(slices.Clone(c.Records)) { // newest first, so that no question becomes pending after its predecessor is orphaned
		switch {
		case r.Outcome != nil || r.waiters > 0:
		case c.Bound && !r.left:
			_ = g.takeBack(r, question.Disconnected)
		default:
			g.leave(r)
		}
	}
}

// leave orphans an open question, since nobody waits for it. It no longer blocks the queue, and the user sees that it is orphaned.
func (g *Registry) leave(r *Record) {
	if r.left {
		return
	}
	r.left = true
	g.orphans[r] = true
	g.happened(r.Conversation, session.Left{ID: r.ID})
	g.runClock(r)
	if r.Whole() {
		g.Show(r)
	}
}

// back records that a client waits for an orphaned question again.
func (g *Registry) back(r *Record) {
	if !r.left || r.Outcome != nil {
		return
	}
	r.left = false
	delete(g.orphans, r)
	g.happened(r.Conversation, session.Back{ID: r.ID})
	g.Show(r)
	g.startClock(r)
	g.runClock(r)
}

// Rejoin returns the newest question that the agent asked in another conversation before it was killed: same account, agent,
// folders, tool and content, no waiting client, and not collected. It returns nil if there is none in memory.
func (g *Registry) Rejoin(c *Conversation, tool string, call question.Call) (found *Record) {
	for r := range g.orphans {
		was := r.Conversation
		same := was != c && !was.Bound && was.Account == c.Account && was.Agent == c.Agent && r.Tool == tool &&
			slices.Equal(was.Folders, c.Folders) && r.Whole() && call.Err == nil && r.Guidance == nil &&
			reflect.DeepEqual(r.Call.Followup, call.Followup) && reflect.DeepEqual(r.Call.Questionnaire, call.Questionnaire) &&
			reflect.DeepEqual(r.Call.Approval, call.Approval)
		if same && (found == nil || r.Order > found.Order) {
			found = r
		}
	}
	return found
}

// kept marks the answer of a question that closed while no client waited, if there is one, so that the agent can collect it
// later.
func (g *Registry) kept(r *Record) {
	switch r.Outcome.Outcome {
	case protocol.OutcomeAnswered, protocol.OutcomeReplied, protocol.OutcomeDismissed, protocol.OutcomeAllowed, protocol.OutcomeDenied:
		r.promised = true
	default:
		delete(g.orphans, r)
	}
}

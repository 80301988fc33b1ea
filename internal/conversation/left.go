package conversation

import (
	"reflect"
	"slices"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

// Disconnect orphans the questions of a conversation whose client has disconnected, or withdraws them if it is bound. Questions
// that another client waits for do not change.
func (g *Registry) Disconnect(c *Conversation) {
	for _, r := range slices.Backward(slices.Clone(c.Records)) { // the last first, so that none becomes pending after an orphaned one
		switch {
		case r.Outcome != nil || r.waiters > 0:
		case c.Bound && !r.left:
			g.withdraw(r)
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
	g.mustApply(r.Conversation, session.Left{ID: r.ID})
	g.runClock(r)
	if r.Whole() {
		g.Show(r)
	}
}

// back records that a client waits for a question.
func (g *Registry) back(r *Record) {
	if !r.left || r.Outcome != nil {
		return
	}
	r.left = false
	delete(g.orphans, r)
	g.mustApply(r.Conversation, session.Back{ID: r.ID})
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

// kept records that a question closed while no client waited. Its answer is kept for the agent, if there is one.
func (g *Registry) kept(r *Record) {
	switch r.Outcome.Outcome {
	case protocol.OutcomeAnswered, protocol.OutcomeReplied, protocol.OutcomeDismissed, protocol.OutcomeAllowed, protocol.OutcomeDenied:
		r.promised = true
	default:
		delete(g.orphans, r)
	}
}

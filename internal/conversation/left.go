package conversation

import (
	"slices"

	"followup/internal/session"
)

// Disconnect notes that the client has disconnected which asked the open questions of a conversation. Those that another client waits for are
// not touched; a bound conversation's are withdrawn.
func (g *Registry) Disconnect(c *Conversation) {
	for _, r := range slices.Clone(c.Records) {
		if r.Outcome != nil || r.waiters > 0 || r.left {
			continue
		}
		if c.Bound {
			g.mustApply(c, session.Withdrawn{ID: r.ID})
			continue
		}
		r.left = true
		g.runClock(r)
		if r.Whole() {
			g.Show(r)
		}
	}
}

// back notes that a client waits for a question.
func (g *Registry) back(r *Record) {
	if !r.left {
		return
	}
	r.left = false
	g.Show(r)
	g.startClock(r)
	g.runClock(r)
}

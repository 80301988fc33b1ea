package hook

import (
	"context"
	"errors"
	"time"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Sent is a decision that was sent to an agent whose own dialog was open, too. The agent may have acted on that dialog instead.
type Sent struct {
	QuestionID string `json:"questionId"`
	// Log is the path of Claude Code's log, and Call the id of the call in it; empty if unknown.
	Log  string `json:"log,omitempty"`
	Call string `json:"call,omitempty"`
	// Effective is the decision that took effect; empty if the agent has not reported it yet.
	Effective protocol.Outcome `json:"-"`
}

// Sent returns the decision that Ask has sent. It returns nil without a decision, or if no other dialog was open.
func (c *Call) Sent() *Sent { return c.sent }

// send records that the user has decided in the inbox. why is the reason for which the wait has ended; nil if it has not.
func (a *asking) send(id string, why error) {
	if !a.call.approves || !a.call.beside {
		return
	}
	a.call.sent = &Sent{QuestionID: id}
	var there Closed
	if errors.As(why, &there) {
		a.call.sent.Effective = there.Effective
	}
	if log := a.call.log; log != nil {
		if log.over(); len(log.open) == 1 { // of equal calls, it is unknown which one is this
			a.call.sent.Log = log.path
			for call := range log.open {
				a.call.sent.Call = call
			}
		}
	}
}

// Follow waits until the log shows which decision took effect, or until ctx ends: the agent may have written it just before it exited.
func (s *Sent) Follow(ctx context.Context, look time.Duration) {
	log := tailOf(s.Log, transcriptTail)
	for waits := true; waits; {
		waits = pause(ctx, look)
		for line := range log.lines() {
			if s.Effective = claudeEffect(line, s.Call); s.Effective != "" {
				return
			}
		}
	}
}

// Confirm reports the effective decision to a sidecar.
func (s *Sent) Confirm(ctx context.Context, sidecar *rpc.Conn) error {
	_, err := rpc.Call(ctx, sidecar, protocol.QuestionConfirm, protocol.ConfirmParams{QuestionID: s.QuestionID, Effective: s.Effective})
	return err
}

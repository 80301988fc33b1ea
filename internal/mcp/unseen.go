package mcp

import (
	"context"
	"encoding/json"
	"time"

	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Where no inbox is open and the client shows neither a form nor the page, nobody would learn that a question waits. Its user is notified on
// the desktop, and told where to answer by the call's progress; its model is told after some seconds, and can go on with something else.

// DefaultNotShownAfter is how long a call waits for an inbox.
const DefaultNotShownAfter = 10 * time.Second

// nobodySees notes that nobody can see a question, and notifies the user. A team's hub has its own ways to do that.
func (c *calling) nobodySees(ctx context.Context, id string) {
	if c.options.Hub != nil {
		return
	}
	c.unseen.Store(true)
	select {
	case c.changed <- struct{}{}:
	default:
	}
	if c.collects() || c.options.Notify == nil {
		return
	}
	payload, err := c.payload(ctx, id)
	switch {
	case err != nil && ctx.Err() == nil:
		c.log.Warn("the user is not notified", zap.Error(err))
	case payload != nil:
		go c.options.Notify(c.who.name, *payload) // the desktop may take its time
	}
}

// hidden reports whether still nobody can see the question.
func (c *calling) hidden(ctx context.Context) bool { return c.unseen.Load() && !c.inboxShown(ctx) }

// inboxShown reports whether an inbox is open, as far as is known.
func (c *calling) inboxShown(ctx context.Context) bool {
	status, err := rpc.Call(ctx, c.options.Sidecar, protocol.InboxStatus, protocol.None{})
	return err != nil || status.Shown
}

// goesOn reports whether the model is told soon that nobody can see the question. One that collects an answer knows.
func (c *calling) goesOn() bool {
	return c.options.Hub == nil && c.options.NotShownAfter > 0 && !c.collects()
}

// collects reports whether a call only waits for a question that was asked before.
func (c *calling) collects() bool {
	var fields map[string]json.RawMessage
	return json.Unmarshal(c.req.Params.Arguments, &fields) == nil && len(fields) == 1 && fields["await"] != nil
}

const ticketNotShown locale.Key = "Nobody can see the question: no inbox is open. The user has not declined, and the question stays " +
	"open. Tell the user that it waits, and that they can answer it by running `{1} answer` in a terminal, or `{1} web` for a browser. " +
	`Go on with other work if you can. To collect the answer later, call this tool again with {"await": "{0}"} as its whole input.`

// worded returns an answer with the words for a question that still waits and that nobody can see.
func (c *calling) worded(ctx context.Context, answer protocol.Answer) protocol.Answer {
	if answer.Outcome == protocol.OutcomeWaiting && c.hidden(ctx) {
		answer.Text = c.text(ticketNotShown, c.question, c.options.Program)
	}
	return answer
}

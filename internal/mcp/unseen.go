package mcp

import (
	"context"
	"time"

	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// If no inbox is open and the client shows neither a form nor the page, nobody would notice a question. The user gets a desktop
// notification, and the call's progress says where to answer. After some seconds the call returns, so that the model can
// continue with something else.

// DefaultNotShownAfter is how long a call waits for an inbox.
const DefaultNotShownAfter = 10 * time.Second

// nobodySees notifies the user of a question that nobody can see, and then marks the question as unseen, which may end the
// call and its ctx. A team's hub sends its own notifications.
func (c *calling) nobodySees(ctx context.Context, id string) {
	if c.options.Hub != nil {
		return
	}
	c.notify(ctx, id)
	c.unseen.Store(true)
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// notify notifies the user of a question, unless the model only collects its answer.
func (c *calling) notify(ctx context.Context, id string) {
	if c.collects() || c.options.Notify == nil {
		return
	}
	payload, err := c.payload(ctx, id)
	switch {
	case err != nil && ctx.Err() == nil:
		c.log.Warn("could not notify the user", zap.Error(err))
	case payload != nil:
		go c.options.Notify(c.who.name, *payload) // showing the notification may be slow
	}
}

// hidden reports whether nobody can see the question yet.
func (c *calling) hidden(ctx context.Context) bool { return c.unseen.Load() && !c.inboxShown(ctx) }

// inboxShown reports whether an inbox is known to be open.
func (c *calling) inboxShown(ctx context.Context) bool {
	status, err := rpc.Call(ctx, c.options.Sidecar, protocol.InboxStatus, protocol.None{})
	return err != nil || status.Shown
}

// goesOn reports whether the model should soon learn that nobody can see the question, and continue. A model that collects
// an answer already knows.
func (c *calling) goesOn() bool {
	return c.options.Hub == nil && c.options.NotShownAfter > 0 && !c.collects()
}

// collects reports whether a call only waits for an earlier question.
func (c *calling) collects() bool {
	_, collects := awaited(c.req.Params.Arguments)
	return collects
}

const ticketNotShown locale.Key = "Nobody can see the question: no inbox is open. The user has not declined, and the question stays " +
	"open. Tell the user that it is waiting, and that they can answer it by running `{1} answer` in a terminal, or `{1} web` for a " +
	`browser. Continue with other work if you can. To collect the answer later, call this tool again with {"await": "{0}"} as its ` +
	"whole input."

// worded returns the answer, with an explaining text if the question is open and nobody can see it.
func (c *calling) worded(ctx context.Context, answer protocol.Answer) protocol.Answer {
	if answer.Outcome == protocol.OutcomeWaiting && c.hidden(ctx) {
		answer.Text = c.text(ticketNotShown, c.question, c.options.Program)
	}
	return answer
}

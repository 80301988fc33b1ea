package conversation

import (
	"fmt"
	"slices"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

// Apply applies an event to a session's machine and carries out the effects.
func (g *Registry) Apply(c *Conversation, e session.Event) error {
	mistakes, clock := c.State.Mistakes, c.State.Clock
	effects, err := c.State.Apply(e)
	if err != nil {
		return err
	}
	if c.State.Mistakes != mistakes || c.State.Clock != clock { // the rest of the state is derived from its questions
		g.TouchConversation(c)
	}
	g.carryOut(effects)
	g.finish(c)
	return nil
}

// mustApply is Apply for events that only a bug makes the machine reject. The rejection is logged, and returned for
// the sender.
func (g *Registry) mustApply(c *Conversation, e session.Event) error {
	err := g.Apply(c, e)
	if err != nil {
		g.options.Log.DPanic("the session rejected an event", zap.Any("event", e), zap.Error(err))
		return fmt.Errorf("nothing was changed: %w", err)
	}
	return nil
}

// happened is mustApply for events that nobody has sent.
func (g *Registry) happened(c *Conversation, e session.Event) { _ = g.mustApply(c, e) }

// Restore restores a session's state from its records, which others may have changed.
func (g *Registry) Restore(c *Conversation, mistakes int) {
	slices.SortStableFunc(c.Records, func(a, b *Record) int { return a.Order - b.Order })
	known := session.Kept{Mistakes: mistakes, Limit: c.State.Limit, Clock: c.State.Clock}
	for _, r := range c.Records {
		switch {
		case r.State == protocol.ItemClosed:
		case r.Guidance != nil:
			known.Guidance = append(known.Guidance, r.ID)
		case r.State == protocol.ItemHeld:
			known.Held = append(known.Held, r.ID)
		default:
			known.Open = append(known.Open, session.Open{ID: r.ID, Phase: session.Phase(slices.Index(states, r.State)), Left: r.left})
		}
	}
	next, effects := session.Restore(known)
	c.State = next
	g.carryOut(effects)
	g.finish(c)
	for _, r := range c.Records { // loaded pending records count as unchanged
		g.startClock(r)
	}
}

func (g *Registry) carryOut(effects []session.Effect) {
	for _, effect := range effects {
		switch effect := effect.(type) {
		case session.Guide:
			g.askForGuidance(g.records[effect.Call], effect.ID)
		case session.Held:
			g.held(g.records[effect.ID], g.records[effect.Guidance])
		case session.Moved:
			g.moved(g.records[effect.ID], effect.Phase)
		case session.Clocked:
			g.clocked(g.records[effect.ID], effect.Due)
		case session.Ended:
			g.ended(g.records[effect.ID], effect.Outcome)
		}
	}
}

// askForGuidance adds a request for guidance to the inbox. It is not part of the session's queue.
func (g *Registry) askForGuidance(failed *Record, id string) {
	c := failed.Conversation
	count := c.State.Mistakes.Count()
	r := g.newRecord(c, id, "")
	r.State = protocol.ItemPending
	r.Guidance = &protocol.Guidance{ConsecutiveMistakes: count, Error: *failed.Error()}
	r.Call.Followup = &question.Followup{
		Question: g.Locale.Text("{0} tried to ask you something, but its last {1} calls could not be read. What should it do?", c.Agent, count),
		Suggest:  []question.Suggestion{},
	}
	r.Call.To = failed.Call.To
	g.Touch(r)
	g.Show(r)
	g.watchNotShown(r)
}

// held records that an invalid call waits for the user's guidance.
func (g *Registry) held(r, guidance *Record) {
	if r.State == protocol.ItemHeld && r.GuidedBy == guidance {
		return
	}
	if r.State == protocol.ItemStreaming {
		g.hide(r)
	}
	r.State, r.GuidedBy = protocol.ItemHeld, guidance
	g.Touch(r)
}

func (g *Registry) moved(r *Record, to session.Phase) {
	r.State = states[to]
	if r.Whole() {
		g.Touch(r)
	}
	g.Show(r)
	if to == session.Pending {
		g.watchNotShown(r)
		g.startClock(r)
	}
}

// watchNotShown ends a pending question as not shown if no interface subscribes in time. An orphaned question has no time limit.
func (g *Registry) watchNotShown(r *Record) {
	patience := g.NotShownAfter
	if own := r.Conversation.NotShownAfter; own != nil {
		patience = *own
	}
	if g.Audience.Present() || g.Orphaned(r) || patience < 0 {
		return
	}
	r.notShown = g.options.Background.After(patience, "not shown", func() {
		g.Enter()
		defer g.Leave()
		if r.State != protocol.ItemPending || g.Audience.Present() {
			return
		}
		g.options.Log.Warn("a question was not shown: no interface has subscribed", zap.String("question", r.ID))
		g.happened(r.Conversation, session.Resolved{ID: r.ID, Outcome: question.NotShown})
	})
}

// Seen records that an interface shows a record.
func (r *Record) Seen() {
	if r.notShown != nil {
		r.notShown.Stop()
	}
}

// Orphaned reports whether an open question is orphaned: its client has disconnected or has stopped waiting.
func (g *Registry) Orphaned(r *Record) bool { return r.Outcome == nil && r.left }

// ended sets a record's outcome. The caller has set the content of an answer.
func (g *Registry) ended(r *Record, outcome question.Outcome) {
	if r.Outcome == nil {
		r.Outcome = &protocol.ItemOutcome{}
	}
	r.Outcome.Outcome = outcome
	r.Outcome.At = g.options.Now().UnixMilli()
	was := r.State
	r.State = protocol.ItemClosed
	if g.finishAnswer(r); r.left {
		g.kept(r)
	}
	g.end(r, was)
	if r.Whole() {
		g.Touch(r)
	}
}

// OverrideOutcome replaces a record's outcome by the one in the store, which was saved before the question was asked again here.
func (g *Registry) OverrideOutcome(r *Record, item protocol.ItemOutcome, agent protocol.Answer) {
	was := r.State
	r.Outcome, r.Answer, r.State, r.Durable, r.Superseded = &item, agent, protocol.ItemClosed, true, true
	if was == protocol.ItemClosed { // it was announced only if it could not be saved for long
		g.Show(r)
		return
	}
	g.end(r, was)
}

// end cleans up after a record got its outcome.
func (g *Registry) end(r *Record, was protocol.ItemState) {
	r.Seen()
	g.count(r)
	if r.expiry != nil {
		r.expiry.Stop()
	}
	if was == protocol.ItemStreaming || was == protocol.ItemHeld {
		g.hide(r)
		g.touched = append(g.touched, r)
	} else {
		g.Show(r)
	}
	g.options.Log.Info("closed", zap.String("question", r.ID), zap.String("session", r.Conversation.ID), zap.String("outcome", string(r.Outcome.Outcome)))
}

package conversation

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

// Read parses a complete call in a session. Call it outside of sections, since a call may be large.
func (g *Registry) Read(sessionID, tool string, input []byte) question.Call {
	var o dialect.Options
	g.View(func() {
		if c := g.Known(sessionID); c != nil {
			o = c.Reading
		}
	})
	if g.reads != nil {
		g.reads()
	}
	return dialect.ReadInput(tool, input, o)
}

// Ask adds a parsed call under a new id, and advances the session.
func (g *Registry) Ask(c *Conversation, p protocol.AskParams, call question.Call) (*Record, error) {
	r := g.newRecord(c, p.QuestionID, p.Tool)
	if p.Deadline > 0 {
		r.Deadline = r.AskedAt.Add(time.Duration(p.Deadline) * time.Millisecond)
	}
	if p.Callback != nil {
		r.Callback = &Callback{*p.Callback, p.PrivateCallback}
	}
	call.Envelope = p.Envelope
	call.Context = question.Before(p.Context)
	if err := g.take(r, call); err != nil {
		return nil, err
	}
	return r, nil
}

// take sets a record's call, and advances the session. If the session rejects the call, the record is dropped.
func (g *Registry) take(r *Record, call question.Call) error {
	r.Call = call
	g.count(r)
	g.logCall(r)
	var e session.Event = session.Asked{ID: r.ID}
	if call.Err != nil {
		e = session.Failed{ID: r.ID, Guidance: g.options.NewID()}
	}
	if err := g.mustApply(r.Conversation, e); err != nil {
		g.hide(r)
		g.drop(r)
		return err
	}
	if call.Err == nil {
		g.watchExpiry(r, true)
	}
	return nil
}

// logCall logs the error, the repairs and the advice of a call as codes. It does not log the question.
func (g *Registry) logCall(r *Record) {
	fields := []zap.Field{zap.String("question", r.ID), zap.String("tool", r.Tool)}
	switch {
	case r.Call.Err != nil:
		g.options.Log.Warn("invalid call", append(fields, zap.String("error", string(r.Call.Err.Code)))...)
	case len(r.Call.Repairs)+len(r.Call.Notices) > 0:
		g.options.Log.Info("call with repairs or advice", append(fields,
			zap.Strings("repairs", codes(r.Call.Repairs)), zap.Strings("notices", codes(r.Call.Notices)))...)
	default:
		g.options.Log.Debug("a call", fields...)
	}
}

// Close withdraws a session's open questions and closes it.
func (g *Registry) Close(c *Conversation) {
	g.happened(c, session.Closed{})
	g.close(c)
}

// Finish closes a session when its last open question is closed.
func (g *Registry) Finish(c *Conversation) {
	c.Open, c.Finishing = false, true
	g.TouchConversation(c)
	g.finish(c)
}

// finish closes a session that is finishing, if it has no open question.
func (g *Registry) finish(c *Conversation) {
	if c.Finishing && !c.Closed && len(c.State.Open) == 0 && c.State.Guidance.ID == "" {
		g.close(c)
	}
}

func (g *Registry) close(c *Conversation) {
	c.Open, c.Closed = false, true
	g.TouchConversation(c)
	g.closeStreams(c)
	g.options.Log.Info("session closed", zap.String("session", c.ID))
}

// Withdraw takes a question back. It returns false if the question already has another outcome; a repeated request is accepted and changes
// nothing. A valid answer from the agent's own dialog is recorded.
func (g *Registry) Withdraw(r *Record, p protocol.WithdrawParams) (bool, error) {
	if why := p.Outcome; why != "" && !why.IsTakenBack() || p.Elsewhere && why != "" && why != question.Withdrawn {
		return false, errorf(jsonrpc2.CodeInvalidParams, "a question cannot be taken back with the outcome %q", why)
	}
	if r.State == protocol.ItemClosed {
		return r.Outcome.Outcome == cmp.Or(p.Outcome, question.Withdrawn) && r.Outcome.Elsewhere == p.Elsewhere, nil
	}
	if p.Elsewhere {
		r.Outcome = &protocol.ItemOutcome{Elsewhere: true}
		if r.Call.Approval == nil && r.Call.Asks() {
			there, code := resolve(r, protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: p.Text, Picks: p.Picks}, question.Attachments{})
			if code == "" {
				r.Outcome.Text, r.Outcome.Picks = there.Text, there.Picks
			}
		}
	}
	if err := g.takeBack(r, cmp.Or(p.Outcome, question.Withdrawn)); err != nil {
		r.Outcome = nil
		return false, err
	}
	return true, nil
}

// GiveAnswer records the answer to a pending question. It returns false if the question already has another outcome; a repeated request
// is accepted and changes nothing. images are the decoded images, or nil if they cannot be decoded. At a hub, by is the person.
func (g *Registry) GiveAnswer(r *Record, p protocol.AnswerParams, images []question.Image, by string) (bool, error) {
	if p.Provenance == protocol.ProvenanceTimer { // only the clock may set it
		p.Provenance = protocol.ProvenanceClicked
	}
	outcome, code := resolve(r, p, question.Attachments{Images: images, Quotes: quoted(p.Quotes)})
	return g.decide(r, outcome, undecodable(code, p.Images, images), p.Images, p.Quotes, by)
}

// GiveReply records the user's reply to a questionnaire, as GiveAnswer does.
func (g *Registry) GiveReply(r *Record, p protocol.ReplyParams, images []question.Image, by string) (bool, error) {
	if r.Call.Questionnaire == nil {
		return g.decide(r, protocol.ItemOutcome{}, question.NoQuestionnaire, nil, nil, by)
	}
	outcome, code := r.Call.Questionnaire.ResolveReply(p.Text, p.Picks, question.Attachments{Images: images, Quotes: quoted(p.Quotes)})
	return g.decide(r, outcome, undecodable(code, p.Images, images), p.Images, p.Quotes, by)
}

// undecodable returns the code of a rejected answer, which is ImageType if some of its images could not be decoded.
func undecodable(code question.Code, sent []protocol.Image, decoded []question.Image) question.Code {
	if len(sent) != len(decoded) {
		return question.ImageType
	}
	return code
}

// GiveDecision records the user's decision on an approval, as GiveAnswer does. client is the program that sent it. The agent acts on a
// decision, so it is never announced before it is durable: after a crash the user could decide otherwise.
func (g *Registry) GiveDecision(r *Record, p protocol.DecideParams, client, by string) (bool, error) {
	if r.Call.Approval == nil {
		return false, refuse(question.NoApproval)
	}
	outcome, code := r.Call.Approval.Resolve(question.Decision{Option: p.Option, Digest: p.Digest, Text: p.Text, Changed: p.Changed})
	outcome.Client = client
	if r.State == protocol.ItemClosed { // a repetition, also over another connection, is the same decision
		outcome.Client, outcome.Effective = r.Outcome.Client, r.Outcome.Effective
	}
	return g.decide(r, outcome, code, nil, nil, by)
}

// Confirm records which decision took effect in the agent, and shows it. The caller has made it durable. r may no longer be in memory.
func (g *Registry) Confirm(r *Record, effective question.Outcome) {
	if r.Outcome.Effective != "" {
		return
	}
	confirmed := *r.Outcome // others may read the earlier one
	confirmed.Effective = effective
	r.Outcome = &confirmed
	g.Show(r)
}

// Dismiss ends a question without an answer, as GiveAnswer does.
func (g *Registry) Dismiss(r *Record, by string) (bool, error) {
	return g.decide(r, protocol.ItemOutcome{Outcome: protocol.OutcomeDismissed}, "", nil, nil, by)
}

// decide records the user's outcome and ends the question, unless code says why the outcome is rejected.
func (g *Registry) decide(
	r *Record, outcome protocol.ItemOutcome, code question.Code, images []protocol.Image, quotes []protocol.Quote, by string,
) (bool, error) {
	outcome.AnsweredBy, outcome.Images = by, len(images)
	for _, quote := range quotes {
		outcome.Quotes = append(outcome.Quotes, quote.Label)
	}
	switch {
	case r.State == protocol.ItemClosed:
		return code == "" && r.repeats(outcome, images), nil
	case r.State != protocol.ItemPending:
		return false, locale.Refuse(locale.RefusedNotPending)
	case code != "":
		return false, refuse(code)
	case outcome.Outcome != protocol.OutcomeDismissed && g.expired(r):
		return false, refuse(question.HasExpired)
	}
	if r.Call.Approval != nil && outcome.Outcome != protocol.OutcomeDismissed {
		r.strict = !g.Remember
	}
	err := g.give(r, outcome, images, quotes, session.Resolved{ID: r.ID, Outcome: outcome.Outcome})
	return err == nil, err
}

// repeats reports whether a question ended with this outcome.
func (r *Record) repeats(given protocol.ItemOutcome, images []protocol.Image) bool {
	given.At = r.Outcome.At
	one, _ := json.Marshal(given) // only strings and numbers
	other, _ := json.Marshal(*r.Outcome)
	return bytes.Equal(one, other) && slices.Equal(images, r.Answer.Images)
}

// resolve validates an answer, and returns the outcome to record.
func resolve(r *Record, p protocol.AnswerParams, with question.Attachments) (protocol.ItemOutcome, question.Code) {
	switch {
	case r.Call.Questionnaire != nil:
		return r.Call.Questionnaire.Resolve(p.Picks, with)
	case r.Call.Followup == nil:
		return protocol.ItemOutcome{}, question.NeedsDecision
	}
	return r.Call.Followup.Resolve(
		protocol.ItemOutcome{Provenance: p.Provenance, Text: p.Text, Mode: p.Mode, Suggestion: p.Suggestion}, with)
}

// quoted converts quotes for the agent.
func quoted(quotes []protocol.Quote) (all []question.Quote) {
	for _, q := range quotes {
		all = append(all, question.Quote{Label: q.Label, Text: q.Text})
	}
	return all
}

// give records the user's outcome and ends the question by the event, unless the session rejects it.
func (g *Registry) give(
	r *Record, outcome protocol.ItemOutcome, images []protocol.Image, quotes []protocol.Quote, e session.Event,
) error {
	r.Outcome, r.Answer.Images, r.quotes = &outcome, images, quotes
	err := g.mustApply(r.Conversation, e)
	if err != nil {
		r.Outcome, r.Answer.Images, r.quotes, r.strict = nil, nil, nil, false
	}
	return err
}

// SaveDraft sets a draft, unless the current one is newer. A time in the future counts as now. If the clock was set back, the
// current draft does not count as newer. Images of the current draft may lack their data. If any other image does, nothing is
// saved, and the missing hashes are returned.
func (g *Registry) SaveDraft(r *Record, draft protocol.Draft) (missing []string, err error) {
	now := g.options.Now().UnixMilli()
	draft.ChangedAt = min(draft.ChangedAt, now)
	newer := r.Draft != nil && r.Draft.By == draft.By && draft.ChangedAt < r.Draft.ChangedAt && r.Draft.ChangedAt <= now
	if r.Outcome != nil || newer {
		return nil, nil
	}
	var has []protocol.DraftImage
	if r.Draft != nil {
		has = r.Draft.Images
	}
	for i := range draft.Images {
		image := &draft.Images[i]
		at := slices.IndexFunc(has, func(one protocol.DraftImage) bool { return one.Hash == image.Hash })
		switch {
		case image.Data != "":
		case at < 0:
			missing = append(missing, image.Hash)
		default:
			image.MimeType, image.Data = has[at].MimeType, has[at].Data
		}
	}
	if len(missing) > 0 {
		return missing, nil
	}
	if err := g.StopClock(r); err != nil {
		return nil, err
	}
	r.Draft = &draft
	g.Touch(r)
	return nil, nil
}

// SetDraft sets the stored draft. A time in the future counts as now.
func (r *Record) SetDraft(stored protocol.Draft) {
	stored.ChangedAt = min(stored.ChangedAt, time.Now().UnixMilli())
	r.Draft = &stored
}

package conversation

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"go.uber.org/zap"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

// Read parses a complete call in a session. It is called outside of sections, since a call may be large.
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
func (g *Registry) Ask(c *Conversation, p protocol.AskParams, call question.Call) *Record {
	r := g.newRecord(c, p.QuestionID, p.Tool)
	if p.Deadline > 0 {
		r.Deadline = r.AskedAt.Add(time.Duration(p.Deadline) * time.Millisecond)
	}
	if p.Callback != nil {
		r.Callback = &Callback{*p.Callback, p.PrivateCallback}
	}
	call.Envelope = p.Envelope
	call.Context = question.Before(p.Context)
	g.take(r, call)
	return r
}

// take sets a record's call, and advances the session.
func (g *Registry) take(r *Record, call question.Call) {
	r.Call = call
	g.count(r)
	g.logCall(r)
	if call.Err != nil {
		g.mustApply(r.Conversation, session.Failed{ID: r.ID, Guidance: g.options.NewID()})
		return
	}
	g.mustApply(r.Conversation, session.Asked{ID: r.ID})
	g.watchExpiry(r)
}

// logCall logs the error and the repairs of a call as codes. The question itself is not logged.
func (g *Registry) logCall(r *Record) {
	fields := []zap.Field{zap.String("question", r.ID), zap.String("tool", r.Tool)}
	switch {
	case r.Call.Err != nil:
		g.options.Log.Warn("an invalid call", append(fields, zap.String("error", string(r.Call.Err.Code)))...)
	case len(r.Call.Repairs)+len(r.Call.Notices) > 0:
		g.options.Log.Info("a call with flaws", append(fields,
			zap.Strings("repairs", codes(r.Call.Repairs)), zap.Strings("notices", codes(r.Call.Notices)))...)
	default:
		g.options.Log.Debug("a call", fields...)
	}
}

// Close withdraws a session's open questions and closes it.
func (g *Registry) Close(c *Conversation) {
	g.mustApply(c, session.Closed{})
	c.Open, c.Closed = false, true
	g.TouchConversation(c)
	g.closeStreams(c)
	g.options.Log.Info("session closed", zap.String("session", c.ID))
}

// End ends a question by an event. It returns false if the question already has an outcome.
func (g *Registry) End(r *Record, e session.Event) (bool, error) {
	if r.State == protocol.ItemClosed {
		return false, nil
	}
	return true, refusal(g.Apply(r.Conversation, e))
}

// Withdraw withdraws a question as End does. If the user answered it in the agent's own dialog, a valid answer is recorded.
func (g *Registry) Withdraw(r *Record, p protocol.WithdrawParams) (bool, error) {
	if r.Outcome == nil && p.Elsewhere {
		r.Outcome = &protocol.ItemOutcome{Elsewhere: true}
		if r.Call.Approval == nil && r.Call.Asks() {
			there, code := resolve(r, protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: p.Text, Picks: p.Picks}, question.Attachments{})
			if code == "" {
				r.Outcome.Text, r.Outcome.Picks = there.Text, there.Picks
			}
		}
	}
	return g.End(r, session.Withdrawn{ID: r.ID})
}

// GiveAnswer records the answer to a pending question. It returns false if that already has another outcome. images are the decoded
// images, or nil if they cannot be decoded; by is the person, at a hub.
func (g *Registry) GiveAnswer(r *Record, p protocol.AnswerParams, images []question.Image, by string) (bool, error) {
	if p.Provenance == protocol.ProvenanceTimer { // only the clock may set it
		p.Provenance = protocol.ProvenanceClicked
	}
	return g.decide(r, p.Images, images, p.Quotes, by, session.Answered{ID: r.ID}, func(with question.Attachments) (protocol.ItemOutcome, question.Code) {
		return resolve(r, p, with)
	})
}

// GiveDecision records the user's decision on an approval, as GiveAnswer does. client is the program that sent it.
func (g *Registry) GiveDecision(r *Record, p protocol.DecideParams, client, by string) (bool, error) {
	asked := r.Call.Approval
	if asked == nil {
		return false, refuse(question.NoApproval)
	}
	given, how, code := asked.Resolve(question.Decision{Option: p.Option, Digest: p.Digest, Text: p.Text, Changed: p.Changed})
	outcome := protocol.ItemOutcome{Text: given.Text, Option: given.Option, Changed: given.Changed, Client: client, AnsweredBy: by}
	switch {
	case r.State == protocol.ItemClosed:
		outcome.Client = r.Outcome.Client // repeated over another connection
		return code == "" && r.repeats(how, outcome, nil), nil
	case r.State != protocol.ItemPending:
		return false, refusal(session.ErrNotPending)
	case code != "":
		return false, refuse(code)
	}
	g.give(r, outcome, nil, nil, session.Decided{ID: r.ID, Allowed: how == question.Allowed})
	return true, nil
}

// GiveReply records the user's reply to a questionnaire, as GiveAnswer does.
func (g *Registry) GiveReply(r *Record, p protocol.ReplyParams, images []question.Image, by string) (bool, error) {
	return g.decide(r, p.Images, images, p.Quotes, by, session.Replied{ID: r.ID}, func(with question.Attachments) (protocol.ItemOutcome, question.Code) {
		if r.Call.Questionnaire == nil {
			return protocol.ItemOutcome{}, question.NoQuestionnaire
		}
		answers, code := r.Call.Questionnaire.ResolveReply(p.Text, p.Picks, with)
		return protocol.ItemOutcome{Text: p.Text, Picks: answers.Picks}, code
	})
}

// Dismiss ends a question without an answer, as GiveAnswer does.
func (g *Registry) Dismiss(r *Record, by string) (bool, error) {
	if r.State == protocol.ItemClosed {
		return r.repeats(protocol.OutcomeDismissed, protocol.ItemOutcome{AnsweredBy: by}, nil), nil
	}
	ended, err := g.End(r, session.Dismissed{ID: r.ID})
	if err == nil {
		r.Outcome.AnsweredBy = by
	}
	return ended, err
}

// decide records the user's decision, and ends the question by the event. A repeated request is accepted and changes nothing.
func (g *Registry) decide(
	r *Record, sent []protocol.Image, images []question.Image, quotes []protocol.Quote, by string, e session.Event,
	resolve func(question.Attachments) (protocol.ItemOutcome, question.Code),
) (bool, error) {
	if r.State != protocol.ItemPending && r.State != protocol.ItemClosed {
		return false, refusal(session.ErrNotPending)
	}
	how, closed := protocol.OutcomeAnswered, r.State == protocol.ItemClosed
	if _, replied := e.(session.Replied); replied {
		how = protocol.OutcomeReplied
	}
	if closed && r.Outcome.Outcome != how {
		return false, nil
	}
	outcome, code := resolve(question.Attachments{Images: images, Quotes: quoted(quotes)})
	if len(images) != len(sent) {
		code = question.ImageType
	}
	if code != "" && !closed {
		return false, refuse(code)
	}
	outcome.AnsweredBy, outcome.Images = by, len(sent)
	for _, quote := range quotes {
		outcome.Quotes = append(outcome.Quotes, quote.Label)
	}
	if closed {
		return code == "" && r.repeats(how, outcome, sent), nil
	}
	g.give(r, outcome, sent, quotes, e)
	return true, nil
}

// repeats reports whether a question ended with this outcome.
func (r *Record) repeats(how protocol.Outcome, given protocol.ItemOutcome, images []protocol.Image) bool {
	given.Outcome, given.At = how, r.Outcome.At
	one, _ := json.Marshal(given) // only strings and numbers
	other, _ := json.Marshal(*r.Outcome)
	return bytes.Equal(one, other) && slices.Equal(images, r.Answer.Images)
}

// resolve validates an answer, and returns it as recorded.
func resolve(r *Record, p protocol.AnswerParams, with question.Attachments) (protocol.ItemOutcome, question.Code) {
	if asked := r.Call.Questionnaire; asked != nil {
		answers, code := asked.Resolve(p.Picks, with)
		return protocol.ItemOutcome{Provenance: answers.Provenance, Picks: answers.Picks}, code
	}
	if r.Call.Followup == nil {
		return protocol.ItemOutcome{}, question.NeedsDecision
	}
	answer, code := r.Call.Followup.Resolve(question.Answer{
		Provenance: p.Provenance, Text: p.Text, Mode: p.Mode, Suggestion: p.Suggestion, Attachments: with,
	})
	return protocol.ItemOutcome{
		Provenance: answer.Provenance, Text: answer.Text, Note: answer.Note, Mode: answer.Mode, Suggestion: answer.Suggestion,
	}, code
}

// quoted converts quotes for the agent.
func quoted(quotes []protocol.Quote) (all []question.Quote) {
	for _, q := range quotes {
		all = append(all, question.Quote{Label: q.Label, Text: q.Text})
	}
	return all
}

// give records the user's outcome and ends the question by the event.
func (g *Registry) give(
	r *Record, outcome protocol.ItemOutcome, images []protocol.Image, quotes []protocol.Quote, e session.Event,
) {
	r.Outcome, r.Answer.Images, r.quotes = &outcome, images, quotes
	g.mustApply(r.Conversation, e)
}

// SaveDraft sets a draft, unless the current one is newer; a time in the future counts as now. Images of the current draft may come
// without data. If any other image does, nothing is saved, and the missing hashes are returned.
func (g *Registry) SaveDraft(r *Record, draft protocol.Draft) (missing []string) {
	draft.ChangedAt = min(draft.ChangedAt, g.options.Now().UnixMilli())
	if r.Outcome != nil || r.Draft != nil && r.Draft.By == draft.By && draft.ChangedAt < r.Draft.ChangedAt {
		return nil
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
		return missing
	}
	r.Draft = &draft
	g.StopClock(r)
	g.Touch(r)
	return nil
}

// SetDraft sets the stored draft. A time in the future counts as now.
func (r *Record) SetDraft(stored protocol.Draft) {
	stored.ChangedAt = min(stored.ChangedAt, time.Now().UnixMilli())
	r.Draft = &stored
}

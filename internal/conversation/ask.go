package conversation

import (
	"slices"
	"time"

	"go.uber.org/zap"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

// Read reads a whole call of a session's. It is called outside of sections, since a call may be large.
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

// Ask notes a call that was read, under a new id, and lets the session go on from there.
func (g *Registry) Ask(c *Conversation, p protocol.AskParams, call question.Call) *Record {
	r := g.newRecord(c, p.QuestionID, p.Tool)
	if p.Deadline > 0 {
		r.Deadline = r.AskedAt.Add(time.Duration(p.Deadline) * time.Millisecond)
	}
	call.Envelope = question.Envelope(p.Envelope)
	call.Context = question.Before(p.Context)
	g.take(r, call)
	return r
}

// take notes what a call was read as, and lets the session go on from there.
func (g *Registry) take(r *Record, call question.Call) {
	r.Call = call
	g.logCall(r)
	if call.Err != nil {
		g.mustApply(r.Conversation, session.Failed{ID: r.ID, Guidance: g.options.NewID()})
		return
	}
	g.mustApply(r.Conversation, session.Asked{ID: r.ID})
}

// logCall tells what was wrong with a call, or mended in it, by code: what was asked stays out of the log.
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

// Close withdraws what is open in a session, and ends it.
func (g *Registry) Close(c *Conversation) {
	g.mustApply(c, session.Closed{})
	c.Open, c.Closed = false, true
	g.closeStreams(c)
	g.options.Log.Info("session closed", zap.String("session", c.ID))
}

// End ends a question by an event of the user's or the agent's, once: it reports false for one that has its outcome.
func (g *Registry) End(r *Record, e session.Event) (bool, error) {
	if r.State == protocol.ItemClosed {
		return false, nil
	}
	return true, refusal(g.Apply(r.Conversation, e))
}

// Withdraw takes a question back as End does, maybe as one that the user has seen to in the agent's own dialog. What cannot be an answer
// to it is not noted as the one that was given there.
func (g *Registry) Withdraw(r *Record, p protocol.WithdrawParams) (bool, error) {
	if r.Outcome == nil && p.Elsewhere {
		r.Outcome = &protocol.ItemOutcome{Elsewhere: true}
		if r.Call.Questionnaire != nil || r.Call.Followup != nil {
			there, code := resolve(r, protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: p.Text, Picks: p.Picks}, question.Attachments{})
			if code == "" {
				r.Outcome.Text, r.Outcome.Picks = there.Text, there.Picks
			}
		}
	}
	return g.End(r, session.Withdrawn{ID: r.ID})
}

// GiveAnswer records the user's answer to a pending question, once: it reports false for one that has its outcome.
func (g *Registry) GiveAnswer(r *Record, p protocol.AnswerParams, images Images) (bool, error) {
	if ok, err := r.answerable(); !ok {
		return false, err
	}
	if !images.valid {
		return false, refuse(question.ImageType)
	}
	if p.Provenance == protocol.ProvenanceTimer { // only the clock says so
		p.Provenance = protocol.ProvenanceClicked
	}
	outcome, code := resolve(r, p, attachments(images, p.Quotes))
	if code != "" {
		return false, refuse(code)
	}
	g.give(r, outcome, p.Images, p.Quotes, session.Answered{ID: r.ID})
	return true, nil
}

// GiveReply records what the user wrote about a questionnaire instead of answering it, as GiveAnswer does.
func (g *Registry) GiveReply(r *Record, p protocol.ReplyParams, images Images) (bool, error) {
	if ok, err := r.answerable(); !ok {
		return false, err
	}
	switch {
	case r.Call.Questionnaire == nil:
		return false, refuse(question.NoQuestionnaire)
	case !images.valid:
		return false, refuse(question.ImageType)
	}
	answers, code := r.Call.Questionnaire.ResolveReply(p.Text, picks(p.Picks), attachments(images, p.Quotes))
	if code != "" {
		return false, refuse(code)
	}
	outcome := protocol.ItemOutcome{Text: p.Text, Picks: protocolPicks(answers.Picks)}
	g.give(r, outcome, p.Images, p.Quotes, session.Replied{ID: r.ID})
	return true, nil
}

// answerable tells whether a question can be answered; with an error, why not yet.
func (r *Record) answerable() (bool, error) {
	switch r.State {
	case protocol.ItemPending:
		return true, nil
	case protocol.ItemClosed:
		return false, nil
	}
	return false, refusal(session.ErrNotPending)
}

// resolve checks an answer to what was asked, and gives it as it is recorded.
func resolve(r *Record, p protocol.AnswerParams, with question.Attachments) (protocol.ItemOutcome, question.Code) {
	if asked := r.Call.Questionnaire; asked != nil {
		answers, code := asked.Resolve(picks(p.Picks), with)
		return protocol.ItemOutcome{
			Provenance: protocol.Provenance(answers.Provenance), Picks: protocolPicks(answers.Picks),
		}, code
	}
	answer, code := r.Call.Followup.Resolve(question.Answer{
		Provenance: question.Provenance(p.Provenance), Text: p.Text, Mode: p.Mode, Suggestion: p.Suggestion, Attachments: with,
	})
	return protocol.ItemOutcome{
		Provenance: protocol.Provenance(answer.Provenance), Text: answer.Text, Note: answer.Note, Mode: answer.Mode, Suggestion: answer.Suggestion,
	}, code
}

// attachments are what goes with an answer.
func attachments(images Images, quotes []protocol.Quote) question.Attachments {
	return question.Attachments{Images: images.decoded, Quotes: quoted(quotes)}
}

// quoted are quotes as they are told to an agent.
func quoted(quotes []protocol.Quote) []question.Quote {
	var to []question.Quote
	for _, quote := range quotes {
		to = append(to, question.Quote{Label: quote.Label, Text: quote.Text})
	}
	return to
}

// give records what the user gave and ends the question by the event.
func (g *Registry) give(
	r *Record, outcome protocol.ItemOutcome, images []protocol.Image, quotes []protocol.Quote, e session.Event,
) {
	outcome.Images = len(images)
	for _, quote := range quotes {
		outcome.Quotes = append(outcome.Quotes, quote.Label)
	}
	r.Outcome, r.Answer.Images, r.quotes = &outcome, images, quotes
	g.mustApply(r.Conversation, e)
}

// SaveDraft takes what the user has begun, unless it is older than what they have there. What comes from the future comes from now,
// so that it does not silence what is saved later. Images may come without their data where the draft before has them; where one
// does not, nothing is taken, and it gives their hashes.
func (g *Registry) SaveDraft(r *Record, draft protocol.Draft) (missing []string) {
	draft.ChangedAt = min(draft.ChangedAt, time.Now().UnixMilli())
	if r.Outcome != nil || r.Draft != nil && r.Draft.By == draft.By && draft.ChangedAt < r.Draft.ChangedAt {
		return nil
	}
	for i := range draft.Images {
		if image := &draft.Images[i]; image.Data == "" && !r.fillImage(image) {
			missing = append(missing, image.Hash)
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

// fillImage gives an image its data where the draft has it.
func (r *Record) fillImage(image *protocol.DraftImage) bool {
	if r.Draft == nil {
		return false
	}
	at := slices.IndexFunc(r.Draft.Images, func(one protocol.DraftImage) bool { return one.Hash == image.Hash })
	if at >= 0 {
		image.MimeType, image.Data = r.Draft.Images[at].MimeType, r.Draft.Images[at].Data
	}
	return at >= 0
}

// SetDraft gives a record the draft that the store has. What comes from the future comes from now.
func (r *Record) SetDraft(stored protocol.Draft) {
	stored.ChangedAt = min(stored.ChangedAt, time.Now().UnixMilli())
	r.Draft = &stored
}

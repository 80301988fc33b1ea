package conversation

import (
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

const outcomeNotShown locale.Key = "Nobody saw the question: no view was open that could show it. The user has not declined; the " +
	"question may be asked again later."

const outcomeExpired locale.Key = "Nobody answered before the question's time ran out. The user has not declined; the question may " +
	"be asked again later."

// finishAnswer builds the agent's answer for every outcome.
func (g *Registry) finishAnswer(r *Record) {
	a := &r.Answer
	a.QuestionID, a.Outcome = r.AgentID(), r.Outcome.Outcome
	if a.Images == nil {
		a.Images = []protocol.Image{}
	}
	speak := r.Conversation.Locale
	switch a.Outcome {
	case question.Answered:
		a.Provenance = r.Outcome.Provenance
		a.Text = answered(r)
		a.Structured = structured(r)
		quote(r)
	case question.Replied:
		a.Text = dialect.RepliedText(
			speak, string(r.Conversation.ResultTag), r.Call.Questionnaire, r.Outcome.Picks, r.Outcome.Text)
		a.Structured = structured(r)
		quote(r)
	case question.Allowed:
		a.Text, a.Option, a.Changed = r.Outcome.Text, r.Outcome.Option, r.Outcome.Changed
	case question.Denied:
		a.Option, a.Text = r.Outcome.Option, speak.Text("The user denied this.")
		if words := r.Outcome.Text; words != "" {
			a.Text = speak.Text("The user denied this and said:") + "\n" + words
		}
	case question.Dismissed:
		a.Text = speak.Text(locale.OutcomeDismissed)
	case question.NotShown:
		a.Text = speak.Text(outcomeNotShown)
	case question.Withdrawn, question.Disconnected:
		a.Text = speak.Text(locale.OutcomeWithdrawn)
	case question.Expired:
		a.Text = speak.Text(outcomeExpired)
	case question.Invalid:
		a.Error = r.Error()
		a.Text = a.Error.Message
		if a.Error.Found != "" {
			a.Text += "\n" + a.Error.Found
		}
		guided(r)
	}
}

// guided appends the user's guidance to the agent's answer to its invalid call.
func guided(r *Record) {
	if r.GuidedBy == nil || r.GuidedBy.Outcome.Outcome != protocol.OutcomeAnswered {
		return
	}
	r.Answer.Text += "\n\n" + dialect.Result(string(r.Conversation.ResultTag), r.GuidedBy.Outcome.Text)
	if added := r.GuidedBy.Answer.Quoted; added != "" {
		r.Answer.Text += "\n\n" + added
	}
	r.Answer.Images = r.GuidedBy.Answer.Images
}

func quote(r *Record) {
	if len(r.quotes) > 0 {
		r.Answer.Quoted = dialect.Quoted(r.Conversation.Locale, quoted(r.quotes), r.Call.Questionnaire != nil)
		r.Answer.Text += "\n\n" + r.Answer.Quoted
	}
}

// answered returns the first text part of an answer.
func answered(r *Record) string {
	if asked := r.Call.Questionnaire; asked != nil {
		timed := r.Outcome.Provenance == protocol.ProvenanceTimer
		return dialect.AnsweredText(r.Conversation.Locale, asked, r.Outcome.Picks, timed)
	}
	return dialect.Result(string(r.Conversation.ResultTag), r.Outcome.Text)
}

// structured returns the rest of the answer, besides text and images, or nil.
func structured(r *Record) *protocol.Structured {
	more := protocol.Structured{
		Mode:    r.Outcome.Mode,
		Repairs: codes(r.Call.Repairs),
		Notices: codes(r.Call.Notices),
	}
	for _, quote := range r.quotes {
		if quote.Location != nil {
			more.Locations = append(more.Locations, *quote.Location)
		}
	}
	if asked := r.Call.Questionnaire; asked != nil {
		more.Questions = asked.Questions
		more.Answers, more.Annotations = dialect.Values(asked, r.Outcome.Picks)
		if r.Outcome.Provenance == protocol.ProvenanceTimer {
			more.Provenance = protocol.ProvenanceTimer
		}
		return &more
	}
	switch r.Outcome.Provenance {
	case protocol.ProvenanceChosen, protocol.ProvenanceEdited:
		more.Provenance = r.Outcome.Provenance
		more.Suggestion = r.Call.Followup.Suggest[*r.Outcome.Suggestion].Answer
		more.Note = r.Outcome.Note
	case protocol.ProvenanceTimer:
		more.Provenance = protocol.ProvenanceTimer
	}
	if more.Mode == "" && more.Provenance == "" && len(more.Repairs)+len(more.Notices)+len(more.Locations) == 0 {
		return nil
	}
	return &more
}

func codes(from []question.Code) []string {
	var to []string
	for _, code := range from {
		to = append(to, string(code))
	}
	return to
}

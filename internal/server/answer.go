package server

import (
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

// finishAnswer writes what the agent is given, for every outcome.
func (s *Server) finishAnswer(r *record) {
	a := &r.answer
	a.QuestionID, a.Outcome = r.id, r.outcome.Outcome
	if a.Images == nil {
		a.Images = []protocol.Image{}
	}
	speak := r.session.locale
	switch question.Outcome(a.Outcome) {
	case question.Answered:
		a.Provenance = r.outcome.Provenance
		a.Text = s.answered(r)
		a.Structured = structured(r)
	case question.Replied:
		a.Text = dialect.RepliedText(
			speak, string(r.session.resultTag), r.call.Questionnaire, picks(r.outcome.Picks), r.outcome.Text)
		a.Structured = structured(r)
	case question.Dismissed:
		a.Text = speak.Text(locale.OutcomeDismissed)
	case question.NotShown:
		a.Text = speak.Text(locale.OutcomeNotShown)
	case question.Withdrawn:
		a.Text = speak.Text(locale.OutcomeWithdrawn)
	case question.Invalid:
		a.Error = callError(r)
		a.Text = a.Error.Message
		if a.Error.Found != "" {
			a.Text += "\n" + a.Error.Found
		}
		s.guided(r)
	}
}

// answered is the first text part of an answer.
func (s *Server) answered(r *record) string {
	if asked := r.call.Questionnaire; asked != nil {
		return dialect.AnsweredText(r.session.locale, asked, picks(r.outcome.Picks))
	}
	return dialect.Result(string(r.session.resultTag), r.outcome.Text)
}

// structured is what there is to say beyond the text and the images; nil when there is nothing.
func structured(r *record) *protocol.Structured {
	more := protocol.Structured{
		Mode:      r.outcome.Mode,
		Repairs:   codes(r.call.Repairs),
		Notices:   codes(r.call.Notices),
		Locations: r.answerLocations,
	}
	if asked := r.call.Questionnaire; asked != nil {
		exactAnswers(&more, asked, picks(r.outcome.Picks))
		return &more
	}
	switch r.outcome.Provenance {
	case protocol.ProvenanceEdited:
		more.Provenance = protocol.ProvenanceEdited
		more.Suggestion = r.call.Followup.Suggest[*r.outcome.Suggestion].Answer
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

// callError words why a call is invalid; nil for a valid one.
func callError(r *record) *protocol.CallError {
	if r.call.Err == nil {
		return nil
	}
	return &protocol.CallError{
		Code:    string(r.call.Err.Code),
		Message: dialect.Message(r.session.locale, r.tool, r.call.Err),
		Found:   dialect.Found(r.session.locale, r.call.Err),
	}
}

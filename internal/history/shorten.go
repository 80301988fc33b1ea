package history

import (
	"unicode/utf8"

	"followup/internal/protocol"
)

// shorten cuts the long texts of an entry, and marks it as shortened. It does not change shared values.
func shorten(e *protocol.HistoryEntry) {
	cut := func(text *string) {
		if len(*text) <= longestText {
			return
		}
		end := longestText
		for !utf8.RuneStart((*text)[end]) {
			end--
		}
		*text, e.Shortened = (*text)[:end]+"…", true
	}
	cut(&e.Context)
	cut(&e.PreviousPlan)
	cut(&e.Outcome.Text)
	cut(&e.Outcome.Changed)
	for i := range e.Outcome.Picks {
		cut(&e.Outcome.Picks[i].Other)
		cut(&e.Outcome.Picks[i].Notes)
	}
	if e.Error != nil {
		cut(&e.Error.Message)
	}
	if e.Payload == nil {
		return
	}
	if f := e.Payload.Followup; f != nil {
		cut(&f.Question)
		for i := range f.Suggest {
			cut(&f.Suggest[i].Answer)
		}
	}
	if a := e.Payload.Approval; a != nil {
		for _, text := range append(a.Subject.Texts(), &a.Reason) {
			cut(text)
		}
	}
	if q := e.Payload.Questionnaire; q != nil {
		for i := range q.Questions {
			cut(&q.Questions[i].Question)
			for j := range q.Questions[i].Options {
				option := &q.Questions[i].Options[j]
				cut(&option.Label)
				cut(&option.Description)
				cut(&option.Preview)
			}
		}
	}
}

package archive

import (
	"slices"
	"strings"

	"followup/internal/locale"
	"followup/internal/markdown"
	"followup/internal/protocol"
	"followup/internal/subject"
)

// Asked summarizes the question without Markdown; all questions of a questionnaire.
func Asked(t locale.Tag, e protocol.HistoryEntry) string {
	switch {
	case e.Error != nil:
		return t.Text("The call could not be read: {0}", e.Error.Message)
	case e.Payload == nil:
		return ""
	case e.Payload.Questionnaire != nil:
		var texts []string
		for _, q := range e.Payload.Questions {
			texts = append(texts, markdown.Plain(q.Question))
		}
		return strings.Join(texts, " · ")
	case e.Payload.Approval != nil:
		return subject.Line(e.Payload.Approval)
	}
	return markdown.Plain(e.Payload.Question)
}

// Said summarizes the outcome: the user's words or choices, or else how it ended.
func Said(t locale.Tag, e protocol.HistoryEntry) string {
	var parts []string
	for i, pick := range e.Outcome.Picks {
		var chosen []string
		if e.Payload != nil && e.Payload.Questionnaire != nil && i < len(e.Payload.Questions) {
			for at, option := range e.Payload.Questions[i].Options {
				if slices.Contains(pick.Options, at) {
					chosen = append(chosen, option.Label)
				}
			}
		}
		if pick.Other != "" {
			chosen = append(chosen, pick.Other)
		}
		if len(chosen) > 0 {
			parts = append(parts, strings.Join(chosen, ", "))
		}
	}
	if e.Outcome.Text != "" {
		parts = append(parts, e.Outcome.Text)
	}
	if o := e.Outcome; o.Outcome == protocol.OutcomeAllowed || o.Outcome == protocol.OutcomeDenied {
		return strings.Join(append([]string{outcomeWords(t, o)}, parts...), " · ")
	}
	given := e.Outcome.Outcome == protocol.OutcomeAnswered || e.Outcome.Outcome == protocol.OutcomeReplied || e.Outcome.Elsewhere
	if len(parts) == 0 || !given {
		return outcomeWords(t, e.Outcome)
	}
	return strings.Join(parts, " · ")
}

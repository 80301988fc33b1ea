package archive

import (
	"fmt"
	"strings"

	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/markdown"
	"followup/internal/protocol"
	"followup/internal/subject"
)

// QuestionSummary summarizes the question without Markdown; all questions of a questionnaire.
func QuestionSummary(t locale.Tag, e protocol.HistoryEntry) string {
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

// OutcomeSummary summarizes the outcome: the user's words or choices, or else how it ended.
func OutcomeSummary(t locale.Tag, e protocol.HistoryEntry) string {
	var parts []string
	var asked *protocol.Questionnaire
	if e.Payload != nil {
		asked = e.Payload.Questionnaire
	}
	for i, pick := range e.Outcome.Picks {
		if all := chosen(asked, i, pick); len(all) > 0 {
			parts = append(parts, strings.Join(all, ", "))
		}
	}
	if e.Outcome.Text != "" {
		parts = append(parts, e.Outcome.Text)
	}
	if o := e.Outcome; o.Outcome == protocol.OutcomeAllowed || o.Outcome == protocol.OutcomeDenied {
		return strings.Join(append([]string{outcomeWords(t, e.Beside, o)}, parts...), " · ")
	}
	given := e.Outcome.Outcome == protocol.OutcomeAnswered || e.Outcome.Outcome == protocol.OutcomeReplied || e.Outcome.Elsewhere
	if len(parts) == 0 || !given {
		return outcomeWords(t, e.Beside, e.Outcome)
	}
	return strings.Join(parts, " · ")
}

// ResultOf returns an answer for programs.
func ResultOf(answer protocol.Answer) protocol.AskResult {
	result := protocol.AskResult{
		QuestionID: answer.QuestionID, Outcome: answer.Outcome, Provenance: answer.Provenance, Structured: answer.Structured, Images: answer.Images,
	}
	switch answer.Outcome {
	case protocol.OutcomeAnswered, protocol.OutcomeReplied:
		result.Text = answer.Text
		if words, ok := dialect.Words(answer.Text); ok {
			result.Text = words
		} else if more := answer.Structured; answer.Outcome == protocol.OutcomeAnswered && more != nil && len(more.Questions) == 1 {
			result.Text = picked(more.Answers[more.Questions[0].Question])
		}
	}
	return result
}

// picked returns the answer to one question of a questionnaire, one choice per line; empty if it was skipped.
func picked(answer any) string {
	switch answer := answer.(type) {
	case string:
		return answer
	case []any:
		var lines []string
		for _, one := range answer {
			lines = append(lines, fmt.Sprint(one))
		}
		return strings.Join(lines, "\n")
	}
	return ""
}

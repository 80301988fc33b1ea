package archive

import (
	"fmt"
	"strings"

	"followup/internal/dialect"
	"followup/internal/protocol"
)

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

package hook

import (
	"slices"
	"strings"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
)

// answered converts an answer from the agent's own dialog (labels and words for each question) to the form of the inbox: a
// text, or the picks of a questionnaire.
func (c *Call) answered(answers [][]string) (text string, picks []protocol.Pick) {
	if c.tool == question.ToolFollowup {
		if len(answers) > 0 {
			text = strings.Join(answers[0], between)
		}
		return text, nil
	}
	questions := c.questions()
	if len(answers) != len(questions) {
		return "", nil
	}
	picks = make([]protocol.Pick, len(questions))
	for i, q := range questions {
		var own []string
		for _, answer := range answers[i] {
			at := slices.IndexFunc(q.Options, func(o dialect.AskedOption) bool { return o.Label == answer })
			if at < 0 {
				own = append(own, answer)
			} else if !slices.Contains(picks[i].Options, at) {
				picks[i].Options = append(picks[i].Options, at)
			}
		}
		picks[i].Other = strings.Join(own, between)
	}
	return "", picks
}

// questions returns the call's questions; nil if they are invalid.
func (c *Call) questions() []dialect.Asked {
	questions, err := dialect.ReadAsked(c.input)
	if err != nil {
		return nil
	}
	return questions
}

// between separates several answers to one question.
const between = ", "

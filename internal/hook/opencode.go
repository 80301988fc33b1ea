package hook

import (
	"encoding/json"

	"followup/internal/locale"
	"followup/internal/protocol"
)

// readOpencode reads what the plugin for opencode and Kilo Code, its fork, tells: their event question.asked, with the folder.
func readOpencode(told []byte) (*Call, error) {
	var from struct {
		ID      string `json:"id"`
		Session string `json:"sessionID"`
		Folder  string `json:"directory"`
		Tool    struct {
			CallID string `json:"callID"`
		} `json:"tool"`
		Questions []struct {
			asked
			Multiple bool `json:"multiple"`
		} `json:"questions"`
	}
	if err := json.Unmarshal(told, &from); err != nil {
		return nil, err
	}
	var questions []asked
	for _, q := range from.Questions {
		q.Multi = q.Multiple
		questions = append(questions, q.asked)
	}
	c := &Call{conversation: from.Session, folder: from.Folder, id: from.ID, call: from.Tool.CallID, beside: true}
	if !c.ask(questions) {
		return nil, nil
	}
	return c, nil
}

// answerOpencode gives the answers as the reply to such a question has them: for each question the labels that were chosen, and the
// user's words. What has no place of its own there stands behind them.
func answerOpencode(c *Call, r reply) any {
	switch {
	case r.Outcome == protocol.OutcomeDismissed:
		return map[string]any{"rejected": true}
	case !r.given():
		return nil
	}
	answers := opencodeAnswers(c, r)
	last := 0
	for i := range answers {
		if len(answers[i]) > 0 {
			last = i
		}
	}
	answers[last] = append(answers[last], r.beside...)
	return map[string]any{"answers": answers}
}

func opencodeAnswers(c *Call, r reply) [][]string {
	if r.Structured == nil || len(r.Structured.Questions) == 0 {
		return [][]string{{userWords(r.Answer)}}
	}
	answers := make([][]string, len(r.Structured.Questions))
	if r.Outcome == protocol.OutcomeReplied {
		answers[0] = []string{r.Text}
	}
	for i, q := range r.Structured.Questions {
		if answers[i] == nil {
			answers[i] = []string{}
		}
		if r.Outcome == protocol.OutcomeReplied {
			continue // the text has them
		}
		switch value := r.Structured.Answers[q.Question].(type) {
		case string:
			answers[i] = append(answers[i], value)
		case []any:
			for _, each := range value {
				label, _ := each.(string)
				answers[i] = append(answers[i], label)
			}
		}
		if notes := r.Structured.Annotations[q.Question].Notes; notes != "" {
			answers[i] = append(answers[i], c.locale.Text(locale.QuestionnaireNote, notes))
		}
	}
	return answers
}

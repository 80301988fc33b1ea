package hook

import "encoding/json"

// readCopilot reads what Copilot CLI tells a hook: https://docs.github.com/copilot/reference/hooks-configuration. It tells of every
// tool, and calls the arguments' JSON a string in some versions.
func readCopilot(told []byte) (*Call, error) {
	var from struct {
		Session string          `json:"sessionId"`
		Folder  string          `json:"cwd"`
		Tool    string          `json:"toolName"`
		Input   json.RawMessage `json:"toolArgs"`
	}
	if err := json.Unmarshal(told, &from); err != nil {
		return nil, err
	}
	if from.Tool != "ask_user" {
		return nil, nil
	}
	var inside string
	if json.Unmarshal(from.Input, &inside) == nil {
		from.Input = json.RawMessage(inside)
	}
	var input struct {
		Question string   `json:"question"`
		Choices  []string `json:"choices"`
	}
	if err := json.Unmarshal(from.Input, &input); err != nil {
		return nil, err
	}
	if input.Question == "" {
		return nil, nil // a form
	}
	q := asked{Question: input.Question}
	for _, choice := range input.Choices {
		q.Options = append(q.Options, option{Label: choice})
	}
	c := &Call{conversation: from.Session, folder: from.Folder, given: from.Input}
	c.askOne(q)
	return c, nil
}

// answerCopilot refuses the call, and tells what came of it: Copilot CLI takes no other answer from a hook.
func answerCopilot(_ *Call, r reply) any {
	if !r.told() {
		return nil
	}
	return map[string]any{"permissionDecision": "deny", "permissionDecisionReason": r.result}
}

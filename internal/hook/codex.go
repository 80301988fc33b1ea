package hook

import "encoding/json"

// readCodex reads what Codex tells a hook: https://developers.openai.com/codex/hooks
func readCodex(text []byte) (*Call, error) {
	var from hookInput
	if err := json.Unmarshal(text, &from); err != nil {
		return nil, err
	}
	if from.Tool != "request_user_input" || from.Event != "PreToolUse" {
		return nil, nil
	}
	var input struct {
		Questions []asked `json:"questions"`
	}
	if err := json.Unmarshal(from.Input, &input); err != nil {
		return nil, err
	}
	for _, q := range input.Questions {
		if q.Secret { // what must not be shown must not be kept
			return nil, nil
		}
	}
	c := &Call{event: from.Event, conversation: from.Session, folder: from.Folder, id: from.ID, call: from.ID, given: from.Input}
	if !c.ask(input.Questions) {
		return nil, nil
	}
	return c, nil
}

// answerCodex refuses the call, and tells what came of it: Codex takes no other answer from a hook.
func answerCodex(c *Call, r reply) any {
	if !r.told() {
		return nil
	}
	return map[string]any{"hookSpecificOutput": map[string]any{
		"hookEventName": c.event, "permissionDecision": "deny", "permissionDecisionReason": r.result,
	}}
}

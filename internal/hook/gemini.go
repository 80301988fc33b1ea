package hook

import "encoding/json"

// readGemini parses Gemini CLI's message to a hook: https://geminicli.com/docs/hooks/reference
func readGemini(text []byte) (*Call, error) {
	var from hookInput
	if err := json.Unmarshal(text, &from); err != nil {
		return nil, err
	}
	if from.Tool != "ask_user" || from.Event != "BeforeTool" {
		return nil, nil
	}
	var input struct {
		Questions []asked `json:"questions"`
	}
	if err := json.Unmarshal(from.Input, &input); err != nil {
		return nil, err
	}
	for i := range input.Questions {
		switch q := &input.Questions[i]; q.Type {
		case "yesno":
			q.Options = []option{{Label: "Yes"}, {Label: "No"}}
		case "text":
			q.Options = nil
		}
	}
	c := &Call{event: from.Event, conversation: from.Session, folder: from.Folder, given: from.Input}
	if !c.ask(input.Questions) {
		return nil, nil
	}
	return c, nil
}

// answerGemini denies the call with the outcome as the reason: Gemini CLI takes no other answer from a hook.
func answerGemini(_ *Call, r reply) any {
	if !r.answers() {
		return nil
	}
	return map[string]any{"decision": "deny", "reason": r.result}
}

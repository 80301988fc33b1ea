package hook

import "followup/internal/locale"

// readGemini parses Gemini CLI's message to a hook: https://geminicli.com/docs/hooks/reference
func readGemini(from hookInput, _ locale.Tag) (*Call, error) {
	if from.Tool != "ask_user" || from.Event != "BeforeTool" {
		return nil, nil
	}
	questions, err := from.questions()
	if err != nil {
		return nil, err
	}
	for i := range questions {
		switch q := &questions[i]; q.Type {
		case "yesno":
			q.Options = []option{{Label: "Yes"}, {Label: "No"}}
		case "text":
			q.Options = nil
		}
		questions[i].Type = "" // our tools have none
	}
	return from.call().ask(questions), nil
}

// answerGemini denies the call with the outcome as the reason: Gemini CLI takes no other answer from a hook.
func answerGemini(_ *Call, r reply) any {
	return map[string]any{"decision": "deny", "reason": r.result}
}

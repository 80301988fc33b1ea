package hook

// answerGemini denies the call with the outcome as the reason: Gemini CLI accepts no other answer from a hook.
// https://geminicli.com/docs/hooks/reference
func answerGemini(_ *Call, r reply) any {
	return map[string]any{"decision": "deny", "reason": r.result}
}

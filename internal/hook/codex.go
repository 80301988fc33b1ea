package hook

import (
	"slices"

	"followup/internal/locale"
	"followup/internal/question"
)

// readCodex parses Codex's message to a hook: https://developers.openai.com/codex/hooks
func readCodex(from hookInput, _ locale.Tag) (*Call, error) {
	if from.Tool != "request_user_input" || from.Event != "PreToolUse" {
		return nil, nil
	}
	questions, err := from.questions()
	if err != nil || slices.ContainsFunc(questions, func(q asked) bool { return q.Secret }) { // secrets must not be saved
		return nil, err
	}
	return from.call().ask(questions), nil
}

// answerCodex denies the call with the outcome as the reason: Codex takes no other answer from a hook.
func answerCodex(c *Call, r reply) any {
	return map[string]any{"hookSpecificOutput": map[string]any{
		"hookEventName": c.event, "permissionDecision": "deny", "permissionDecisionReason": r.result,
	}}
}

// readCodexApproval parses a request for permission. Codex shows its own dialog only if the hook prints nothing.
func readCodexApproval(from hookInput, _ locale.Tag) (*Call, error) {
	asked, ok := from.approval()
	if !ok {
		return nil, nil
	}
	asked.Options = []question.Choice{{ID: choiceOnce, Kind: question.ChoiceOnce}, {ID: choiceDeny, Kind: question.ChoiceDeny}}
	c := from.call()
	c.id, c.call = "", ""
	return c.approve(asked), nil
}

// decideCodex returns the decision for Codex, which takes no changed arguments.
func decideCodex(c *Call, r reply, allowed bool) any {
	if allowed {
		return hookDecision(c.event, claudeDecision{Behavior: "allow"})
	}
	return hookDecision(c.event, claudeDecision{Behavior: "deny", Message: r.Text})
}

package hook

import (
	"followup/internal/locale"
)

// answerCodex denies the call with the outcome as the reason: Codex accepts no other answer from a hook.
// https://developers.openai.com/codex/hooks
func answerCodex(c *Call, r reply) any {
	return map[string]any{"hookSpecificOutput": map[string]any{
		"hookEventName": c.event, "permissionDecision": "deny", "permissionDecisionReason": r.result,
	}}
}

// readCodexApproval parses a request for permission. It returns nil if the request cannot be shown exactly: Codex shows its own dialog only
// if the hook prints nothing.
func readCodexApproval(from hookInput, _ locale.Tag) (*Call, error) {
	asked, ok := from.approval()
	if asked.Options = choices(); !ok || asked.Check() != nil {
		return nil, nil
	}
	c := from.call()
	c.id, c.call = "", ""
	return c.approve(asked), nil
}

// decideCodex returns the decision for Codex, which accepts no changed arguments.
func decideCodex(c *Call, r reply, allowed bool) any {
	if allowed {
		return hookDecision(c.event, claudeDecision{Behavior: "allow"})
	}
	return hookDecision(c.event, claudeDecision{Behavior: "deny", Message: r.Text})
}

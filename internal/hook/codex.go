package hook

import (
	"encoding/json"

	"followup/internal/locale"
	"followup/internal/question"
)

// readCodex parses Codex's message to a hook: https://developers.openai.com/codex/hooks
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
		if q.Secret { // secrets must not be saved
			return nil, nil
		}
	}
	c := &Call{event: from.Event, conversation: from.Session, folder: from.Folder, id: from.ID, call: from.ID, given: from.Input}
	if !c.ask(input.Questions) {
		return nil, nil
	}
	return c, nil
}

// answerCodex denies the call with the outcome as the reason: Codex takes no other answer from a hook.
func answerCodex(c *Call, r reply) any {
	if !r.answers() {
		return nil
	}
	return map[string]any{"hookSpecificOutput": map[string]any{
		"hookEventName": c.event, "permissionDecision": "deny", "permissionDecisionReason": r.result,
	}}
}

// readCodexApproval parses a request for permission. Codex shows its own dialog only if the hook prints nothing.
func readCodexApproval(text []byte, _ locale.Tag) (*Call, error) {
	var from hookInput
	if err := json.Unmarshal(text, &from); err != nil {
		return nil, err
	}
	s, reason, ok := subjectOf(from.Tool, from.Input)
	if from.Event != claudePermission || from.Tool == "" || !ok {
		return nil, nil
	}
	if s.Kind == question.SubjectCommand {
		s.Folder = from.Folder
	}
	c := &Call{event: from.Event, conversation: from.Session, folder: from.Folder, given: from.Input}
	return c.approve(question.Approval{Title: from.Tool, Subject: s, Reason: reason, Options: []question.Choice{
		{ID: choiceOnce, Kind: question.ChoiceOnce}, {ID: choiceDeny, Kind: question.ChoiceDeny},
	}}), nil
}

// decideCodex returns the decision for Codex, which takes no changed arguments.
func decideCodex(c *Call, r reply) any {
	allowed, ok := r.decision()
	switch {
	case !ok:
		return nil
	case allowed:
		return hookDecision(c.event, claudeDecision{Behavior: "allow"})
	}
	return hookDecision(c.event, claudeDecision{Behavior: "deny", Message: r.Text})
}

package hook

import (
	"testing"

	"followup/internal/locale"
	"followup/internal/question"
)

// A question has the id that an import of the agent's log gives it, so the history contains it once.
func TestIDMatchesTheLog(t *testing.T) {
	t.Parallel()
	const id = "toolu_00000000000000000001"
	claude, err := of(readClaude)([]byte(`{"session_id":"s","hook_event_name":"PermissionRequest","tool_name":"AskUserQuestion","tool_use_id":"`+id+`","tool_input":{"questions":[{"question":"Which?","options":[{"label":"A"},{"label":"B"}]}]}}`), locale.English)
	if err != nil {
		t.Fatal(err)
	}
	opencode, err := of(readOpencode)([]byte(`{"id":"que_1","sessionID":"s","questions":[{"question":"Which?"}],"tool":{"messageID":"m","callID":"`+id+`"}}`), locale.English)
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]*Call{"Claude Code": claude, "opencode": opencode} {
		if call == nil {
			t.Fatalf("%s: no question", name)
		}
		if got := (&asking{call: call}).id("session"); got != question.IDOfCall(id) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if one, other := (&asking{call: &Call{id: "1"}}).id("a"), (&asking{call: &Call{id: "1"}}).id("b"); one == other {
		t.Error("two sessions share a question because their call ids are numbers")
	}
}

package question

import "testing"

// An id with a sequence number is not unique, however long the words around the number are.
func TestIsUniqueCall(t *testing.T) {
	for id, want := range map[string]bool{
		"toolu_01A09q90qw90lq917835lq9": true, "toolu_00000000000000000001": true, "call_00000000000000001": true, "call_abcdefGHIJKLmnopqrstuvwx": true,
		"chatcmpl-tool-3f2a1b0c9d8e7f6a": true, "0e6f3c52-52b5-49b2-8a3e-6a50f0a6a2cd": true, "ask_user-1765000000000-3": true, "call_abcdefghijklmnopqrstuvw5": true,
		"": false, "call_1": false, "functions.AskUserQuestion:0": false, "functions_AskUserQuestion_12": false, "call_0_AskUserQuestion": false, "ask_followup_question:1234": false,
	} {
		if got := IsUniqueCall(id); got != want {
			t.Errorf("%q: %v", id, got)
		}
	}
}

// A call has the same id in the logs of all tools, and no tool's own key has that id.
func TestIDOfCall(t *testing.T) {
	const call = "toolu_00000000000000000001"
	for _, tool := range []string{"Claude Code", "claude-code", "opencode", "Codex", "call"} {
		if IDOfCall(call) == ImportedID(tool, call) {
			t.Errorf("%s has the id too", tool)
		}
	}
}

package hook

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"followup/internal/locale"
	"followup/internal/question"
)

// An option's grants are shown beside its button. Hidden characters are made visible, and none changes the direction of the text.
func TestGrantsShowHiddenCharacters(t *testing.T) {
	t.Parallel()
	const hostile, visible = "npm ci\u202e\u200b", "npm ci‹U+202E›‹U+200B›"
	bash := `"tool_name":"Bash","tool_input":{"command":"npm ci"}`
	for _, test := range []struct{ name, agent, text string }{
		{"a rule", "claude-code", `{"hook_event_name":"PermissionRequest",` + bash + `,"permission_suggestions":[
			{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":%s}],"behavior":"allow","destination":"session"}]}`},
		{"a folder", "claude-code", `{"hook_event_name":"PermissionRequest",` + bash + `,"permission_suggestions":[
			{"type":"addDirectories","directories":["/src",%s],"destination":"session"}]}`},
		{"a mode", "claude-code", `{"hook_event_name":"PermissionRequest",` + bash + `,"permission_suggestions":[
			{"type":"setMode","mode":%s,"destination":"session"}]}`},
		{"a pattern", "opencode", `{"id":"p","sessionID":"s","permission":"bash","metadata":{"command":"npm ci"},"always":["npm *",%s]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			quoted, _ := json.Marshal(hostile)
			call, err := Read(test.agent, fmt.Appendf(nil, test.text, quoted), true, locale.English)
			if err != nil || call == nil {
				t.Fatalf("%v, %v", call, err)
			}
			var asked question.Approval
			if err := json.Unmarshal(call.input, &asked); err != nil {
				t.Fatal(err)
			}
			if label := asked.Options[1].Label; !strings.Contains(label, visible) || strings.ContainsAny(label, "\u202e\u200b") {
				t.Errorf("the option is %q", label)
			}
		})
	}
}

package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"followup/internal/question"
)

// Questions asked through Followup's own server are already in the history, so they are not read from any agent's log.
func TestOwnCallsAreNotRead(t *testing.T) {
	for server, found := range map[string]int{"mcp__followup__": 0, "followup__": 0, "mcp__other__": 1, "": 1} {
		log := transcriptOf(server+question.ToolFollowup, followUp, "<answer>\nThis\n</answer>")
		if got := readBytes("s.jsonl", strings.NewReader(log)); got.Report.Found != found {
			t.Errorf("%q: %d found, want %d", server, got.Report.Found, found)
		}
	}
}

// Cline keeps an MCP server's complete result as JSON. The answer is the user's words in it.
func TestResultAsJSON(t *testing.T) {
	words := "Zeile 1\n\tZeile 2 \"q\" <b>"
	result, err := json.Marshal(map[string]any{"content": []any{
		map[string]any{"type": "text", "text": "<answer>\n" + words + "\n</answer>"}, map[string]any{"type": "image", "data": "AAAA"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for name, result := range map[string]any{"a string": string(result), "a part": []any{map[string]any{"type": "text", "text": string(result)}}} {
		got := readBytes("s.jsonl", strings.NewReader(transcriptOf("other__"+question.ToolFollowup, followUp, result)))
		if len(got.Exchanges) != 1 || got.Exchanges[0].AnswerText != words {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// If a question of Codex asks for a secret, its answer is not stored.
func TestSecretsAreNotRead(t *testing.T) {
	for secret, found := range map[bool]int{true: 0, false: 1} {
		arguments, err := json.Marshal(fmt.Sprintf(`{"questions":[{"id":"a","question":"Which?","options":[]},{"id":"k","question":"Key?","isSecret":%t,"options":[]}]}`, secret))
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		fmt.Fprintf(&log, `{"timestamp":"2026-06-02T09:00:00Z","type":"response_item","payload":{"type":"function_call","name":"request_user_input","arguments":%s,"call_id":"call_00000000000000001"}}`+"\n", arguments)
		log.WriteString(`{"timestamp":"2026-06-02T09:00:01Z","type":"response_item","payload":{"type":"function_call_output","call_id":"call_00000000000000001","output":"{\"answers\":{\"a\":{\"answers\":[\"this\"]},\"k\":{\"answers\":[\"hunter2\"]}}}"}}` + "\n")
		got := readBytes("rollout.jsonl", &log)
		if all := fmt.Sprint(got); got.Report.Found != found || got.Report.Damaged.Total != 1-found || secret && strings.Contains(all, "hunter2") {
			t.Errorf("secret %t: %s", secret, all)
		}
	}
}

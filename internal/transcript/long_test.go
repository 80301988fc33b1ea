package transcript

import (
	"encoding/json"
	"strings"
	"testing"

	"followup/internal/question"
)

// An answer that is only an image counts, however large the image is, and whether it is before or after the id of its call.
func TestImageAlone(t *testing.T) {
	large := strings.Repeat("A", 2*softBytes)
	image := map[string]any{"type": "image", "source": map[string]any{"type": "base64", "media_type": "image/png", "data": large}}
	nested := map[string]any{"type": "document", "source": map[string]any{"content": []any{map[string]any{"type": "image"}}, "data": large}}
	for _, test := range []struct {
		name   string
		tool   string
		input  any
		result []any
		found  int
	}{
		{"of a questionnaire", question.ToolAskUser, questionnaire, []any{image}, 1},
		{"several", question.ToolAskUser, questionnaire, []any{image, image}, 1},
		{"beside an empty text", question.ToolFollowup, followUp, []any{map[string]any{"type": "text", "text": "<answer>\n\n</answer>"}, image}, 1},
		{"an image of something else", question.ToolAskUser, questionnaire, []any{nested}, 0},
		{"something else", question.ToolAskUser, questionnaire, []any{map[string]any{"type": "document", "title": "image", "data": large}}, 0},
	} {
		log := transcriptOf(test.tool, test.input, test.result)
		first := strings.Replace(log, `{"content":[{`, `{"tool_use_id":"toolu_00000000000000000000","content":[{`, 2)
		for _, log := range []string{log, first} {
			if got := readBytes("f", strings.NewReader(log)); got.Report.Found != test.found || got.Report.Damaged.Total != 0 {
				t.Errorf("%s: %s", test.name, got)
			}
		}
	}
	var lines []string
	for line := range strings.Lines(transcriptOf(question.ToolAskUser, questionnaire, []any{image})) {
		lines = append(lines, strings.TrimSpace(line))
	}
	message := func(line string) string {
		var from struct{ Message json.RawMessage }
		if err := json.Unmarshal([]byte(line), &from); err != nil {
			t.Fatal(err)
		}
		return string(from.Message)
	}
	request := `{"body":{"messages":[` + message(lines[0]) + `,` + message(lines[1]) + `]}}`
	if got := readBytes("f", strings.NewReader(request)); got.Report.Found != 1 {
		t.Errorf("in a request: %s", got)
	}
}

// An answer of many lines is read, however long its document is, and whether it is before or after the id of its call.
func TestLongAnswer(t *testing.T) {
	words := strings.Repeat("a line of a log\n", 20_000)
	text := map[string]any{"type": "text", "text": "<answer>\n" + words + "\n</answer>"}
	other := map[string]any{"type": "text", "text": words}
	for name, result := range map[string][]any{"alone": {text}, "with others": {other, text, other}} {
		log := transcriptOf(question.ToolFollowup, followUp, result)
		first := strings.Replace(log, `{"content":[{`, `{"tool_use_id":"toolu_00000000000000000000","content":[{`, 2)
		for _, log := range []string{log, first} {
			got := readBytes("f", strings.NewReader(log))
			if len(got.Exchanges) != 1 || got.Exchanges[0].AnswerText != words {
				t.Errorf("%s: %d exchanges, %d unanswered", name, len(got.Exchanges), got.Report.Unanswered)
			}
		}
	}
}

package hook

import (
	"encoding/json"
	"strings"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
)

// Some models number the calls of each turn. A different question with the same number is a new question.
func TestRepeatedNumber(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	editor := shown(t, folder)
	for i, name := range []string{"Which colour?", "Which size?"} {
		message := strings.ReplaceAll(strings.Replace(beside, `"tool_use_id":"2"`, `"tool_use_id":"functions.AskUserQuestion:0"`, 1), "Which colour?", name)
		came := ask(t, t.Context(), folder, message)
		item := pending(editor)
		rpctest.Call(editor, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: item.QuestionID, Picks: []protocol.Pick{{Options: []int{i}}}})
		got := <-came
		printed, err := json.Marshal(got.answer)
		if want := `"answers":{"` + name + `":"` + []string{"Red", "Blue"}[i] + `"}`; err != nil || got.err != nil || !strings.Contains(string(printed), want) {
			t.Errorf("got %s, %v, want %s", printed, got.err, want)
		}
	}
}

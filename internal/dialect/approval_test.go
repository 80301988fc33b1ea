package dialect

import (
	"encoding/json"
	"strings"
	"testing"

	"followup/internal/question"
)

const approval = `{"title":"Bash","subject":{"kind":"command","text":"ls","cwd":"/w"},"options":[{"id":"y","kind":"once"},{"id":"n","kind":"deny"}]}`

func TestReadApproval(t *testing.T) {
	for input, want := range map[string]question.Code{
		approval:       "",
		approval + " ": "",
		strings.Replace(approval, `"ls"`, `"ls\u202e\u0000"`, 1): "",
		"":                question.CodeInvalidValue,
		"null":            question.CodeMissingParameter,
		"[]":              question.CodeInvalidValue,
		approval + "{}":   question.CodeInvalidValue,
		approval[:50]:     question.CodeInvalidValue,
		`"` + approval:    question.CodeInvalidValue,
		"\xff" + approval: question.CodeInvalidValue,
		strings.Replace(approval, `"text"`, `"hidden":"x","text"`, 1):                 question.CodeInvalidValue,
		strings.Replace(approval, `"ls"`, `7`, 1):                                     question.CodeInvalidValue,
		strings.Replace(approval, `"ls"`, `""`, 1):                                    question.CodeMissingParameter,
		strings.Replace(approval, `ls`, strings.Repeat("x", question.MaxApproval), 1): question.CodeTooLarge,
	} {
		got := ReadInput(question.ToolApproval, []byte(input), Options{})
		code := question.Code("")
		if got.Err != nil {
			code = got.Err.Code
		}
		if code != want || (got.Approval != nil) != (want == "") {
			t.Errorf("%.80q: got %q, want %q", input, code, want)
		}
	}
	if got := ReadInput(question.ToolApproval, []byte(approval), Options{Limits: question.Limits{Message: 10}}); got.Err == nil || got.Err.Code != question.CodeTooLarge {
		t.Errorf("over the limit: got error %v", got.Err)
	}
}

// TestModelsDoNotAskForPermission checks that a streamed tool call is never read as a permission request.
func TestModelsDoNotAskForPermission(t *testing.T) {
	in := NewInput(question.ToolApproval, Options{}, func(e Event) {
		if done, ok := e.(Done); ok && done.Call.Err == nil {
			t.Errorf("got a valid call %+v", done.Call)
		}
	})
	in.Append([]byte(approval))
	in.End()
}

// FuzzApproval checks that an approval survives encoding and decoding, with the same digest.
func FuzzApproval(f *testing.F) {
	f.Add(approval)
	f.Fuzz(func(t *testing.T, input string) {
		call := ReadInput(question.ToolApproval, []byte(input), Options{})
		if call.Err != nil {
			_ = Message("en", call.Tool, call.Err)
			return
		}
		written, err := json.Marshal(call.Approval)
		if err != nil {
			t.Fatal(err)
		}
		again := ReadInput(question.ToolApproval, written, Options{})
		if again.Err != nil || again.Approval.Digest(again.Approval.Options[0]) != call.Approval.Digest(call.Approval.Options[0]) {
			t.Errorf("%s does not read back: %v", written, again.Err)
		}
	})
}

package archive

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

func TestCallsComeBack(t *testing.T) {
	calls := []question.Call{
		{
			Tool: question.ToolFollowup, Repairs: []question.Code{question.RepairLenientJSON}, Notices: []question.Code{},
			Followup: &question.Followup{Question: "Q <b> \u2028?", Suggest: []question.Suggestion{{Answer: "A", Mode: "code"}}},
		},
		{
			Tool: question.ToolAskUser, Repairs: []question.Code{}, Notices: []question.Code{},
			Questionnaire: &question.Questionnaire{
				Metadata:  []byte(`{"source":"x"}`),
				Questions: []question.Question{{Question: "Q?", Header: "H", MultiSelect: true, Options: []question.Option{{Label: "L", Description: "D", Preview: " P"}}}},
			},
		},
		{Tool: question.ToolFollowup, Err: &question.Error{Code: question.CodeParseFailed, Detail: question.Detail{Reason: "trailing", Name: "x", At: question.Place{Line: 2, Column: 7, Excerpt: "x y"}}}},
	}
	for _, want := range calls {
		body, err := EncodeCall(want, "words")
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeCall(want.Tool, body)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		payload, wrong, err := offered(body)
		if err != nil || (wrong == nil) != (want.Err == nil) || (payload == nil) == (want.Err == nil) {
			t.Errorf("offered: %+v, %+v, %v", payload, wrong, err)
		}
	}
	if _, err := DecodeCall("", []byte("no JSON")); err == nil {
		t.Error("what is no JSON was read")
	}
}

// What the agent attached for itself is kept, but neither searched nor exported.
func TestMetadataIsGivenToNobody(t *testing.T) {
	c := question.Call{Questionnaire: &question.Questionnaire{Metadata: []byte(`"sentinel"`), Questions: []question.Question{{Question: "Q?"}}}}
	body, err := EncodeCall(c, "")
	if err != nil {
		t.Fatal(err)
	}
	payload, _, err := offered(body)
	if err != nil {
		t.Fatal(err)
	}
	line, err := Line(protocol.HistoryEntry{Payload: payload})
	if err != nil || strings.Contains(string(line), "sentinel") || strings.Contains(SearchText(c), "sentinel") {
		t.Errorf("%v: %s", err, line)
	}
}

func TestMarkdownOfAQuestionnaire(t *testing.T) {
	entry := protocol.HistoryEntry{
		Agent: "An\nagent",
		Payload: &protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: []protocol.Question{
			{Question: "Which?", Header: "H", Options: []protocol.Option{{Label: "A", Description: "first\nof all"}, {Label: "B", Preview: "```\nx\n```"}}},
			{Question: "And?", Options: []protocol.Option{{Label: "C"}}},
		}}},
		Outcome: protocol.ItemOutcome{
			Outcome: protocol.OutcomeReplied, Text: "wait\nplease", Picks: []protocol.Pick{{Options: []int{1}, Other: "mine", Notes: "a note"}},
		},
	}
	want := `## 1970-01-01 00:00 · An agent

### H

Which?

- [ ] A — first
  of all
- [x] B

  ` + "````" + `
  ` + "```" + `
  x
  ` + "```" + `
  ` + "````" + `
- [x] mine

Note:

> a note

And?

- [ ] C

**Replied instead of answering**

> wait
> please

`
	if diff := cmp.Diff(want, Markdown(locale.English, time.UTC, entry)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file is written whole or not at all.
func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write := func(text string, fail error) error {
		return WriteFile(path, func(to io.Writer) error {
			_, err := io.WriteString(to, text)
			return errors.Join(err, fail)
		})
	}
	if err := write("first", nil); err != nil {
		t.Fatal(err)
	}
	if err := write("second", io.ErrClosedPipe); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
	body, err := os.ReadFile(path)
	if err != nil || string(body) != "first" {
		t.Errorf("got %q, %v", body, err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("left %v, %v", left, err)
	}
}

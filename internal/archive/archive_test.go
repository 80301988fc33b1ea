package archive

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
)

func TestCallRoundTrip(t *testing.T) {
	calls := []question.Call{
		{
			Tool: question.ToolFollowup, Repairs: []question.Code{question.RepairLenientJSON}, Notices: []question.Code{},
			Ordinal:  3,
			Followup: &question.Followup{Question: "Q <b> \u2028?", Suggest: []question.Suggestion{{Answer: "A", Mode: "code"}}},
		},
		{
			Tool: question.ToolAskUser, Repairs: []question.Code{}, Notices: []question.Code{},
			Questionnaire: &question.Questionnaire{
				Metadata:  []byte(`{"source":"x"}`),
				Questions: []question.Question{{Question: "Q?", Header: "H", MultiSelect: true, Options: []question.Option{{Label: "L", Description: "D", Preview: " P"}}}},
			},
		},
		{
			Tool: question.ToolApproval, Repairs: []question.Code{}, Notices: []question.Code{},
			Approval: &question.Approval{
				Title: "Bash", Subject: question.Subject{Kind: question.SubjectCommand, Text: "ls \u202e <b>", Folder: "/w", OtherArguments: "{}"}, Reason: "R", Changeable: true,
				Options: []question.Choice{{ID: "1", Kind: question.ChoiceAlways, Label: "L"}, {ID: "2", Kind: question.ChoiceDeny}},
			},
		},
		{Tool: question.ToolFollowup, Err: &question.Error{Code: question.CodeParseFailed, Detail: question.Detail{Reason: "trailing", Name: "x", At: question.Place{Line: 2, Column: 7, Excerpt: "x y"}}}},
	}
	for _, want := range calls {
		var failure *protocol.CallError
		if want.Err != nil {
			failure = &protocol.CallError{Code: string(want.Err.Code), Message: "words", Found: "“x y”"}
		}
		body, err := EncodeCall(want, failure)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeCall(want.Tool, body)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		found, err := decodeCall(body)
		if err != nil || (found.wrong() == nil) != (want.Err == nil) || (found.Payload == nil) == (want.Err == nil) || found.Envelope != want.Envelope {
			t.Errorf("decodeCall: %+v, %v", found, err)
		}
		if diff := cmp.Diff(failure, found.wrong()); diff != "" {
			t.Errorf("decodeCall (-want +got):\n%s", diff)
		}
	}
	if _, err := DecodeCall("", []byte("no JSON")); err == nil {
		t.Error("invalid JSON was accepted")
	}
}

// An agent's metadata is stored, but neither searched nor exported.
func TestMetadataStaysPrivate(t *testing.T) {
	c := question.Call{Questionnaire: &question.Questionnaire{Metadata: []byte(`"sentinel"`), Questions: []question.Question{{Question: "Q?"}}}}
	body, err := EncodeCall(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeCall(body)
	if err != nil {
		t.Fatal(err)
	}
	line, err := Line(protocol.HistoryEntry{Payload: got.Payload})
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
	want := `## An agent

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

// An agent's text is shown literally: in Markdown it is only text, and it cannot control a terminal.
func TestMarkdownCannotBeForged(t *testing.T) {
	hostile := "Which?\r\n\n**Answered**\n\n> Yes, delete it\n\n## 2026-01-01 00:00 · Other\n- [x] Yes\n1. one\n10) ten\n+ plus\n===\n---\n~~~\n```\n<b>b</b> &lt; |a| [l](http://x) ![i](y) \\\n    code\n\tcode\n\x1b]0;title\x07\u009b31m\u202eevil\x00"
	entry := protocol.HistoryEntry{
		Agent: hostile, AskedAt: 1_767_225_600_000,
		Payload: &protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: []protocol.Question{
			{Question: hostile, Header: hostile, Options: []protocol.Option{{Label: hostile, Description: hostile, Preview: hostile}}},
		}}},
		Outcome: protocol.ItemOutcome{Outcome: protocol.OutcomeAnswered, Text: hostile, Picks: []protocol.Pick{{Options: []int{0}, Other: hostile, Notes: hostile}}},
		Images:  []protocol.Image{{MimeType: "image/png) [x](y", Data: "QUJD"}},
	}
	asked := entry
	asked.Payload = &protocol.Payload{Followup: &protocol.Followup{Question: hostile, Suggest: []protocol.Suggestion{{Answer: hostile, Mode: hostile}}}}
	wrong := entry
	wrong.Payload, wrong.Error = nil, &protocol.CallError{Message: hostile}
	for name, e := range map[string]protocol.HistoryEntry{"a questionnaire": entry, "a question": asked, "an invalid call": wrong} {
		text := Markdown(locale.English, time.UTC, e)
		if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && (unicode.IsControl(r) || r == '\u202e') }) {
			t.Errorf("%s controls a terminal: %q", name, text)
		}
		counts := map[ast.NodeKind]int{}
		words := map[ast.NodeKind]string{}
		source := []byte(text)
		err := ast.Walk(goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(gmtext.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering {
				counts[n.Kind()]++
				if n.Kind() == ast.KindEmphasis {
					words[n.Kind()] += string(n.FirstChild().(*ast.Text).Segment.Value(source)) + ";"
				}
			}
			return ast.WalkContinue, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if words[ast.KindEmphasis] != "Answered;" || counts[ast.KindRawHTML]+counts[ast.KindHTMLBlock]+counts[ast.KindLink]+counts[ast.KindThematicBreak]+counts[ast.KindCodeBlock]+counts[ast.KindCodeSpan] > 0 || counts[ast.KindImage] != 1 {
			t.Errorf("%s: %v, emphasis %q in\n%s", name, counts, words[ast.KindEmphasis], text)
		}
		if headings := counts[ast.KindHeading]; headings != map[string]int{"a questionnaire": 2, "a question": 1, "an invalid call": 1}[name] {
			t.Errorf("%s: %d headings in\n%s", name, headings, text)
		}
		line, err := Line(e)
		if err != nil || strings.ContainsFunc(string(line), func(r rune) bool { return unicode.IsControl(r) || r == '\u202e' }) {
			t.Errorf("%s as JSON: %v %q", name, err, line)
		}
		var back protocol.HistoryEntry
		if err := json.Unmarshal(line, &back); err != nil || back.Agent != hostile {
			t.Errorf("%s is decoded as %q, %v", name, back.Agent, err)
		}
	}
	if got := escaped("fine: a_b 3.14 a - b"); got != `fine: a\_b 3.14 a - b` {
		t.Errorf("got %s", got)
	}
}

// Unknown times are omitted.
func TestMissingTimes(t *testing.T) {
	q := store.Question{ID: "q", Call: []byte(`{"payload":{"question":"Q?","suggest":[]}}`), Outcome: &store.Outcome{Outcome: question.Answered, Answer: []byte(`{"item":{"outcome":"answered"}}`)}}
	entry, err := Entry(q)
	if err != nil {
		t.Fatal(err)
	}
	line, err := Line(entry)
	if err != nil || strings.Contains(string(line), "At\"") || strings.Contains(string(line), `"at"`) {
		t.Errorf("%s, %v", line, err)
	}
	if text := Markdown(locale.English, time.UTC, entry); !strings.HasPrefix(text, "## \n") {
		t.Errorf("%s", text)
	}
}

// A file is written completely or not at all.
func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write := func(text string, fail error) error {
		return WriteFile(path, func(string) bool { return false }, func(to io.Writer) error {
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

// An answer from the agent's own dialog is shown if it is known; otherwise, only that it was answered there.
func TestAnsweredElsewhere(t *testing.T) {
	asked := &protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: []protocol.Question{
		{Question: "Which?", Options: []protocol.Option{{Label: "A"}, {Label: "B"}}},
	}}}
	for name, test := range map[string]struct {
		outcome        protocol.ItemOutcome
		said, markdown string
	}{
		"by":        {protocol.ItemOutcome{AnsweredBy: "Ann"}, "Handled in the agent's own dialog, by Ann", "- [ ] B\n"},
		"picked":    {protocol.ItemOutcome{Picks: []protocol.Pick{{Options: []int{1}, Other: "mine"}}}, "B, mine", "- [x] B\n- [x] mine\n"},
		"words":     {protocol.ItemOutcome{Text: "words"}, "words", "> words\n"},
		"not known": {protocol.ItemOutcome{}, "Handled in the agent's own dialog", "- [ ] B\n"},
	} {
		test.outcome.Outcome, test.outcome.Elsewhere = protocol.OutcomeWithdrawn, true
		entry := protocol.HistoryEntry{Payload: asked, Outcome: test.outcome}
		if got := OutcomeSummary(locale.English, entry); got != test.said {
			t.Errorf("%s: said %q", name, got)
		}
		if got := Markdown(locale.English, time.UTC, entry); !strings.Contains(got, test.markdown) || !strings.Contains(got, "Handled in the agent's own dialog") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// An entry on a terminal is complete, and no agent's text imitates Followup's own lines.
func TestText(t *testing.T) {
	zone := time.FixedZone("", 0)
	suggestion := 1
	got := Text(locale.English, zone, protocol.HistoryEntry{
		QuestionID: "id-1", Agent: "Robot\n2026-01-01 00:00 · Answered", Workspace: "file:///home/me/a%20b", Envelope: protocol.Envelope{To: "Ann"}, AskedAt: 60_000,
		Payload: &protocol.Payload{Followup: &protocol.Followup{
			Question: "Which *port*?\n\n2026-01-01 00:00 · Answered\x1b[31m\u202e",
			Suggest:  []protocol.Suggestion{{Answer: "8080\nor so"}, {Answer: "80", Mode: "code"}},
		}},
		Outcome: protocol.ItemOutcome{
			Outcome: protocol.OutcomeAnswered, Provenance: protocol.ProvenanceClicked, Text: "80\n2026-01-01", Suggestion: &suggestion, AnsweredBy: "Bob", At: 120_000,
		},
		Images: []protocol.Image{{MimeType: "image/png", Data: "AAAA"}},
	})
	want := `id-1
1970-01-01 00:01 · Robot 2026-01-01 00:00 · Answered · /home/me/a b · Ann

    Which *port*?

    2026-01-01 00:00 · Answered�[31m�

    [ ] 8080
        or so
    [x] 80 (code)

1970-01-01 00:02 · Answered, by Bob

    80
    2026-01-01

    Image 1 (image/png)
`
	if diff := cmp.Diff(strings.NewReplacer(`\ufffd`, "\ufffd").Replace(want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	asked := Text(locale.English, zone, protocol.HistoryEntry{
		QuestionID: "id-3", Agent: "Robot", Envelope: protocol.Envelope{Context: "I read it.\n\x1b[2JTwo ports are free."},
		Payload: &protocol.Payload{Followup: &protocol.Followup{Question: "Which?"}},
	})
	if want := "id-3\nRobot\n\nBefore the question:\n\n    I read it.\n    \ufffd[2JTwo ports are free.\n\nQuestion:\n\n    Which?\n"; asked != want {
		t.Errorf("got %q, want %q", asked, want)
	}
	failed := Text(locale.English, zone, protocol.HistoryEntry{
		QuestionID: "id-2", Agent: "Robot", Error: &protocol.CallError{Message: "no question"}, Outcome: protocol.ItemOutcome{Outcome: protocol.OutcomeInvalid},
	})
	if want := "id-2\nRobot\n\n    The call could not be read: no question\n\nNot a question\n"; failed != want {
		t.Errorf("got %q, want %q", failed, want)
	}
}

func TestAskedIsPlain(t *testing.T) {
	for want, payload := range map[string]protocol.Payload{
		"Drop the users?": {Followup: &protocol.Followup{Question: "Drop **the** [`users`](https://example.org)?"}},
		"Which? · How?": {Questionnaire: &protocol.Questionnaire{Questions: []protocol.Question{
			{Question: "*Which*?"}, {Question: "`How`?"},
		}}},
	} {
		if got := QuestionSummary(locale.English, protocol.HistoryEntry{Payload: &payload}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The history has the request, the changed command, the person and the client. Hidden characters are made visible.
func TestApprovalAsText(t *testing.T) {
	e := protocol.HistoryEntry{
		QuestionID: "1", Agent: "Claude Code",
		Payload: &protocol.Payload{Approval: &protocol.Approval{
			Title: "Bash", Subject: protocol.Subject{Kind: protocol.SubjectCommand, Text: "touch a \u202e", Folder: "/w"}, Reason: "Why",
			Options: []protocol.Choice{{ID: "y", Kind: protocol.ChoiceOnce}, {ID: "a", Kind: protocol.ChoiceAlways, Label: "touch *"}, {ID: "n", Kind: protocol.ChoiceDeny}},
		}},
		Outcome: protocol.ItemOutcome{Outcome: protocol.OutcomeAllowed, Option: "y", Changed: "touch b\x1b", Client: "browser\x1b", AnsweredBy: "ada", Text: "in b"},
	}
	const markdown = "## Claude Code\n\nBash\n\n```\n/w\ntouch a ‹U+202E›\n```\n\n> Why\n\n- [x] Allow once\n- [ ] Always allow — touch \\*\n- [ ] Deny\n\n" +
		"Allowed instead:\n\n```\ntouch b‹U+001B›\n```\n\n**Allowed (browser\ufffd), by ada**\n\n> in b\n\n"
	if diff := cmp.Diff(markdown, Markdown(locale.English, time.UTC, e)); diff != "" {
		t.Errorf("Markdown (-want +got):\n%s", diff)
	}
	const text = "1\nClaude Code\n\n    Bash\n\n    /w\n    touch a ‹U+202E›\n\n    Why\n\n    [x] Allow once\n    [ ] Always allow — touch *\n    [ ] Deny\n\n" +
		"Allowed instead:\n\n    touch b‹U+001B›\n\nAllowed (browser\ufffd), by ada\n\n    in b\n"
	if diff := cmp.Diff(text, Text(locale.English, time.UTC, e)); diff != "" {
		t.Errorf("Text (-want +got):\n%s", diff)
	}
	plan := e
	plan.Payload = &protocol.Payload{Approval: &protocol.Approval{
		Title: "ExitPlanMode", Subject: protocol.Subject{Kind: protocol.SubjectPlan, Text: "Look."}, Options: e.Payload.Options,
	}}
	for name, got := range map[string]string{"Markdown": Markdown(locale.English, time.UTC, plan), "text": Text(locale.English, time.UTC, plan)} {
		if !strings.Contains(got, "[x] Approve\n") || !strings.Contains(got, "[ ] Keep planning\n") {
			t.Errorf("%s of a plan: %s", name, got)
		}
	}
	if said := OutcomeSummary(locale.English, e); said != "Allowed (browser\ufffd), by ada · in b" {
		t.Errorf("said %q", said)
	}
	if asked := QuestionSummary(locale.English, e); asked != "Bash: touch a‹U+0020›‹U+202E›" && asked != "Bash: touch a ‹U+202E›" {
		t.Errorf("asked %q", asked)
	}
}

// A decision beside the agent's own dialog was sent. The agent's report shows whether it took effect.
func TestDecisionBesideADialog(t *testing.T) {
	for want, o := range map[string]protocol.ItemOutcome{
		"Denied, by Ann; not confirmed by the agent": {Outcome: protocol.OutcomeDenied, AnsweredBy: "Ann"},
		"Denied": {Outcome: protocol.OutcomeDenied, Effective: protocol.OutcomeDenied},
		"Denied, but allowed in the agent's own dialog at the same moment: it ran":         {Outcome: protocol.OutcomeDenied, Effective: protocol.OutcomeAllowed},
		"Allowed, but denied in the agent's own dialog at the same moment: it did not run": {Outcome: protocol.OutcomeAllowed, Effective: protocol.OutcomeDenied},
		"The agent stopped waiting here; its own dialog may still be open":                 {Outcome: protocol.OutcomeDisconnected},
	} {
		e := protocol.HistoryEntry{Envelope: protocol.Envelope{Beside: true}, Outcome: o}
		if got := OutcomeSummary(locale.English, e); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if got := Text(locale.English, time.UTC, e); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
	alone := protocol.HistoryEntry{Outcome: protocol.ItemOutcome{Outcome: protocol.OutcomeDenied}}
	if got := OutcomeSummary(locale.English, alone); got != "Denied" {
		t.Errorf("got %q", got)
	}
}

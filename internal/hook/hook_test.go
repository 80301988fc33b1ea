package hook

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap/zaptest"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpctest"
)

const colour = `{"questions":[{"question":"Which colour?","header":"Colour","options":[{"label":"Red"},{"label":"Blue"}],"multiSelect":false}]}`

// before is a message of a terminal that waits for the hook. beside is one of a terminal with its own open dialog.
const (
	before = `{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"AskUserQuestion","tool_use_id":"1","tool_input":` + colour + `}`
	beside = `{"session_id":"s","cwd":"/w","hook_event_name":"PermissionRequest","tool_name":"AskUserQuestion","tool_use_id":"2","tool_input":` + colour + `}`
)

// hooked is a hook that runs in this process.
type hooked struct {
	answer any
	err    error
}

func ask(t *testing.T, ctx context.Context, folder, message string) <-chan hooked {
	t.Helper()
	call, err := Read("claude-code", []byte(message), false, "en")
	if err != nil {
		t.Fatal(err)
	}
	sidecar := rpctest.StartIn(t, folder, nil)
	rpctest.Call(sidecar, protocol.Initialize, protocol.InitializeParams{
		InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version, StorageFolder: folder},
	})
	came := make(chan hooked, 1)
	go func() {
		answer, err := Ask(ctx, call, Options{
			Log: zaptest.NewLogger(t), Sidecar: sidecar.Conn, Locale: locale.English, Look: time.Millisecond, Patience: time.Nanosecond,
		})
		came <- hooked{answer, err}
	}()
	return came
}

// shown returns an editor that shows the inbox, once other processes know that.
func shown(t *testing.T, folder string) *rpctest.Editor {
	t.Helper()
	editor := rpctest.ConnectTo(t, folder, nil)
	rpctest.UntilShown(t, folder)
	return editor
}

func pending(e *rpctest.Editor) (item protocol.InboxItem) {
	e.Until(func() bool {
		for _, each := range e.Items {
			if each.State == protocol.ItemPending {
				item = each
				return true
			}
		}
		return false
	})
	return item
}

// If nobody could see the question, it is not asked.
func TestNobodyShowsAnInbox(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, message := range []string{before, beside} {
		if got := <-ask(t, t.Context(), folder, message); got.answer != nil || got.err != nil {
			t.Errorf("got %+v", got)
		}
	}
	editor := rpctest.ConnectTo(t, folder, nil)
	if page := rpctest.Call(editor, protocol.HistoryList, protocol.HistoryListParams{}); len(editor.Items)+len(page.Entries) != 0 {
		t.Error("it was asked")
	}
}

// If nothing can be saved, the agent's user sees why.
func TestNothingCanBeSaved(t *testing.T) {
	t.Parallel()
	if got := <-ask(t, t.Context(), "", beside); got.answer != nil || got.err == nil || !strings.Contains(got.err.Error(), "HOME") {
		t.Errorf("got %+v", got)
	}
}

// When the last inbox closes, the dialog that waits for the hook appears. A dialog that is already open needs no inbox.
func TestTheInboxCloses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	editor := shown(t, folder)
	ctx, cancel := context.WithCancelCause(t.Context())
	first := ask(t, ctx, folder, before)
	pending(editor)
	second := ask(t, ctx, folder, beside)
	editor.Until(func() bool { return len(editor.Items) == 2 })
	editor.Leave()
	if got := <-first; got.answer != nil || got.err != nil {
		t.Errorf("got %+v", got)
	}
	editor = rpctest.ConnectTo(t, folder, nil)
	item := pending(editor)
	rpctest.Call(editor, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: item.QuestionID, Picks: []protocol.Pick{{Options: []int{1}}}})
	got := <-second
	if printed, err := json.Marshal(got.answer); err != nil || !strings.Contains(string(printed), `"answers":{"Which colour?":"Blue"}`) {
		t.Errorf("got %s, %v", printed, got.err)
	}
	cancel(nil)
}

// An answer is delivered even if its images cannot be saved, with a note about them.
func TestImagesThatCannotBeKept(t *testing.T) {
	folder := t.TempDir()
	editor := shown(t, folder)
	came := ask(t, t.Context(), folder, beside)
	item := pending(editor)
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, filepath.Join(folder, "none"))
	}
	rpctest.Call(editor, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: item.QuestionID, Picks: []protocol.Pick{{Options: []int{1}}},
		Images: []protocol.Image{{MimeType: "image/gif", Data: "R0lGODlhAQABAAAAACw="}},
	})
	got := <-came
	printed, err := json.Marshal(got.answer)
	if err != nil || !strings.Contains(string(printed), `"answers":{"Which colour?":"Blue"}`) ||
		!strings.Contains(string(printed), `"notes":"Images of the answer that could not be delivered: 1 (`) {
		t.Errorf("got %s, %v", printed, got.err)
	}
}

// Two hooks for the same call ask one question, and both get its answer. So does the same call later.
func TestTwoHooksForOneCall(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	editor := shown(t, folder)
	one, other := ask(t, t.Context(), folder, beside), ask(t, t.Context(), folder, beside)
	item := pending(editor)
	rpctest.Call(editor, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: item.QuestionID, Picks: []protocol.Pick{{Options: []int{0}}}})
	for _, came := range []<-chan hooked{one, other, ask(t, t.Context(), folder, beside)} {
		if got := <-came; got.answer == nil || got.err != nil {
			t.Errorf("got %+v", got)
		}
	}
	asked := 0
	editor.Until(func() bool {
		asked = len(editor.Items)
		return true
	})
	if asked != 1 {
		t.Errorf("it was asked %d times", asked)
	}
}

// An agent that was killed and resumed runs its hook again, even for the same call. Its earlier question is closed, so the user
// has one open question, and its answer reaches the agent.
func TestContinuedAgentAsksAgain(t *testing.T) {
	t.Parallel()
	long := strings.Replace(before, `"tool_use_id":"1"`, `"tool_use_id":"toolu_01A09q90qw90lq917835lq9"`, 1)
	for name, again := range map[string][2]string{
		"the same call":                     {before, before},
		"the same call, named uniquely":     {long, long},
		"a call of another session":         {before, strings.NewReplacer(`"s"`, `"s2"`, `"1"`, `"7"`).Replace(before)},
		"a dialog in the terminal, unnamed": {strings.Replace(beside, `"tool_use_id":"2",`, "", 1), strings.Replace(beside, `"tool_use_id":"2",`, "", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			editor := shown(t, folder)
			for range 2 { // killed twice
				ctx, kill := context.WithCancelCause(t.Context())
				lost := ask(t, ctx, folder, again[0])
				was := pending(editor)
				kill(errors.New("gone"))
				if got := <-lost; got.answer != nil || got.err != nil {
					t.Errorf("got %+v", got)
				}
				editor.UntilState(was.QuestionID, protocol.ItemClosed)
			}
			came := ask(t, t.Context(), folder, again[1])
			item := pending(editor)
			rpctest.Call(editor, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: item.QuestionID, Picks: []protocol.Pick{{Options: []int{1}}}})
			got := <-came
			printed, err := json.Marshal(got.answer)
			if got.err != nil || err != nil || !strings.Contains(string(printed), `"answers":{"Which colour?":"Blue"}`) {
				t.Errorf("got %s, %v", printed, got.err)
			}
		})
	}
}

// When the context ends, the question is taken back, and its outcome says why. It counts as answered elsewhere if the user answered in
// the agent's own dialog.
func TestWithdrawn(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	editor := shown(t, folder)
	for _, test := range []struct {
		message   string
		cause     error
		want      protocol.Outcome
		elsewhere bool
	}{
		{beside, ErrElsewhere, protocol.OutcomeWithdrawn, true},
		{strings.Replace(beside, `"2"`, `"5"`, 1), ErrStopped, protocol.OutcomeDisconnected, false}, // its dialog may still be open
		{strings.Replace(beside, `"2"`, `"3"`, 1), ErrGone, protocol.OutcomeDisconnected, false},
		{strings.Replace(beside, `"2"`, `"4"`, 1), errNobody, protocol.OutcomeNotShown, false},
		{before, ErrStopped, protocol.OutcomeWithdrawn, false},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		came := ask(t, ctx, folder, test.message)
		item := pending(editor)
		cancel(test.cause)
		if got := <-came; got.answer != nil || got.err != nil {
			t.Errorf("got %+v", got)
		}
		item = editor.UntilState(item.QuestionID, protocol.ItemClosed)
		if item.Outcome.Outcome != test.want || item.Outcome.Elsewhere != test.elsewhere {
			t.Errorf("%v: %+v", test.cause, item.Outcome)
		}
	}
}

// Claude Code's log shows that the terminal was first. An earlier call with the same questions and other calls' results do not
// count.
func TestAnsweredInTheTerminal(t *testing.T) {
	t.Parallel()
	folder, log := t.TempDir(), filepath.Join(t.TempDir(), "log.jsonl")
	line := func(block string) string {
		return `{"type":"x","message":{"role":"x","content":[` + block + `]}}` + "\n"
	}
	use := func(id string) string {
		return line(`{"type":"tool_use","id":"` + id + `","name":"AskUserQuestion","input":` + strings.Replace(colour, `,"multiSelect":false`, "", 1) + `}`)
	}
	result := func(id string) string {
		return strings.Replace(line(`{"type":"tool_result","tool_use_id":"`+id+`","content":"x"}`), "{",
			`{"toolUseResult":{"questions":[],"answers":{"Which colour?":"`+map[bool]string{true: "Blue", false: "of another call"}[id == "2"]+`"}},`, 1)
	}
	write := func(text string) {
		file, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, err = file.WriteString(text)
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	write(use("1") + result("1") + `{"message":{"content":"AskUserQuestion"}}` + "\n" + use("2") + result("3"))
	path, err := json.Marshal(log)
	if err != nil {
		t.Fatal(err)
	}
	message := strings.Replace(beside, `"cwd"`, `"transcript_path":`+string(path)+`,"cwd"`, 1)
	editor := shown(t, folder)

	came := ask(t, t.Context(), folder, message)
	item := pending(editor)
	write(strings.TrimSuffix(result("2"), "\n"))
	write("\n" + result("9"))
	if got := <-came; got.answer != nil || got.err != nil {
		t.Errorf("got %+v", got)
	}
	item = editor.UntilState(item.QuestionID, protocol.ItemClosed)
	if diff := cmp.Diff([]protocol.Pick{{Options: []int{1}}}, item.Outcome.Picks); diff != "" || !item.Outcome.Elsewhere {
		t.Errorf("it ended as %+v (-want +got):\n%s", item.Outcome, diff)
	}

	write(use("4")) // the agent exits before the call has a result
	ctx, cancel := context.WithCancelCause(t.Context())
	came = ask(t, ctx, folder, strings.Replace(message, `"2"`, `"5"`, 1))
	item = pending(editor)
	cancel(ErrStopped)
	<-came
	if item = editor.UntilState(item.QuestionID, protocol.ItemClosed); item.Outcome.Outcome != protocol.OutcomeDisconnected {
		t.Errorf("it ended as %+v", item.Outcome)
	}
}

// An answer in an agent's own dialog is recorded like an answer in the inbox.
func TestAnswersFromElsewhere(t *testing.T) {
	t.Parallel()
	questions := []asked{
		{Question: "One? ", Options: []option{{Label: "Red"}, {Label: "Blue"}}},
		{Question: "Several?", Multi: true, Options: []option{{Label: "Lint"}, {Label: "Unit, fast"}, {Label: "Unit"}}},
	}
	for name, test := range map[string]struct {
		claude map[string]string
		want   [][]string
		picks  []protocol.Pick
	}{
		"labels": {
			map[string]string{"One? ": "Blue", "Several?": "Lint, \"Unit, fast\", Unit"}, [][]string{{"Blue"}, {"Lint", "Unit, fast", "Unit"}},
			[]protocol.Pick{{Options: []int{1}}, {Options: []int{0, 1, 2}}},
		},
		"own words": {
			map[string]string{"One? ": "Red, or not", "Several?": `Unit, "and, \"more\""`}, [][]string{{"Red, or not"}, {"Unit", `and, "more"`}},
			[]protocol.Pick{{Other: "Red, or not"}, {Options: []int{2}, Other: `and, "more"`}},
		},
		"own words that begin like a label": {
			map[string]string{"One? ": `"Red"`, "Several?": `"Lint, never"`}, [][]string{{`"Red"`}, {"Lint, never"}},
			[]protocol.Pick{{Other: `"Red"`}, {Other: "Lint, never"}},
		},
		"a label and own words": {map[string]string{"Several?": "Lint, never"}, [][]string{nil, {"Lint", "never"}}, []protocol.Pick{{}, {Options: []int{0}, Other: "never"}}},
		"no list of it":         {map[string]string{"Several?": "Unit, and, more"}, [][]string{nil, {"Unit, and, more"}}, []protocol.Pick{{}, {Other: "Unit, and, more"}}},
		"a quote within":        {map[string]string{"Several?": `Lint, the "fast" one`}, [][]string{nil, {`Lint, the "fast" one`}}, []protocol.Pick{{}, {Other: `Lint, the "fast" one`}}},
		"a broken quote":        {map[string]string{"Several?": `Lint, "Unit`}, [][]string{nil, {`Lint, "Unit`}}, []protocol.Pick{{}, {Other: `Lint, "Unit`}}},
		"more after a quote":    {map[string]string{"Several?": `"Lint" Unit`}, [][]string{nil, {`"Lint" Unit`}}, []protocol.Pick{{}, {Other: `"Lint" Unit`}}},
		"left out":              {map[string]string{"Several?": "Unity"}, [][]string{nil, {"Unity"}}, []protocol.Pick{{}, {Other: "Unity"}}},
	} {
		got := claudeAnswers(questions, test.claude)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		c := &Call{}
		if c.ask(questions) == nil {
			t.Fatal("it is not asked")
		}
		if _, picks := c.answered(got); cmp.Diff(test.picks, picks) != "" {
			t.Errorf("%s: %s", name, cmp.Diff(test.picks, picks))
		}
	}
	one := &Call{}
	one.askOne(asked{Question: "Name?"})
	if text, _ := one.answered([][]string{{"Ada", "Eve"}}); text != "Ada, Eve" {
		t.Errorf("got %q", text)
	}
	if text, picks := one.answered(nil); text != "" || picks != nil {
		t.Errorf("got %q, %v", text, picks)
	}
}

// Splitting a joined answer returns the original answers.
func FuzzClaudeAnswer(f *testing.F) {
	f.Add("Lint", "Unit, fast", `the "fast" <one> \`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		want := []string{strings.ToValidUTF8(a, ""), strings.ToValidUTF8(b, ""), strings.ToValidUTF8(c, "")}
		text := claudeAnswer([]any{want[0], want[1], want[2]})
		if got := splitClaudeAnswer(text); !cmp.Equal(want, got) {
			t.Errorf("%q is read as %q", text, got)
		}
	})
}

// Whatever an agent sends, a hook neither crashes nor decides by itself.
func FuzzRead(f *testing.F) {
	for _, message := range []string{
		before, beside, `{"hook_event_name":"PreToolUse","tool_name":"request_user_input","tool_input":` + colour + `}`,
		`{"toolName":"ask_user","toolArgs":"{\"question\":\"Q?\",\"choices\":[\"A\"]}"}`,
		`{"hook_event_name":"BeforeTool","tool_name":"ask_user","tool_input":{"questions":[{"question":"Q?","type":"yesno"}]}}`,
		`{"id":"q","questions":[{"question":"Q?","options":[{"label":"A"},{"label":"B"}],"multiple":true}]}`,
		`{"hook_event_name":"BeforeTool","tool_name":"ask_user","tool_input":null}`, `[]`, ``,
		`{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"},"permission_suggestions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}`,
		`{"hook_event_name":"PermissionRequest","tool_name":"ExitPlanMode","tool_input":{"plan":"# P"}}`,
		`{"id":"per_1","permission":"bash","metadata":{"command":"ls"},"always":["ls *"]}`,
	} {
		f.Add([]byte(message))
	}
	answers := []protocol.Answer{
		{Outcome: protocol.OutcomeDismissed, Text: "no"}, {Outcome: protocol.OutcomeAnswered, Text: "<answer>\nA\n</answer>"},
		{Outcome: protocol.OutcomeReplied, Text: "words", Structured: &protocol.Structured{}},
		{Outcome: protocol.OutcomeAnswered, Structured: &protocol.Structured{
			Questions: []protocol.Question{{Question: "Q?"}}, Answers: map[string]any{"Q?": []any{"A", "B, C"}},
			Annotations: map[string]protocol.Annotation{"Q?": {Notes: "n", Preview: "p"}},
		}},
		{Outcome: protocol.OutcomeWithdrawn}, {Outcome: protocol.OutcomeExpired}, {Outcome: protocol.OutcomeDisconnected}, {Outcome: protocol.OutcomeWaiting}, {Outcome: protocol.OutcomeNotShown}, {Outcome: protocol.OutcomeInvalid},
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		for _, name := range Agents() {
			call, err := Read(name, message, true, "en")
			if err != nil || call == nil {
				continue
			}
			if name != "claude-code" && !json.Valid(call.input) {
				t.Errorf("%s asks %q", name, call.input)
			}
			for _, answer := range answers {
				if call.approves {
					if printed := call.printed(reply{Answer: answer}); printed != nil {
						t.Errorf("%s: %s decides %v", name, answer.Outcome, printed)
					}
					continue
				}
				printed := call.printed(reply{Answer: answer, words: "w", result: "r", beside: []string{"/i.png"}})
				if _, err := json.Marshal(printed); err != nil {
					t.Error(err)
				}
				answers := slices.Contains([]protocol.Outcome{protocol.OutcomeAnswered, protocol.OutcomeReplied, protocol.OutcomeDismissed}, answer.Outcome)
				if answers != (printed != nil) {
					t.Errorf("%s: %s is answered with %v", name, answer.Outcome, printed)
				}
			}
		}
	})
}

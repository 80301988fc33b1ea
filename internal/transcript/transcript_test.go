package transcript

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"followup/internal/question"

	"github.com/google/go-cmp/cmp"
)

// transcriptOf returns a transcript of Claude Code in which a call precedes each result.
func transcriptOf(tool string, input any, results ...any) string {
	var log strings.Builder
	write := func(message any) {
		line, _ := json.Marshal(map[string]any{"sessionId": "s", "message": message})
		log.Write(append(line, '\n'))
	}
	for i, result := range results {
		id := fmt.Sprintf("toolu_%020d", i)
		write(map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}}})
		block := map[string]any{"type": "tool_result", "tool_use_id": id, "content": result}
		if failed, ok := result.(failure); ok {
			block["content"], block["is_error"] = string(failed), true
		}
		write(map[string]any{"role": "user", "content": []any{block}})
	}
	return log.String()
}

// failure is a result that is an error.
type failure string

var (
	followUp      = map[string]any{"question": "Which?", "follow_up": []any{map[string]any{"text": "This"}}}
	questionnaire = map[string]any{"questions": []any{
		map[string]any{"question": "One?", "options": []any{map[string]any{"label": "A"}, map[string]any{"label": "B"}}},
		map[string]any{
			"question": "Several?", "multiSelect": true,
			"options": []any{map[string]any{"label": "A"}, map[string]any{"label": "A, or B"}, map[string]any{"label": "C"}},
		},
	}}
)

// How results are read. An empty outcome means that nobody answered the call.
func TestResults(t *testing.T) {
	both := func(a, b question.Pick) []question.Pick { return []question.Pick{a, b} }
	one := func(pick question.Pick) []question.Pick { return both(pick, question.Pick{}) }
	several := func(pick question.Pick) []question.Pick { return both(question.Pick{}, pick) }
	tests := []struct {
		name    string
		input   any
		result  any
		outcome question.Outcome
		text    string
		picks   []question.Pick
	}{
		{"words", followUp, "<answer>\nThis\n</answer>", question.Answered, "This", nil},
		{"words in the other element", followUp, "<user_message>\nThis\n</user_message>", question.Answered, "This", nil},
		{"words on one line", followUp, "<answer>This</answer>", question.Answered, "This", nil},
		{"words with line breaks", followUp, "<answer>\n\nThis\n\n</answer>", question.Answered, "\nThis\n", nil},
		{"words with the tags", followUp, "<answer>\n<answer>\n</answer>\n</answer>", question.Answered, "<answer>\n</answer>", nil},
		{"no words", followUp, "<answer>\n\n</answer>", "", "", nil},
		{"no element", followUp, "Task was interrupted before this tool call could be completed.", "", "", nil},
		{"an error", followUp, failure("<answer> is missing"), "", "", nil},
		{"a refusal", followUp, failure("The user doesn't want to take this action right now. STOP."), question.Dismissed, "", nil},
		{"our refusal", followUp, "The user saw the question and declined to answer it.", question.Dismissed, "", nil},
		{"a refusal within words", followUp, "<answer>\nUser rejected tool use\n</answer>", question.Answered, "User rejected tool use", nil},

		{"an option", questionnaire, `"One?"="B"`, question.Answered, "", one(question.Pick{Options: []int{1}})},
		{"own words", questionnaire, `"One?"="D".`, question.Answered, "", one(question.Pick{Other: "D"})},
		{"a preview", questionnaire, "\"One?\"=\"B\" selected preview:\nx=\"y\" notes: soon. You can now continue with", question.Answered, "", one(question.Pick{Options: []int{1}, Notes: "soon"})},
		{"a note alone", questionnaire, `The user answered: "One?"=(no option selected) notes: none. Read the answers carefully`, question.Answered, "", one(question.Pick{Notes: "none"})},
		{"both", questionnaire, `"One?"="A", "Several?"="C, A, or B". You can now continue`, question.Answered, "", both(question.Pick{Options: []int{0}}, question.Pick{Options: []int{1, 2}})},
		{"both, the other way round", questionnaire, `"Several?"="A", "One?"="B"`, question.Answered, "", both(question.Pick{Options: []int{1}}, question.Pick{Options: []int{0}})},
		{"quoted items", questionnaire, `"Several?"="'A, or B', C, more, and more"`, question.Answered, "", several(question.Pick{Options: []int{1, 2}, Other: "more, and more"})},
		{"a pair in an answer", questionnaire, `"One?"=""Several"="A"", "Several?"="C".`, question.Answered, "", both(question.Pick{Other: `"Several"="A"`}, question.Pick{Options: []int{2}})},
		{"another question", questionnaire, `"Who?"="Me"`, question.Replied, "Who?: Me", nil},
		{"another question too", questionnaire, `{"answers":{"One?":"B","Who?":["Me","you"]}}`, question.Replied, "Who?: Me, you", one(question.Pick{Options: []int{1}})},
		{"no pairs", questionnaire, "User has answered your questions: . You can now continue with the user's answers in mind.", "", "", nil},
		{"away", questionnaire, "No response after 60s — the user may be away from keyboard.", question.Answered, "", nil},
		{"values", questionnaire, []any{map[string]any{"type": "text", "text": "?"}, map[string]any{"type": "text", "text": `{"answers":{"Several?":["C","x, y"],"One? ":"A"},"annotations":{"One?":{"notes":"n"}}}`}}, question.Answered, "", both(question.Pick{Options: []int{0}, Notes: "n"}, question.Pick{Options: []int{2}, Other: "x, y"})},
		{"values with a note alone", questionnaire, `{"answers":{"One?":"(notes only)"},"annotations":{"One?":{"notes":"n"}}}`, question.Answered, "", one(question.Pick{Notes: "n"})},
		{"values of another form", questionnaire, `{"answers":[1],"annotations":7}`, "", "", nil},
		{"an image", questionnaire, []any{map[string]any{"type": "image"}}, question.Answered, "", nil},
		{"refused", questionnaire, failure("The user doesn't want to proceed with this tool use. The tool use was rejected."), question.Dismissed, "", nil},
		{"refused with a reason", questionnaire, failure("The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nAsk later\n\nNote: The user's next message may"), question.Replied, "Ask later", nil},
		{"an answer that speaks of refusing", questionnaire, `"One?"="User rejected tool use"`, question.Answered, "", one(question.Pick{Other: "User rejected tool use"})},
		{"denied by a rule", questionnaire, failure("Permission to use AskUserQuestion has been denied."), "", "", nil},
		{"a reply", questionnaire, "The user responded: Why?", question.Replied, "Why?", nil},
		{"an empty reply", questionnaire, "The user responded: ", "", "", nil},
		{"our reply", questionnaire, "The user wrote back.\n<answer>\nWhy?\n</answer>", question.Replied, "Why?", nil},
		{"no text at all", questionnaire, nil, "", "", nil},
		{"questions that cannot be read", map[string]any{"questions": 5}, `"One?"="B"`, question.Replied, "One?: B", nil},
	}
	for _, test := range tests {
		tool := question.ToolFollowup
		if _, ok := test.input.(map[string]any)["questions"]; ok {
			tool = question.ToolAskUser
		}
		got := readBytes("log.jsonl", strings.NewReader(transcriptOf(tool, test.input, test.result)))
		if got.Error != "" || got.Report.Damaged.Total > 0 {
			t.Errorf("%s: %s", test.name, got)
			continue
		}
		if test.outcome == "" {
			if len(got.Exchanges) != 0 || got.Report.Unanswered != 1 {
				t.Errorf("%s: not reported as unanswered: %s", test.name, got)
			}
			continue
		}
		if len(got.Exchanges) != 1 || got.Report.Unanswered != 0 || got.Report.Found != 1 {
			t.Errorf("%s: %s", test.name, got)
			continue
		}
		x := got.Exchanges[0]
		if x.Outcome != test.outcome || x.AnswerText != test.text {
			t.Errorf("%s: %s %q, want %s %q", test.name, x.Outcome, x.AnswerText, test.outcome, test.text)
		}
		if diff := cmp.Diff(test.picks, x.Picks); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// How a task's questions and answers are read.
func TestShown(t *testing.T) {
	asked := 0
	ask := func(text string) string {
		asked++
		quoted, _ := json.Marshal(text)
		return fmt.Sprintf(`{"ts":%d,"type":"ask","ask":"followup","text":%s}`, asked, quoted)
	}
	say := func(kind, text string) string {
		return `{"ts":2,"type":"say","say":"` + kind + `","text":"` + text + `"}`
	}
	answered := say("user_feedback", "This")
	tests := []struct {
		name       string
		messages   []string
		want       []string
		unanswered int
	}{
		{"an answer", []string{ask("Which?"), answered}, []string{"Which?: This"}, 0},
		{"something between", []string{ask("Which?"), say("checkpoint_saved", "1"), answered}, []string{"Which?: This"}, 0},
		{"another question first", []string{ask("Which?"), ask("Who?"), answered}, []string{"Who?: This"}, 1},
		{"the task went on", []string{ask("Which?"), say("api_req_started", ""), answered}, nil, 1},
		{"the task was left", []string{ask("Which?"), `{"ts":3,"type":"ask","ask":"resume_task"}`, answered}, nil, 1},
		{"an empty answer", []string{ask("Which?"), say("user_feedback", "")}, nil, 1},
		{"no answer", []string{ask("Which?")}, nil, 1},
		{"words without a question", []string{answered}, nil, 0},
		{"suggestions as texts", []string{ask(`{"question":"Which?","suggest":["This",{"answer":"That","mode":{}},7,{"answer":""}]}`), answered}, []string{"Which? [This That]: This"}, 0},
		{"an object that is no question", []string{ask(`{"tool":"x"}`), answered}, nil, 0},
		{"chosen, and shown again", []string{ask(`{"question":"Which?","options":["This"],"selected":"This"}`), answered}, []string{"Which? [This]: This"}, 0},
		{"asked twice", []string{ask("Which?"), answered, ask("Which?"), answered}, []string{"Which?: This", "Which?: This"}, 0},
	}
	for _, test := range tests {
		got := readBytes("f", strings.NewReader("["+strings.Join(test.messages, ",")+"]"))
		var exchanges []string
		for _, x := range got.Exchanges {
			what := x.Call.Followup.Question
			if len(x.Call.Followup.Suggest) > 0 {
				var all []string
				for _, s := range x.Call.Followup.Suggest {
					all = append(all, s.Answer)
				}
				what += fmt.Sprint(" ", all)
			}
			exchanges = append(exchanges, what+": "+x.AnswerText)
		}
		if diff := cmp.Diff(test.want, exchanges); diff != "" || got.Report.Unanswered != test.unanswered {
			t.Errorf("%s: %d unanswered (-want +got):\n%s", test.name, got.Report.Unanswered, diff)
		}
	}
}

// If neither the folder nor a file in it names the tool, a question with options counts as Cline's, and any other as Roo's.
func TestSourceOfShown(t *testing.T) {
	for text, want := range map[string]Source{`{\"question\":\"Which?\",\"options\":[\"This\"]}`: Cline, `{\"question\":\"Which?\",\"suggest\":[]}`: Roo} {
		log := `[{"ts":1,"type":"ask","ask":"followup","text":"` + text + `"},{"ts":2,"type":"say","say":"user_feedback","text":"This"}]`
		got := readBytes("f", strings.NewReader(log))
		if len(got.Exchanges) != 1 || got.Exchanges[0].Source != want {
			t.Errorf("%s: want %s: %s", text, want, got)
		}
	}
}

// A call or a result over the limit counts as damage; the rest of the log is read.
func TestLimits(t *testing.T) {
	small := options
	small.Limits = question.Limits{Message: 500}
	long := strings.Repeat("x", 600)
	fits := transcriptOf(question.ToolFollowup, followUp, "<answer>\nThis\n</answer>")
	for name, log := range map[string]string{
		"call":   strings.ReplaceAll(transcriptOf(question.ToolFollowup, map[string]any{"question": long}, "<answer>\nThis\n</answer>"), "toolu", "other"),
		"result": strings.ReplaceAll(transcriptOf(question.ToolFollowup, followUp, "<answer>\n"+long+"\n</answer>"), "toolu", "other"),
	} {
		var got reading
		got.done(ReadFrom(context.Background(), "f", strings.NewReader(log+fits), small, got.emit))
		if got.Report.Found != 1 || got.Report.Damaged.Total != 1 || got.Report.Damaged.First[0].Reason != ReasonTooLarge {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A file is read once, and its exchanges have the same ids, by whichever name it was reached.
func TestNamesOfOneLog(t *testing.T) {
	base := t.TempDir()
	task := filepath.Join(base, "tasks", "7")
	if err := os.MkdirAll(task, 0o700); err != nil {
		t.Fatal(err)
	}
	log := `[{"ts":1,"type":"ask","ask":"followup","text":"Which?"},{"ts":2,"type":"say","say":"user_feedback","text":"This"}]`
	if err := os.WriteFile(filepath.Join(task, interfaceFile), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"latest": task, "tasks/again": task, "tasks/7/loop": base, "linked.json": filepath.Join(task, interfaceFile)} {
		if err := os.Symlink(to, filepath.Join(base, link)); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir(task)
	ids := map[string]bool{}
	for _, path := range []string{".", interfaceFile, "../7", task, "../../latest", "../../latest/" + interfaceFile, "../../linked.json", base} {
		got := readPath(path)
		if got.Error != "" || got.Report.Files != 1 || len(got.Exchanges) != 1 {
			t.Fatalf("%s: %s", path, got)
		}
		ids[got.Exchanges[0].ID] = true
	}
	if len(ids) != 1 {
		t.Errorf("%d ids: %v", len(ids), ids)
	}
}

func TestStops(t *testing.T) {
	log := transcriptOf(question.ToolFollowup, followUp, "<answer>\na\n</answer>", "<answer>\nb\n</answer>") + strings.Repeat(" \n", 1<<20)
	full := errors.New("full")
	report, err := ReadFrom(context.Background(), "f", strings.NewReader(log), options, func(Exchange) error { return full })
	if !errors.Is(err, full) || report.Found != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	report, err = ReadFrom(ctx, "f", strings.NewReader(log), options, func(Exchange) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) || report.Found == 0 || report.Bytes >= int64(len(log)) {
		t.Errorf("%+v, %v", report, err)
	}
	if _, err := Read(ctx, "testdata", options, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the folder: %v", err)
	}
}

func TestProgress(t *testing.T) {
	folder := t.TempDir()
	log := transcriptOf(question.ToolFollowup, followUp, "<answer>\na\n</answer>") + strings.Repeat(" \n", 2<<20)
	for _, name := range []string{"a.jsonl", "b.jsonl"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	whole := int64(2 * len(log))
	var steps, last int64
	counting := options
	counting.Progress = func(read, total int64) {
		if total != whole || read < last || read > total {
			t.Errorf("%d of %d after %d", read, total, last)
		}
		steps++
		last = read
	}
	report, err := Read(context.Background(), folder, counting, func(Exchange) error { return nil })
	if err != nil || last != whole || report.Bytes != whole || steps < 4 {
		t.Errorf("%d steps to %d of %d, %v", steps, last, whole, err)
	}
}

// Reading a log again, or a copy of it, returns the same ids; one reading returns each id once.
func TestIDs(t *testing.T) {
	seen := map[string]string{}
	for path, data := range logs(t) {
		for _, x := range readBytes(path, strings.NewReader(string(data))).Exchanges {
			text := fmt.Sprint(x.Call.Tool, x.Call.Followup, x.AnswerText, x.Picks)
			if before, ok := seen[x.ID]; ok && before != text && x.Source == ClaudeCode {
				t.Errorf("%s is %s and %s", x.ID, before, text)
			}
			seen[x.ID] = text
		}
	}
	all := readPath("testdata")
	together := map[string]bool{}
	for _, x := range all.Exchanges {
		// A call and its answer may be in two files of a folder, which only reading both connects.
		if _, ok := seen[x.ID]; !ok && x.Source != CCViewer || x.ID == "" || x.Agent == "" || together[x.ID] {
			t.Errorf("%s of %q is new", x.ID, x.Agent)
		}
		together[x.ID] = true
	}
	for id := range seen {
		if !together[id] {
			t.Errorf("%s is not there when all is read", id)
		}
	}
}

// Another log in a task's folder does not affect the task's question.
func TestTaskBesideSession(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		interfaceFile:                 `[{"ts":1,"type":"ask","ask":"followup","text":"Which?"}]`,
		"conversations/main/e0.jsonl": `{"rid":"1","msg":{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + shown + `","content":"This"}]}}`,
	} {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if got := readPath(folder); got.Report.Files != 2 || got.Report.Found != 0 || got.Report.Unanswered != 1 {
		t.Error(got)
	}
}

// A log that has grown returns the earlier exchanges, with the same ids, and the new ones.
func TestGrownLogs(t *testing.T) {
	for path, data := range logs(t) {
		lines := strings.SplitAfter(string(data), "\n")
		if !strings.HasSuffix(path, ".jsonl") {
			continue
		}
		whole := map[string]bool{}
		for _, x := range readBytes(path, strings.NewReader(string(data))).Exchanges {
			whole[x.ID] = true
		}
		for i := range lines {
			for _, x := range readBytes(path, strings.NewReader(strings.Join(lines[:i], ""))).Exchanges {
				if !whole[x.ID] {
					t.Errorf("%s, %d lines of %d: %s is not there later", path, i, len(lines), x.ID)
				}
			}
		}
	}
}

func TestLedgerIsBounded(t *testing.T) {
	l := newLedger()
	lost, added := 0, 3*maxOpen/callSize
	for i := range added {
		key := callKey{id: fmt.Sprint(i)}
		if lost += l.add(key, &call{}); l.take(key) == nil {
			t.Fatalf("%d is not open", i)
		}
		l.add(key, &call{})
	}
	if open := len(l.open.new) + len(l.open.old); open > 2*maxOpen/callSize || open < maxOpen/callSize || lost+open != added {
		t.Errorf("%d open, %d lost of %d", open, lost, added)
	}
	large := question.Call{Followup: &question.Followup{Question: strings.Repeat("x", maxOpen/2)}}
	for i := range 4 {
		l.add(callKey{id: fmt.Sprint("large", i)}, &call{Exchange: Exchange{Call: large}})
	}
	if open := len(l.open.new) + len(l.open.old); open > 4 {
		t.Errorf("%d large calls are open", open)
	}
	r := recent[digest, int]{most: 10}
	for i := range 100 {
		r.set(digestOf(fmt.Sprint(i)), i, 1)
	}
	_, first := r.get(digestOf("0"))
	value, last := r.get(digestOf("95"))
	if first || !last || value != 95 || len(r.new)+len(r.old) > 20 {
		t.Errorf("%v %v %d, %d kept", first, last, value, len(r.new)+len(r.old))
	}
}

func TestSourceOf(t *testing.T) {
	for path, want := range map[string]Source{
		"C:/Users/a/AppData/Roaming/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/ui_messages.json": Roo,
		"a/kilocode.Kilo-Code/tasks/1/ui_messages.json":                                                          Kilo,
		"a/saoudrizwan.claude-dev/tasks/1/ui_messages.json":                                                      Cline,
		"a/.cline/data/tasks/1/ui_messages.json":                                                                 Cline,
		"a/ZooCodeOrganization.zoo-code/tasks/1/ui_messages.json":                                                Zoo,
		"a/IBM Bob/User/tasks/1/ui_messages.json":                                                                Bob,
		"a/tasks/1/ui_messages.json":                                                                             "",
	} {
		if got := sourceOf(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

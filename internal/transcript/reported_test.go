package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/question"
)

// Claude Code's answers are read from lines without ids, with and without a message. Each counts once, also if it is repeated.
func TestAnswersWithoutIDs(t *testing.T) {
	line := `{"sessionId":"s","type":"user","timestamp":"2026-06-02T09:0%d:00Z"%s,"toolUseResult":{"questions":[{"question":"Which?","header":"H",` +
		`"options":[{"label":"A","description":""},{"label":"B","description":""}],"multiSelect":false}],"answers":{"Which?":"%s"}}}` + "\n"
	message := `,"message":{"role":"user","content":"answered"}`
	first := fmt.Sprintf(line, 1, message, "B")
	got := readBytes("log.jsonl", strings.NewReader(first+fmt.Sprintf(line, 2, "", "own words")+first))
	if len(got.Exchanges) != 2 || got.Report.Damaged.Total+got.Report.Unanswered > 0 {
		t.Fatalf("%s", got)
	}
	for i, want := range []question.Pick{{Options: []int{1}}, {Other: "own words"}} {
		if diff := cmp.Diff([]question.Pick{want}, got.Exchanges[i].Picks); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// A question that cannot be read is reported, in each tool's log.
func TestQuestionsThatCannotBeRead(t *testing.T) {
	for name, log := range map[string]string{
		"a form of Copilot CLI": `{"type":"session.start","data":{"context":{"cwd":"/home/ana"}}}
			{"type":"tool.execution_start","data":{"toolCallId":"call_F00000000000000000001","toolName":"ask_user","arguments":{"message":"Fill in","requestedSchema":{}}}}`,
		"Kimi Code": `{"type":"context.append_loop_event","time":1,"event":{"type":"tool.call","toolCallId":"a","name":"AskUserQuestion","args":{"questions":7}}}`,
		"no id":     `{"sessionId":"s","message":{"content":[{"type":"tool_use","name":"AskUserQuestion","input":{"questions":[{"question":"Which?"}]}}]}}`,
	} {
		got := readBytes("log.jsonl", strings.NewReader(log))
		if got.Report.Damaged.Total != 1 || got.Report.Damaged.First[0].Reason != ReasonForm || got.Report.Files != 1 {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A link out of the folder is reported and not followed, whether it leads to a sibling, to a folder above or in a circle. A link
// inside is followed, and the named folder itself may be a link.
func TestLinksOutOfTheFolder(t *testing.T) {
	base := t.TempDir()
	logs, other := filepath.Join(base, "logs"), filepath.Join(base, "logs-other")
	log := []byte(transcriptOf(question.ToolFollowup, followUp, "<answer>\nThis\n</answer>"))
	for _, folder := range []string{filepath.Join(logs, "in"), other} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "log.jsonl"), log, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"logs/root": string(filepath.Separator), "logs/sibling": other, "logs/above": base, "logs/inside": filepath.Join(logs, "in"), "named": logs,
	} {
		if err := os.Symlink(to, filepath.Join(base, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, path := range []string{logs, filepath.Join(base, "named")} {
		got := readPath(path)
		var skipped []string
		for _, d := range got.Report.Skipped.First {
			if d.Reason != ReasonOutside {
				t.Errorf("%+v", d)
			}
			skipped = append(skipped, filepath.Base(d.File))
		}
		if diff := cmp.Diff([]string{"above", "root", "sibling"}, skipped); diff != "" || got.Report.Files != 1 || got.Error != "" {
			t.Errorf("%s (-want +got):\n%s", got, diff)
		}
	}
}

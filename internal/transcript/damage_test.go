package transcript

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"followup/internal/question"

	"github.com/google/go-cmp/cmp"
)

// Damage loses only the line that it is in.
func TestDamage(t *testing.T) {
	lines := strings.SplitAfter(transcriptOf(question.ToolFollowup, followUp, "<answer>\na\n</answer>", "<answer>\nb\n</answer>"), "\n")
	first, second := lines[0]+lines[1], lines[2]+lines[3]
	large := strings.Repeat("x", 12<<20)
	tests := []struct {
		name, log string
		found     int
		damaged   []Damage
	}{
		{"nothing", first + second, 2, nil},
		{"no JSON", first + "?\n" + second, 2, []Damage{{"f", 3, ReasonMalformed}}},
		{"a cut string", first + `{"message":{"content":"` + "\n" + second, 2, []Damage{{"f", 3, ReasonTruncated}}},
		{"a cut object", first + `{"message":{` + "\n" + second, 2, []Damage{{"f", 3, ReasonTruncated}}},
		{"a cut escape", first + `{"message":{"content":"\` + "\n" + second, 2, []Damage{{"f", 3, ReasonTruncated}}},
		{"a cut literal", first + `{"sessionId":nul` + "\n" + second, 2, []Damage{{"f", 3, ReasonTruncated}}},
		{"a comma too many", first + `{"sessionId":"s",}` + "\n" + second, 2, []Damage{{"f", 3, ReasonMalformed}}},
		{"no colon", first + `{"sessionId" "s"}` + "\n" + second, 2, []Damage{{"f", 3, ReasonMalformed}}},
		{"no value", first + `{"sessionId":}` + "\n" + second, 2, []Damage{{"f", 3, ReasonMalformed}}},
		{"no key", first + `{7:1}` + "\n" + second, 2, []Damage{{"f", 3, ReasonMalformed}}},
		{"two million brackets", first + `{"message":{"content":` + strings.Repeat("[", 2_000_000) + "\n" + second, 2, []Damage{{"f", 3, ReasonMalformed}}},
		{"two million brackets of a call", first + calledWith(strings.Repeat(`[{"a":`, 700_000)) + "\n" + second, 2, []Damage{{"f", 3, ReasonMalformed}}},
		{"two million brackets, closed", first + `{"message":{"content":` + strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000) + "}}\n" + second, 2, []Damage{{"f", 3, ReasonMalformed}}},
		{"a large file beside", first + `{"sessionId":"s","file":"` + large + `"}` + "\n" + second, 2, nil},
		{"a large image before an answer", lines[0] + strings.Replace(lines[1], `"content":[`, `"content":[{"type":"image","data":"`+large+`"},`, 1) + second, 2, nil},
		{"a large call", first + calledWith(`{"questions":"`+large+`"}}]}}`) + "\n" + second, 2, []Damage{{"f", 3, ReasonTooLarge}}},
		{"zeroes", first + strings.Repeat("\x00", 200_000) + "\n" + second, 2, []Damage{{"f", 3, ReasonMalformed}}},
		{"more behind", strings.TrimSpace(first) + "}\n" + second, 2, []Damage{{"f", 2, ReasonMalformed}}},
		{"two on a line", strings.TrimSpace(first) + second, 2, nil},
		{"cut at the end", first + strings.TrimSuffix(second, "}\n"), 1, []Damage{{"f", 4, ReasonTruncated}}},
		{"cut before the result", first + lines[2] + lines[3][:40], 1, []Damage{{"f", 4, ReasonTruncated}}},
		{"no line end", strings.TrimSuffix(first+second, "\n"), 2, nil},
		{"empty lines", "\n\n" + first + "\r\n \n" + second + "\n", 2, nil},
		{"another kind of value", first + `{"message":7,"toolUseResult":[],"timestamp":{},"cwd":[1]}` + "\n" + second, 2, nil},
		{"other kinds of content", first + `{"message":{"content":{"type":"tool_use"}}}` + "\n" + `{"message":{"content":[1,"a",{"type":7}]}}` + "\n" + second, 2, nil},
	}
	for _, test := range tests {
		got := readBytes("f", strings.NewReader(test.log))
		if got.Report.Found != test.found || got.Error != "" || got.Report.Damaged.Total != len(test.damaged) {
			t.Errorf("%s: %s", test.name, got)
		}
		if diff := cmp.Diff(test.damaged, got.Report.Damaged.First); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// calledWith returns a line with a call whose input is cut off.
func calledWith(input string) string {
	return `{"type":"assistant","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_01B0000000000000000001","name":"AskUserQuestion","input":` + input
}

// In a task's array, damage loses only the element that it is in. An extra quotation mark loses the rest of the array.
func TestDamageInTask(t *testing.T) {
	ask := `{"ts":1,"type":"ask","ask":"followup","text":"Which?"}`
	answer := `{"ts":2,"type":"say","say":"user_feedback","text":"This"}`
	for bad, found := range map[string]int{
		`{"ts":3,"type":'say'}`: 2, `{"ts":3,,}`: 2, `{"ts":3,"text":"a` + "\n" + `b"}`: 2, `{"ts":3,"x":{"y":[}}`: 2, `?`: 2, `{"ts":3,"text":"a\q"x"}`: 1,
	} {
		got := readBytes("f", strings.NewReader("["+ask+","+answer+","+bad+","+strings.Replace(ask, "1", "4", 1)+","+answer+"]"))
		if got.Report.Found != found || got.Report.Damaged.Total != 1 || got.Error != "" {
			t.Errorf("%s: %s", bad, got)
		}
	}
}

// An answer that is cut off does not count.
func TestCutAnswer(t *testing.T) {
	log := `[{"ts":1,"type":"ask","ask":"followup","text":"Which?"},{"ts":2,"type":"say","say":"user_feedback","text":"Thi`
	if got := readBytes("f", strings.NewReader(log)); got.Report.Found != 0 || got.Report.Damaged.Total != 1 {
		t.Error(got)
	}
}

// A call that is cut off is read from the next request, which contains all of it.
func TestCutCall(t *testing.T) {
	whole, err := json.Marshal(questionnaire)
	if err != nil {
		t.Fatal(err)
	}
	cut, _, _ := strings.Cut(string(whole), `,{"label":"C"}`)
	answer := `{"type":"user","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01B0000000000000000001","content":"\"One?\"=\"B\""}]}}`
	got := readBytes("f", strings.NewReader(calledWith(cut)+"\n"+calledWith(string(whole))+"}]}}\n"+answer))
	if len(got.Exchanges) != 1 || got.Report.Damaged.Total != 1 || !strings.Contains(fmt.Sprint(got), `"C"`) {
		t.Error(got)
	}
}

func TestDamagedIsBounded(t *testing.T) {
	got := readBytes("f", strings.NewReader(`{"type":"summary","sessionId":"s"}`+"\n"+strings.Repeat("{?}\n", 5000)))
	if len(got.Report.Damaged.First) != maxListed || got.Report.Damaged.Total != 5000 {
		t.Errorf("%d of %d", len(got.Report.Damaged.First), got.Report.Damaged.Total)
	}
}

func TestUnknownFormats(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, text := range map[string]string{
		"empty.jsonl": "", "list.json": "[1,[2],{}]", "session.json": `{"sessionId":"s","content":[1]}`, "message.json": `{"message":{"text":"x"}}`, "messages.json": `{"messages":[{"role":"user","content":"x"}]}`,
		"wire.json": `{"seq":1,"msgs":[{"content":"x"}]}`, "kind.json": `{"kind":1,"v":{"requests":[]}}`, "payload.json": `{"type":"x","payload":{"type":"function_call"}}`, "package.json": `{"name":"x","message":"y","body":"z","role":"w"}`, "prose.log": "What?\nNothing.\n", "string.json": `"x"`,
	} {
		path := write(name, text)
		if report, err := Read(context.Background(), path, options, nil); !errors.Is(err, ErrUnknownFormat) || report.Files != 0 || report.Damaged.Total != 0 || report.Skipped.Total != 1 {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
	if report, err := Read(context.Background(), folder, options, nil); !errors.Is(err, ErrUnknownFormat) || report.Files != 0 {
		t.Errorf("the folder: %+v, %v", report, err)
	}
	write("z.jsonl", transcriptOf(question.ToolFollowup, followUp, "<answer>\nThis\n</answer>"))
	if got := readPath(folder); got.Error != "" || got.Report.Files != 1 || got.Report.Found != 1 || got.Report.Damaged.Total != 0 {
		t.Errorf("the folder with a log: %s", got)
	}
	if _, err := Read(context.Background(), filepath.Join(folder, "none"), options, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a path that is not there: %v", err)
	}
}

// A log is recognized by its first question, however many other documents precede it.
func TestLateQuestion(t *testing.T) {
	log := strings.Repeat(`{"level":30,"message":"done"}`+"\n", 2*maxUnknown) + transcriptOf(question.ToolFollowup, followUp, "<answer>\nThis\n</answer>")
	if got := readBytes("f", strings.NewReader(log)); got.Report.Found != 1 || got.Error != "" {
		t.Error(got)
	}
}

// Files that tools keep beside their logs, and empty logs, are not reported. Other files are.
func TestSideFiles(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"tasks/1/ui_messages.json": "[]", "tasks/1/api_conversation_history.json": "[]", "tasks/1/context_history.json": "[[1,[0,[]]]]",
		"tasks/1/settings.json": `{"mode":"act"}`, "tasks/_index.json": `{"version":1,"entries":[]}`, "tasks/1/checkpoints/.git/index.json": "{}",
		"cc-viewer/preferences.json": "{}", "cc-viewer/shop/shop.json": `{"files":{}}`, "cc-viewer/shop/shop_20260301_080000.jsonl": "",
		"sessions/2025/rollout-2025-05-01.jsonl": `{"id":"1","timestamp":"2025-05-01T09:00:00Z","instructions":null}` + "\n" + `{"record_type":"state"}` + "\n",
		"projects/p/0e6f3c52.jsonl":              `{"type":"file-history-snapshot","messageId":"m","snapshot":{"trackedFileBackups":{}},"isSnapshotUpdate":false}` + "\n",
		"projects/p/5f0c2f7e.jsonl":              "", "projects/p/5f0c2f7e/tool-results/1.json": "{}",
		"other/settings.json": "{}", "other/notes.json": "{}", "other/notes.jsonl": "{}",
	} {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	got := readPath(folder)
	var skipped []string
	for _, d := range got.Report.Skipped.First {
		skipped = append(skipped, strings.TrimPrefix(d.File, filepath.ToSlash(folder)+"/"))
	}
	want := []string{"other/notes.jsonl"}
	if diff := cmp.Diff(want, skipped); diff != "" || got.Report.Files != 3 || got.Report.Damaged.Total != 0 {
		t.Errorf("%s\n(-want +got):\n%s", got, diff)
	}
}

// Each unreadable file of a folder is reported once, and the other files are read.
func TestUnreadableInFolder(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.jsonl", transcriptOf(question.ToolFollowup, followUp, "<answer>\nThis\n</answer>"))
	write("b.json", `{"name":"other"}`)
	write("c.jsonl", strings.Repeat("[", 2_000_000))
	write("d.db", databaseMagic+"\x10\x00\x07\x07\x00\x40\x20\x20 and more of a later form")
	write("e.db", databaseMagic+strings.Repeat("\x00", 4000))
	write("f.txt", "of no interest")
	write("g.jsonl", "\xff\xfe\xff{\n")
	if err := os.Symlink(filepath.Join(folder, "none"), filepath.Join(folder, "h.jsonl")); err != nil {
		t.Skip(err)
	}
	want := []Damage{
		{"b.json", 0, ReasonUnknown}, {"c.jsonl", 0, ReasonUnknown}, {"d.db", 0, ReasonDamaged}, {"e.db", 0, ReasonDamaged},
		{"g.jsonl", 0, ReasonUnknown}, {"h.jsonl", 0, ReasonIrregular},
	}
	if pipe(filepath.Join(folder, "i.jsonl")) == nil {
		want = append(want, Damage{"i.jsonl", 0, ReasonIrregular})
	}
	if os.Symlink(os.DevNull, filepath.Join(folder, "j.jsonl")) == nil && runtime.GOOS != "windows" {
		want = append(want, Damage{"j.jsonl", 0, ReasonIrregular})
	}
	if device(filepath.Join(folder, "k.jsonl")) == nil {
		want = append(want, Damage{"k.jsonl", 0, ReasonIrregular})
	}
	if l, err := net.Listen("unix", filepath.Join(folder, "l.jsonl")); err == nil && runtime.GOOS != "windows" {
		defer func() { _ = l.Close() }()
		want = append(want, Damage{"l.jsonl", 0, ReasonIrregular})
	}
	got := readPath(folder)
	for i, d := range got.Report.Skipped.First {
		got.Report.Skipped.First[i].File = filepath.Base(d.File)
	}
	if diff := cmp.Diff(want, got.Report.Skipped.First); diff != "" || got.Report.Skipped.Total != len(want) || got.Report.Files != 1 || got.Report.Found != 1 {
		t.Errorf("%s\n(-want +got):\n%s", got, diff)
	}
}

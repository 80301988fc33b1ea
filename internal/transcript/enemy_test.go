package transcript

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"followup/internal/question"

	"github.com/google/go-cmp/cmp"
)

// A time is a number of seconds or milliseconds, or a text by RFC 3339. Anything else is the zero time.
func TestTimes(t *testing.T) {
	want := time.Date(2026, 7, 2, 9, 1, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"1782982860": want, "1782982860000": want, `"1782982860"`: want, `"1782982860000"`: want, "1782982860.5": want.Add(time.Second / 2),
		`"2026-07-02T09:01:00Z"`: want, `"2026-07-02T11:01:00.000+02:00"`: want, "1.78298286e9": want,
		"-1": {}, "0": {}, "1e99": {}, "99999999999999999999": {}, "null": {}, "{}": {}, "true": {}, `""`: {}, `"NaN"`: {}, `"yesterday"`: {}, `"0001-01-01T00:00:00Z"`: {}, `"-1"`: {},
	} {
		if got := parse(text).time(); !got.Equal(want) {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
}

// exchangeOf returns a transcript of Claude Code with one answered question.
func exchangeOf(id, words string) string {
	log := transcriptOf(question.ToolFollowup, followUp, "<answer>\n"+words+"\n</answer>")
	return strings.ReplaceAll(log, fmt.Sprintf("toolu_%020d", 0), id)
}

// Half a surrogate pair is replaced, and the text around it is kept.
func TestLoneSurrogates(t *testing.T) {
	for raw, want := range map[string]string{
		`a\ud83db`: "a\ufffdb", `a\ud83d\u0041b`: "a\ufffdAb", `a\udc00\nb`: "a\ufffd\nb", `a\ud83d\ud83d\ude00b`: "a\ufffd😀b", "a\xffb": "a\ufffdb",
	} {
		log := strings.Replace(exchangeOf("toolu_00000000000000000001", "WORDS"), "WORDS", raw, 1)
		got := readBytes("s.jsonl", strings.NewReader(log))
		if len(got.Exchanges) != 1 || got.Exchanges[0].AnswerText != want {
			t.Errorf("%s is %s, want %q", raw, got, want)
		}
	}
}

// Wherever a log is cut off, no exchange differs from the one in the whole log.
func TestCutAnywhere(t *testing.T) {
	for path, data := range logs(t) {
		whole := map[string]Exchange{}
		for _, x := range readBytes(path, bytes.NewReader(data)).Exchanges {
			whole[x.ID] = x
		}
		for end := 0; end < len(data); end += 1 + len(data)/100 {
			for _, x := range readBytes(path, bytes.NewReader(data[:end])).Exchanges {
				if said := whole[x.ID]; said.AnswerText != x.AnswerText || !cmp.Equal(said.Picks, x.Picks) {
					t.Errorf("%s, %d bytes: %q %v, in the whole log %q %v", path, end, x.AnswerText, x.Picks, said.AnswerText, said.Picks)
				}
			}
		}
	}
}

// Documents of many small parts take a bounded amount of memory.
func TestHostileDocuments(t *testing.T) {
	const size, most = 2 << 20, 128 << 20
	id := "toolu_00000000000000000000"
	call := strings.SplitAfter(transcriptOf(question.ToolAskUser, questionnaire, "x"), "\n")[0]
	fill := func(head, unit, tail string) string { return head + strings.Repeat(unit, size/len(unit)) + tail }
	result := func(head, unit, tail string) string {
		return call + fill(`{"sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"`+id+`","content":`+head, unit, tail+`}]}}`+"\n")
	}
	for name, log := range map[string]string{
		"blocks":     fill(`{"sessionId":"s","message":{"content":[{"type":"tool_use","name":"AskUserQuestion"}`, ",{}", "]}}\n"),
		"results":    result("[0", ",[]", "]"),
		"texts":      result("[0", `,"a"`, "]"),
		"nesting":    result(strings.Repeat(`{"content":[`, 4000)+`"`, "a", `"`+strings.Repeat("]}", 4000)),
		"values":     result(`"{\"answers\":{\"a\":1`, `,\"a\":1`, `}}"`),
		"pairs":      result(`"`, `\"One?\"=\"A\", `, `"`),
		"a list":     result(`"{\"answers\":{\"Several?\":[\"A\"`, `,\"x\"`, `]}}"`),
		"a text":     result(`"{\"answers\":{\"Several?\":\"A`, `, A`, `\"}}"`),
		"messages":   fill(`{"body":{"messages":[{"content":"AskUserQuestion"}`, ",{}", "]}}\n"),
		"tool calls": fill(`{"sessionId":"s","projectHash":"p","toolCalls":[{"name":"ask_user"}`, ",{}", "]}\n"),
		"questions":  fill(`{"type":"response_item","payload":{"call_id":"c","name":"request_user_input","arguments":{"questions":[{"question":"Q?"}`, ",{}", "]}}}\n"),
		"options":    fill(`{"type":"response_item","payload":{"call_id":"c","name":"request_user_input","arguments":{"questions":[{"question":"Q?","options":[""`, ",{}", "]}]}}}\n"),
		"chat":       fill(`{"requests":[{"response":[{"kind":"questionCarousel","resolveId":"r","questions":[{}`, ",{}", "]}]}]}\n"),
		"shown":      fill(`[{"ask":"followup","text":"{\"question\":\"Q?\",\"options\":[1`, ",1", `]}"}]`),
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		got := readBytes("f", strings.NewReader(log))
		runtime.ReadMemStats(&after)
		if taken := after.Sys - before.Sys; taken > most || got.Error != "" {
			t.Errorf("%s: %d MiB were taken for %d; %s", name, taken>>20, len(log)>>20, got.Error)
		}
	}
}

// If another process truncates or rewrites a log while it is read, the log counts as damaged there. The exchanges before
// that are kept.
func TestReplacedWhileRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	log := exchangeOf("toolu_00000000000000000001", "a") + strings.Repeat(`{"type":"user","sessionId":"s"}`+"\n", 20_000) + exchangeOf("toolu_00000000000000000002", "b")
	for name, replace := range map[string]func() error{
		"emptied":   func() error { return os.Truncate(path, 0) },
		"cut":       func() error { return os.Truncate(path, 1<<17+7) },
		"rewritten": func() error { return os.WriteFile(path, []byte(exchangeOf("toolu_00000000000000000003", "c")), 0o600) },
	} {
		if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
		var got reading
		got.done(Read(t.Context(), path, options, func(x Exchange) error {
			if got.Exchanges = append(got.Exchanges, x); len(got.Exchanges) == 1 {
				return replace()
			}
			return nil
		}))
		if len(got.Exchanges) != 1 || got.Exchanges[0].AnswerText != "a" || got.Error != "" || got.Report.Damaged.Total != 1 {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// If questions share a header, each has its own answer, or, if the tool kept only one, the last question has it.
func TestSharedHeaders(t *testing.T) {
	const questions = `{"questions":[{"question":"One?","header":"H","options":[{"label":"A"}]},{"question":"Two?","header":"H","options":[{"label":"A"}]}]}`
	qwen := `{"cwd":"/w","message":{"parts":[{"functionCall":{"id":"c","name":"ask_user_question","args":` + questions + `}}]}}` + "\n" +
		`{"cwd":"/w","message":{"parts":[{"functionResponse":{"id":"c","response":{"output":"User has provided the following answers:\n\n**H**: A\n**H**: own"}}}]}}` + "\n"
	code := `{"kind":0,"v":{"requests":[{"requestId":"r","result":{"metadata":{"toolCallRounds":[{"toolCalls":[{"id":"c","name":"ask_questions","arguments":` + fmt.Sprintf("%q", questions) +
		`}]}],"toolCallResults":{"c":{"content":[{"value":"{\"answers\":{\"H\":{\"selected\":[\"A\"],\"freeText\":null,\"skipped\":false}}}"}]}}}}}]}}` + "\n"
	for log, want := range map[string][]question.Pick{
		qwen: {{Options: []int{0}}, {Other: "own"}},
		code: {{}, {Options: []int{0}}},
	} {
		got := readBytes("s.jsonl", strings.NewReader(log))
		if len(got.Exchanges) != 1 || !cmp.Equal(want, got.Exchanges[0].Picks) {
			t.Errorf("want %v: %s", want, got)
		}
	}
}

// The same id in two sessions means two questions. In one session, with the same question, it means one.
func TestRepeatedIDs(t *testing.T) {
	folder := t.TempDir()
	for name, words := range map[string]string{"a": "one", "b": "two"} {
		if err := os.WriteFile(filepath.Join(folder, name+".jsonl"), []byte(exchangeOf("call_1", words)+exchangeOf("call_1", words)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := readPath(folder)
	if len(got.Exchanges) != 2 || got.Exchanges[0].AnswerText == got.Exchanges[1].AnswerText || got.Exchanges[0].ID == got.Exchanges[1].ID {
		t.Error(got)
	}
}

// If an object has two members with the same name, one of them counts, and the rest of the log is read.
func TestRepeatedNames(t *testing.T) {
	log := strings.Replace(exchangeOf("toolu_00000000000000000001", "a"), `"message":{`, `"message":{"content":"AskUserQuestion"},"message":{`, 1) +
		exchangeOf("toolu_00000000000000000002", "b")
	if got := readBytes("s.jsonl", strings.NewReader(log)); got.Error != "" || got.Report.Damaged.Total != 0 || got.Exchanges[len(got.Exchanges)-1].AnswerText != "b" {
		t.Error(got)
	}
}

// Long ids that are only numbered do not identify a call across sessions.
func TestNumberedIDs(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a", "b"} {
		log := exchangeOf("functions.AskUserQuestion:0", name)
		if err := os.WriteFile(filepath.Join(folder, name+".jsonl"), []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := readPath(folder)
	if len(got.Exchanges) != 2 || got.Exchanges[0].ID == got.Exchanges[1].ID || got.Exchanges[0].Shared {
		t.Error(got)
	}
}

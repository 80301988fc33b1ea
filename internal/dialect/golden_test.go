package dialect

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"followup/internal/locale"
	"followup/internal/question"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected results in testdata/*.txtar")

// golden is a case of testdata/*.txtar. For each case, an archive holds a file NAME with the input plus one line
// break, and a file NAME.want with the result. Words after the name are flags: json, ask, strict, opaque=NAME,
// limit=BYTES (of a parameter), message=BYTES, questions=N, options=N, cr (each ␍ in the input becomes a carriage
// return).
type golden struct {
	name, format, input string
	options             Options
	archive             string
	want                string
}

func loadGolden(t testing.TB) []golden {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	var all []golden
	for _, file := range files {
		archive := parseArchive(t, file)
		wants := map[string]string{}
		for _, f := range archive.files {
			wants[f.name] = f.data
		}
		for _, f := range archive.files {
			if strings.HasSuffix(f.name, ".want") {
				continue
			}
			c := golden{archive: file, format: "tags", input: strings.TrimSuffix(f.data, "\n")}
			words := strings.Fields(f.name)
			c.name, c.want = words[0], wants[words[0]+".want"]
			c.flags(t, words[1:])
			all = append(all, c)
		}
	}
	return all
}

func (c *golden) flags(t testing.TB, words []string) {
	t.Helper()
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "json", "ask":
			c.format = name
		case "strict":
			c.options.Strict = true
		case "opaque":
			c.options.OpaqueTags = append(c.options.OpaqueTags, value)
		case "limit":
			c.options.Limits.Parameter = c.number(t, value)
		case "questions":
			c.options.Limits.Questions = c.number(t, value)
		case "options":
			c.options.Limits.Options = c.number(t, value)
		case "message":
			c.options.Limits.Message = c.number(t, value)
		case "cr":
			c.input = strings.ReplaceAll(c.input, "␍", "\r")
		default:
			t.Fatalf("%s: %s: unknown flag %q", c.archive, c.name, word)
		}
	}
}

func (c *golden) number(t testing.TB, value string) int {
	t.Helper()
	n, err := strconv.Atoi(value)
	if err != nil {
		t.Fatalf("%s: %s: %v", c.archive, c.name, err)
	}
	return n
}

// render formats the result as text, one fact per line.
func (r *record) render() string {
	var b strings.Builder
	if r.text.Len() > 0 {
		fmt.Fprintf(&b, "text %q\n", r.text.String())
	}
	for _, hidden := range r.hidden {
		b.WriteString(hidden + "\n")
	}
	for _, call := range r.calls {
		if call.Err != nil {
			fmt.Fprintf(&b, "%s: %s\n", call.Err.Code, Message(locale.English, call.Tool, call.Err))
			if found := Found(locale.English, call.Err); found != "" {
				fmt.Fprintf(&b, "  %s\n", found)
			}
			continue
		}
		if call.Questionnaire != nil {
			renderQuestionnaire(&b, call.Questionnaire)
		} else {
			renderFollowup(&b, call.Followup)
		}
		renderCodes(&b, "repairs", call.Repairs)
		renderCodes(&b, "notices", call.Notices)
	}
	return b.String()
}

func renderFollowup(b *strings.Builder, f *question.Followup) {
	fmt.Fprintf(b, "question %q\n", f.Question)
	for _, s := range f.Suggest {
		fmt.Fprintf(b, "  %q", s.Answer)
		if s.Mode != "" {
			fmt.Fprintf(b, " mode %q", s.Mode)
		}
		b.WriteString("\n")
	}
}

func renderQuestionnaire(b *strings.Builder, all *question.Questionnaire) {
	for _, q := range all.Questions {
		fmt.Fprintf(b, "question %q", q.Question)
		if q.Header != "" {
			fmt.Fprintf(b, " header %q", q.Header)
		}
		if q.MultiSelect {
			b.WriteString(" multi")
		}
		b.WriteString("\n")
		for _, o := range q.Options {
			fmt.Fprintf(b, "  %q", o.Label)
			if o.Description != "" {
				fmt.Fprintf(b, " description %q", o.Description)
			}
			if o.Preview != "" {
				fmt.Fprintf(b, " preview %q", o.Preview)
			}
			b.WriteString("\n")
		}
	}
	if all.Metadata != nil {
		fmt.Fprintf(b, "  metadata %s\n", all.Metadata)
	}
}

func renderCodes(b *strings.Builder, name string, codes []question.Code) {
	if len(codes) > 0 {
		fmt.Fprintf(b, "  %s %s\n", name, strings.Trim(fmt.Sprint(codes), "[]"))
	}
}

func TestGolden(t *testing.T) {
	got := map[string]map[string]string{}
	for _, c := range loadGolden(t) {
		t.Run(c.name, func(t *testing.T) {
			text := read(c.format, []byte(c.input), 4096, c.options).render()
			if got[c.archive] == nil {
				got[c.archive] = map[string]string{}
			}
			got[c.archive][c.name+".want"] = text
			if !*update {
				if diff := cmp.Diff(c.want, text); diff != "" {
					t.Errorf("run go test ./internal/dialect -run Golden -update and review the change (-want +got):\n%s", diff)
				}
			}
		})
	}
	if *update {
		for file, wants := range got {
			rewrite(t, file, wants)
		}
	}
}

// rewrite writes each case's result after its input.
func rewrite(t *testing.T, file string, wants map[string]string) {
	t.Helper()
	archive := parseArchive(t, file)
	text := archive.comment
	for _, f := range archive.files {
		if strings.HasSuffix(f.name, ".want") {
			continue
		}
		want := strings.Fields(f.name)[0] + ".want"
		text += "-- " + f.name + " --\n" + f.data + "-- " + want + " --\n" + wants[want]
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// archive is a file in the txtar format: a comment, then files that each begin with a line "-- NAME --".
type archive struct {
	comment string
	files   []archived
}

type archived struct{ name, data string }

func parseArchive(t testing.TB, file string) archive {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var a archive
	for line := range strings.Lines(string(b)) {
		name, marker := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "-- ")
		name, closed := strings.CutSuffix(name, " --")
		switch n := len(a.files); {
		case marker && closed:
			a.files = append(a.files, archived{name: name})
		case n == 0:
			a.comment += line
		default:
			a.files[n-1].data += line
		}
	}
	return a
}

// TestEvents reads every sample in chunks of several sizes. The events must keep their contracts and, when joined, be
// the same.
func TestEvents(t *testing.T) {
	for i, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			var first *record
			for _, size := range []int{1, 2, 3, 7, 64, 4096, 5 + i%50} {
				r := read(s.format, s.input, size, s.options)
				for _, problem := range r.problems {
					t.Errorf("chunk %d: %s", size, problem)
				}
				if first == nil {
					first = r
				} else if diff := cmp.Diff(first.events, r.events); diff != "" {
					t.Errorf("chunk %d (-chunk 1 +got):\n%s", size, diff)
				}
			}
		})
	}
}

// TestReadersAfterTheirEnd checks that a pooled reader leaks nothing into the next one and does not change events
// already sent.
func TestReadersAfterTheirEnd(t *testing.T) {
	tests := []struct{ format, message, behind, begin, end string }{
		{"tags", "<ask_followup_question><question>One?</question><follow_up><suggest mode=\"code\">Yes</suggest></follow_up></ask_followup_question>",
			"<ask_followup_question><question>open", "<ask_followup_question><question>Two?", "</question></ask_followup_question>"},
		{"json", `{"question": "One?", "follow_up": [{"text": "Yes", "mode": "code"}]}`, "", `{"question": "Two?`, `"}`},
	}
	for _, test := range tests {
		first, second := &record{}, &record{}
		ended := newReader(test.format, Options{}, first.take)
		ended.Append([]byte(test.message + test.behind))
		ended.End()
		seen := len(first.events)
		next := newReader(test.format, Options{}, second.take)
		next.Append([]byte(test.begin))
		ended.Append([]byte(test.message))
		ended.End()
		if len(first.events) != seen || ended.Open() || !next.Open() {
			t.Errorf("%s: events after End %q; open: ended reader %t, next reader %t",
				test.format, first.events[seen:], ended.Open(), next.Open())
		}
		next.Append([]byte(test.end))
		next.End()
		want := [2]question.Followup{
			{Question: "One?", Suggest: []question.Suggestion{{Answer: "Yes", Mode: "code"}}}, {Question: "Two?", Suggest: []question.Suggestion{}},
		}
		if first.calls[0].Err != nil || len(second.calls) != 1 || second.calls[0].Err != nil {
			t.Fatalf("%s: got %+v and %+v", test.format, first.calls, second.calls)
		}
		if diff := cmp.Diff(want, [2]question.Followup{*first.calls[0].Followup, *second.calls[0].Followup}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.format, diff)
		}
	}
}

// TestAbandoned checks that the parser goroutine of a reader that is never ended stops.
func TestAbandoned(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		var in *Input
		var tags *Tags
		in = NewInput(question.ToolFollowup, Options{}, func(Event) { _ = in.Open() })
		in.Append([]byte(`{"question": "A`))
		tags = NewTags(Options{}, func(Event) { _ = tags.Open() })
		tags.Append([]byte("<ask_followup_question><question>A"))
	}
	for range 1000 {
		if runtime.GC(); runtime.NumGoroutine() <= before {
			return
		}
	}
	t.Errorf("%d goroutines, want at most %d", runtime.NumGoroutine(), before)
}

package dialect

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"followup/internal/question"

	"github.com/google/go-cmp/cmp"
)

// reader is implemented by Tags and Input.
type reader interface {
	Append(chunk []byte)
	End()
	Open() bool
}

// record collects a reader's events and joins pieces of text.
type record struct {
	limits question.Limits
	events []string
	text   strings.Builder // text outside calls
	calls  []question.Call
	hidden []string // hidden calls

	open     bool
	question string              // the question shown
	asked    []question.Question // the questionnaire shown
	problems []string            // broken contracts
}

// join adds an event, or appends text to the last one of the same kind.
func (r *record) join(kind, text string) {
	if n := len(r.events); n > 0 && strings.HasPrefix(r.events[n-1], kind+" ") {
		r.events[n-1] += text
		return
	}
	r.events = append(r.events, kind+" "+text)
}

func (r *record) broken(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

func (r *record) take(e Event) {
	if h, ok := e.(*Hidden); ok {
		r.hidden = append(r.hidden, "hidden "+string(h.By))
		return
	}
	_, isText := e.(*Text)
	_, isOpened := e.(*Opened)
	if r.open == (isText || isOpened) {
		r.broken("%T while a call is open: %v", e, r.open)
	}
	switch e := e.(type) {
	case *Text:
		if e.Text == "" {
			r.broken("an empty Text event")
		}
		r.text.WriteString(e.Text)
		r.join("text", e.Text)
	case *Opened:
		r.open, r.question, r.asked = true, "", nil
		r.events = append(r.events, "opened "+e.Tool)
	case *Grew:
		r.question += e.Text
		r.join("grew", e.Text)
		if e.Text == "" || r.question != trim(r.question) || !utf8.ValidString(e.Text) {
			r.broken("shown text %q is not trimmed after %q", r.question, e.Text)
		}
	case *Suggested:
		for _, s := range e.Suggestions {
			r.events = append(r.events, fmt.Sprintf("suggested: %q", s))
		}
	case *GrewPart:
		r.grewPart(e)
	case *Done:
		r.done(e.Call)
	}
}

func (r *record) grewPart(e *GrewPart) {
	switch n := len(r.asked); {
	case e.Index == n && n < r.limits.Questions:
		r.asked = append(r.asked, question.Question{})
		r.events = append(r.events, fmt.Sprintf("question %d begins", n))
	case e.Index < 0 || e.Index >= n:
		r.broken("question %d grew, with %d begun", e.Index, n)
		return
	}
	q := &r.asked[e.Index]
	if e.Text != "" {
		q.Question += e.Text
		r.join(fmt.Sprintf("text %d", e.Index), e.Text)
	}
	if q.Question != trim(q.Question) {
		r.broken("shown text %q is not trimmed after %q", q.Question, e.Text)
	}
	if e.Header != "" {
		q.Header = e.Header
		r.events = append(r.events, fmt.Sprintf("header %d: %q", e.Index, e.Header))
	}
	for _, option := range e.Options {
		q.Options = append(q.Options, option)
		r.events = append(r.events, fmt.Sprintf("option %d: %q", e.Index, option))
	}
	if len(q.Options) > r.limits.Options {
		r.broken("question %d has %d options", e.Index, len(q.Options))
	}
	if e.MultiSelect {
		q.MultiSelect = true
		r.events = append(r.events, fmt.Sprintf("multi %d", e.Index))
	}
}

func (r *record) done(call question.Call) {
	r.open = false
	r.calls = append(r.calls, call)
	b, _ := json.Marshal(call)
	r.events = append(r.events, "done: "+string(b))
	if call.Err != nil {
		if call.Followup != nil || call.Questionnaire != nil {
			r.broken("an invalid call has a payload")
		}
		return
	}
	f, plain := call.Followup, len(call.Repairs)+len(call.Notices) == 0
	switch {
	case call.Repairs == nil || call.Notices == nil:
		r.broken("a valid call is incomplete: %s", b)
	case call.Questionnaire != nil:
		if diff := cmp.Diff(call.Questionnaire.Questions, r.asked); diff != "" && plain {
			r.broken("the payload differs from what was shown (-payload +shown):\n%s", diff)
		}
	case f == nil || f.Suggest == nil:
		r.broken("a valid call is incomplete: %s", b)
	case plain && !strings.HasPrefix(r.question, f.Question): // unless the draft passed over a closing tag, as in inline code
		r.broken("the question is %q, but %q was shown", f.Question, r.question)
	case !slices.IsSorted(call.Repairs) || !slices.IsSorted(call.Notices):
		r.broken("the codes are not sorted: %s", b)
	}
}

// newReader returns a reader for the format: tags, json, or ask (the arguments of AskUserQuestion).
func newReader(format string, o Options, emit func(Event)) reader {
	switch format {
	case "json":
		return NewInput(question.ToolFollowup, o, emit)
	case "ask":
		return NewInput(question.ToolAskUser, o, emit)
	}
	return NewTags(o, emit)
}

// read reads input in chunks of size bytes.
func read(format string, input []byte, size int, o Options) *record {
	return readCut(format, slices.Collect(slices.Chunk(input, size)), o)
}

func readCut(format string, chunks [][]byte, o Options) *record {
	r := &record{limits: o.Limits.WithDefaults()}
	in := newReader(format, o, r.take)
	for _, chunk := range chunks {
		// The reader must not keep the chunk.
		scratch := slices.Clone(chunk)
		in.Append(scratch)
		clear(scratch)
		if in.Open() != r.open {
			r.broken("Open is %v, want %v", in.Open(), r.open)
		}
	}
	in.End()
	r.events = append(r.events, r.hidden...)
	if r.open || in.Open() {
		r.broken("a call is still open after End")
	}
	return r
}

// sample is one input of testdata.
type sample struct {
	name, format string
	input        []byte
	options      Options
}

// samples returns the inputs of all cases.
func samples(t testing.TB) []sample {
	t.Helper()
	var all []sample
	files, _ := filepath.Glob("testdata/*.json")
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var cases []struct {
			ID, Format  string
			Tool        string
			Input       string
			InputBase64 string `json:"input_base64"`
			Args        []string
		}
		if err := json.Unmarshal(b, &cases); err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			input := []byte(c.Input)
			if c.InputBase64 != "" {
				input, _ = base64.StdEncoding.DecodeString(c.InputBase64)
			}
			if c.Tool == question.ToolAskUser {
				c.Format = "ask"
			}
			all = append(all, sample{c.ID, c.Format, input, parseArgs(c.Args)})
		}
	}
	for _, c := range loadGolden(t) {
		all = append(all, sample{c.name, c.format, []byte(c.input), c.options})
	}
	if len(all) < 150 {
		t.Fatalf("found only %d samples", len(all))
	}
	return all
}

// parseArgs returns the reader's options among the command's flags.
func parseArgs(args []string) Options {
	o := Options{}
	for i, arg := range args {
		switch arg {
		case "--strict":
			o.Strict = true
		case "--opaque":
			o.OpaqueTags = strings.Split(args[i+1], ",")
		}
	}
	return o
}

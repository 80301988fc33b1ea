package dialect

import (
	"fmt"
	"strings"
	"testing"

	"followup/internal/locale"
	"followup/internal/question"
	"followup/internal/toolcall"
)

func TestMessage(t *testing.T) {
	tests := []struct {
		err  question.Error
		want map[locale.Tag]string
	}{
		{question.Error{Code: question.CodeTruncated}, map[locale.Tag]string{
			locale.English:    "Failed to parse operations: unexpected end of input",
			locale.French:     "Échec du parsing des opérations : fin inattendue de l'entrée",
			locale.Chinese:    "Failed to parse operations: 输入意外结束",
			locale.Portuguese: "Falha ao analisar operações: fim inesperado da entrada",
		}},
		{question.Error{Code: question.CodeTooLarge, Detail: question.Detail{Name: "question", Limit: 1 << 20}}, map[locale.Tag]string{
			locale.English: "Parameter 'question' is too large: the limit is 1 MiB",
			locale.French:  "Le paramètre 'question' est trop grand : la limite est de 1 Mio",
		}},
		{question.Error{Code: question.CodeTooLarge, Detail: question.Detail{Limit: 300 << 10}}, map[locale.Tag]string{
			locale.English: "The message is too large: the limit is 300 KiB",
		}},
		{question.Error{Code: question.CodeTooLarge, Detail: question.Detail{Limit: 1001}}, map[locale.Tag]string{
			locale.English: "The message is too large: the limit is 1001 bytes",
		}},
		{question.Error{Code: question.CodeUnknownTool}, map[locale.Tag]string{locale.English: "Unknown tool 'x'"}},
		{question.Error{Code: question.CodeInvalidValue, Detail: question.Detail{Name: "header"}}, map[locale.Tag]string{
			locale.English: "Invalid value for 'header'",
		}},
		{question.Error{Code: question.CodeParseFailed}, map[locale.Tag]string{
			locale.English: "Failed to parse operations: the input cannot be read",
		}},
	}
	for _, test := range tests {
		for tag, want := range test.want {
			if got := Message(tag, "x", &test.err); got != want {
				t.Errorf("%+v in %s: %q, want %q", test.err, tag, got, want)
			}
		}
	}
}

// reasons are all reasons of a failed parse.
var reasons = []question.Reason{
	question.ReasonHidden, question.ReasonNotObject, question.ReasonInnerEnd,
	question.Reason(toolcall.BareLess), question.Reason(toolcall.BareAmpersand), question.Reason(toolcall.UnclosedTag),
	question.Reason(toolcall.StrayEndTag), question.Reason(toolcall.BadAttribute), question.Reason(toolcall.NoJSON),
	question.Reason(toolcall.Unexpected), question.Reason(toolcall.BadEscape), question.Reason(toolcall.Trailing),
	question.Reason(toolcall.TrailingComma), question.Reason(toolcall.ControlInString), question.Reason(toolcall.AroundJSON),
	question.Reason(toolcall.StrayBracket),
}

// TestReasonsHaveWords checks that every reason has its own text in every language, and that the text gives the
// location.
func TestReasonsHaveWords(t *testing.T) {
	seen := map[string]question.Reason{}
	for _, reason := range append(reasons, "no such reason") {
		e := &question.Error{Code: question.CodeParseFailed, Detail: question.Detail{
			Reason: reason, Name: "Name", At: question.Place{Line: 17, Column: 23, Excerpt: "<x"},
		}}
		for _, tag := range locale.Tags {
			message := Message(tag, "", e)
			if other, taken := seen[message]; taken {
				t.Errorf("%s and %s have the same text %q", reason, other, message)
			}
			seen[message] = reason
			for _, part := range []string{"17", "23", "<x"} {
				if !strings.Contains(message, part) {
					t.Errorf("%s in %s: %q does not contain %s", reason, tag, message, part)
				}
			}
			unreadable := strings.Contains(message, tag.Text("the input cannot be read"))
			if unreadable != (reason == "no such reason") || strings.Contains(message, "%!") {
				t.Errorf("%s in %s: %q", reason, tag, message)
			}
		}
	}
}

func TestFound(t *testing.T) {
	at := question.Place{Path: "follow_up", Excerpt: "as you like"}
	tests := []struct {
		err  question.Error
		want string
	}{
		{question.Error{Code: question.CodeInvalidFormat, Detail: question.Detail{Name: "follow_up", At: at}},
			"'follow_up' must be a list of suggestions, such as [{\"text\": \"Yes\"}, {\"text\": \"No\"}]. Found at follow_up: “as you like”"},
		{question.Error{Code: question.CodeInvalidFormat, Detail: question.Detail{At: question.Place{Line: 3, Column: 1, Excerpt: "<x>"}}}, "Found at line 3, column 1: “<x>”"},
		{question.Error{Code: question.CodeMissingParameter, Detail: question.Detail{At: question.Place{Path: "question"}}}, "Found at question"},
		{question.Error{Code: question.CodeTruncated}, ""},
		{question.Error{Code: question.CodeTruncated, Detail: question.Detail{At: question.Place{Line: 2, Column: 9}}}, "The input ends at line 2, column 9"},
		{question.Error{Code: question.CodeParseFailed, Detail: question.Detail{At: at}}, ""}, // Message includes it
	}
	for _, test := range tests {
		if got := Found(locale.English, &test.err); got != test.want {
			t.Errorf("%+v: %q, want %q", test.err, got, test.want)
		}
	}
}

func TestUnknownTool(t *testing.T) {
	var events []string
	in := NewInput("no_such_tool", Options{}, func(e Event) {
		switch e := e.(type) {
		case *Opened:
			events = append(events, "opened "+e.Tool)
		case *Done:
			events = append(events, string(e.Call.Err.Code)+" "+e.Call.Err.Detail.Name)
		}
	})
	in.Append([]byte(`{"question": "A?"}`))
	in.End()
	in.End()
	if got, want := strings.Join(events, ", "), "opened no_such_tool, unknown_tool no_such_tool"; got != want || in.Open() {
		t.Errorf("got events %q, want %q", got, want)
	}
}

// TestAfterTheEnd checks that a reader emits nothing after End.
func TestAfterTheEnd(t *testing.T) {
	for _, format := range []string{"tags", "json"} {
		r := &record{}
		in := newReader(format, Options{}, r.take)
		in.Append([]byte("<ask_followup_question><question>A"))
		in.End()
		ended := len(r.events)
		in.Append([]byte("more"))
		in.End()
		if len(r.events) != ended || len(r.calls) != 1 {
			t.Errorf("%s: got events %q", format, r.events)
		}
	}
}

// TestSteadyState checks that only events allocate while a long text arrives.
func TestSteadyState(t *testing.T) {
	tests := []struct{ name, format, start string }{
		{"question", "tags", "<ask_followup_question><question>Hello "},
		{"suggestion", "tags", "<ask_followup_question><question>A?</question><follow_up><suggest>Hello "},
		{"fence", "tags", "```\n"},
		{"JSON question", "json", `{"question": "Hello `},
		{"questionnaire", "ask", `{"questions": [{"question": "Hello `},
		{"preview", "ask", `{"questions": [{"question": "A?", "options": [{"preview": "Hello `},
		{"questions in a string", "ask", `{"questions": "[{\"question\": \"Hello `},
		{"JSON suggestion", "json", `{"question": "A?", "follow_up": [{"text": "Hello `},
	}
	for _, test := range tests {
		events := 0
		in := newReader(test.format, Options{}, func(Event) { events++ })
		in.Append([]byte(test.start))
		chunk := []byte("and so on é & on")
		const chunks, runs = 1000, 5
		allocs := testing.AllocsPerRun(runs, func() {
			for range chunks {
				in.Append(chunk)
			}
		})
		if allocs -= float64(events) / (runs + 1); allocs > chunks/20 { // growing buffers allocate too
			t.Errorf("%s: %v allocations for %d chunks", test.name, allocs, chunks)
		}
	}
}

// TestReadFollowUp checks the forms in which a text may hold suggestions.
func TestReadFollowUp(t *testing.T) {
	for text, want := range map[string]string{
		"<suggest>A</suggest><suggest>B</suggest>": "A|B true []",
		"- A\n- B":       "A|B true [list_suggestions]",
		`["A", "B"]`:     "A|B true [json_suggestions]",
		" ":              " true []",
		"as you like it": " false []",
	} {
		read := readFollowUp(text, 0)
		var answers []string
		for _, s := range read.items {
			answers = append(answers, s.Answer)
		}
		if got := fmt.Sprint(strings.Join(answers, "|"), " ", read.readable, " ", []question.Code(read.repairs)); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

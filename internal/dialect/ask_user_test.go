package dialect

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"followup/internal/locale"
	"followup/internal/question"

	"github.com/google/go-cmp/cmp"
)

// TestAskEvents checks the events of a questionnaire that arrives byte by byte.
func TestAskEvents(t *testing.T) {
	tests := []struct{ name, input, want string }{
		{"in the usual order", `{"questions": [{"question": "A b?", "header": "H", "multiSelect": true, "options": [{"label": "x", "preview": "p"}, "y"]}, {"question": "C?"`,
			"opened AskUserQuestion; begins 0; 0 A; 0  b; 0 ?; header 0: H; multi 0; option 0: x; option 0: y; begins 1; 1 C; 1 ?; error truncated"},
		{"text last", `{"questions": [{"options": ["x"], "question": "A?"`,
			"opened AskUserQuestion; begins 0; option 0: x; 0 A; 0 ?; error truncated"},
		{"a surrogate pair", `{"questions": [{"question": "\ud83d\ude00 \u00e9\n`,
			"opened AskUserQuestion; begins 0; 0 😀; 0  é; error truncated"},
		{"in strings", `"{\"questions\": \"[{\\\"question\\\": \\\"A?\\\"`,
			"opened AskUserQuestion; begins 0; 0 A; 0 ?; error truncated"},
		{"an empty question", `{"questions": [{}, {"question": "B`,
			"opened AskUserQuestion; begins 0; begins 1; 1 B; error truncated"},
		{"an item of the wrong type", `{"questions": ["A?", {"header": "H"`,
			"opened AskUserQuestion; begins 0; begins 1; header 1: H; error truncated"},
		{"no question", `{"metadata": {"questions": [{"question": "A?"}]}, "questions": [`,
			"opened AskUserQuestion; error truncated"},
		{"past the limits", `{"questions": [{"question": "A", "options": ["a", "b", "c", "d", "e"]}, {"question": "B"}, {"question": "C"}, {"question": "D"}, {"question": "E", "header": "H", "multiSelect": true, "options": ["x"]}]}`,
			"opened AskUserQuestion; begins 0; 0 A; option 0: a; option 0: b; option 0: c; option 0: d; begins 1; 1 B; begins 2; 2 C; begins 3; 3 D; error invalid_value"},
		{"a second text", `{"questions": [{"question": " ", "question": "A?", "question": "B?", "options": ["x", "y"]}]}`,
			"opened AskUserQuestion; begins 0; 0 A; 0 ?; option 0: x; option 0: y; valid B?"},
		{"a second header", `{"questions": [{"question": "A?", "header": "H", "header": "I", "header": "I", "options": ["x", "y"]}]}`,
			"opened AskUserQuestion; begins 0; 0 A; 0 ?; header 0: H; header 0: I; header 0: I; option 0: x; option 0: y; valid A?"},
		{"multiSelect set and reset", `{"questions": [{"question": "A?", "multiSelect": true, "multiSelect": false, "options": ["x", "y"]}]}`,
			"opened AskUserQuestion; begins 0; 0 A; 0 ?; multi 0; option 0: x; option 0: y; valid A?"},
		{"a second list", `{"questions": [{"question": "A?", "options": ["x", "y"]}], "questions": [{"question": "B?", "options": ["x", "y"]}]}`,
			"opened AskUserQuestion; begins 0; 0 A; 0 ?; option 0: x; option 0: y; valid B?"},
		{"a list after an empty one", `{"questions": [], "questions": [{"question": "B?", "options": ["x", "y"]}]}`,
			"opened AskUserQuestion; begins 0; 0 B; 0 ?; option 0: x; option 0: y; valid B?"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var events []string
			in := NewInput(question.ToolAskUser, Options{}, func(e Event) { events = append(events, describe(e)...) })
			for i := range len(test.input) {
				in.Append([]byte(test.input[i : i+1]))
			}
			in.End()
			if got := strings.Join(events, "; "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// describe formats an event.
func describe(e Event) []string {
	switch e := e.(type) {
	case *Opened:
		return []string{"opened " + e.Tool}
	case *GrewPart:
		return describePart(e)
	case *Done:
		if e.Call.Err != nil {
			return []string{"error " + string(e.Call.Err.Code)}
		}
		return []string{"valid " + e.Call.Questionnaire.Questions[0].Question}
	}
	return []string{"unexpected"}
}

func describePart(e *GrewPart) (words []string) {
	n := string(rune('0' + e.Index))
	if e.Text != "" {
		words = append(words, n+" "+e.Text)
	}
	if e.Header != "" {
		words = append(words, "header "+n+": "+e.Header)
	}
	if e.MultiSelect {
		words = append(words, "multi "+n)
	}
	for _, option := range e.Options {
		words = append(words, "option "+n+": "+option.Label)
	}
	if words == nil {
		words = []string{"begins " + n}
	}
	return words
}

// TestAskMessages checks that errors name the field, the limit and the value found, in every language.
func TestAskMessages(t *testing.T) {
	tests := []struct {
		name  string
		err   question.Detail
		want  []string // in every language
		words map[locale.Tag]string
	}{
		{"a count", question.Detail{Reason: question.ReasonCount, Name: "questions[1].options", Min: 2, Max: 4, Count: 7},
			[]string{"questions[1].options", "2", "4", "7"}, map[locale.Tag]string{
				locale.English:    "Invalid value for 'questions[1].options': it must hold 2 to 4 items, found 7",
				locale.French:     "Valeur non valide pour 'questions[1].options' : la liste doit contenir de 2 à 4 éléments, trouvé 7",
				locale.Chinese:    "'questions[1].options' 的值无效：必须包含 2 到 4 项，实际为 7 项",
				locale.Portuguese: "Valor inválido para 'questions[1].options': a lista deve conter de 2 a 4 itens, encontrado 7",
			}},
		{"a duplicate", question.Detail{Reason: question.ReasonDuplicate, Name: "questions[0].options[1].label", Found: "Sí"},
			[]string{"questions[0].options[1].label", "Sí"}, nil},
		{"a type", question.Detail{Reason: question.ReasonType, Name: "questions", Want: question.TypeList, Got: question.TypeObject},
			[]string{"questions"}, map[locale.Tag]string{
				locale.English: "Invalid value for 'questions': it must be a list, found an object",
				locale.Chinese: "'questions' 的值无效：必须是列表，实际为对象",
			}},
		{"strict mode", question.Detail{Reason: question.ReasonRepaired, Name: "questions", Found: "string_option"},
			[]string{"string_option"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			seen := map[string]bool{}
			for _, tag := range locale.Tags {
				got := Message(tag, question.ToolAskUser, &question.Error{Code: question.CodeInvalidValue, Detail: test.err})
				if want, ok := test.words[tag]; ok && got != want {
					t.Errorf("%s: %q, want %q", tag, got, want)
				}
				for _, part := range test.want {
					if !strings.Contains(got, part) {
						t.Errorf("%s: %q does not contain %q", tag, got, part)
					}
				}
				if seen[got] || strings.Contains(got, "%!") {
					t.Errorf("%s: %q", tag, got)
				}
				seen[got] = true
			}
		})
	}
	for _, kind := range valueTypes[1:] {
		if typeNames[kind] == "" {
			t.Errorf("%s has no text", kind)
		}
	}
}

// TestAskDeepMetadata checks that metadata nested too deeply for encoding/json is kept as a string.
func TestAskDeepMetadata(t *testing.T) {
	const depth = 20000 // encoding/json allows 10000
	input := `{"metadata": ` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `, "questions": [{"question": "A?", "options": ["b", "c"]}]}`
	call := ReadInput(question.ToolAskUser, []byte(input), Options{})
	if call.Err != nil || len(call.Questionnaire.Metadata) != 2*depth+2 || !json.Valid(call.Questionnaire.Metadata) {
		t.Errorf("error %+v, metadata of %d bytes", call.Err, len(call.Questionnaire.Metadata))
	}
}

// TestAskKeepsLittle checks that questions and options beyond the limits are not kept.
func TestAskKeepsLittle(t *testing.T) {
	many := `{"question": "A?", "options": [` + strings.Repeat(`"b",`, 10000) + `"c"]}`
	call := question.Call{}
	in := NewInput(question.ToolAskUser, Options{}, func(e Event) {
		if done, ok := e.(*Done); ok {
			call = done.Call
		}
	})
	in.Append([]byte(`{"questions": [` + many))
	list, draft := in.reader.top().list, &in.reader.draft
	if n := len(list.questions[0].Options); n > question.MaxOptions {
		t.Errorf("kept %d options", n)
	}
	in.Append([]byte(strings.Repeat(`,{"question": "B?"}`, 5000) + "]}"))
	if n := len(list.questions); n > question.MaxQuestions || draft.begun > question.MaxQuestions {
		t.Errorf("kept %d questions, showed %d", n, draft.begun)
	}
	in.End()
	want := question.Detail{Reason: question.ReasonDuplicate, Name: "questions[0].options[1].label", Found: "b"}
	if call.Err == nil || call.Err.Detail != want {
		t.Errorf("got %+v, want %+v", call.Err, want)
	}
}

func FuzzAsk(f *testing.F) {
	for i, s := range samples(f) {
		if s.format == "ask" {
			f.Add(s.input, []byte{byte(i), 3, 0, 1}, s.options.Strict)
		}
	}
	f.Fuzz(func(t *testing.T, input, cuts []byte, strict bool) {
		o := Options{Strict: strict, Limits: smallLimits}
		r := checkCuts(t, "ask", input, cuts, o)
		if len(r.calls) != 1 || r.text.Len() > 0 {
			t.Fatalf("%d calls, text %q", len(r.calls), r.text.String())
		}
		call := r.calls[0]
		if whole := ReadInput(question.ToolAskUser, input, o); !cmp.Equal(whole, call) {
			t.Error(cmp.Diff(whole, call))
		}
		if call.Err == nil {
			checkQuestionnaire(t, call.Questionnaire, o)
			return
		}
		if json.Valid(input) && call.Err.Code == question.CodeTruncated {
			t.Error("valid JSON reported as truncated")
		}
		for _, tag := range locale.Tags {
			if m := Message(tag, question.ToolAskUser, call.Err); m == "" || strings.Contains(m, "%!") || !utf8.ValidString(m) {
				t.Errorf("%s: %q", tag, m)
			}
		}
	})
}

// checkQuestionnaire checks the invariants of a valid questionnaire.
func checkQuestionnaire(t *testing.T, all *question.Questionnaire, o Options) {
	t.Helper()
	if n := len(all.Questions); n < 1 || n > question.MaxQuestions {
		t.Errorf("%d questions", n)
	}
	b, err := json.Marshal(all)
	if err != nil || !utf8.Valid(b) {
		t.Errorf("%v in %q", err, b)
	}
	if all.Metadata != nil && !json.Valid(all.Metadata) || len(all.Metadata) > 6*o.Limits.Parameter {
		t.Errorf("metadata %q", all.Metadata)
	}
	texts := map[string]bool{}
	for _, q := range all.Questions {
		if n := len(q.Options); n < question.MinOptions || n > question.MaxOptions || texts[q.Question] || q.Question == "" {
			t.Errorf("%+v", q)
		}
		texts[q.Question] = true
		labels := map[string]bool{}
		for _, option := range q.Options {
			if option.Label == "" || labels[option.Label] || option.Label != trim(option.Label) {
				t.Errorf("%+v", q)
			}
			labels[option.Label] = true
		}
	}
}

// FuzzAskStrict checks that strict mode accepts only calls that tolerant mode reads without repairs, with the same
// result.
func FuzzAskStrict(f *testing.F) {
	for _, s := range samples(f) {
		if s.format == "ask" {
			f.Add(s.input)
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) { checkStrict(t, "ask", input) })
}

// FuzzAskRoundTrip encodes questionnaires and reads them back.
func FuzzAskRoundTrip(f *testing.F) {
	f.Add("A?", "H", "b", "B", " p\n", "c", "D?", true, []byte(`{"a": [1]}`))
	f.Add(" A\r\n?", "\"", "b\\", "\u2028", "\r\nx\r", "c\x00", "A", false, []byte(`"x"`))
	f.Fuzz(func(t *testing.T, text, header, label, description, preview, other, second string, multi bool, metadata []byte) {
		clean := func(s string) string { return trim(unixLines(s)) }
		first := question.Option{Label: clean(label), Description: clean(description), Preview: unixLines(preview)}
		if trim(first.Preview) == "" {
			first.Preview = ""
		}
		options := []question.Option{first, {Label: clean(other)}}
		want := &question.Questionnaire{Questions: []question.Question{
			{Question: clean(text), Header: clean(header), Options: options, MultiSelect: multi},
			{Question: clean(second), Options: slices.Clone(options), MultiSelect: !multi},
		}}
		a, b := want.Questions[0], want.Questions[1]
		if a.Question == "" || b.Question == "" || a.Question == b.Question ||
			first.Label == "" || options[1].Label == "" || first.Label == options[1].Label {
			return
		}
		printed := map[string]any{"questions": want.Questions}
		if json.Valid(metadata) && utf8.Valid(metadata) && trim(string(metadata)) != "null" {
			// Marshal compacts it and escapes HTML characters.
			metadata, _ = json.Marshal(json.RawMessage(metadata))
			printed["metadata"], want.Metadata = json.RawMessage(metadata), metadata
		}
		input, err := json.Marshal(printed)
		if err != nil {
			return // nested too deeply
		}
		call := ReadInput(question.ToolAskUser, input, Options{Strict: true})
		if call.Err != nil || len(call.Repairs) > 0 {
			t.Fatalf("%s: error %+v, repairs %v", input, call.Err, call.Repairs)
		}
		if diff := cmp.Diff(want, call.Questionnaire); diff != "" {
			t.Errorf("(-printed +read):\n%s", diff)
		}
	})
}

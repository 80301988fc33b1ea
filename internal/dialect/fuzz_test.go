package dialect

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"followup/internal/question"

	"github.com/google/go-cmp/cmp"
)

// smallLimits are low enough for a fuzzer to reach.
var smallLimits = question.Limits{Parameter: 300, Message: 2000}

// checkCuts reads input whole, byte by byte, and in the chunks that cuts describes. It compares the events.
func checkCuts(t *testing.T, format string, input, cuts []byte, o Options) *record {
	t.Helper()
	whole := readCut(format, [][]byte{input}, o)
	bytewise := read(format, input, 1, o)
	var chunks [][]byte
	rest := input
	for _, c := range cuts {
		n := min(int(c), len(rest)) // 0 makes an empty chunk
		chunks = append(chunks, rest[:n])
		rest = rest[n:]
	}
	cut := readCut(format, append(chunks, rest), o)
	for _, r := range []*record{whole, bytewise, cut} {
		for _, problem := range r.problems {
			t.Error(problem)
		}
	}
	if diff := cmp.Diff(whole.events, bytewise.events); diff != "" {
		t.Errorf("byte by byte (-whole +bytewise):\n%s", diff)
	}
	if diff := cmp.Diff(whole.events, cut.events); diff != "" {
		t.Errorf("cut %v (-whole +cut):\n%s", cuts, diff)
	}
	return whole
}

// checkBounds checks that the output is within the limits and valid UTF-8.
func checkBounds(t *testing.T, r *record, o Options) {
	t.Helper()
	all := r.text.String()
	for _, call := range r.calls {
		if f := call.Followup; f != nil {
			parts := f.Question
			if len(f.Question) > 3*o.Limits.Parameter { // U+FFFD takes three bytes for one invalid byte
				t.Errorf("the question is %d bytes long", len(f.Question))
			}
			for _, s := range f.Suggest {
				parts += s.Answer + s.Mode
			}
			all += parts
		}
	}
	if len(all) > 3*o.Limits.Message {
		t.Errorf("the output is %d bytes long", len(all))
	}
	if !utf8.ValidString(all) {
		t.Errorf("invalid UTF-8: %q", all)
	}
}

func FuzzTags(f *testing.F) {
	for i, s := range samples(f) {
		if s.format == "tags" {
			f.Add(s.input, []byte{byte(i), 3, 0, 1}, s.options.Strict)
		}
	}
	f.Fuzz(func(t *testing.T, input, cuts []byte, strict bool) {
		o := Options{Strict: strict, Limits: smallLimits, OpaqueTags: []string{"note"}}
		checkBounds(t, checkCuts(t, "tags", input, cuts, o), o)
		checkCost(t, "tags", input)
	})
}

func FuzzInput(f *testing.F) {
	for i, s := range samples(f) {
		if s.format == "json" {
			f.Add(s.input, []byte{byte(i), 3, 0, 1}, s.options.Strict)
		}
	}
	f.Fuzz(func(t *testing.T, input, cuts []byte, strict bool) {
		o := Options{Strict: strict, Limits: smallLimits}
		r := checkCuts(t, "json", input, cuts, o)
		checkBounds(t, r, o)
		checkCost(t, "json", input)
		if len(r.calls) != 1 || r.text.Len() > 0 {
			t.Errorf("%d calls, text %q", len(r.calls), r.text.String())
		}
		if json.Valid(input) && r.calls[0].Err != nil && r.calls[0].Err.Code == question.CodeTruncated {
			t.Error("valid JSON reported as truncated")
		}
		if whole := ReadInput(question.ToolFollowup, input, o); !cmp.Equal(whole, r.calls[0]) {
			t.Error(cmp.Diff(whole, r.calls[0]))
		}
	})
}

// FuzzStrict checks that strict mode accepts only calls that tolerant mode reads without repairs, with the same
// result.
func FuzzStrict(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(s.input, s.format == "json")
	}
	f.Fuzz(func(t *testing.T, input []byte, native bool) {
		format := "tags"
		if native {
			format = "json"
		}
		checkStrict(t, format, input)
	})
}

func checkStrict(t *testing.T, format string, input []byte) {
	t.Helper()
	tolerant := readCut(format, [][]byte{input}, Options{})
	strict := readCut(format, [][]byte{input}, Options{Strict: true})
	if len(tolerant.calls) != len(strict.calls) || tolerant.text.String() != strict.text.String() {
		t.Fatalf("%d calls, but %d in strict mode", len(tolerant.calls), len(strict.calls))
	}
	for i, s := range strict.calls {
		loose := tolerant.calls[i]
		repaired := slices.ContainsFunc(loose.Repairs, func(c question.Code) bool { return !slices.Contains(strictAllowed, c) })
		switch {
		case loose.Err != nil && (s.Err == nil || s.Err.Code != loose.Err.Code && s.Err.Code != question.CodeParseFailed):
			t.Errorf("tolerant %+v, strict %+v", loose.Err, s.Err)
		case s.Err == nil && repaired:
			t.Errorf("strict mode accepted a call that needs %v", loose.Repairs)
		case s.Err == nil && !cmp.Equal(s, loose):
			t.Error(cmp.Diff(s, loose))
		}
	}
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\r", "&#13;").Replace

// printTags returns a well-formed call in tags.
func printTags(f question.Followup) string {
	return printCall("<question>"+escape(f.Question)+"</question>\n", "<follow_up>\n"+printSuggestions(f)+"</follow_up>\n")
}

func printCall(parameters ...string) string {
	return "<ask_followup_question>\n" + strings.Join(parameters, "") + "</ask_followup_question>"
}

func printSuggestions(f question.Followup) string {
	var b strings.Builder
	for _, s := range f.Suggest {
		b.WriteString("<suggest")
		if s.Mode != "" {
			b.WriteString(` mode="` + escape(s.Mode) + `"`)
		}
		b.WriteString(">" + escape(s.Answer) + "</suggest>\n")
	}
	return b.String()
}

// printRepairable returns calls that need exactly one repair, by its code.
func printRepairable(f question.Followup) map[question.Code]string {
	asked, suggest := "<question>"+escape(f.Question)+"</question>\n", printSuggestions(f)
	fields := ""
	for _, s := range f.Suggest {
		fields += "<suggest>\n<mode>" + escape(s.Mode) + "</mode><content>" + escape(s.Answer) + "</content></suggest>"
	}
	return map[question.Code]string{
		question.RepairFencedCall:       "~~~xml\n" + strings.ReplaceAll(printTags(f), "~", "&#126;") + "\n~~~\n",
		question.RepairNestedParameter:  printCall("<question>" + escape(f.Question) + "<follow_up>" + suggest + "</follow_up></question>"),
		question.RepairSuggestionFields: printCall(asked, "<follow_up>"+fields+"</follow_up>"),
		question.RepairSuggestionTag:    printCall(asked, suggest),
		question.RepairUnclosedElement:  "<think>" + printTags(f),
	}
}

// printJSON returns a call as native arguments.
func printJSON(f question.Followup) []byte {
	items := []map[string]any{}
	for _, s := range f.Suggest {
		item := map[string]any{"text": s.Answer, "mode": nil}
		if s.Mode != "" {
			item["mode"] = s.Mode
		}
		items = append(items, item)
	}
	b, _ := json.Marshal(map[string]any{"question": f.Question, "follow_up": items})
	return b
}

// unixLines returns s as valid UTF-8 without CRLF.
func unixLines(s string) string {
	s = strings.ToValidUTF8(s, "?")
	for strings.Contains(s, "\r\n") { // one pass turns \r\r\n into \r\n
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	return s
}

func FuzzRoundTrip(f *testing.F) {
	for _, s := range samples(f) {
		for _, call := range read(s.format, s.input, 4096, s.options).calls {
			if c := call.Followup; c != nil && len(c.Suggest) > 1 {
				f.Add(c.Question, c.Suggest[0].Answer, c.Suggest[0].Mode, c.Suggest[1].Answer)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text, first, mode, second string) {
		clean := func(s string) string { return trim(unixLines(s)) }
		want := question.Followup{Question: clean(text)}
		for _, s := range []question.Suggestion{{Answer: clean(first), Mode: modeName(clean(mode))}, {Answer: clean(second)}} {
			if s.Answer != "" && !slices.Contains(want.Suggest, s) {
				want.Suggest = append(want.Suggest, s)
			}
		}
		if want.Question == "" || want.Suggest == nil {
			return
		}
		for _, call := range []question.Call{
			read("tags", []byte(printTags(want)), 7, Options{Strict: true}).calls[0],
			ReadInput(question.ToolFollowup, printJSON(want), Options{Strict: true}),
		} {
			if call.Err != nil || len(call.Repairs) > 0 {
				t.Fatalf("%q: error %+v, repairs %v", want, call.Err, call.Repairs)
			}
			if diff := cmp.Diff(want, *call.Followup); diff != "" {
				t.Errorf("(-printed +read):\n%s", diff)
			}
		}
		for code, input := range printRepairable(want) {
			call := read("tags", []byte(input), 7, Options{}).calls[0]
			if call.Err != nil || !slices.Equal(call.Repairs, []question.Code{code}) {
				t.Fatalf("%q: error %+v, repairs %v, want %s", input, call.Err, call.Repairs, code)
			}
			if diff := cmp.Diff(want, *call.Followup); diff != "" {
				t.Errorf("%s (-printed +read):\n%s", code, diff)
			}
		}
	})
}

package toolcall

import (
	"fmt"
	"strings"
	"testing"
)

// recorder is a sink that records its calls as lines. It joins adjacent pieces of the same kind.
type recorder struct {
	scanner *Scanner
	lines   []string
}

func (r *recorder) add(kind, text string) {
	if n := len(r.lines); n > 0 && strings.HasPrefix(r.lines[n-1], kind+" ") {
		r.lines[n-1] += text
		return
	}
	r.lines = append(r.lines, kind+" "+text)
}

func (r *recorder) Text(text string) { r.add("text", text) }
func (r *recorder) Hidden(by Hider)  {}
func (r *recorder) Grew(int)         {}

func (r *recorder) Foreign(text string, cut bool) bool {
	if strings.Contains(text, "none") {
		return false
	}
	r.lines = append(r.lines, fmt.Sprintf("foreign %q cut=%v", text, cut))
	return true
}

func (r *recorder) Tag(t Tag) {
	if t.Start == 0 {
		r.lines = append(r.lines, "begin")
		return
	}
	r.lines = append(r.lines, describeTag(r.scanner.Call(), t))
}

func (r *recorder) CallEnded(cut bool) {
	r.lines = append(r.lines, fmt.Sprintf("end %v %s", cut, r.scanner.Call()))
}

func describeTag(text string, t Tag) string {
	return fmt.Sprintf("tag %s end=%v empty=%v loose=%v mode=%q", t.Name, t.Closing, t.Empty, t.Loose, t.Attr(text, "mode"))
}

// scanPieces scans a text in pieces of the given size. Calls are <call> elements with the parameters p and b.
func scanPieces(text string, size int, sink func(*Scanner) Sink) *Scanner {
	s := &Scanner{}
	*s = *NewScanner(Config{
		Call: "call", Known: NewNames("call", "p", "b"), Outer: NewNames("call", "hide", "think", "wrap"),
		Thinking: NewNames("think"), Foreign: NewNames("wrap"), Ends: []string{"</e>"},
		Opens: func(text string) bool { return !strings.Contains(text, "not") }, Shown: func(text string) int { return strings.Count(text, "{") },
		Spans: []Span{{Open: "<!--", Close: "-->"}, {Open: "[T]", Close: "[/T]"}, {Open: "[F]", Close: "[/F]", Foreign: true}, {Open: "[J]", Foreign: true}, {Open: "{", Foreign: true}, {Open: "[", Foreign: true}},
	}, sink(s))
	for i := 0; i < len(text); i += size {
		s.Append([]byte(text[i:min(i+size, len(text))]))
	}
	s.Finish(false)
	return s
}

// scan scans a text in pieces of the given size and returns the recorder.
func scan(text string, size int) *recorder {
	r := &recorder{}
	scanPieces(text, size, func(s *Scanner) Sink {
		r.scanner = s
		return r
	})
	return r
}

func TestTags(t *testing.T) {
	tests := []struct{ input, want string }{
		{"a<b>c", "tag b end=false empty=false loose=false mode=\"\""},
		{"<b/>", "tag b end=false empty=true loose=false mode=\"\""},
		{"<b />", "tag b end=false empty=true loose=false mode=\"\""},
		{"</b\n>", "tag b end=true empty=false loose=false mode=\"\""},
		{"<b mode='x'>", "tag b end=false empty=false loose=false mode=\"x\""},
		{"<b mode = \"x>y\" a='' >", "tag b end=false empty=false loose=false mode=\"x>y\""},
		{"<b mode=x/y>", "tag b end=false empty=false loose=true mode=\"x/y\""},
		{"<b mode=x/>", "tag b end=false empty=true loose=true mode=\"x\""},
		{"<b mode=x/ >", "tag b end=false empty=false loose=true mode=\"x/\""},
		{"<b mode>", "tag b end=false empty=false loose=true mode=\"\""},
		{"<b mode/>", "tag b end=false empty=true loose=true mode=\"\""},
		{"<b mode=>", "tag b end=false empty=false loose=true mode=\"\""},
		{"<b mode='x'a='y'>", "tag b end=false empty=false loose=true mode=\"x\""},
		{"<b mode='x' mode='y'>", "tag b end=false empty=false loose=false mode=\"y\""},
		{"<b mode='x>y<", "tag b end=false empty=false loose=true mode=\"x\""},
		{"<b amode='x'>", "tag b end=false empty=false loose=false mode=\"\""},
		{"<B>", ""},
		{"<bb>", ""},
		{"< b>", ""},
		{"</ b>", ""},
		{"<b", ""},
		{"<b a=\"<b\"", ""},
		{"<b !>", ""},
		{"<b / >", ""},
		{"<!b>", ""},
		{"<![CDATA[<b>]]>", ""},
		{"<![CDATA[]]]]>", ""},
		{"<![CDATA[a]b]]c]]>", ""},
		{"<![cdata[<x>]]>", ""},
	}
	for _, test := range tests {
		for size := 1; size <= len(test.input); size++ {
			var kept []string
			for _, line := range scan("<call><p>"+test.input+"</p></call>", size).lines[2:] {
				if strings.HasPrefix(line, "tag b") {
					kept = append(kept, line)
				}
			}
			if got := strings.Join(kept, "|"); got != test.want {
				t.Errorf("%q in pieces of %d:\n got %s\nwant %s", test.input, size, got, test.want)
			}
		}
		var found []string
		for tag := range EachTag(test.input, NewNames("b")) {
			found = append(found, describeTag(test.input, tag))
		}
		if got := strings.Join(found, "|"); got != test.want && !strings.HasSuffix(test.input, "<") {
			t.Errorf("%q:\n got %s\nwant %s", test.input, got, test.want)
		}
	}
}

// TestJSONSpans checks where spans that JSON ends are calls, however the text is cut.
func TestJSONSpans(t *testing.T) {
	tests := []struct{ input, want string }{
		{`[J]x{"a": "}\"{"}`, `foreign "[J]x{\"a\": \"}\\\"{\"}" cut=false`},
		{`[J]{"a": 1}</e> ` + "\n", `foreign "[J]{\"a\": 1}</e> \n" cut=false`},
		{`[J] [{"a": 1}, {"b": [2]}]`, `foreign "[J] [{\"a\": 1}, {\"b\": [2]}]" cut=false`},
		{`[J]{"a": 1}[J]{"b": 2}`, `foreign "[J]{\"a\": 1}" cut=false|foreign "[J]{\"b\": 2}" cut=false`},
		{`So it is.[J]{"a": 1}`, `text So it is.|foreign "[J]{\"a\": 1}" cut=false`},
		{`So it is. [J]{"a": 1}`, `text So it is. |foreign "[J]{\"a\": 1}" cut=false`},
		{`[J]{"a": 1`, `foreign "[J]{\"a\": 1" cut=true`},
		{`[J]{"a": 1} is text`, `text [J]{"a": 1} is text`},
		{`Write [J]{"a": 1}`, `text Write [J]{"a": 1}`},
		{"`[J]{\"a\": 1}`", "text `[J]{\"a\": 1}`"},
		{`[J]{a: 1}`, `text [J]{a: 1}`},
		{`[J]not{"a": 1}`, `text [J]not{"a": 1}`},
		{`[J]{"none": 1}`, `text [J]{"none": 1}`},
		{` {"a": 1} `, `text  |foreign "{\"a\": 1} " cut=false`},
		{`<think>{"b": 1}</think>{"a": 1}`, `text <think>{"b": 1}</think>|foreign "{\"a\": 1}" cut=false`},
		{`{"a": 1} is text`, `text {"a": 1} is text`},
		{`So: {"a": 1}`, `text So: {"a": 1}`},
		{"```json\n{\"a\": 1}\n```\n", `foreign "{\"a\": 1}" cut=false|text ` + "\n"},
		{"So:\n```json\n{\"a\": 1}\n```", "text So:\n```json\n{\"a\": 1}\n```"},
		{"```json\n{\"a\": 1}\n```\nSo.", "text ```json\n{\"a\": 1}\n```\nSo."},
	}
	for _, test := range tests {
		for size := 1; size <= len(test.input); size++ {
			if got := strings.Join(scan(test.input, size).lines, "|"); got != test.want {
				t.Errorf("%q in pieces of %d:\n got %s\nwant %s", test.input, size, got, test.want)
			}
		}
	}
}

func TestChecker(t *testing.T) {
	tests := []struct {
		content string
		fault   Fault
		name    string
	}{
		{"", NoFault, ""},
		{"a > b", NoFault, ""},
		{"<b>x</b>", NoFault, ""},
		{"<b><i/><i>x</i ></b>", NoFault, ""},
		{"<a href='x' b=\"y\"/>", NoFault, ""},
		{"<!-- <b> & < -->", NoFault, ""},
		{"<?php echo '<b>' ?>", NoFault, ""},
		{"a < b", BareLess, ""},
		{"a <", BareLess, ""},
		{"<3", BareLess, ""},
		{"Map<string, Entry>", BareLess, ""},
		{"<!DOCTYPE html>", BareLess, ""},
		{"<b", BareLess, ""},
		{"<<b></b>", BareLess, ""},
		{"<b>", UnclosedTag, "b"},
		{"<b><i></i>", UnclosedTag, "b"},
		{"<!-- x", UnclosedTag, "!--"},
		{"</b>", StrayEndTag, "b"},
		{"<b></i></b>", StrayEndTag, "i"},
		{"<bb></b>", StrayEndTag, "b"},
		{"<a href=x></a>", BadAttribute, "a"},
		{"<a hidden></a>", BadAttribute, "a"},
	}
	for _, test := range tests {
		c := Check(test.content, 0)
		if c.Fault != test.fault || c.Name != test.name {
			t.Errorf("%q: fault %q %q, want %q %q", test.content, c.Fault, c.Name, test.fault, test.name)
		}
	}
}

// FuzzCleaner compares the cleaner with Go's conversion of invalid UTF-8 to runes.
func FuzzCleaner(f *testing.F) {
	for _, s := range []string{
		"", "a\xe2\x82b \xc0\xaf c\xff\xfed", "é€🚀",
		"\xf0\x9f\x9a", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x28\xa1",
	} {
		f.Add([]byte(s), uint8(1))
	}
	f.Fuzz(func(t *testing.T, input []byte, size uint8) {
		var c cleaner
		var got []byte
		step := int(size)%9 + 1
		for i := 0; i < len(input); i += step {
			chunk := input[i:min(i+step, len(input))]
			got = append(got, c.next(chunk)...)
		}
		got = append(got, c.end()...)
		if want := string([]rune(string(input))); string(got) != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

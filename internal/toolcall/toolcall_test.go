package toolcall

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// recorder is a sink that writes down what it is told, with pieces of the same kind joined.
type recorder struct {
	lines []string
}

func (r *recorder) add(kind string, b []byte) {
	if n := len(r.lines); n > 0 && strings.HasPrefix(r.lines[n-1], kind+" ") {
		r.lines[n-1] += string(b)
		return
	}
	r.lines = append(r.lines, kind+" "+string(b))
}

func (r *recorder) Chars(b []byte) { r.add("chars", b) }
func (r *recorder) CDataBegin()    { r.lines = append(r.lines, "begin") }
func (r *recorder) CData(b []byte) { r.add("cdata", b) }
func (r *recorder) CDataEnd()      { r.lines = append(r.lines, "end") }

func (r *recorder) Tag(t *Tag) bool {
	mode, has := t.Attr("mode")
	r.lines = append(r.lines, fmt.Sprintf("tag %s end=%v empty=%v loose=%v mode=%q %v", t.Name, t.End, t.Empty, t.Loose, mode, has))
	return false
}

func TestLexer(t *testing.T) {
	tests := []struct{ input, want string }{
		{"a<b>c", "tag b end=false empty=false loose=false mode=\"\" false"},
		{"<b/>", "tag b end=false empty=true loose=false mode=\"\" false"},
		{"<b />", "tag b end=false empty=true loose=false mode=\"\" false"},
		{"</b\n>", "tag b end=true empty=false loose=false mode=\"\" false"},
		{"<b mode='x'>", "tag b end=false empty=false loose=false mode=\"x\" true"},
		{"<b mode = \"x>y\" a='' >", "tag b end=false empty=false loose=false mode=\"x>y\" true"},
		{"<b mode=x/y>", "tag b end=false empty=false loose=true mode=\"x/y\" true"},
		{"<b mode=x/>", "tag b end=false empty=true loose=true mode=\"x\" true"},
		{"<b mode=x/ >", "tag b end=false empty=false loose=true mode=\"x/\" true"},
		{"<b mode>", "tag b end=false empty=false loose=true mode=\"\" true"},
		{"<b mode/>", "tag b end=false empty=true loose=true mode=\"\" true"},
		{"<b mode=>", "tag b end=false empty=false loose=true mode=\"\" true"},
		{"<b mode='x'a='y'>", "tag b end=false empty=false loose=true mode=\"x\" true"},
		{"<b mode='x' mode='y'>", "tag b end=false empty=false loose=false mode=\"y\" true"},
		{"<b mode='x>y<", "tag b end=false empty=false loose=true mode=\"x\" true"},
		{"<b amode='x'>", "tag b end=false empty=false loose=false mode=\"\" false"},
		{"<B>", ""},
		{"<bb>", ""},
		{"< b>", ""},
		{"</ b>", ""},
		{"<b", ""},
		{"<b a=\"<b\"", ""},
		{"<b !>", ""},
		{"<b / >", ""},
		{"<!b>", ""},
		{"<![CDATA[<b>]]>", "begin|cdata <b>|end"},
		{"<![CDATA[]]]]>", "begin|cdata ]]|end"},
		{"<![CDATA[a]b]]c]]>", "begin|cdata a]b]]c|end"},
		{"<![cdata[<x>]]>", ""},
	}
	for _, test := range tests {
		for size := 1; size <= len(test.input); size++ {
			r := &recorder{}
			l := Lexer{Names: NewNames("b")}
			for i := 0; i < len(test.input); i += size {
				l.Feed([]byte(test.input[i:min(i+size, len(test.input))]), r)
			}
			l.End(r)
			var kept []string
			for _, line := range r.lines {
				if !strings.HasPrefix(line, "chars ") {
					kept = append(kept, line)
				}
			}
			if got := strings.Join(kept, "|"); got != test.want {
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
		var c Checker
		for i := range len(test.content) {
			c.Write([]byte(test.content[i : i+1]))
		}
		c.Close()
		if c.Fault != test.fault || c.Name != test.name {
			t.Errorf("%q: fault %q %q, want %q %q", test.content, c.Fault, c.Name, test.fault, test.name)
		}
	}
}

// FuzzCleaner compares with what the language makes of bytes that are not UTF-8.
func FuzzCleaner(f *testing.F) {
	for _, s := range []string{"", "a\xe2\x82b \xc0\xaf c\xff\xfed", "é€🚀", "\xf0\x9f\x9a", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x28\xa1"} {
		f.Add([]byte(s), uint8(1))
	}
	f.Fuzz(func(t *testing.T, input []byte, size uint8) {
		var c cleaner
		var got []byte
		step := int(size)%9 + 1
		for i := 0; i < len(input); i += step {
			chunk := input[i:min(i+step, len(input))]
			for len(chunk) > 0 || c.pending() {
				var clean []byte
				clean, chunk = c.next(chunk)
				got = append(got, clean...)
			}
		}
		got = append(got, c.end()...)
		if want := string([]rune(string(input))); string(got) != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// FuzzIndex compares the searches of eight bytes at a time with plain loops.
func FuzzIndex(f *testing.F) {
	f.Add([]byte("0123456789<abcdef`ghi\n\x1f\"\\\x80\xff"), byte('<'), byte('`'), byte('\n'))
	f.Add([]byte("01234567890123456789"), byte('<'), byte('`'), byte('\n'))
	f.Add([]byte("012345678\x00\x01\x00<"), byte('<'), byte('='), byte('\n'))
	f.Add([]byte("\x00\x01\x80\x81\xff;=<"), byte('<'), byte(0), byte(0xff))
	f.Fuzz(func(t *testing.T, s []byte, a, b, c byte) {
		index := func(found func(byte) bool) int {
			if i := bytes.IndexFunc(latin(s), func(r rune) bool { return found(byte(r)) }); i >= 0 {
				return len([]rune(string(latin(s)[:i])))
			}
			return len(s)
		}
		if got, want := Index3(s, a, b, c), index(func(x byte) bool { return x == a || x == b || x == c }); got != want {
			t.Errorf("Index3 %d, want %d", got, want)
		}
		if got, want := indexInString(s), index(func(x byte) bool { return x == '"' || x == '\\' || x < ' ' }); got != want {
			t.Errorf("indexInString %d, want %d", got, want)
		}
		a, b, c = a&0x7f, b&0x7f, c&0x7f
		checks := []struct {
			name string
			got  bool
			ends func(x byte) bool
		}{
			{"plain", plain(s, a, b, c), func(x byte) bool { return x == a || x == b || x == c || x >= 0x80 }},
			{"ascii", ascii(s), func(x byte) bool { return x >= 0x80 }},
			{"PlainString", PlainString(s), func(x byte) bool { return x == '"' || x == '\\' || x < ' ' || x >= 0x80 }},
		}
		for _, check := range checks {
			if want := index(check.ends) == len(s); check.got != want {
				t.Errorf("%s %v, want %v", check.name, check.got, want)
			}
		}
	})
}

// latin writes each byte as the character of that number.
func latin(s []byte) []byte {
	var out []byte
	for _, b := range s {
		out = append(out, string(rune(b))...)
	}
	return out
}

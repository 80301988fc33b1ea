package markdown

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

const (
	leftToRightIsolate  = '\u2066'
	rightToLeftIsolate  = '\u2067'
	firstStrongIsolate  = '\u2068'
	popDirectionIsolate = '\u2069'
)

// clean gives valid UTF-8 with "\n" between lines. A control character becomes its picture, so that it is seen.
func clean(s string) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\n' || r == '\t':
			return r
		case r == 0 || r >= 0x80 && r < 0xA0:
			return utf8.RuneError
		case r < ' ':
			return '\u2400' + r
		case r == 0x7F:
			return '\u2421'
		}
		return r
	}, s)
}

// isBidi reports whether r steers the bidirectional algorithm from outside the text: an embedding, an override, an isolate or
// the end of one (https://www.unicode.org/reports/tr9/, 2.1 to 2.5). The marks U+200E, U+200F and U+061C are letters without
// a shape; they turn nothing round that a letter would not.
func isBidi(r rune) bool {
	return r >= '\u202A' && r <= '\u202E' || r >= leftToRightIsolate && r <= popDirectionIsolate
}

// prose escapes text for HTML. Right-to-left letters need no help and get none; the control characters that could show a text
// in another order than it has are dealt with so:
//
//   - An isolate that holds no other control and ends within the text, which is how names and paths are set in a text of the
//     other direction, becomes a bdi element. That does the same, and ends where the element ends.
//   - All others are shown by their code points, as VS Code's editor does, and do nothing.
func prose(out *strings.Builder, s string) {
	for {
		at := strings.IndexFunc(s, isBidi)
		if at < 0 {
			out.WriteString(html.EscapeString(s))
			return
		}
		out.WriteString(html.EscapeString(s[:at]))
		control, size := utf8.DecodeRuneInString(s[at:])
		s = s[at+size:]
		end := strings.IndexFunc(s, isBidi)
		if open := isolating(control); open != "" && end >= 0 && strings.HasPrefix(s[end:], string(popDirectionIsolate)) {
			out.WriteString(open + html.EscapeString(s[:end]) + "</bdi>")
			s = s[end+size:]
			continue
		}
		out.WriteString(`<span class="md-control">` + codePoint(control) + "</span>")
	}
}

// isolating gives the tag that does what an isolate does, or "".
func isolating(control rune) string {
	switch control {
	case leftToRightIsolate:
		return `<bdi dir="ltr">`
	case rightToLeftIsolate:
		return `<bdi dir="rtl">`
	case firstStrongIsolate:
		return "<bdi>"
	}
	return ""
}

// verbatim escapes code for HTML. Code has one direction, so every control character is shown.
func verbatim(out *strings.Builder, s string) {
	escape(out, s, `<span class="md-control">`, "</span>")
}

// attribute escapes text for the value of an attribute.
func attribute(s string) string {
	var out strings.Builder
	escape(&out, s, "", "")
	return out.String()
}

// escape escapes text for HTML, with the code point of each control character between before and after.
func escape(out *strings.Builder, s, before, after string) {
	for {
		at := strings.IndexFunc(s, isBidi)
		if at < 0 {
			out.WriteString(html.EscapeString(s))
			return
		}
		control, size := utf8.DecodeRuneInString(s[at:])
		out.WriteString(html.EscapeString(s[:at]) + before + codePoint(control) + after)
		s = s[at+size:]
	}
}

func codePoint(r rune) string {
	return fmt.Sprintf("U+%04X", r)
}

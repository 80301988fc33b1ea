package dialect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"followup/internal/question"
)

// codes is a sorted list that holds each code once.
type codes []question.Code

func (c *codes) add(more ...question.Code) {
	for _, code := range more {
		if i, found := slices.BinarySearch(*c, code); !found {
			*c = slices.Insert(*c, i, code)
		}
	}
}

// trimmed collects a text: CRLF becomes LF, and white space at both ends is left out. What is known of it can be taken
// while it grows.
type trimmed struct {
	text  strings.Builder
	solid int  // up to here the text is known to be followed by more, or to end
	taken int  // up to here it was taken
	cr    bool // a carriage return was read last
	whole bool // white space on the left is kept
	first int  // bytes to make room for at first
}

// Rooms of texts, in bytes.
const (
	minText      = 64       // the least that a text is given
	questionRoom = 2 << 10  // what a question is given at first
	smallText    = 64 << 10 // up to here the room grows fourfold, since a question that is long may well be longer
)

// write adds whole characters.
func (t *trimmed) write(s string) {
	if s == "" {
		return
	}
	if t.cr {
		t.cr = false
		if s[0] != '\n' {
			t.put("\r")
		}
	}
	if s[len(s)-1] == '\r' {
		t.cr = true
		s = s[:len(s)-1]
	}
	t.put(strings.ReplaceAll(s, "\r\n", "\n"))
}

func (t *trimmed) put(s string) {
	if t.text.Len() == 0 && !t.whole {
		s = trimLeft(s)
	}
	if s != "" {
		t.add(s, lenTrimmed(s))
	}
}

// add adds s, of which the first solid bytes do not end with white space.
func (t *trimmed) add(s string, solid int) {
	n := t.text.Len()
	if solid > 0 {
		t.solid = n + solid
	}
	if t.text.Cap()-n < len(s) {
		t.makeRoom(len(s))
	}
	t.text.WriteString(s)
}

// makeRoom makes room for n bytes and more. Grow doubles what there is before it adds, where Write would add a quarter.
func (t *trimmed) makeRoom(n int) {
	switch room := t.text.Cap(); {
	case room == 0:
		t.text.Grow(max(n, t.first, minText))
	case questionRoom <= room && room <= smallText/4:
		t.text.Grow(max(n, 2*room))
	default:
		t.text.Grow(n)
	}
}

// lenTrimmed returns the length of s without the white space at its end.
func lenTrimmed(s string) int {
	n := lenTrimmedASCII(s)
	if n == 0 || s[n-1] < utf8.RuneSelf {
		return n
	}
	return len(strings.TrimRightFunc(s[:n], isSpace))
}

// trimLeft returns s without the white space at its beginning.
func trimLeft(s string) string {
	if s != "" && solidASCII(s[0]) {
		return s
	}
	return strings.TrimLeftFunc(s, isSpace)
}

// lenTrimmedASCII returns the length of s without the ASCII white space at its end.
func lenTrimmedASCII(s string) int {
	n := len(s)
	for n > 0 && (s[n-1] == ' ' || '\t' <= s[n-1] && s[n-1] <= '\r') {
		n--
	}
	return n
}

// String returns the text without white space at its ends.
func (t *trimmed) String() string { return t.text.String()[:t.solid] }

// untrimmed returns the text with the white space at its ends, unless there is nothing else.
func (t *trimmed) untrimmed() string {
	if t.solid == 0 {
		return ""
	}
	if t.cr {
		t.cr = false
		t.put("\r")
	}
	return t.text.String()
}

// take returns what is known of the text and was not taken before.
func (t *trimmed) take() string {
	fresh := t.text.String()[t.taken:t.solid]
	t.taken = t.solid
	return fresh
}

// isSpace reports whether r is trimmed: Unicode White_Space and the byte order mark.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

// trim returns s without the white space at its ends, where there mostly is none.
func trim(s string) string {
	if n := len(s); n > 0 && solidASCII(s[0]) && solidASCII(s[n-1]) {
		return s
	}
	return strings.TrimFunc(s, isSpace)
}

func solidASCII(c byte) bool { return ' ' < c && c < utf8.RuneSelf }

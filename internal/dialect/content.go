package dialect

import (
	"bytes"
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
func (t *trimmed) write(b []byte) {
	if len(b) == 0 {
		return
	}
	if t.cr {
		t.cr = false
		if b[0] != '\n' {
			t.put([]byte("\r"))
		}
	}
	if bytes.IndexByte(b, '\r') >= 0 {
		if b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")); b[len(b)-1] == '\r' {
			t.cr = true
			b = b[:len(b)-1]
		}
	}
	t.put(b)
}

func (t *trimmed) put(b []byte) {
	if t.text.Len() == 0 && !t.whole {
		b = trimLeft(b)
	}
	if len(b) > 0 {
		t.add(b, lenTrimmed(b))
	}
}

// add adds b, of which the first solid bytes do not end with white space.
func (t *trimmed) add(b []byte, solid int) {
	n := t.text.Len()
	if solid > 0 {
		t.solid = n + solid
	}
	if t.text.Cap()-n < len(b) {
		t.makeRoom(len(b))
	}
	t.text.Write(b)
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

// lenTrimmed returns the length of b without the white space at its end.
func lenTrimmed(b []byte) int {
	n := lenTrimmedASCII(b)
	if n == 0 || b[n-1] < utf8.RuneSelf {
		return n
	}
	return len(bytes.TrimRightFunc(b[:n], isSpace))
}

// trimLeft returns b without the white space at its beginning.
func trimLeft(b []byte) []byte {
	if len(b) > 0 && solidASCII(b[0]) {
		return b
	}
	return bytes.TrimLeftFunc(b, isSpace)
}

// lenTrimmedASCII returns the length of b without the ASCII white space at its end.
func lenTrimmedASCII[T string | []byte](b T) int {
	n := len(b)
	for n > 0 && (b[n-1] == ' ' || '\t' <= b[n-1] && b[n-1] <= '\r') {
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
		t.put([]byte("\r"))
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

package dialect

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"followup/internal/question"
	"followup/internal/toolcall"
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
			t.put(carriageReturn)
		}
	}
	for {
		i := bytes.IndexByte(b, '\r')
		if i < 0 {
			t.put(b)
			return
		}
		t.put(b[:i])
		if b = b[i+1:]; len(b) == 0 {
			t.cr = true
			return
		}
		if b[0] != '\n' {
			t.put(carriageReturn)
		}
	}
}

var carriageReturn = []byte("\r")

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
	for len(b) > 0 && isSpaceASCII(b[0]) {
		b = b[1:]
	}
	if len(b) == 0 || b[0] < utf8.RuneSelf {
		return b
	}
	return bytes.TrimLeftFunc(b, isSpace)
}

func isSpaceASCII(c byte) bool { return c <= ' ' && (c == ' ' || c >= '\t' && c <= '\r') }

// lenTrimmedASCII returns the length of b without the ASCII white space at its end.
func lenTrimmedASCII(b []byte) int {
	n := len(b)
	for n > 0 && isSpaceASCII(b[n-1]) {
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
		t.put(carriageReturn)
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

func trim(s string) string { return strings.TrimFunc(s, isSpace) }

// content decodes the characters of an element: entities once, CDATA as it is. What is not well-formed stays as written,
// and is noted.
type content struct {
	check toolcall.Checker
	trimmed
	entity []byte            // what was read of an entity, from its &
	char   [utf8.UTFMax]byte // the character of one
}

// reset makes c ready for the next element. Texts that were taken from it stay.
func (c *content) reset() {
	c.check.Reset()
	c.trimmed = trimmed{}
	c.entity = c.entity[:0]
}

// Chars takes characters as they were written.
func (c *content) Chars(b []byte) {
	for len(b) > 0 {
		switch {
		case len(c.entity) > 0:
			b = b[c.readEntity(b):]
		case b[0] == '&':
			c.entity = append(c.entity, '&')
			if c.check.Busy() {
				c.check.Step('&')
			}
			b = b[1:]
		case c.check.Busy():
			n := 0
			for n < len(b) && b[n] != '&' && c.check.Busy() && c.check.Step(b[n]) {
				n++
			}
			c.write(b[:n]) // at once, so that no character is written in pieces
			b = b[n:]
		case b[0] == '<':
			c.check.Less()
			c.write(b[:1])
			b = b[1:]
		default:
			i := toolcall.Index3(b, '<', '&', '&')
			c.write(b[:i])
			b = b[i:]
		}
	}
}

// busy reports whether something is not complete, so that characters are not just added to the text.
func (c *content) busy() bool { return len(c.entity) > 0 || c.check.Busy() }

// Literal takes characters of a CDATA section.
func (c *content) Literal(b []byte) {
	c.cut()
	c.write(b)
}

// cut ends what is not complete, since something else begins.
func (c *content) cut() {
	if len(c.entity) > 0 {
		c.bareEntity()
	}
	c.check.Interrupt()
}

// close ends the element.
func (c *content) close() {
	c.cut()
	c.check.Close()
}

// readEntity reads on in an entity, and returns how many bytes of b belong to it.
func (c *content) readEntity(b []byte) int {
	for i, ch := range b {
		if ch == ';' {
			if r, ok := decodeEntity(string(c.entity[1:])); ok {
				c.entity = c.entity[:0]
				c.write(utf8.AppendRune(c.char[:0], r))
				return i + 1
			}
		}
		if ch == ';' || !entityGoesOn(c.entity[1:], ch) {
			c.bareEntity()
			return i
		}
		c.entity = append(c.entity, ch)
	}
	return len(b)
}

func (c *content) bareEntity() {
	if !c.check.InComment() {
		c.check.Report(toolcall.BareAmpersand, "")
	}
	c.write(c.entity)
	c.entity = c.entity[:0]
}

var predefined = map[string]rune{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\''}

const maxReference = 32 // bytes of a numeric reference, which may have any number of leading zeros

// entityGoesOn reports whether c can follow name, which began an entity that is known.
func entityGoesOn(name []byte, c byte) bool {
	if len(name) > 0 && name[0] == '#' {
		hex := len(name) > 1 && name[1] == 'x'
		return len(name) < maxReference &&
			('0' <= c && c <= '9' || c == 'x' && len(name) == 1 || hex && strings.IndexByte("abcdefABCDEF", c) >= 0)
	}
	if c == '#' {
		return len(name) == 0
	}
	for known := range predefined {
		if len(known) > len(name) && known[:len(name)] == string(name) && known[len(name)] == c {
			return true
		}
	}
	return false
}

// decodeEntity returns the character of one of XML's predefined entities, or of a numeric reference to a character that
// XML 1.0 allows.
func decodeEntity(name string) (rune, bool) {
	if r, ok := predefined[name]; ok {
		return r, true
	}
	digits, base := strings.TrimPrefix(name, "#"), 10
	if digits == name {
		return 0, false
	}
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n > unicode.MaxRune {
		return 0, false
	}
	r := rune(n)
	ok := r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r < 0xD800 || r >= 0xE000 && r != 0xFFFE && r != 0xFFFF
	return r, ok
}

// decodeAttr decodes an attribute's value, and reports whether its entities are all known.
func decodeAttr(value string) (string, bool) {
	if value == "" {
		return "", true
	}
	if strings.IndexByte(value, '&') < 0 && strings.IndexByte(value, '<') < 0 && strings.IndexByte(value, '\r') < 0 {
		return trim(value), true // as below, without a copy
	}
	var c content
	c.Chars([]byte(value))
	c.close()
	return c.String(), c.check.Fault == toolcall.NoFault
}

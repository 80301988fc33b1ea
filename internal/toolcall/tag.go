package toolcall

import (
	"slices"
	"strings"
)

// Tag is a tag with its offsets in the text.
type Tag struct {
	Name       string // a name of the set
	Start, End int    // from its < to after its >
	Closing    bool   // </name>
	Empty      bool   // a self-closing tag, <name/>
	Loose      bool   // an attribute has another form than name="value" or name='value'
}

// Opening reports whether the tag opens an element with content.
func (t *Tag) Opening() bool { return !t.Closing && !t.Empty }

// Attr returns the raw value of an attribute, without quotes; the last one if it is repeated. s is the text that the tag was read from.
// A value without its closing quote extends to the end of the tag.
func (t *Tag) Attr(s, name string) (value string) {
	if t.End-t.Start == len(t.Name)+len("<>") {
		return ""
	}
	r := tagReader{wanted: name}
	r.read(nil, s, t.Start)
	return r.value
}

// Names is a set of element names.
type Names struct {
	byFirst [32][]string // sorted names, by the low bits of their first byte
	second  [256]bool    // bytes that may follow the < of a tag of the set, or of a CDATA section
}

// NewNames returns the set of the given names, without empty ones.
func NewNames(names ...string) *Names {
	set := &Names{second: stops("/!")}
	for _, name := range slices.Sorted(slices.Values(names)) {
		if name != "" {
			set.byFirst[name[0]%32] = append(set.byFirst[name[0]%32], name)
			set.second[name[0]] = true
		}
	}
	return set
}

// find returns the first name that begins with b, and whether it equals b. b must not be empty. The nil set has all names.
func (s *Names) find(b string) (name string, whole bool) {
	if s == nil {
		return b, true
	}
	for _, name := range s.byFirst[b[0]%32] {
		if strings.HasPrefix(name, b) {
			return name, len(name) == len(b)
		}
	}
	return "", false
}

func (s *Names) has(name string) bool {
	_, whole := s.find(name)
	return whole
}

// tagReader reads XML 1.0 tags (STag, ETag, EmptyElemTag). It accepts attributes without a value, quotes or space between them.
type tagReader struct {
	strict  bool     // reject attributes without a value
	oneLine bool     // the tag must end on its line
	scanner *Scanner // source of more text; nil if the text is complete
	wanted  string   // name of the attribute to return
	value   string   // its value

	// The current tag, if it has attributes:

	text        string
	at          int // offset of the next unread byte
	tag         Tag
	endsInValue bool // the tag has ended inside a value without closing quote
}

// read reads the tag at an offset, where there is a <. The tag must have one of the names. If there is none, there is no other < before
// t.End. It reads a name only as long as that can still be one of names.
func (r *tagReader) read(names *Names, text string, at int) (t Tag, ok bool) {
	t = Tag{Start: at}
	from, whole := 0, false
	for more := true; more; {
		from = at + 1
		if t.Closing = from < len(text) && text[from] == '/'; t.Closing {
			from++
		}
		t.End = from
		for t.End < len(text) && classOf[text[t.End]] >= letter {
			t.End++
		}
		if whole = from < t.End && classOf[text[from]] == letter; whole {
			t.Name, whole = names.find(text[from:t.End])
		}
		more = t.End == len(text) && (from == t.End || t.Name != "") && r.scanner != nil && r.scanner.fill()
		if more {
			text = r.scanner.raw
		}
	}
	switch {
	case !whole:
		return t, false
	case t.End < len(text) && text[t.End] == '>':
		t.End++
		return t, true
	}
	r.text, r.at, r.tag, r.endsInValue = text, t.End, t, false
	ok = r.attributes()
	r.tag.End = r.at
	return r.tag, ok
}

// index returns the index of the first < that may begin a tag of the set or a CDATA section, or len(text).
func (s *Names) index(text string) int {
	for i := 0; ; i++ {
		j := strings.IndexByte(text[i:], '<')
		if j < 0 {
			return len(text)
		}
		if i += j; i+1 == len(text) || s.second[text[i+1]] {
			return i
		}
	}
}

// peek returns the class of the next character; endOfText if there is none.
func (r *tagReader) peek() class {
	if r.at == len(r.text) {
		if r.scanner == nil || !r.scanner.fill() {
			return endOfText
		}
		r.text = r.scanner.raw
	}
	if r.oneLine && r.text[r.at] == '\n' {
		return endOfText
	}
	return classOf[r.text[r.at]]
}

func (r *tagReader) skipSpace() bool {
	from := r.at
	for r.peek() == space {
		r.at++
	}
	return r.at > from
}

// attributes reads the tag from its name on, and reports whether it is a tag.
func (r *tagReader) attributes() bool {
	for {
		spaced := r.skipSpace()
		switch c := r.peek(); {
		case c == greater:
			r.at++
			return true
		case r.tag.Closing:
			return false
		case c == slash:
			r.at++
			if r.tag.Empty = r.peek() == greater; r.tag.Empty {
				r.at++
			}
			return r.tag.Empty
		case c != letter:
			return false
		}
		r.tag.Loose = r.tag.Loose || !spaced
		if ok := r.attribute(); !ok || r.endsInValue {
			return ok
		}
	}
}

// attribute reads an attribute, and reports whether it is valid.
func (r *tagReader) attribute() (ok bool) {
	from := r.at
	for c := r.peek(); c == letter || c == digit; c = r.peek() {
		r.at++
	}
	name := r.text[from:r.at]
	spaced := r.skipSpace()
	value := ""
	switch c := r.peek(); {
	case c == equals:
		r.at++
		r.skipSpace()
		if value, ok = r.attributeValue(); name == r.wanted {
			r.value = value
		}
		return ok
	case r.strict, c != slash && c != greater && (!spaced || c != letter):
		return false
	case spaced:
		r.at--
	}
	r.tag.Loose = true
	return true
}

// attributeValue reads the value of an attribute. If its quote is not closed before the next <, the tag ends at the first >.
func (r *tagReader) attributeValue() (value string, ok bool) {
	quote := r.peek()
	if quote != single && quote != double {
		r.tag.Loose = true
		return r.bareValue(), true
	}
	r.at++
	for from, tagEnd := r.at, 0; ; r.at++ {
		r.at += indexAny(r.text[r.at:], &valueStops)
		switch c := r.peek(); {
		case c == quote:
			r.at++
			return r.text[from : r.at-1], true
		case c == greater && tagEnd == 0:
			tagEnd = r.at + 1
		case c == less && tagEnd > 0:
			r.at, r.endsInValue, r.tag.Loose = tagEnd, true, true
			return strings.TrimRight(r.text[from:r.at], blanks+"/>"), true
		case c == less, c == endOfText:
			return "", false
		}
	}
}

// bareValue reads a value without quotes. In a final />, the / belongs to the tag.
func (r *tagReader) bareValue() string {
	from := r.at
	for c := r.peek(); c != space && c != greater && c != less && c != endOfText; c = r.peek() {
		r.at++
	}
	value := r.text[from:r.at]
	if r.peek() != greater || !strings.HasSuffix(value, "/") {
		return value
	}
	if len(value) > 1 {
		r.at--
	}
	return value[:len(value)-1]
}

// class is the role of a character in a tag.
type class uint8

const (
	other class = iota
	less
	greater
	slash
	equals
	double
	single
	space
	letter // begins a name
	digit  // continues a name; also - and .
	endOfText
)

var classOf = func() (all [256]class) {
	for i := range all {
		switch c := byte(i); {
		case isSpace(c):
			all[i] = space
		case isNameStart(c):
			all[i] = letter
		case isDigit(c) || c == '-' || c == '.':
			all[i] = digit
		default:
			all[i] = class(strings.IndexByte(`<>/="'`, c) + 1)
		}
	}
	return all
}()

const blanks = " \t\r\n"

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func isNameStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == ':' || c >= 0x80
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

package toolcall

import (
	"slices"
	"strings"
)

// Tag is one tag, and where it stands in what it was read from.
type Tag struct {
	Name       string // one of a set
	Start, End int    // from its < to behind its >
	Closing    bool   // </name>
	Empty      bool   // a self-closing tag, <name/>
	Loose      bool   // an attribute is not written name="value" or name='value'
}

// Opening reports whether something stands between the tag and a closing one.
func (t *Tag) Opening() bool { return !t.Closing && !t.Empty }

// Attr returns the last value of an attribute as written, without quotes. One whose quote is not closed reaches to the tag's end.
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
	byFirst [32][]string // sorted, by the last bits of their first byte
	begins  [256]bool    // behind a < with which a tag of the set may begin, or a CDATA section
}

// NewNames returns the set of the given names; empty ones are left out.
func NewNames(names ...string) *Names {
	set := &Names{begins: stops("/!")}
	for _, name := range slices.Sorted(slices.Values(names)) {
		if name != "" {
			set.byFirst[name[0]%32] = append(set.byFirst[name[0]%32], name)
			set.begins[name[0]] = true
		}
	}
	return set
}

// find returns the first name that begins with b, which is not empty, and whether it is b. The nil set has all names.
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

// tagReader reads XML 1.0 tags (STag, ETag, EmptyElemTag). Attributes may lack their value, its quotes and the space between them.
type tagReader struct {
	strict  bool     // attributes without a value make it no tag
	line    bool     // it must end on its line
	scanner *Scanner // of the text; nil where that is complete
	wanted  string   // the attribute whose value is kept
	value   string   // of that

	// Of a tag that has attributes:

	text  string
	at    int // up to here it was read
	tag   Tag
	ended bool // in an attribute
}

// read reads the tag that begins with the < at a place, which must have one of the names. Where there is none, what ends with t holds
// no < but the first. The name is read only as far as one of the names may begin so.
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
	r.text, r.at, r.tag, r.ended = text, t.End, t, false
	ok = r.attributes()
	r.tag.End = r.at
	return r.tag, ok
}

// index returns the index of the first < in text with which a tag of the set or a CDATA section may begin, or len(text).
func (s *Names) index(text string) int {
	for i := 0; ; i++ {
		j := strings.IndexByte(text[i:], '<')
		if j < 0 {
			return len(text)
		}
		if i += j; i+1 == len(text) || s.begins[text[i+1]] {
			return i
		}
	}
}

// peek returns what the next character is; end where there is none.
func (r *tagReader) peek() class {
	if r.at == len(r.text) {
		if r.scanner == nil || !r.scanner.fill() {
			return end
		}
		r.text = r.scanner.raw
	}
	if r.line && r.text[r.at] == '\n' {
		return end
	}
	return classOf[r.text[r.at]]
}

func (r *tagReader) white() bool {
	from := r.at
	for r.peek() == white {
		r.at++
	}
	return r.at > from
}

// attributes reads what follows the name, and reports whether that is the rest of a tag.
func (r *tagReader) attributes() bool {
	for {
		spaced := r.white()
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
		if ok := r.attribute(); !ok || r.ended {
			return ok
		}
	}
}

// attribute reads an attribute, and reports whether it is one.
func (r *tagReader) attribute() (ok bool) {
	from := r.at
	for c := r.peek(); c == letter || c == digit; c = r.peek() {
		r.at++
	}
	name := r.text[from:r.at]
	spaced := r.white()
	value := ""
	switch c := r.peek(); {
	case c == equals:
		r.at++
		r.white()
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

// attributeValue reads the value of an attribute. If nothing closes its quote before the next <, the tag ends at the first >.
func (r *tagReader) attributeValue() (value string, ok bool) {
	quote := r.peek()
	if quote != single && quote != double {
		r.tag.Loose = true
		return r.bareValue(), true
	}
	r.at++
	for from, tagEnd := r.at, 0; ; r.at++ {
		r.at += until(r.text[r.at:], &valueStops)
		switch c := r.peek(); {
		case c == quote:
			r.at++
			return r.text[from : r.at-1], true
		case c == greater && tagEnd == 0:
			tagEnd = r.at + 1
		case c == less && tagEnd > 0:
			r.at, r.ended, r.tag.Loose = tagEnd, true, true
			return strings.TrimRight(r.text[from:r.at], blanks+"/>"), true
		case c == less, c == end:
			return "", false
		}
	}
}

// bareValue reads a value without quotes. A / at its end belongs to the tag, as XML would have it.
func (r *tagReader) bareValue() string {
	from := r.at
	for c := r.peek(); c != white && c != greater && c != less && c != end; c = r.peek() {
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

// class is what a character may be in a tag.
type class uint8

const (
	other class = iota
	less
	greater
	slash
	equals
	double
	single
	white
	letter // of a name
	digit  // and the like, which go on a name
	end    // of the text
)

var classOf = func() (all [256]class) {
	for i := range all {
		switch c := byte(i); {
		case isSpace(c):
			all[i] = white
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

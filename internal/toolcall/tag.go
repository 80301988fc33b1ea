package toolcall

import (
	"iter"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Tag is a tag with its offsets in the text.
type Tag struct {
	Name       string // a name of the set
	Index      int    // its index in the set
	Start, End int    // from its < to after its >
	Closing    bool   // </name>
	Empty      bool   // a self-closing tag, <name/>
	Loose      bool   // an attribute has another form than name="value" or name='value'
	bare       bool   // an attribute has no value
	cut        bool   // the text ends in it
}

// Opening reports whether the tag opens an element with content.
func (t *Tag) Opening() bool { return !t.Closing && !t.Empty }

// Attributes returns an iterator over the names and the values, as written, of the attributes that have a value. s is the text that the
// tag was read from. A value without its closing quote extends to the end of the tag.
func (t *Tag) Attributes(s string) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for at := t.Start + len("<") + len(t.Name); at < t.End; {
			if classOf[s[at]] != letter && (s[at] != '=' || at > t.Start+len("<")+len(t.Name)) {
				at++
				continue
			}
			a, _ := readAttribute(s, at)
			if at = a.end; a.valued && !yield(a.name, a.value) {
				return
			}
		}
	}
}

// Attr returns the value, as written, of an attribute, which may lack its name; the last one if it is repeated.
func (t *Tag) Attr(s, name string) (value string) {
	for key, v := range t.Attributes(s) {
		if key == name || key == "" {
			value = v
		}
	}
	return value
}

// Names is a set of element names.
type Names struct {
	names   []string
	byFirst [32][]int  // indexes of the names, sorted by name, by the low bits of their first byte
	pairs   [32]uint32 // bits of the second bytes, by first byte; of both, the low 5 bits count
}

// NewNames returns the set of the given names, without empty ones.
func NewNames(names ...string) *Names {
	set := &Names{names: names}
	for i, name := range names {
		if name == "" {
			continue
		}
		first := &set.byFirst[name[0]%32]
		at, _ := slices.BinarySearchFunc(*first, name, func(i int, name string) int { return strings.Compare(names[i], name) })
		*first = slices.Insert(*first, at, i)
		if pairs := &set.pairs[name[0]%32]; len(name) == 1 {
			*pairs = math.MaxUint32
		} else {
			*pairs |= 1 << (name[1] % 32)
		}
	}
	return set
}

// find returns the first name that begins with b, its index, and whether it equals b. b must not be empty. The nil set has all names.
func (s *Names) find(b string) (name string, index int, whole bool) {
	if s == nil {
		return b, 0, true
	}
	for _, i := range s.byFirst[b[0]%32] {
		if name = s.names[i]; strings.HasPrefix(name, b) {
			return name, i, len(name) == len(b)
		}
	}
	return "", 0, false
}

func (s *Names) has(name string) bool {
	_, _, whole := s.find(name)
	return whole
}

// index returns the index of the first < that may begin a tag of the set or a CDATA section, or len(text).
func (s *Names) index(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] != '<' {
			j := strings.IndexByte(text[i:], '<')
			if j < 0 {
				break
			}
			i += j
		}
		if s.begins(text[i:]) {
			return i
		}
	}
	return len(text)
}

// begins reports whether a tag of the set or a CDATA section may begin at the start of text, which is a <.
func (s *Names) begins(text string) bool {
	i := 1
	if len(text) > 1 && text[1] == '/' {
		i = 2
	}
	return len(text) < i+2 || s.pairs[text[i]%32]>>(text[i+1]%32)&1 > 0 || text[1] == '!' && text[2] == '['
}

// readTag reads the XML 1.0 tag (STag, ETag, EmptyElemTag) at an offset, where there is a <. The tag must have one of the names. It accepts
// attributes without a value, quotes or space between them, and <name=value> as an attribute without a name. If there is no tag, there is
// no other < before t.End, and t.cut reports whether more text may complete it.
func readTag(names *Names, text string, at int) (t Tag, ok bool) {
	from := at + 1
	t = Tag{Start: at, Closing: from < len(text) && text[from] == '/'}
	if t.Closing {
		from++
	}
	t.End = skipName(text, from)
	named := from < t.End && classOf[text[from]] == letter
	if named {
		t.Name, t.Index, named = names.find(text[from:t.End])
	}
	if t.End == len(text) {
		t.cut = from == t.End || t.Name != ""
		return t, false
	}
	for spaced := false; named && t.End < len(text); {
		switch c := classOf[text[t.End]]; {
		case c == greater:
			t.End++
			return t, true
		case c == space:
			spaced = true
			t.End++
		case t.Closing, c != letter && c != slash && (names == nil || text[t.End] != '=' || spaced):
			return t, false
		case c == slash:
			if t.End++; t.End < len(text) {
				if t.Empty = text[t.End] == '>'; t.Empty {
					t.End++
				}
				return t, t.Empty
			}
		default:
			a, ok := readAttribute(text, t.End)
			t.End = a.end
			t.Loose = t.Loose || a.loose || !spaced
			t.bare = t.bare || !a.valued
			if spaced = false; !ok || a.endsTag {
				return t, ok
			}
		}
	}
	t.cut = named
	return t, false
}

// attribute is an attribute in a tag.
type attribute struct {
	name, value string
	end         int
	valued      bool // it has a value
	loose       bool // it has another form than name="value" or name='value'
	endsTag     bool // its quote is not closed before the next <, so the tag ends at the first >
}

// readAttribute reads the attribute at an offset, and reports whether it is valid. It ends with the text if that is cut.
func readAttribute(text string, at int) (a attribute, ok bool) {
	end := skipName(text, at)
	a.name, a.end = text[at:end], skipSpace(text, end)
	switch {
	case a.end == len(text):
		return a, true
	case text[a.end] != '=':
		c := classOf[text[a.end]]
		ok = c == slash || c == greater || c == letter && a.end > end
		a.end, a.loose = end, true
		return a, ok
	}
	a.valued = true
	from := skipSpace(text, a.end+1)
	if from < len(text) && (text[from] == '"' || text[from] == '\'') {
		return a, a.readQuoted(text, from)
	}
	a.end = from + indexAny(text[from:], &bareStops)
	a.value, a.loose = text[from:a.end], true
	if a.end < len(text) && text[a.end] == '>' && strings.HasSuffix(a.value, "/") { // in a final />, the / belongs to the tag
		if a.value = a.value[:len(a.value)-1]; a.value != "" {
			a.end--
		}
	}
	return a, true
}

// readQuoted reads a value in quotes, which begins at an offset.
func (a *attribute) readQuoted(text string, from int) (ok bool) {
	quote, tagEnd := text[from], 0
	for a.end = from + 1; ; a.end++ {
		a.end += indexAny(text[a.end:], &valueStops)
		switch {
		case a.end == len(text):
			return true
		case text[a.end] == quote:
			a.value = text[from+1 : a.end]
			a.end++
			return true
		case text[a.end] == '>' && tagEnd == 0:
			tagEnd = a.end + 1
		case text[a.end] == '<' && tagEnd > 0:
			a.value = strings.TrimRight(text[from+1:tagEnd], blanks+"/>")
			a.end, a.loose, a.endsTag = tagEnd, true, true
			return true
		case text[a.end] == '<':
			return false
		}
	}
}

func skipName(text string, at int) int {
	for at < len(text) && classOf[text[at]] >= letter {
		at++
	}
	return at
}

func skipSpace(text string, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

// class is the role of a character in a tag.
type class uint8

const (
	other class = iota
	greater
	slash
	space
	letter // begins a name
	digit  // continues a name; also - and .
)

var classOf = func() (all [256]class) {
	for c := utf8.RuneSelf; c < len(all); c++ {
		all[c] = letter
	}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_:"
	for of, chars := range []string{greater: ">", slash: "/", space: blanks, letter: letters, digit: "0123456789-."} {
		for i := range len(chars) {
			all[chars[i]] = class(of) //nolint:gosec // one of the classes
		}
	}
	return all
}()

const blanks = " \t\r\n"

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

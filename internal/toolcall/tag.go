package toolcall

import "strings"

// text is what tags are read in: what is held of a message, or a call as far as it was read.
type text interface{ string | []byte }

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

// Attr returns the value of an attribute of the tag in s, as it was written, without its quotes; of several, the last. A quote
// that nothing closes is dropped, and the value reaches to the end of the tag then.
func (t *Tag) Attr(s, name string) (value string) {
	key, from, state := "", 0, tagStart
	for i := t.Start + 1; i < t.End; i++ {
		next := tagNext[state][classOf[s[i]]] &^ bare
		switch {
		case state != tagAttr && next == tagAttr, !state.inValue() && (next == tagUnquoted || next == tagUnquotedSlash):
			from = i
		case !state.inValue() && next.inValue():
			from = i + 1
		case state == tagAttr && next != tagAttr:
			key = s[from:i]
		case state.inValue() && !next.inValue() && key == name:
			if value = s[from:i]; next >= tagClosed {
				value = strings.TrimSuffix(value, "/")
			}
		}
		state = next
	}
	if state.inValue() && key == name {
		value = strings.TrimRight(s[from:t.End], " \t\r\n/>")
	}
	return value
}

// Names is a set of element names, arranged for looking up the beginning of one.
type Names struct {
	groups [][]string  // by the first byte; of the first group are none
	of     [256]uint16 // the place of a first byte's group
}

// NewNames returns the set of the given names; empty ones are left out.
func NewNames(names ...string) *Names {
	set := &Names{groups: make([][]string, 1, len(names)+1)}
	for _, name := range names {
		if name == "" {
			continue
		}
		of := &set.of[name[0]]
		if *of == 0 {
			*of = uint16(len(set.groups)) //nolint:gosec // at most 256, and one
			set.groups = append(set.groups, nil)
		}
		set.groups[*of] = append(set.groups[*of], name)
	}
	return set
}

// begin gives the names that begin with a byte.
func (s *Names) begin(b byte) []string { return s.groups[s.of[b]] }

// find returns the name that b spells; whole is false where b may only begin one.
func find[T text](s *Names, b T, whole bool) (string, bool) {
	if len(b) == 0 {
		return "", !whole
	}
	for _, name := range s.begin(b[0]) {
		if len(b) == len(name) || !whole && len(b) < len(name) {
			if string(b) == name[:len(b)] {
				return name, true
			}
		}
	}
	return "", false
}

// matcher reads a tag. It keeps its place, so that a tag that comes in many pieces is still read only once: all that looks
// for tags uses one, and looks at no byte of a tag twice. The zero value is ready, and so is one that has given its verdict.
type matcher struct {
	names  *Names // those of which the tag must have one; nil for any
	strict bool   // attributes without a value make it no tag
	line   bool   // it must end on its line

	at      int // bytes read, counted from the <
	state   tagState
	name    string // once all of it was read
	inQuote int    // behind the first > in the quoted value that is open, or 0
	loose   bool
	looked  int // bytes looked at, ever
}

// verdict is what is known of what may be a tag.
type verdict uint8

const (
	more verdict = iota // it goes on
	done                // it is one
	fail                // it is none
)

// anyName is told of a tag that may have any name.
const anyName = "?"

// match reads on in the tag that begins b into t, whose place is counted from the start of b. It returns how many bytes are
// settled: those of the tag, or, when there is none, bytes that hold no < but the first. When the verdict is more, match is
// called again with the same bytes and those that follow them.
func match[T text](m *matcher, b T, t *Tag) (n int, v verdict) {
	if m.at == 0 {
		m.at, m.state = 1, tagStart
	}
	from := m.at
	for v = more; v == more && m.at < len(b); {
		if m.state == tagName || m.state == tagEndName { // most bytes of a tag belong to its name
			for m.at < len(b) && (classOf[b[m.at]] == letter || classOf[b[m.at]] == digit) {
				m.at++
			}
			if m.at == len(b) {
				break
			}
		}
		v = m.step(b[m.at])
		if m.name == "" && v != fail && m.state > tagEndName {
			if name := b[nameStart(b):m.at]; m.names == nil {
				m.name = anyName
			} else if known, ok := find(m.names, name, true); ok {
				m.name = known
			} else {
				v = fail
			}
		}
		if v != fail {
			m.at++
		}
	}
	m.looked += m.at - from
	if v == more && m.name == "" && m.names != nil && m.at >= nameStart(b) {
		if _, begun := find(m.names, b[nameStart(b):m.at], false); !begun {
			v = fail
		}
	}
	if v == fail && m.inQuote > 0 { // an open quote is all that is wrong
		m.loose, m.at, v = true, m.inQuote, done
	}
	if v == more {
		return 0, more
	}
	n = m.at
	if v == done {
		*t = Tag{Name: m.name, End: n, Closing: nameStart(b) == 2, Empty: m.state == tagEmptied, Loose: m.loose}
	}
	m.reset()
	return n, v
}

// reset forgets the tag. It sets single fields because copying the whole struct, which holds pointers, costs a write barrier per tag.
func (m *matcher) reset() {
	m.at, m.state, m.name, m.inQuote, m.loose = 0, tagFail, "", 0, false
}

// nameStart returns where in a tag its name begins.
func nameStart[T text](b T) int {
	if len(b) > 1 && b[1] == '/' {
		return 2
	}
	return 1
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
	classes
)

var classOf = func() (all [256]class) {
	for i := range all {
		switch c := byte(i); {
		case isSpace(c):
			all[i] = white
		case isNameStart(c):
			all[i] = letter
		case isName(c):
			all[i] = digit
		default:
			all[i] = class(strings.IndexByte(`<>/="'`, c) + 1)
		}
	}
	return all
}()

// tagState is where in a tag a matcher stands.
type tagState uint8

const (
	tagFail          tagState = iota // it is none
	tagStart                         // after <
	tagEndStart                      // after </
	tagName                          // in the name
	tagEndName                       // in the name of an end tag
	tagEndSpace                      // after that
	tagSpace                         // between attributes
	tagAttr                          // in an attribute's name
	tagAttrSpace                     // after an attribute's name
	tagEquals                        // after =
	tagDouble                        // in a value in double quotes
	tagSingle                        // in a value in single quotes
	tagUnquoted                      // in a value without quotes
	tagUnquotedSlash                 // after a / in that, which belongs to the tag if it is the last, as XML would have it
	tagValueEnd                      // after a closing quote
	tagSlash                         // after the / of a self-closing tag
	tagClosed                        // behind its >
	tagEmptied                       // behind the > of a self-closing tag

	loose tagState = 0x80         // beside the next state: XML does not have it so
	bare  tagState = 0x40 | loose // and an attribute has no value
)

// inValue reports whether it is in an attribute's value.
func (s tagState) inValue() bool { return tagDouble <= s && s <= tagUnquotedSlash }

// tagNext is what comes after a state by the class of the next character: the grammar is that of XML 1.0 (STag, ETag,
// EmptyElemTag), with values without quotes, attributes without values and none between attributes let through.
var tagNext = [tagClosed][classes]tagState{
	tagStart:         {slash: tagEndStart, letter: tagName},
	tagEndStart:      {letter: tagEndName},
	tagName:          {letter: tagName, digit: tagName, white: tagSpace, slash: tagSlash, greater: tagClosed},
	tagEndName:       {letter: tagEndName, digit: tagEndName, white: tagEndSpace, greater: tagClosed},
	tagEndSpace:      {white: tagEndSpace, greater: tagClosed},
	tagSpace:         {white: tagSpace, letter: tagAttr, slash: tagSlash, greater: tagClosed},
	tagAttr:          {letter: tagAttr, digit: tagAttr, white: tagAttrSpace, equals: tagEquals, slash: tagSlash | bare, greater: tagClosed | bare},
	tagAttrSpace:     {letter: tagAttr | bare, white: tagAttrSpace, equals: tagEquals, slash: tagSlash | bare, greater: tagClosed | bare},
	tagEquals:        otherwise(tagUnquoted|loose, tagEquals, [classes]tagState{double: tagDouble, single: tagSingle, greater: tagClosed | loose}),
	tagDouble:        otherwise(tagDouble, tagDouble, [classes]tagState{double: tagValueEnd}),
	tagSingle:        otherwise(tagSingle, tagSingle, [classes]tagState{single: tagValueEnd}),
	tagUnquoted:      otherwise(tagUnquoted, tagSpace, [classes]tagState{slash: tagUnquotedSlash, greater: tagClosed}),
	tagUnquotedSlash: otherwise(tagUnquoted, tagSpace, [classes]tagState{slash: tagUnquotedSlash, greater: tagEmptied}),
	tagValueEnd:      {white: tagSpace, letter: tagAttr | loose, slash: tagSlash, greater: tagClosed},
	tagSlash:         {greater: tagEmptied},
}

// otherwise adds what comes after white space, and after all else but <, which no value holds.
func otherwise(next, afterWhite tagState, row [classes]tagState) [classes]tagState {
	for c := range row {
		switch {
		case class(c) == white:
			row[c] = afterWhite
		case class(c) != less && row[c] == tagFail:
			row[c] = next
		}
	}
	return row
}

// step takes the next character of the tag, after its <.
func (m *matcher) step(c byte) verdict {
	before, next := m.state, tagNext[m.state][classOf[c]]
	if m.line && c == '\n' || m.strict && next >= bare || next == tagFail {
		return fail
	}
	m.loose = m.loose || next >= loose
	m.state = next &^ bare
	switch quoted := m.state == tagDouble || m.state == tagSingle; {
	case !quoted || before != m.state:
		m.inQuote = 0
	case c == '>' && m.inQuote == 0:
		m.inQuote = m.at + 1
	}
	if m.state >= tagClosed {
		return done
	}
	return more
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func isNameStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == ':' || c >= 0x80
}

func isName(c byte) bool {
	return isNameStart(c) || '0' <= c && c <= '9' || c == '-' || c == '.'
}

package toolcall

import "strings"

// text is what tags are read in: what is held of a message, or a call as far as it was read.
type text interface{ string | []byte }

// Tag is one tag, and where it stands in what it was read from.
type Tag struct {
	Name       string // as it was written, or the equal one of a set
	Start, End int    // from its < to behind its >
	Closing    bool   // </name>
	Empty      bool   // a self-closing tag, <name/>
	Loose      bool   // an attribute is not written name="value" or name='value'
}

// Opening reports whether something stands between the tag and a closing one.
func (t *Tag) Opening() bool { return !t.Closing && !t.Empty }

// Attr returns the value of an attribute of the tag in s, as it was written, without its quotes.
func (t *Tag) Attr(s, name string) string {
	raw, value := s[t.Start+1+len(t.Name):t.End], ""
	for raw != "" {
		end := 0
		for end < len(raw) && !endsKey(raw[end]) {
			end++
		}
		if end == 0 {
			raw = raw[1:]
			continue
		}
		key := raw[:end]
		if raw = strings.TrimLeft(raw[end:], " \t\r\n"); raw == "" || raw[0] != '=' {
			continue
		}
		var v string
		if v, raw = attrValue(strings.TrimLeft(raw[1:], " \t\r\n")); key == name {
			value = v
		}
	}
	return value
}

// endsKey reports whether c stands for the end of an attribute's name.
func endsKey(c byte) bool { return isSpace(c) || c == '=' || c == '/' || c == '>' }

// attrValue splits s, which follows the = of an attribute, into the value and the rest. A quote that nothing closes is
// dropped; the value then reaches to the end of the tag.
func attrValue(s string) (value, rest string) {
	if s[0] == '"' || s[0] == '\'' {
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
			return s[1 : 1+end], s[end+2:]
		}
		return strings.TrimRight(s[1:], " \t\r\n/>"), ""
	}
	end := strings.IndexAny(s, " \t\r\n>")
	if value = s[:end]; s[end] == '>' {
		value = strings.TrimSuffix(value, "/")
	}
	return value, s[end:]
}

// Names is a set of element names, arranged for looking up the beginning of one.
type Names [256][]string

// NewNames returns the set of the given names; empty ones are left out.
func NewNames(names ...string) *Names {
	set := &Names{}
	for _, name := range names {
		if name != "" {
			set[name[0]] = append(set[name[0]], name)
		}
	}
	return set
}

// find returns the name that b spells; whole is false where b may only begin one.
func find[T text](s *Names, b T, whole bool) (string, bool) {
	if len(b) == 0 {
		return "", !whole
	}
	for _, name := range s[b[0]] {
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
	nameEnd int // where the name ends, or 0
	inQuote int // behind the first > in the quoted value that is open, or 0
	closing bool
	empty   bool
	loose   bool
	slash   bool // the last character of a value without quotes
	looked  int  // bytes looked at, ever
}

// verdict is what is known of what may be a tag.
type verdict uint8

const (
	more verdict = iota // it goes on
	done                // it is one
	fail                // it is none
)

// match reads on in the tag that begins b into t, whose place is counted from the start of b. It returns how many bytes are
// settled: those of the tag, or, when there is none, bytes that hold no < but the first. When the verdict is more, match is
// called again with the same bytes and those that follow them.
func match[T text](m *matcher, b T, t *Tag) (n int, v verdict) {
	if m.at == 0 {
		if n := exact(m, b, t); n > 0 {
			return n, done
		}
		m.at = 1
	}
	from := m.at
	v = more
	for ; m.at < len(b); m.at++ {
		c := b[m.at]
		before := m.state
		if before == tagName && isName(c) || before == tagDouble && c != '"' && c != '<' && c != '>' && c != '\n' {
			continue // as most characters
		}
		if v = m.step(c); v == fail || m.line && c == '\n' {
			v = fail
			break
		}
		if before == tagName && m.state != tagName {
			if m.nameEnd = m.at; m.names != nil {
				if _, known := find(m.names, b[m.nameStart():m.nameEnd], true); !known {
					v = fail
					break
				}
			}
		}
		if v == done {
			m.at++
			break
		}
		switch quoted := m.state == tagDouble || m.state == tagSingle; {
		case !quoted || before != m.state:
			m.inQuote = 0
		case c == '>' && m.inQuote == 0:
			m.inQuote = m.at + 1
		}
	}
	m.looked += m.at - from
	if v == more && m.nameEnd == 0 && m.names != nil && m.at >= m.nameStart() {
		if _, begun := find(m.names, b[m.nameStart():m.at], false); !begun {
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
		*t = Tag{End: n, Closing: m.closing, Empty: m.empty, Loose: m.loose}
		if name := b[m.nameStart():m.nameEnd]; m.names != nil {
			t.Name, _ = find(m.names, name, true)
		} else {
			t.Name = string(name)
		}
	}
	m.reset()
	return n, v
}

// reset forgets the tag that is not complete.
func (m *matcher) reset() {
	*m = matcher{names: m.names, strict: m.strict, line: m.line, looked: m.looked}
}

// exact reads <name> and </name>, as most tags are, when all of it is there. It returns 0 for anything else.
func exact[T text](m *matcher, b T, t *Tag) int {
	start := 1
	if len(b) > 1 && b[1] == '/' {
		start = 2
	}
	if m.names == nil || len(b) <= start {
		return 0
	}
	for _, name := range m.names[b[start]] {
		if end := start + len(name); end < len(b) && b[end] == '>' && string(b[start:end]) == name {
			*t = Tag{Name: name, End: end + 1, Closing: start == 2}
			m.looked += end
			return end + 1
		}
	}
	return 0
}

func (m *matcher) nameStart() int {
	if m.closing {
		return 2
	}
	return 1
}

// tagState is where in a tag a matcher stands.
type tagState uint8

const (
	tagStart     tagState = iota // after <
	tagName                      // in the name
	tagSpace                     // between attributes
	tagAttr                      // in an attribute's name
	tagAttrSpace                 // after an attribute's name
	tagEquals                    // after =
	tagDouble                    // in a value in double quotes
	tagSingle                    // in a value in single quotes
	tagUnquoted                  // in a value without quotes
	tagValueEnd                  // after a closing quote
	tagSlash                     // after the / of a self-closing tag
	tagEndSpace                  // after the name of an end tag
)

// step takes the next character of the tag, after its <. The grammar is that of XML 1.0 (STag, ETag, EmptyElemTag); values
// without quotes and attributes without values are let through, and remembered as loose. The verdict is fail when the
// character is not part of a tag.
func (m *matcher) step(c byte) verdict {
	switch m.state {
	case tagStart:
		if c == '/' && !m.closing {
			m.closing = true
			return more
		}
		return m.enter(isNameStart(c), tagName)
	case tagName:
		switch {
		case isName(c):
			return more
		case m.closing:
			return m.afterEndName(c)
		}
		return m.between(c, false)
	case tagEndSpace:
		return m.afterEndName(c)
	case tagSlash:
		if c == '>' {
			m.state, m.empty = tagStart, true
			return done
		}
		return fail
	case tagSpace:
		return m.between(c, true)
	case tagValueEnd:
		m.loose = m.loose || isNameStart(c)
		return m.between(c, true)
	default:
		return m.attribute(c)
	}
}

// attribute goes on within name = value.
func (m *matcher) attribute(c byte) verdict {
	switch m.state {
	case tagAttr:
		if isName(c) {
			return more
		}
		return m.afterAttr(c, false)
	case tagAttrSpace:
		return m.afterAttr(c, true)
	case tagEquals:
		return m.value(c)
	case tagDouble, tagSingle:
		if m.state == tagDouble && c == '"' || m.state == tagSingle && c == '\'' {
			m.state = tagValueEnd
		}
		return m.enter(c != '<', m.state)
	default: // tagUnquoted
		switch {
		case isSpace(c):
			return m.enter(true, tagSpace)
		case c == '>':
			m.empty = m.slash // the / belongs to the tag, as XML would have it
			return done
		}
		m.slash = c == '/'
		return m.enter(c != '<', tagUnquoted)
	}
}

func (m *matcher) enter(ok bool, next tagState) verdict {
	if !ok {
		return fail
	}
	m.state = next
	return more
}

func (m *matcher) afterEndName(c byte) verdict {
	if c == '>' {
		m.state = tagStart
		return done
	}
	return m.enter(isSpace(c), tagEndSpace)
}

// between goes on after the name, white space or a value; another attribute may follow only where attr is set.
func (m *matcher) between(c byte, attr bool) verdict {
	switch {
	case c == '>':
		m.state = tagStart
		return done
	case c == '/':
		return m.enter(true, tagSlash)
	case isSpace(c):
		return m.enter(true, tagSpace)
	}
	return m.enter(attr && isNameStart(c), tagAttr)
}

// afterAttr goes on after an attribute's name, which without a value is loose.
func (m *matcher) afterAttr(c byte, spaced bool) verdict {
	switch {
	case c == '=':
		return m.enter(true, tagEquals)
	case isSpace(c):
		return m.enter(true, tagAttrSpace)
	case m.strict:
		return fail
	case spaced && isNameStart(c):
		m.loose = true
		return m.enter(true, tagAttr)
	case c == '>' || c == '/':
		m.loose = true
		return m.between(c, false)
	}
	return fail
}

func (m *matcher) value(c byte) verdict {
	switch {
	case isSpace(c):
		return more
	case c == '"':
		return m.enter(true, tagDouble)
	case c == '\'':
		return m.enter(true, tagSingle)
	case c == '<':
		return fail
	}
	m.loose = true
	if c == '>' {
		return done
	}
	return m.enter(true, tagUnquoted)
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func isNameStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == ':' || c >= 0x80
}

func isName(c byte) bool {
	return isNameStart(c) || '0' <= c && c <= '9' || c == '-' || c == '.'
}

package toolcall

import "bytes"

// Tag is one tag of a call. It, and its bytes, are valid until the sink's method returns.
type Tag struct {
	Name  string // one of the names that the scanner was given
	Raw   []byte // the tag as it was written, from < to >
	End   bool   // an end tag, </name>
	Empty bool   // a self-closing tag, <name/>
	Loose bool   // an attribute is not written name="value" or name='value'
}

// set makes t a tag without marks.
func (t *Tag) set(name string, raw []byte) {
	t.Name, t.Raw = name, raw
	t.End, t.Empty, t.Loose = false, false, false
}

// Attr returns the value of an attribute as it was written, without its quotes, and whether it is there.
func (t *Tag) Attr(name string) (string, bool) {
	raw := t.Raw[1+len(t.Name):]
	value, found := "", false
	for {
		for len(raw) > 0 && betweenAttrs(raw[0]) {
			raw = raw[1:]
		}
		if len(raw) == 0 {
			return value, found
		}
		end := 0
		for end < len(raw) && raw[end] != '=' && !betweenAttrs(raw[end]) {
			end++
		}
		if end == 0 || end == len(raw) { // a stray =
			raw = raw[1:]
			continue
		}
		key := raw[:end]
		raw = skipSpaces(raw[end:])
		var v []byte
		if raw[0] == '=' {
			v, raw = attrValue(skipSpaces(raw[1:]))
		}
		if string(key) == name {
			value, found = string(v), true
		}
	}
}

// betweenAttrs reports whether c stands between attributes, and in no name of one.
func betweenAttrs(c byte) bool { return isSpace(c) || c == '/' || c == '>' }

func skipSpaces(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	return b
}

// attrValue splits b, which follows the = of an attribute, into the value and the rest. A quote that nothing closes is
// dropped; the value then reaches to the end of the tag.
func attrValue(b []byte) (value, rest []byte) {
	if b[0] == '"' || b[0] == '\'' {
		if end := bytes.IndexByte(b[1:], b[0]); end >= 0 {
			return b[1 : 1+end], b[end+2:]
		}
		return bytes.TrimRight(b[1:], " \t\r\n/>"), nil
	}
	end := bytes.IndexAny(b, " \t\r\n>")
	value = b[:end]
	if b[end] == '>' {
		value = bytes.TrimSuffix(value, []byte("/"))
	}
	return value, b[end:]
}

// tagState is where in a tag a tagMachine stands.
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
	tagBare                      // in a value without quotes
	tagValueEnd                  // after a closing quote
	tagSlash                     // after the / of a self-closing tag
	tagEndSpace                  // after the name of an end tag
)

// verdict is what one more byte makes of a tag.
type verdict uint8

const (
	more verdict = iota // the tag goes on
	done                // the byte was the > that ends it
	fail                // what was read begins no tag; the byte is not part of it
)

// tagMachine recognizes one tag, byte by byte, after its <. The grammar is that of XML 1.0 (STag, ETag, EmptyElemTag);
// values without quotes and attributes without values are let through, and remembered as loose.
type tagMachine struct {
	state  tagState
	end    bool // an end tag
	empty  bool // a self-closing tag
	loose  bool
	slash  bool // the last character of a value without quotes
	strict bool // attributes without a value make it no tag
}

// quoted reports whether the machine is inside a quoted value.
func (m *tagMachine) quoted() bool { return m.state == tagDouble || m.state == tagSingle }

// stays reports whether c changes nothing, as most characters of names and values do. It says so of no >, since that may
// be where the tag ends after all.
func (m *tagMachine) stays(c byte) bool {
	switch m.state {
	case tagName, tagAttr:
		return isName(c)
	case tagDouble:
		return c != '"' && c != '<' && c != '>'
	}
	return false
}

func (m *tagMachine) step(c byte) verdict {
	switch m.state {
	case tagStart:
		if c == '/' && !m.end {
			m.end = true
			return more
		}
		return m.enter(isNameStart(c), tagName)
	case tagName:
		if isName(c) {
			return more
		}
		if m.end {
			return m.endName(c)
		}
		return m.between(c, false)
	case tagEndSpace:
		return m.endName(c)
	case tagSlash:
		if c == '>' {
			m.empty = true
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
func (m *tagMachine) attribute(c byte) verdict {
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
		if c == '<' {
			return fail
		}
		if m.state == tagDouble && c == '"' || m.state == tagSingle && c == '\'' {
			m.state = tagValueEnd
		}
		return more
	default: // tagBare
		switch {
		case isSpace(c):
			return m.enter(true, tagSpace)
		case c == '>':
			m.empty = m.slash // the / belongs to the tag, as XML would have it
			return done
		}
		m.slash = c == '/'
		return m.enter(c != '<', tagBare)
	}
}

func (m *tagMachine) enter(ok bool, next tagState) verdict {
	if !ok {
		return fail
	}
	m.state = next
	return more
}

func (m *tagMachine) endName(c byte) verdict {
	if c == '>' {
		return done
	}
	return m.enter(isSpace(c), tagEndSpace)
}

// between goes on after the name, white space or a value; another attribute may follow only where attr is set.
func (m *tagMachine) between(c byte, attr bool) verdict {
	switch {
	case c == '>':
		return done
	case c == '/':
		return m.enter(true, tagSlash)
	case isSpace(c):
		return m.enter(true, tagSpace)
	}
	return m.enter(attr && isNameStart(c), tagAttr)
}

// afterAttr goes on after an attribute's name, which without a value is loose.
func (m *tagMachine) afterAttr(c byte, spaced bool) verdict {
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

func (m *tagMachine) value(c byte) verdict {
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
	return m.enter(true, tagBare)
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func isNameStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == ':' || c >= 0x80
}

func isName(c byte) bool {
	return isNameStart(c) || '0' <= c && c <= '9' || c == '-' || c == '.'
}

package toolcall

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
)

const (
	cdataStart = "<![CDATA["
	cdataEnd   = "]]>"
)

// Decoder decodes the content of an element: entities (predefined and numeric), once, and CDATA sections. Other text stays as
// written. The zero value is ready to use.
type Decoder struct {
	inSection bool // inside a CDATA section
	unclosed  bool // no later CDATA section is closed
	scanned   int  // bytes searched for markup, for tests of the cost
}

// Next decodes the first n bytes of s to text. If whole is false, more input may follow, and n excludes markup that s may end inside.
func (d *Decoder) Next(s string, whole bool) (text string, n int) {
	text, n = d.piece(s, whole)
	if n == 0 || n == len(s) {
		return text, n
	}
	var all strings.Builder
	all.Grow(len(s))
	for more := n; more > 0; n += more {
		all.WriteString(text)
		text, more = d.piece(s[n:], whole)
	}
	return all.String(), n
}

// piece decodes the first piece of s: text without markup, an entity, or one end of a CDATA section. n is 0 if s may end inside one.
func (d *Decoder) piece(s string, whole bool) (text string, n int) {
	if d.inSection {
		end := strings.Index(s, cdataEnd)
		switch {
		case end == 0:
			d.inSection = false
			return "", len(cdataEnd)
		case end < 0 && whole:
			end = len(s)
		case end < 0: // s may end inside the terminator
			end = max(len(strings.TrimRight(s, "]")), len(s)-2)
		}
		return s[:end], end
	}
	for n < len(s) {
		plain := indexAny(s[n:], &markupStops)
		d.scanned += plain + 1
		if n += plain; n == len(s) {
			break
		}
		length := -1
		if n+1 == len(s) || decodedSeconds[s[n+1]] {
			text, length = d.markup(s[n:], whole)
		}
		switch {
		case length < 0:
			n++ // it is text
			continue
		case n > 0:
			return s[:n], n
		}
		d.inSection = length == len(cdataStart) && s[0] == '<'
		return text, length
	}
	return s[:n], n
}

// markup decodes the entity or the start of a CDATA section at the start of s and returns its length: 0 if s may end inside one, -1 if
// there is none.
func (d *Decoder) markup(s string, whole bool) (text string, n int) {
	switch {
	case s[0] == '&':
		if text, n = entity(s); n == 0 && whole {
			n = -1
		}
		return text, n
	case !whole && strings.HasPrefix(cdataStart, s):
		return "", 0
	case whole && cdataLen(s, &d.unclosed) > 0, !whole && strings.HasPrefix(s, cdataStart):
		return "", len(cdataStart)
	}
	return "", -1
}

// cdataLen returns the length of the CDATA section at the start of s, or 0. It sets unclosed when no terminator follows, so that
// later calls need not search for one.
func cdataLen(s string, unclosed *bool) int {
	if *unclosed || len(s) < len(cdataStart) || s[:len(cdataStart)] != cdataStart {
		return 0
	}
	end := strings.Index(s, cdataEnd)
	if *unclosed = end < 0; *unclosed {
		return 0
	}
	return end + len(cdataEnd)
}

// Plain reports whether decoding would not change s and s is well-formed: it has no <, no & and no carriage return.
func Plain(s string) bool {
	if len(s) < 32 { // for longer texts, three searches by IndexByte are faster
		return indexAny(s, &decodedStops) == len(s)
	}
	return strings.IndexByte(s, '<') < 0 && strings.IndexByte(s, '&') < 0 && strings.IndexByte(s, '\r') < 0
}

// Decode decodes the complete content of an element and converts CRLF to LF.
func Decode(s string) string {
	if Plain(s) || strings.IndexByte(s, '&') < 0 && strings.IndexByte(s, '\r') < 0 && !strings.Contains(s, cdataStart) {
		return s
	}
	var d Decoder
	text, _ := d.Next(s, true)
	return strings.ReplaceAll(text, "\r\n", "\n")
}

var (
	markupStops, decodedStops = stops("<&"), stops("<&\r")
	decodedSeconds            = stops("!#algq") // the second characters of CDATA sections and entities
)

// predefined has the names and values of XML's predefined entities.
var predefined = [...][2]string{{"amp;", "&"}, {"lt;", "<"}, {"gt;", ">"}, {"quot;", `"`}, {"apos;", "'"}}

const maxReference = 32 // maximum bytes of a numeric reference, which may have leading zeros

// entity decodes the entity at the start of s and returns its length: 0 if s may end inside one, -1 if there is none. It accepts
// XML's predefined entities, and numeric references to characters that XML 1.0 allows.
func entity(s string) (text string, n int) {
	rest := s[1:]
	switch {
	case rest == "":
		return "", 0
	case rest[0] == '#':
		return numericEntity(s)
	case rest[0] != 'a' && rest[0] != 'l' && rest[0] != 'g' && rest[0] != 'q':
		return "", -1
	}
	for _, known := range predefined {
		switch name := known[0]; {
		case name[0] != rest[0]:
		case strings.HasPrefix(rest, name):
			return known[1], len(name) + 1
		case strings.HasPrefix(name, rest):
			return "", 0
		}
	}
	return "", -1
}

func numericEntity(s string) (text string, n int) {
	from, base := len("&#"), rune(10)
	if from < len(s) && s[from] == 'x' {
		from, base = from+1, 16
	}
	r := rune(0)
	for i := from; i < maxReference+2; i++ {
		if i == len(s) {
			return "", 0
		}
		digit := base
		switch c := s[i]; {
		case isDigit(c):
			digit = rune(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			digit = rune(c|0x20-'a') + 10
		case c == ';' && i > from && allowedInXML(r):
			return string(r), i + 1
		}
		if r = r*base + digit; digit >= base || r > unicode.MaxRune {
			break
		}
	}
	return "", -1
}

func allowedInXML(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r < 0xD800 || r >= 0xE000 && r <= unicode.MaxRune && r != 0xFFFE && r != 0xFFFF
}

// Checker checks whether content is well-formed XML 1.0: tags, nesting, comments, processing instructions and entities. It accepts
// duplicate attributes, and -- in a comment. The zero value is ready to use.
type Checker struct {
	// Flaw is the first flaw found.
	Flaw
	// Tags is the number of complete tags.
	Tags int
	// Shallow makes Read omit the content of elements.
	Shallow bool

	stopAtFlaw bool    // stop at the first flaw
	open       []int32 // offsets of the open elements
	names      []byte  // their names, each after a <
	terminator string  // of the open comment or processing instruction
	unclosed   bool    // no later CDATA section is closed
	scanned    int     // bytes searched for markup, for tests of the cost
}

func (c *Checker) report(f Fault, name string, at int) {
	if c.Fault == NoFault {
		c.Flaw = Flaw{f, strings.Clone(name), at}
	}
}

// Read checks content at the given offset and returns it without tags, comments and processing instructions. Further calls may
// continue the same element, but a tag must not be split between calls.
func (c *Checker) Read(s string, at int) string {
	from := 0 // the end of the last piece of markup
	var text strings.Builder
	for i := 0; i < len(s); {
		if c.terminator != "" {
			end := strings.Index(s[i:], c.terminator)
			if end < 0 {
				return text.String()
			}
			i += end + len(c.terminator)
			from, c.terminator = i, ""
			continue
		}
		plain := indexAny(s[i:], &markupStops)
		c.scanned += plain + 1
		if i += plain; i == len(s) {
			break
		}
		tags, left := c.Tags, c.Shallow && len(c.open) > 0
		n := c.readMarkup(s[i:], at+i)
		if c.Tags > tags || c.terminator != "" {
			if !left && !c.stopAtFlaw {
				text.WriteString(s[from:i])
			}
			from = i + n
		}
		if c.Tags > tags {
			n = len("<") // its attributes may have markup
		}
		if i += n; c.stopAtFlaw && c.Fault != NoFault {
			return ""
		}
	}
	switch {
	case c.Shallow && len(c.open) > 0:
	case from == 0:
		return s
	default:
		text.WriteString(s[from:])
	}
	return text.String()
}

// readMarkup checks the markup at the start of s, which is a < or &, and returns its length.
func (c *Checker) readMarkup(s string, at int) int {
	second := byte(0)
	if len(s) > 1 {
		second = s[1]
	}
	switch {
	case s[0] == '&':
		if _, n := entity(s); n <= 0 {
			c.report(BareAmpersand, "", at)
		}
		return 1
	case classOf[second] == letter || second == '/': // a tag, most often
	case second == '!' && strings.HasPrefix(s, "<!--"):
		c.terminator = "-->"
		return len("<!--")
	case second == '?':
		c.terminator = "?>"
		return len("<?")
	default:
		if n := cdataLen(s, &c.unclosed); n > 0 {
			return n
		}
		c.report(BareLess, "", at)
		return 1
	}
	tag, ok := readTag(nil, s, 0)
	n := tag.End
	if c.scanned += n; !ok {
		c.report(BareLess, "", at)
		return 1
	}
	name := tag.Name
	if tag.Loose {
		c.report(BadAttribute, name, at)
	}
	c.Tags++
	switch before := len(c.names) - len("<") - len(name); {
	case tag.Opening():
		c.open = append(c.open, int32(at)) //nolint:gosec // messages are shorter
		c.names = append(append(c.names, '<'), name...)
	case tag.Empty:
	case before >= 0 && string(c.names[before:]) == "<"+name:
		c.names, c.open = c.names[:before], c.open[:len(c.open)-1]
	default:
		c.report(StrayEndTag, name, at)
	}
	return n
}

// Uncomment reports whether a comment or processing instruction is open. If so, it reports the flaw and treats its start as text.
func (c *Checker) Uncomment(at int) bool {
	open := c.terminator != ""
	if open {
		c.report(UnclosedTag, "!--", at)
	}
	c.terminator = ""
	return open
}

// Close ends the content at the given offset and reports a flaw if an element or comment is open.
func (c *Checker) Close(at int) {
	c.Uncomment(at)
	if n := len(c.open); n > 0 {
		innermost := c.names[bytes.LastIndexByte(c.names, '<')+1:]
		c.report(UnclosedTag, string(innermost), int(c.open[n-1]))
	}
}

// Check returns the first flaw in the complete content of an element, which begins at the given offset.
func Check(s string, at int) Flaw {
	c := Checker{stopAtFlaw: true}
	c.Read(s, at)
	c.Close(at + len(s))
	return c.Flaw
}

// EachTag returns an iterator over the tags of s whose names are in the set, except those in CDATA sections.
func EachTag(s string, names *Names) iter.Seq[Tag] { return eachTag(s, names, false) }

func eachTag(s string, names *Names, unclosed bool) iter.Seq[Tag] {
	return func(yield func(Tag) bool) {
		for i := names.index(s); i < len(s); i += names.index(s[i:]) {
			if n := cdataLen(s[i:], &unclosed); n > 0 {
				i += n
				continue
			}
			tag, ok := readTag(names, s, i)
			if i = tag.End; ok && !yield(tag) {
				return
			}
		}
	}
}

// InCData returns the content of the CDATA sections of s, if s consists of sections and white space.
func InCData(s string) (inner string, ok bool) {
	var all strings.Builder
	for unclosed := false; ; ok = true {
		s = strings.TrimSpace(s)
		n := cdataLen(s, &unclosed)
		if n == 0 {
			return all.String(), ok && s == ""
		}
		if !ok {
			all.Grow(len(s))
		}
		all.WriteString(s[len(cdataStart) : n-len(cdataEnd)])
		s = s[n:]
	}
}

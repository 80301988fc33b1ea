package toolcall

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
	"unicode"
)

const (
	cdataStart = "<![CDATA["
	cdataEnd   = "]]>"
)

// Decoder decodes content: predefined and numeric entities, once, and CDATA sections. The rest stays as written. The zero value is ready.
type Decoder struct {
	cdata    bool // inside a CDATA section
	unclosed bool // none that begins from here on ends
	looked   int  // bytes looked at for markup: what decoding costs
}

// Next decodes the front of s: text is what n bytes stand for, the same bytes if it has n. If not whole, more may follow, and n may be 0.
func (d *Decoder) Next(s string, whole bool) (text string, n int) {
	if d.cdata {
		end := strings.Index(s, cdataEnd)
		switch {
		case end == 0:
			d.cdata = false
			return "", len(cdataEnd)
		case end < 0 && whole:
			end = len(s)
		case end < 0: // it may have begun
			end = max(len(strings.TrimRight(s, "]")), len(s)-2)
		}
		return s[:end], end
	}
	for n < len(s) {
		plain := until(s[n:], &markupStops)
		d.looked += plain + 1
		n += plain
		if n+1 >= len(s) || s[n] == '&' || s[n+1] == cdataStart[1] {
			break
		}
		n++ // the < begins no section
	}
	if n > 0 {
		return s[:n], n
	}
	if s[0] == '&' {
		switch text, n := entity(s); {
		case n > 0:
			return text, n
		case n == 0 && !whole:
			return "", 0
		}
		return s[:1], 1
	}
	switch {
	case !whole && strings.HasPrefix(cdataStart, s):
		return "", 0
	case whole && cdata(s, &d.unclosed) > 0, !whole && strings.HasPrefix(s, cdataStart):
		d.cdata = true
		return "", len(cdataStart)
	}
	return s[:1], 1
}

// cdata returns the length of the CDATA section at the front of s; 0 if there is none. Unclosed: none that begins from here on ends.
func cdata(s string, unclosed *bool) int {
	if *unclosed || !strings.HasPrefix(s, cdataStart) {
		return 0
	}
	end := strings.Index(s, cdataEnd)
	if *unclosed = end < 0; *unclosed {
		return 0
	}
	return end + len(cdataEnd)
}

// Plain reports whether content stands for itself, and is well-formed: it holds no <, & and carriage returns.
func Plain(s string) bool {
	return strings.IndexByte(s, '<') < 0 && strings.IndexByte(s, '&') < 0 && strings.IndexByte(s, '\r') < 0
}

// Decode returns what the whole content of an element stands for. CRLF becomes LF.
func Decode(s string) string {
	if Plain(s) || strings.IndexByte(s, '&') < 0 && strings.IndexByte(s, '\r') < 0 && !strings.Contains(s, cdataStart) {
		return s
	}
	var d Decoder
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		text, n := d.Next(s, true)
		b.WriteString(text)
		s = s[n:]
	}
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

var markupStops = stops("<&")

// predefined are the entities of XML, each with what it stands for.
var predefined = [...][2]string{{"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", `"`}, {"apos", "'"}}

const maxReference = 32 // bytes of a numeric reference, which may have any number of leading zeros

// entity returns what the entity stands for that begins s, and its length; 0 when s ends within what may be one, and -1
// when it is none: one of XML's predefined entities, or a numeric reference to a character that XML 1.0 allows.
func entity(s string) (text string, n int) {
	name, _, closed := strings.Cut(s[1:min(len(s), maxReference+2)], ";")
	open := !closed && len(s) < maxReference+2
	for _, known := range predefined {
		if closed && name == known[0] {
			return known[1], len(name) + 2
		}
		if open && strings.HasPrefix(known[0], name) {
			return "", 0
		}
	}
	digits, numeric := strings.CutPrefix(name, "#")
	if !numeric {
		return "", -1
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	r, err := strconv.ParseUint(digits, base, 21)
	switch {
	case err != nil && (digits != "" || closed):
	case open:
		return "", 0
	case closed && allowedInXML(rune(r)):
		return string(rune(r)), len(name) + 2
	}
	return "", -1
}

func allowedInXML(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r < 0xD800 || r >= 0xE000 && r <= unicode.MaxRune && r != 0xFFFE && r != 0xFFFF
}

// Checker tells whether content is well-formed, as XML 1.0 has it: tags, their nesting, comments, processing instructions and
// entities. Duplicate attributes, and -- in a comment, are let through. The zero value is ready.
type Checker struct {
	// Flaw is the first one that was found.
	Flaw
	// Tags counts the complete tags that were seen.
	Tags int
	// Shallow has Read leave out what stands in elements.
	Shallow bool

	tags     tagReader
	first    bool    // it ends at the first fault
	open     []int32 // where the elements begin that are open
	names    []byte  // of these, each behind a <
	until    string  // what ends the comment or processing instruction that is open
	unclosed bool    // no CDATA section that begins from here on ends
	looked   int     // bytes looked at for markup
}

func (c *Checker) report(f Fault, name string, at int) {
	if c.Fault == NoFault {
		c.Flaw = Flaw{f, strings.Clone(name), at}
	}
}

// Read takes content that stands at the given place, and returns it without its tags, comments and processing instructions. What
// follows the content taken before may be the next part of the same element; no tag goes on from one part to the next.
func (c *Checker) Read(s string, at int) string {
	from := 0 // behind the last of them
	var text strings.Builder
	for i := 0; i < len(s); {
		if c.until != "" {
			end := strings.Index(s[i:], c.until)
			if end < 0 {
				return text.String()
			}
			i += end + len(c.until)
			from, c.until = i, ""
			continue
		}
		plain := until(s[i:], &markupStops)
		c.looked += plain + 1
		if i += plain; i == len(s) {
			break
		}
		tags, left := c.Tags, c.Shallow && len(c.open) > 0
		n := c.markup(s[i:], at+i)
		if c.Tags > tags || c.until != "" {
			if !left && !c.first {
				text.WriteString(s[from:i])
			}
			from = i + n
		}
		if i += n; c.first && c.Fault != NoFault {
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

// markup takes what begins with a < or &, and returns how many bytes of s that is.
func (c *Checker) markup(s string, at int) int {
	switch n := cdata(s, &c.unclosed); {
	case n > 0:
		return n
	case s[0] == '&':
		c.ampersand(s, at)
		return 1
	case len(s) > 1 && classOf[s[1]] == letter: // a tag, most often
	case strings.HasPrefix(s, "<!--"):
		c.until = "-->"
		return len("<!--")
	case strings.HasPrefix(s, "<?"):
		c.until = "?>"
		return len("<?")
	}
	tag, ok := c.tags.read(nil, s, 0)
	n := tag.End
	if c.looked += n; !ok {
		c.report(BareLess, "", at)
		return 1
	}
	name := tag.Name
	if tag.Loose {
		c.report(BadAttribute, name, at)
	}
	for i := 0; c.Fault == NoFault; i++ {
		j := strings.IndexByte(s[i:n], '&')
		if j < 0 {
			break
		}
		i += j
		c.ampersand(s[i:], at+i)
	}
	c.Tags++
	switch before := len(c.names) - len("<") - len(name); {
	case tag.Opening():
		c.open = append(c.open, int32(at)) //nolint:gosec // a message is shorter
		c.names = append(append(c.names, '<'), name...)
	case tag.Empty:
	case before >= 0 && string(c.names[before:]) == "<"+name:
		c.names, c.open = c.names[:before], c.open[:len(c.open)-1]
	default:
		c.report(StrayEndTag, name, at)
	}
	return n
}

func (c *Checker) ampersand(s string, at int) {
	if _, n := entity(s); n <= 0 {
		c.report(BareAmpersand, "", at)
	}
}

// Uncomment ends the comment that is open, if there is one, and reports whether there was: its beginning is text.
func (c *Checker) Uncomment(at int) bool {
	open := c.until != ""
	if open {
		c.report(UnclosedTag, "!--", at)
	}
	c.until = ""
	return open
}

// Close ends the content. Elements, and a comment, that are open in it are not closed.
func (c *Checker) Close(at int) {
	c.Uncomment(at)
	if n := len(c.open); n > 0 {
		innermost := c.names[bytes.LastIndexByte(c.names, '<')+1:]
		c.report(UnclosedTag, string(innermost), int(c.open[n-1]))
	}
}

// Check returns the first flaw of the whole content of an element, which stands at the given place.
func Check(s string, at int) Flaw {
	c := Checker{first: true}
	c.Read(s, at)
	c.Close(at + len(s))
	return c.Flaw
}

// EachTag finds the tags in content whose names are in the set, but for those in CDATA sections.
func EachTag(s string, names *Names) iter.Seq[Tag] { return eachTag(s, names, false) }

func eachTag(s string, names *Names, unclosed bool) iter.Seq[Tag] {
	return func(yield func(Tag) bool) {
		var r tagReader
		for i := names.index(s); i < len(s); i += names.index(s[i:]) {
			if n := cdata(s[i:], &unclosed); n > 0 {
				i += n
				continue
			}
			tag, ok := r.read(names, s, i)
			if i = tag.End; ok && !yield(tag) {
				return
			}
		}
	}
}

// TagAt returns the tag at a place; ok if there is one.
func TagAt(s string, at int, names *Names) (t Tag, ok bool) {
	if !strings.HasPrefix(s[at:], "<") {
		return t, false
	}
	return new(tagReader).read(names, s, at)
}

// InCData returns what the CDATA sections of s hold, if there are some, and nothing but white space besides.
func InCData(s string) (inner string, ok bool) {
	var all strings.Builder
	for unclosed := false; ; ok = true {
		s = strings.TrimSpace(s)
		n := cdata(s, &unclosed)
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

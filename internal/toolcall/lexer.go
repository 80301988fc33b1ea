package toolcall

import "bytes"

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

// find returns the name that b spells.
func (s *Names) find(b []byte) (string, bool) {
	if len(b) > 0 {
		for _, name := range s[b[0]] {
			if string(b) == name {
				return name, true
			}
		}
	}
	return "", false
}

// begun reports whether b begins one of the names.
func (s *Names) begun(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	for _, name := range s[b[0]] {
		if len(b) <= len(name) && string(b) == name[:len(b)] {
			return true
		}
	}
	return false
}

// tagReader reads one tag whose name is in a set. It keeps its place, so that a tag that comes in many pieces is still
// read only once.
type tagReader struct {
	machine tagMachine
	at      int // bytes read, counted from the <
	nameEnd int // where the name ends, or 0
	close   int // the first > in the open quoted value, or 0
}

// read reads on in b, which begins with the tag's <, into tag. When the verdict is fail, the tag's Raw bytes are no tag, and
// hold no < but the first. When it is more, read is called again with the same bytes and those that follow them. The tag
// stays where it is, as everywhere: copying one costs more than reading it.
func (t *tagReader) read(b []byte, names *Names, strict bool, tag *Tag) verdict {
	if t.at == 0 {
		if v := bare(b, names, tag); v != fail {
			return v
		}
		*t = tagReader{at: 1, machine: tagMachine{strict: strict}}
	}
	for ; t.at < len(b); t.at++ {
		if t.machine.stays(b[t.at]) {
			continue
		}
		before := t.machine.state
		v := t.machine.step(b[t.at])
		if v == fail {
			return t.giveUp(b, names, tag)
		}
		if before == tagName && (v == done || t.machine.state != tagName) {
			t.nameEnd = t.at
			if _, known := names.find(b[t.nameStart():t.nameEnd]); !known {
				return t.giveUp(b, names, tag)
			}
		}
		if v == done {
			return t.finish(b, t.at+1, names, tag)
		}
		t.noteClose(b[t.at], before)
	}
	if t.nameEnd == 0 && !names.begun(b[min(t.nameStart(), len(b)):]) {
		return t.giveUp(b, names, tag)
	}
	return more
}

// maxBare bounds what bare waits for, since it looks at all of that again.
const maxBare = 64

// bare reads <name> and </name>, as most tags are, without the machine. The verdict is fail for what is anything else, a tag
// or not.
func bare(b []byte, names *Names, tag *Tag) verdict {
	start := 1
	if len(b) > 1 && b[1] == '/' {
		start = 2
	}
	if len(b) <= start {
		return more
	}
	rest, v := b[start:], fail
	for _, name := range names[rest[0]] {
		switch n := len(name); {
		case n < len(rest):
			if rest[n] == '>' && string(rest[:n]) == name {
				tag.set(name, b[:start+n+1])
				tag.End = start == 2
				return done
			}
		case len(b) < maxBare && string(rest) == name[:len(rest)]:
			v = more
		}
	}
	return v
}

// noteClose remembers the first > in a quoted value: where the tag ends if nothing closes the quote.
func (t *tagReader) noteClose(c byte, before tagState) {
	switch {
	case !t.machine.quoted() || before != t.machine.state:
		t.close = 0
	case c == '>' && t.close == 0:
		t.close = t.at
	}
}

func (t *tagReader) nameStart() int {
	if t.machine.end {
		return 2
	}
	return 1
}

func (t *tagReader) finish(b []byte, n int, names *Names, tag *Tag) verdict {
	name, _ := names.find(b[t.nameStart():t.nameEnd])
	tag.set(name, b[:n])
	tag.End, tag.Empty, tag.Loose = t.machine.end, t.machine.empty, t.machine.loose
	*t = tagReader{}
	return done
}

// giveUp ends at a byte that is not part of the tag, unless an open quote is all that is wrong.
func (t *tagReader) giveUp(b []byte, names *Names, tag *Tag) verdict {
	if t.close > 0 && t.machine.quoted() {
		t.machine.loose = true
		return t.finish(b, t.close+1, names, tag)
	}
	tag.set("", b[:t.at])
	*t = tagReader{}
	return fail
}

// LexSink takes what a Lexer finds in a call. The bytes are valid until the method returns.
type LexSink interface {
	// Chars takes characters, and every tag whose name is not in the set, as they were written.
	Chars(b []byte)
	// CDataBegin, CData and CDataEnd take the content of a CDATA section, and its two ends.
	CDataBegin()
	CData(b []byte)
	CDataEnd()
	// Tag takes a tag whose name is in the set. It returns true to stop the lexer behind it.
	Tag(t *Tag) (stop bool)
}

const cdataStart = "<![CDATA["

var brackets = []byte("]]")

// Lexer splits the content of a call into characters, CDATA sections and the tags whose names it knows. The zero value
// with Names set is ready.
type Lexer struct {
	Names *Names

	pend     []byte // a tag, or the start of a CDATA section, that is not complete
	reader   tagReader
	tag      Tag  // the last that was read
	cdata    bool // inside a CDATA section
	brackets int  // ] at the end of what was read of it, at most 2
}

// Feed reads b and tells s what it holds. It returns how many bytes it took: all, or those to the end of the tag at which
// s stopped it.
func (l *Lexer) Feed(b []byte, s LexSink) (n int, stopped bool) {
	for n < len(b) {
		var took int
		switch {
		case l.cdata:
			took = l.feedCData(b[n:], s)
		case len(l.pend) > 0:
			took, stopped = l.resume(b[n:], s)
		default:
			took, stopped = l.plain(b[n:], s)
		}
		n += took
		if stopped {
			return n, true
		}
	}
	return n, false
}

// End tells s the characters that were held since they might have begun a tag.
func (l *Lexer) End(s LexSink) {
	if len(l.pend) > 0 {
		s.Chars(l.pend)
		l.reset()
	}
}

// idle reports whether the lexer is in the middle of nothing.
func (l *Lexer) idle() bool { return len(l.pend) == 0 && !l.cdata }

func (l *Lexer) reset() { l.pend, l.reader, l.cdata, l.brackets = l.pend[:0], tagReader{}, false, 0 }

// plain reads characters up to the next tag of the set, and that tag.
func (l *Lexer) plain(b []byte, s LexSink) (int, bool) {
	i := bytes.IndexByte(b, '<')
	if i < 0 {
		s.Chars(b)
		return len(b), false
	}
	if i > 0 {
		s.Chars(b[:i])
	}
	n, stopped, v := l.markup(b[i:], s)
	if v == more {
		l.pend = append(l.pend[:0], b[i:]...)
		return len(b), false
	}
	return i + n, stopped
}

// resume reads on in the tag that is held. It joins no more of b to it than the tag can need.
func (l *Lexer) resume(b []byte, s LexSink) (int, bool) {
	held := len(l.pend)
	take := len(b)
	if i := Index3(b, '<', '>', '['); i < len(b) {
		take = i + 1
	}
	l.pend = append(l.pend, b[:take]...)
	n, stopped, v := l.markup(l.pend, s)
	if v == more {
		return take, false
	}
	if n < held { // the tag ended at a > that stood before its open quote failed
		if !stopped {
			s.Chars(l.pend[n:held])
		}
		n = held
	}
	l.pend = l.pend[:0]
	return n - held, stopped
}

// markup reads what begins with the < of b.
func (l *Lexer) markup(b []byte, s LexSink) (n int, stopped bool, v verdict) {
	if len(b) > 1 && b[1] == '!' {
		k := min(len(b), len(cdataStart))
		switch {
		case string(b[:k]) != cdataStart[:k]:
			s.Chars(b[:1])
			return 1, false, fail
		case k < len(cdataStart):
			return 0, false, more
		}
		l.cdata = true
		s.CDataBegin()
		return k, false, done
	}
	v = l.reader.read(b, l.Names, false, &l.tag)
	switch v {
	case more:
		return 0, false, more
	case done:
		stopped = s.Tag(&l.tag)
	case fail:
		s.Chars(l.tag.Raw)
	}
	return len(l.tag.Raw), stopped, v
}

// feedCData reads on in a CDATA section, up to its end.
func (l *Lexer) feedCData(b []byte, s LexSink) int {
	n := 0
	for n < len(b) {
		if l.brackets == 0 {
			i := bytes.IndexByte(b[n:], ']')
			if i < 0 {
				s.CData(b[n:])
				return len(b)
			}
			if i > 0 {
				s.CData(b[n : n+i])
			}
			n += i + 1
			l.brackets = 1
			continue
		}
		switch {
		case b[n] == ']' && l.brackets == 2:
			s.CData(b[n : n+1])
			n++
		case b[n] == ']':
			l.brackets = 2
			n++
		case b[n] == '>' && l.brackets == 2:
			l.cdata, l.brackets = false, 0
			s.CDataEnd()
			return n + 1
		default:
			s.CData(brackets[:l.brackets])
			l.brackets = 0
		}
	}
	return n
}

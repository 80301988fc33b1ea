package toolcall

// textMode is what is known of text outside calls, of its current line most of all.
type textMode struct {
	line  line
	ahead ahead
	tag   matcher
	span  Span // that was opened last; empty for an element
	found Tag  // an opening tag that waits for the rest of its line; its End is 0 when there is none
	fence fenceStart
	coded bool // a call that inline code hides was opened, with a parameter, and not closed yet
}

// inText reads text outside calls, up to a place from which on more must be known.
func (s *Scanner) inText(b []byte, final bool) int {
	t := &s.text
	i := 0
	for i < len(b) {
		if t.line.open {
			took, wait := s.prefix(b[i:], s.offset+i, final)
			s.looked += took + 1
			i += took
			if wait || s.mode != inText {
				break
			}
			continue
		}
		if j := s.index(b[i:], "<`\n["); j > 0 {
			t.line.inRun = false
			if i += j; i == len(b) {
				break
			}
		}
		if b[i] == '`' || b[i] == '\n' {
			t.line.note(b[i])
			if i++; b[i-1] == '\n' {
				t.ahead.reset()
			}
			continue
		}
		t.line.inRun = false
		took, wait := s.opening(b, i, final)
		if s.mode == inCall { // the opening tag is not text
			s.pass(b[:i])
			s.begin(t.found, b[i:i+took], s.offset+i)
			t.found = Tag{}
			return i + took
		}
		i += took
		if wait || s.mode != inText {
			break
		}
	}
	s.pass(b[:i])
	return i
}

// opening reads what begins with the < or [ at b[i]. It returns how many bytes of it are settled, and whether more must be
// known; it changes the mode when a call or something hidden begins.
func (s *Scanner) opening(b []byte, i int, final bool) (took int, wait bool) {
	t := &s.text
	tag := &t.found
	if tag.End == 0 {
		v := s.span(b[i:], final)
		if v == fail && b[i] == '<' {
			t.span = Span{}
			_, v = match(&t.tag, b[i:], tag)
		}
		switch {
		case v == more && !final:
			return 0, true
		case v == more: // it never will be a tag
			t.tag.reset()
			return 1, false
		case v == fail:
			return 1, false // what follows the < is text like any other
		}
		call := tag.Name == s.config.Call
		if tag.Closing && call && t.coded {
			t.coded = false
			s.sink.Hidden(ByCode)
		}
		if tag.Closing || !call && (tag.Empty || s.reread.neverClosed(tag.Name, s.offset+i+tag.End) || !s.opens(tag, b[i:], s.offset+i)) {
			*tag = Tag{}
			return 1, false
		}
	}
	call, n := tag.Name == s.config.Call, tag.End
	if t.line.runs%2 == 1 {
		coded, known := s.coded(b, i+n, call, final)
		if !known {
			return 0, true
		}
		if coded {
			*tag = Tag{}
			return 1, false
		}
	}
	t.coded = false
	if call {
		s.mode = inCall
		return n, false
	}
	s.mode = inElement
	s.element.tag.reset()
	s.element = elementMode{name: tag.Name, span: t.span.Close != "", foreign: s.mayCall(tag), open: n, look: n, tag: s.element.tag}
	*tag = Tag{}
	return 0, false
}

// span reads what begins a span, if b does.
func (s *Scanner) span(b []byte, final bool) verdict {
	v := fail
	for _, span := range s.config.Spans {
		switch n := min(len(b), len(span.Open)); {
		case string(b[:n]) != span.Open[:n]:
		case n == len(span.Open):
			s.text.span, s.text.found = span, Tag{Name: span.Close, End: n}
			return done
		case !final:
			v = more
		}
	}
	return v
}

// mayCall reports whether the tag begins what may be a call in another spelling.
func (s *Scanner) mayCall(tag *Tag) bool {
	_, foreign := find(s.config.Foreign, tag.Name, true)
	return foreign || s.text.span.Foreign
}

// opens reports whether the tag at the front of b, which stands at the offset, opens an element or span there.
func (s *Scanner) opens(tag *Tag, b []byte, offset int) bool {
	if !s.mayCall(tag) {
		return true
	}
	return offset >= s.native[tag.Name] && (s.text.span.Close != "" || s.sink.Opens(string(b[:tag.End])))
}

// fenceStart is what is known of what may begin a fenced code block.
type fenceStart struct {
	length int // of the run of fence characters
	look   int // how far it was looked at
}

// prefix reads the beginning of a line, which stands at the offset. It returns how many bytes of it are settled and whether more must be known; it
// changes the mode when a fenced code block begins.
func (s *Scanner) prefix(b []byte, offset int, final bool) (took int, wait bool) {
	t := &s.text
	i := 0
	for i < len(b) && t.line.prefixed(b[i]) {
		i++
	}
	if i == len(b) {
		return i, false
	}
	if t.line.marker == noMarker && (b[i] == '`' || b[i] == '~') {
		switch s.fenceBegins(b[i:], final) {
		case more:
			return i, true
		case done:
			if !s.reread.neverFenced(offset + i) {
				s.mode = inFence
				s.fence = fenceMode{fence: fence{b[i], min(t.fence.length, maxFence), min(t.line.indent, maxIndent)}}
				t.fence = fenceStart{}
				return i, false
			}
		}
	}
	t.fence = fenceStart{}
	t.line.open = false
	return i, false
}

// fenceBegins tells whether b begins a fenced code block: three or more of the same character, and where they are backticks
// no further one on the line.
func (s *Scanner) fenceBegins(b []byte, final bool) verdict {
	f := &s.text.fence
	if f.look == f.length {
		for f.length < len(b) && b[f.length] == b[0] {
			f.length++
		}
		s.looked += f.length - f.look
		f.look = f.length
		switch {
		case f.length == len(b) && !final:
			return more
		case f.length < 3:
			return fail
		}
	}
	if b[0] == '~' {
		return done
	}
	f.look += s.index(b[f.look:], "`\n")
	switch {
	case f.look == len(b) && !final:
		return more
	case f.look < len(b) && b[f.look] == '`':
		return fail
	}
	return done
}

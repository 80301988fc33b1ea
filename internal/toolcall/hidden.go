package toolcall

import (
	"bytes"
	"strings"
)

// elementMode is the state of an element or span that hides calls, or may be a call in another spelling.
type elementMode struct {
	name    string // of its tags, or what ends the span
	span    bool
	foreign bool
	open    int // the length of its opening tag
	look    int // how far it was looked at, from its beginning
	again   int // where its name begins another one; 0 for nowhere
	tag     matcher
}

// fenceMode is what is known of a fenced code block, and of the call that it holds once it is closed.
type fenceMode struct {
	fence
	look int // how far it was looked at, from its beginning
	line int // where the line begins that is read

	open Tag // of the call
	call int // the end of that
	end  int // of the block
}

// inHidden looks for the end of a fenced code block or of an element that hides calls. Nothing of it is passed on before,
// since without an end it hides nothing.
func (s *Scanner) inHidden(b []byte, final bool) int {
	var n int
	var found bool
	if s.mode == inFence {
		n, found = s.fenceEnds(b, final)
	} else {
		n, found = s.elementEnds(b)
	}
	if e := &s.element; s.mode == inElement && e.foreign && (found || final || e.again > 0) {
		return s.foreign(b, n, found)
	}
	switch {
	case found && s.mode == inFence && s.fence.indent == 0:
		if open, end, ok := s.onlyCall(b[:n]); ok {
			s.fence.open, s.fence.call, s.fence.end, s.fence.look = open, end, n, n
			s.mode = afterFence
			return 0
		}
	case !found && !final:
		return 0
	case !found:
		// It is never closed: read it again as text, and know this time what is.
		s.unclosed(b)
		return 0
	}
	s.hide(b[:n])
	return n
}

// unclosed reads b as text, which begins with what is never closed and reaches to the end of the message.
func (s *Scanner) unclosed(b []byte) {
	s.looked += len(b)
	s.reread = s.newReread(b, s.offset)
	s.mode = inText
}

// foreign takes the element at the front of b, which may be a call in another spelling and ends at n if its end was found. What is
// not a call is read as text, in which nothing like it opens a second time, so that each byte is read twice at most.
func (s *Scanner) foreign(b []byte, n int, found bool) int {
	e := &s.element
	switch {
	case e.again > 0:
		s.noneBefore(e.name, s.offset+e.again)
	case found:
		content := bytes.TrimSuffix(b[e.open:n], []byte(e.name))
		if !e.span {
			content = content[:bytes.LastIndexByte(content, '<')]
		}
		if s.sink.Foreign(string(b[:e.open]), string(content), false, s.reread != nil) {
			s.leave(newline(b[:n]))
			return n
		}
		s.noneBefore(e.name, s.offset+n)
	case !s.over && s.sink.Foreign(string(b[:e.open]), string(b[e.open:]), true, s.reread != nil):
		s.mode = inText
		return len(b)
	default:
		s.unclosed(b)
	}
	s.mode = inText
	return 0
}

// noneBefore has no foreign element of the name open before the offset.
func (s *Scanner) noneBefore(name string, offset int) {
	if s.native == nil {
		s.native = map[string]int{}
	}
	s.native[name] = offset
}

// hide passes what hides calls, and counts these.
func (s *Scanner) hide(b []byte) {
	by := ByFence
	if s.mode == inElement {
		by = ByElement
		if _, thinking := find(s.config.Thinking, s.element.name, true); thinking || s.element.span {
			by = ByThinking
		}
	}
	s.looked += len(b)
	text := string(b)
	for rest := text; ; {
		_, end := s.nextCall(rest)
		if end == 0 {
			break
		}
		s.sink.Hidden(by)
		rest = rest[end:]
	}
	for range s.sink.ForeignIn(text) {
		s.sink.Hidden(by)
	}
	s.pass(b)
	s.leave(newline(b))
}

// elementEnds looks for the end of the element or span.
func (s *Scanner) elementEnds(b []byte) (n int, found bool) {
	e := &s.element
	if e.span {
		if i := bytes.Index(b[e.look:], []byte(e.name)); i >= 0 {
			s.looked += i
			return e.look + i + len(e.name), true
		}
		s.looked += len(b) - e.look
		e.look = max(e.look, len(b)-len(e.name)+1)
		return 0, false
	}
	for {
		if e.look += s.index(b[e.look:], "<"); e.look == len(b) {
			return 0, false
		}
		var tag Tag
		n, v := match(&e.tag, b[e.look:], &tag)
		if v == more {
			return 0, false
		}
		begin := e.look
		e.look += n
		switch {
		case v == fail || tag.Name != e.name:
		case tag.Closing:
			return e.look, true
		case e.foreign && tag.Opening() && s.sink.Opens(string(b[begin:e.look])):
			e.again = begin
			return 0, false
		}
	}
}

// fenceEnds looks for the line that closes the fence.
func (s *Scanner) fenceEnds(b []byte, final bool) (n int, found bool) {
	f := &s.fence
	for {
		f.look += s.index(b[f.look:], "\n")
		if f.look == len(b) && !final {
			return 0, false
		}
		if end, ok := closingFence(b[f.line:f.look]); ok && f.line > 0 && f.closedBy(end) {
			return f.look, true
		}
		if f.look == len(b) {
			return 0, false
		}
		f.look++
		f.line = f.look
	}
}

// nextCall finds the first whole call in text: its opening tag, a tag behind that, one of a parameter, and its closing tag. What is
// only talk of tags has words between them. End is 0 when there is none.
func (s *Scanner) nextCall(text string) (open Tag, end int) {
	certain := false
	for tag := range EachTag(text, s.config.Known) {
		_, param := find(s.config.Params, tag.Name, true)
		switch call := tag.Name == s.config.Call; {
		case open.End == 0 && call && tag.Opening() && !tag.Loose && strings.HasPrefix(strings.TrimLeft(text[tag.End:], " \t\r\n"), "<"):
			open, certain = tag, false
		case open.End > 0 && param && !tag.Closing:
			certain = true
		case open.End > 0 && call && tag.Closing && certain:
			return open, tag.End
		case open.End > 0 && call && tag.Closing:
			open = Tag{}
		}
	}
	return open, 0
}

// onlyCall finds the call in a fenced code block that holds it and nothing else: its opening tag, and where it ends.
func (s *Scanner) onlyCall(block []byte) (open Tag, end int, ok bool) {
	from := bytes.IndexByte(block, '\n') + 1
	to := bytes.LastIndexByte(block, '\n')
	if from == 0 || to < from {
		return open, 0, false
	}
	if !bytes.HasPrefix(bytes.TrimSpace(block[from:]), []byte("<"+s.config.Call)) {
		return open, 0, false
	}
	open, end = s.nextCall(string(block[from:to]))
	ok = end > 0 && len(bytes.TrimSpace(block[from:from+open.Start])) == 0 && len(bytes.TrimSpace(block[from+end:to])) == 0
	open.Start += from
	open.End += from
	return open, from + end, ok
}

// afterFence reads what follows a fenced code block that holds one call and nothing else. If that is white space to the end of
// the message, which is not over its limit, the block is this call.
func (s *Scanner) afterFence(b []byte, final bool) int {
	f := &s.fence
	rest := bytes.TrimLeft(b[f.look:], " \t\r\n")
	s.looked += len(b) - f.look - len(rest)
	f.look = len(b) - len(rest)
	switch {
	case len(rest) > 0, final && s.over:
		s.mode = inFence
		s.hide(b[:f.end])
		return f.end
	case !final:
		return 0
	}
	s.begin(f.open, b[f.open.Start:f.open.End], s.offset+f.open.Start)
	s.sink.Fenced()
	s.inCall(b[f.open.End:f.call])
	if s.mode == inCall { // a CDATA section in it is never closed
		s.reopen()
	}
	return f.end
}

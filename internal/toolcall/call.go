package toolcall

import (
	"strings"
	"unicode/utf8"
)

// callState is the state of the current or last call. Its offsets index Scanner.raw.
type callState struct {
	open     bool
	start    int  // the offset of its opening tag
	content  int  // the end of its opening tag
	at       int  // read up to here; the end of the call once it is closed
	hasParam bool // a parameter was opened
	section  int  // offset of the open CDATA section
	fenceEnd int  // end of the fence that the call is alone in; 0 if none
}

// beginCall begins the call at s.at with the tag.
func (s *Scanner) beginCall(tag Tag, fenceEnd int) {
	s.emitText(s.at)
	s.current = callState{open: !tag.Empty, start: s.at, content: tag.End, at: tag.End, fenceEnd: fenceEnd}
	s.Unclosed, s.Fenced = s.reread != nil, fenceEnd > 0
	s.state = (*Scanner).readCall
	tag.Start, tag.End = 0, tag.End-s.at
	if s.sink.Tag(tag); tag.Empty {
		s.endCall(false)
	}
}

// readCall reads the call's next tag, or the start of a CDATA section.
func (s *Scanner) readCall() {
	c := &s.current
	i := s.config.Known.index(s.raw[c.at:])
	s.scanned += i
	c.at += i
	switch {
	case s.lacks(c.at + 2):
		return
	case c.at == len(s.raw):
		s.cutOff()
		return
	case s.hasPrefix(c.at, cdataStart) && !s.reread.neverEnds(cdataEnd, s.base+c.at):
		c.section = c.at
		c.at += len(cdataStart)
		s.state = (*Scanner).readSection
		return
	}
	tag, ok := s.readTag(s.config.Known, c.at)
	if s.starved {
		return
	}
	c.at = tag.End
	switch {
	case !ok:
	case tag.Closing && tag.Name == s.config.Call:
		s.endCall(false)
	default:
		c.hasParam = c.hasParam || s.config.param(&tag)
		tag.Start, tag.End = tag.Start-c.start, tag.End-c.start
		s.sink.Tag(tag)
	}
}

// readSection skips the open CDATA section. If it is never closed, its start is text.
func (s *Scanner) readSection() {
	c := &s.current
	end := s.find(cdataEnd, c.section)
	if s.starved {
		for c.at = max(c.at, s.resume.to); c.at < len(s.raw) && !utf8.RuneStart(s.raw[c.at]); { // Grew must not split a character
			c.at--
		}
		return
	}
	if s.state = (*Scanner).readCall; end < len(s.raw) {
		c.at = end + len(cdataEnd)
		return
	}
	s.reread, s.Unclosed = s.newReread(c.section), true
	c.at = c.section + 1
}

// cutOff ends the call because the message has ended.
func (s *Scanner) cutOff() {
	c := &s.current
	s.sink.Grew(c.at - c.start)
	if c.hasParam || strings.HasPrefix(strings.TrimLeft(s.raw[c.content:], blanks), "{") {
		s.endCall(true)
	} else {
		c.open, s.at, s.state = false, c.at, (*Scanner).readText
	}
}

func (s *Scanner) endCall(cut bool) {
	c := &s.current
	c.open, s.state = false, (*Scanner).readText
	s.sink.CallEnded(cut)
	s.consumed = max(c.at, c.fenceEnd)
	s.skipTo(s.consumed)
}

// Call returns the call's raw text. While the call is open, that is all text from its opening tag on.
func (s *Scanner) Call() string {
	if c := &s.current; !c.open {
		return s.raw[c.start:c.at]
	}
	return s.raw[s.current.start:]
}

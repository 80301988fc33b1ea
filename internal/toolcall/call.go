package toolcall

import "strings"

// callState is the state of the call that is read, or was read last. Its places are those of the message.
type callState struct {
	open    bool
	start   int  // of its opening tag
	at      int  // up to here its tags were found, and its end in the end
	certain bool // a parameter was opened
}

// begin reads the call whose opening tag comes next.
func (s *Scanner) begin(tag Tag) {
	s.pass(s.at)
	c := &s.call
	*c = callState{open: !tag.Empty, start: s.at, at: tag.End}
	s.End, s.Unclosed = Closed, s.reread != nil
	tag.Start, tag.End = 0, tag.End-s.at
	if s.sink.Begin(tag); tag.Empty {
		s.finish()
	}
	for c.open {
		switch wake := s.inCall(); {
		case !c.open, !wake && s.idle():
		case c.at == len(s.raw):
			s.cut()
		case strings.HasPrefix(s.raw[c.at:], "<!"):
			s.cdata()
		default:
			s.take(s.tag(s.config.Known, c.at, false, false))
		}
	}
}

// longTag is how long a tag may be that is read again with each piece, until it is whole.
const longTag = 64

// inCall reads the open call as far as its text has come, without blocking. It reports whether only the parser can go on: behind the call, in
// a long tag or in CDATA.
func (s *Scanner) inCall() (wake bool) {
	c := &s.call
	for c.open {
		i := s.config.Known.index(s.raw[c.at:])
		s.looked += i
		if c.at += i; c.at == len(s.raw) {
			break
		}
		r := tagReader{}
		tag, ok := r.read(s.config.Known, s.raw, c.at)
		s.looked += tag.End - c.at
		switch {
		case !ok && r.cut:
			return len(s.raw)-c.at > longTag
		case s.raw[c.at+1] == '!':
			return true
		}
		s.take(tag, ok)
	}
	return !c.open
}

// take takes the tag that was read in the call, if it is one.
func (s *Scanner) take(tag Tag, ok bool) {
	c := &s.call
	switch c.at = tag.End; {
	case !ok:
	case tag.Closing && tag.Name == s.config.Call:
		s.finish()
	default:
		c.certain = c.certain || s.config.param(&tag)
		tag.Start, tag.End = tag.Start-c.start, tag.End-c.start
		s.sink.Tag(tag)
	}
}

// finish ends the call.
func (s *Scanner) finish() {
	c := &s.call
	c.open = false
	if s.sink.Ended(); s.End == Mention {
		s.at = c.at
		return
	}
	s.passed = c.at
	s.leave(c.at)
}

// cdata reads a CDATA section, if one begins at the < where the call is read. The beginning of one that is never closed is text.
func (s *Scanner) cdata() {
	c := &s.call
	begin := c.at
	if !s.begun(begin, cdataStart) || s.reread.neverEnds(cdataEnd, s.base+begin) {
		c.at++
		return
	}
	if c.at += len(cdataStart); s.ends(cdataEnd, &c.at) {
		c.at += len(cdataEnd)
		return
	}
	s.reread = s.newReread(begin)
	s.Unclosed = true
	c.at = begin + 1
}

// cut ends the call with the message.
func (s *Scanner) cut() {
	switch {
	case !s.call.certain:
		s.End = Mention
	case s.over:
		s.End = Overflow
	default:
		s.End = Cut
	}
	s.finish()
}

// Call returns all that is there of the call, and nothing else once it is closed.
func (s *Scanner) Call() string {
	if c := &s.call; !c.open {
		return s.raw[c.start:c.at]
	}
	return s.raw[s.call.start:]
}

// Filled reports whether so many bytes fill most of the room that the message has, so that it may be kept for their sake.
func (s *Scanner) Filled(n int) bool { return s.feed.text.Cap()-n <= max(n/8, 512) }

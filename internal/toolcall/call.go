package toolcall

// callState is the state of the current or last call. Its offsets index Scanner.raw.
type callState struct {
	open     bool
	start    int  // offset of its opening tag
	at       int  // read up to here; the end of the call once it is closed
	hasParam bool // a parameter was opened
}

// readCall reads the call that begins at s.at with the tag.
func (s *Scanner) readCall(tag Tag) {
	s.emitText(s.at)
	c := &s.current
	*c = callState{open: !tag.Empty, start: s.at, at: tag.End}
	s.End, s.Unclosed = Closed, s.reread != nil
	tag.Start, tag.End = 0, tag.End-s.at
	s.sink.Call(tag)
	for more := true; more; _, more = s.Next() { // skip the tags that the sink has not read
	}
	if s.End == Mention {
		s.at = c.at
		return
	}
	s.consumed = c.at
	s.skipTo(c.at)
}

// Next returns the call's next tag with a Known name. It returns false at the end of the call.
func (s *Scanner) Next() (t Tag, more bool) {
	c := &s.current
	for c.open {
		i := s.config.Known.index(s.raw[c.at:])
		s.scanned += i
		if c.at += i; c.at == len(s.raw) {
			if !s.fillBetweenTokens() {
				s.cutOff()
			}
			continue
		}
		if s.more(c.at+1) && s.raw[c.at+1] == '!' {
			s.readCData()
			continue
		}
		tag, ok := s.readTag(s.config.Known, c.at, false, false)
		if c.at = tag.End; !ok {
			continue
		}
		if tag.Closing && tag.Name == s.config.Call {
			c.open = false
			return t, false
		}
		c.hasParam = c.hasParam || s.config.param(&tag)
		tag.Start, tag.End = tag.Start-c.start, tag.End-c.start
		return tag, true
	}
	return t, false
}

// readCData skips a CDATA section if one begins at the call's offset. If the section is never closed, its start is text.
func (s *Scanner) readCData() {
	c := &s.current
	begin := c.at
	if !s.hasPrefix(begin, cdataStart) || s.reread.neverEnds(cdataEnd, s.base+begin) {
		c.at++
		return
	}
	if c.at += len(cdataStart); s.findWord(cdataEnd, &c.at) {
		c.at += len(cdataEnd)
		return
	}
	s.reread = s.newReread(begin)
	s.Unclosed = true
	c.at = begin + 1
}

// cutOff ends the call because the message has ended.
func (s *Scanner) cutOff() {
	c := &s.current
	c.open = false
	switch {
	case !c.hasParam:
		s.End = Mention
	case s.overLimit:
		s.End = Overflow
	default:
		s.End = Cut
	}
}

// Call returns the call's raw text. While the call is open, that is all text from its opening tag on.
func (s *Scanner) Call() string {
	if c := &s.current; !c.open {
		return s.raw[c.start:c.at]
	}
	return s.raw[s.current.start:]
}

// Filled reports whether n bytes fill most of the message's buffer, so that a substring of that size may keep the buffer alive.
func (s *Scanner) Filled(n int) bool { return s.feed.text.Cap()-n <= max(n/8, 512) }

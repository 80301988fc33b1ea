package toolcall

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
	s.sink.Call(tag)
	for more := true; more; _, more = s.Next() { // what the sink has left
	}
	if s.End == Mention {
		s.at = c.at
		return
	}
	s.passed = c.at
	s.leave(c.at)
}

// Next finds the next tag of the call whose name is known, and reports whether there is one before the end of the call.
func (s *Scanner) Next() (t Tag, more bool) {
	c := &s.call
	for c.open {
		i := s.config.Known.index(s.raw[c.at:])
		s.looked += i
		if c.at += i; c.at == len(s.raw) {
			if !s.idle() {
				s.cut()
			}
			continue
		}
		if s.more(c.at+1) && s.raw[c.at+1] == '!' {
			s.cdata()
			continue
		}
		tag, ok := s.tag(s.config.Known, c.at, false, false)
		if c.at = tag.End; !ok {
			continue
		}
		if tag.Closing && tag.Name == s.config.Call {
			c.open = false
			return t, false
		}
		c.certain = c.certain || s.config.param(&tag)
		tag.Start, tag.End = tag.Start-c.start, tag.End-c.start
		return tag, true
	}
	return t, false
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
	c := &s.call
	c.open = false
	switch {
	case !c.certain:
		s.End = Mention
	case s.over:
		s.End = Overflow
	default:
		s.End = Cut
	}
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

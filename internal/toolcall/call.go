package toolcall

import "strings"

// callMode is what is known of the call that is open.
type callMode struct {
	start   int             // where it begins in the cleaned message
	raw     strings.Builder // all of it, from its opening tag
	at      int             // up to here its tags were found
	tag     matcher
	found   Tag  // the last
	cdata   bool // inside a CDATA section
	begun   int  // where that begins
	certain bool // a parameter was opened
}

// firstCall is how many bytes a call is given room for at first.
const firstCall = 2 << 10

// begin opens the call whose opening tag is raw, and begins at the offset.
func (s *Scanner) begin(tag Tag, raw []byte, offset int) {
	c := &s.call
	s.mode, c.start = inCall, offset
	c.raw = strings.Builder{} // what was found in the last one is a part of it
	c.raw.Grow(firstCall)
	c.raw.Write(raw)
	c.at, c.cdata, c.certain = len(raw), false, false
	tag.Start, tag.End = 0, len(raw)
	c.found = tag
	s.sink.Begin(&c.found)
	if s.reread != nil {
		s.sink.Unclosed()
	}
	if tag.Empty {
		s.closed(len(raw))
	}
}

// keep adds to what was read. Grow doubles what there is, where Write would add a quarter.
func (c *callMode) keep(b []byte) {
	if c.raw.Cap()-c.raw.Len() < len(b) {
		c.raw.Grow(len(b))
	}
	c.raw.Write(b)
}

// inCall reads on in a call. It returns how many bytes of b belong to it.
func (s *Scanner) inCall(b []byte) int {
	c := &s.call
	before := c.raw.Len()
	c.keep(b)
	if end, closed := s.tags(); closed {
		return end - before
	}
	s.sink.Grew(c.raw.String(), c.at)
	return len(b)
}

// tags finds the tags in what was not looked at yet, up to the call's closing tag.
func (s *Scanner) tags() (end int, closed bool) {
	c := &s.call
	raw := c.raw.String()
	for c.at < len(raw) {
		rest := raw[c.at:]
		if c.cdata {
			i := strings.Index(rest, cdataEnd)
			s.looked += max(i, 0)
			if i < 0 {
				s.looked += len(rest)
				c.at += max(len(strings.TrimRight(rest, "]")), len(rest)-2)
				return 0, false
			}
			c.at += i + len(cdataEnd)
			c.cdata = false
			continue
		}
		i := strings.IndexByte(rest, '<')
		if i < 0 {
			s.looked += len(rest)
			c.at = len(raw)
			return 0, false
		}
		s.looked += i
		c.at += i
		rest = rest[i:]
		if len(rest) > 1 && rest[1] == '!' {
			switch k := min(len(rest), len(cdataStart)); {
			case rest[:k] != cdataStart[:k] || k == len(cdataStart) && s.reread.cdataUnclosed(c.start+c.at):
				c.at++
			case k < len(cdataStart):
				return 0, false
			default:
				c.cdata, c.begun = true, c.at
				c.at += k
			}
			continue
		}
		n, v := match(&c.tag, rest, &c.found)
		if v == more {
			return 0, false
		}
		if c.at += n; v == fail {
			continue
		}
		t := &c.found
		t.Start, t.End = c.at-n, c.at
		if t.Closing && t.Name == s.config.Call {
			return c.at, s.closed(c.at)
		}
		if !c.certain && !t.Closing {
			_, c.certain = find(s.config.Params, t.Name, true)
		}
		s.sink.Tag(t, raw)
	}
	return 0, false
}

// closed ends the call at the given place.
func (s *Scanner) closed(end int) bool {
	call := s.call.raw.String()[:end]
	s.leave(strings.Contains(call, "\n"))
	s.sink.Finish(Closed, call)
	return true
}

// reopen reads what stands in a CDATA section that is never closed as if its beginning were text. It returns what of it stands
// behind the call.
func (s *Scanner) reopen() []byte {
	c := &s.call
	raw := c.raw.String()
	s.looked += len(raw)
	s.reread = newReread([]byte(raw[c.begun:]), c.start+c.begun, s.config.Outer)
	s.sink.Unclosed()
	c.cdata, c.at = false, c.begun+1
	end, closed := s.tags()
	if !closed {
		return nil
	}
	s.offset = c.start + end
	return []byte(raw[end:])
}

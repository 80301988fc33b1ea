package toolcall

import (
	"bytes"
	"strings"
)

// callMode is the state of the open call.
type callMode struct {
	start   int    // where it begins in the cleaned message
	raw     *Block // all of it, from its opening tag
	at      int    // up to here its tags were found
	tag     matcher
	found   Tag  // the last
	cdata   bool // inside a CDATA section
	begun   int  // where that begins
	certain bool // a parameter was opened
}

// begin opens the call whose opening tag is raw, and begins at the offset.
func (s *Scanner) begin(tag Tag, raw []byte, offset int) {
	c := &s.call
	s.mode, c.start = inCall, offset
	c.raw.Begin()
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

// Own returns a text that may be kept of a part of the last call.
func (s *Scanner) Own(part string) string { return s.call.raw.Own(part) }

// inCall reads on in a call and returns how many bytes of b belong to it. It copies up to one > at a time: that may end the
// closing tag, and what follows a call must not be copied into it.
func (s *Scanner) inCall(b []byte) int {
	c := &s.call
	for n := 0; n < len(b); {
		step := bytes.IndexByte(b[n:], '>') + 1
		if step == 0 {
			step = len(b) - n
		}
		c.raw.Write(b[n : n+step])
		n += step
		if s.tags() {
			return n
		}
	}
	s.sink.Grew(c.raw.Text(), c.at)
	return len(b)
}

// tags finds the tags in what was not looked at yet. It reports whether the call's closing tag was among them.
func (s *Scanner) tags() (closed bool) {
	c := &s.call
	raw := c.raw.Text()
	for c.at < len(raw) {
		rest := raw[c.at:]
		if c.cdata {
			i := strings.Index(rest, cdataEnd)
			s.looked += max(i, 0)
			if i < 0 {
				s.looked += len(rest)
				c.at += max(len(strings.TrimRight(rest, "]")), len(rest)-2)
				return false
			}
			c.at += i + len(cdataEnd)
			c.cdata = false
			continue
		}
		i := strings.IndexByte(rest, '<')
		if i < 0 {
			s.looked += len(rest)
			c.at = len(raw)
			return false
		}
		s.looked += i
		c.at += i
		rest = rest[i:]
		if len(rest) > 1 && rest[1] == '!' {
			switch k := min(len(rest), len(cdataStart)); {
			case rest[:k] != cdataStart[:k] || k == len(cdataStart) && s.reread.cdataUnclosed(c.start+c.at):
				c.at++
			case k < len(cdataStart):
				return false
			default:
				c.cdata, c.begun = true, c.at
				c.at += k
			}
			continue
		}
		n, v := match(&c.tag, rest, &c.found)
		if v == more {
			return false
		}
		if c.at += n; v == fail {
			continue
		}
		t := &c.found
		t.Start, t.End = c.at-n, c.at
		if t.Closing && t.Name == s.config.Call {
			s.closed(c.at)
			return true
		}
		if !c.certain && !t.Closing {
			_, c.certain = find(s.config.Params, t.Name, true)
		}
		s.sink.Tag(t, raw)
	}
	return false
}

// closed ends the call at the given place.
func (s *Scanner) closed(end int) {
	call := s.call.raw.Text()[:end]
	s.leave(strings.Contains(call, "\n"))
	s.sink.Finish(Closed, call)
}

// reopen reads a CDATA section that is never closed as if its beginning were text. It returns what stands behind the call.
func (s *Scanner) reopen() []byte {
	c := &s.call
	raw := c.raw.Text()
	s.looked += len(raw)
	s.reread = s.newReread([]byte(raw[c.begun:]), c.start+c.begun)
	s.sink.Unclosed()
	c.cdata, c.at = false, c.begun+1
	if !s.tags() {
		return nil
	}
	s.offset = c.start + c.at
	return []byte(raw[c.at:])
}

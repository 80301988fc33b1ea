package toolcall

import "bytes"

// hidden looks for the end of a fenced code block or of an element that hides calls. Nothing of it is passed on before,
// since without an end it hides nothing.
func (s *Scanner) hidden(b []byte, final bool) int {
	var n int
	var found bool
	if s.mode == inFence {
		n, found = s.fenceEnds(b, final)
	} else {
		n, found = s.elementEnds(b)
	}
	switch {
	case found:
		s.pass(b[:n])
		s.leave(bytes.IndexByte(b[:n], '\n') >= 0)
		s.look, s.run = 0, 0
		return n
	case !final:
		return 0
	}
	if s.reread != nil { // newReread knows which ends are there, so this is never reached
		s.pass(b)
		return len(b)
	}
	// It is never closed: read it again as text, and know this time what is.
	s.reread = newReread(b, s.offset, s.config.Outer)
	s.mode, s.look, s.run = inText, 0, 0
	return 0
}

// elementEnds looks for the closing tag of the element; s.look keeps the place.
func (s *Scanner) elementEnds(b []byte) (n int, found bool) {
	for {
		i := bytes.IndexByte(b[s.look:], '<')
		if i < 0 {
			s.look = len(b)
			return 0, false
		}
		s.look += i
		n, v := endTag(b[s.look:], s.name)
		switch v {
		case more:
			return 0, false
		case done:
			return s.look + n, true
		}
		s.look++
	}
}

// endTag reads </name>, with white space before the >, at the beginning of b.
func endTag(b []byte, name string) (n int, v verdict) {
	k := min(len(b)-2, len(name))
	switch {
	case len(b) == 1:
		return 0, more
	case b[1] != '/' || string(b[2:2+k]) != name[:k]:
		return 0, fail
	}
	n = 2 + k
	for n < len(b) && isSpace(b[n]) {
		n++
	}
	switch {
	case n == len(b):
		return 0, more
	case b[n] == '>':
		return n + 1, done
	}
	return 0, fail
}

// fenceEnds looks for the line that closes the fence; s.look and s.end keep the place.
func (s *Scanner) fenceEnds(b []byte, final bool) (n int, found bool) {
	for s.look < len(b) {
		if s.end.dead {
			i := bytes.IndexByte(b[s.look:], '\n')
			if i < 0 {
				s.look = len(b)
				return 0, false
			}
			s.look += i + 1
			s.end = fenceLine{}
			continue
		}
		if b[s.look] == '\n' {
			if s.end.closes(s.fence) {
				return s.look, true
			}
			s.end = fenceLine{}
		} else {
			s.end.read(b[s.look])
		}
		s.look++
	}
	return s.look, final && s.end.closes(s.fence)
}

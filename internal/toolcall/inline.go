package toolcall

// ahead is what is known of the rest of a line on which a tag might stand in inline code. Positions count from the start
// of the message. Each byte of the line is looked at once, however many tags ask.
type ahead struct {
	begun   bool
	scanned int  // up to here the line was looked at
	eol     bool // that is its end
	runs    []int
	params  []int // opening tags of parameters
	closers []int // closing tags of calls
}

func (a *ahead) reset() {
	if a.begun {
		*a = ahead{runs: a.runs[:0], params: a.params[:0], closers: a.closers[:0]}
	}
}

// forget drops what stands before p.
func (a *ahead) forget(p int) {
	for len(a.runs) > 0 && a.runs[0] < p {
		a.runs = a.runs[1:]
	}
	for len(a.params) > 0 && a.params[0] < p {
		a.params = a.params[1:]
	}
	for len(a.closers) > 0 && a.closers[0] < p {
		a.closers = a.closers[1:]
	}
}

// coded reports whether the tag that ends at b[end], and has an odd number of backtick runs before it on its line, stands
// in inline code: whether another run follows it on the line. For a call, runs inside it do not count, provided it opens a
// parameter first and ends on the line. Not known means that the line must be read on.
func (s *Scanner) coded(b []byte, end int, isCall, final bool) (coded, known bool) {
	a := &s.ahead
	p := s.offset + end
	if !a.begun {
		a.begun, a.scanned = true, p
	}
	a.forget(p)
	if a.scanned < p {
		a.scanned = p
	}
	for len(a.runs) == 0 && s.lookAhead(b, final) {
	}
	switch {
	case len(a.runs) == 0:
		return false, a.eol
	case !isCall, len(a.params) == 0, a.params[0] > a.runs[0]:
		return true, true
	}
	for len(a.closers) == 0 && s.lookAhead(b, final) {
	}
	if len(a.closers) == 0 {
		return true, a.eol
	}
	for a.runs[len(a.runs)-1] < a.closers[0] && s.lookAhead(b, final) {
	}
	if a.runs[len(a.runs)-1] > a.closers[0] {
		return true, true
	}
	return false, a.eol
}

// lookAhead finds the next thing of note on the line. It returns false at the line's end, and where more must be read.
func (s *Scanner) lookAhead(b []byte, final bool) bool {
	a := &s.ahead
	for !a.eol {
		i := a.scanned - s.offset
		i += Index3(b[i:], '<', '`', '\n')
		a.scanned = s.offset + i
		switch {
		case i == len(b):
			a.eol = final
			return false
		case b[i] == '\n':
			a.eol = true
			return false
		case b[i] == '`':
			a.scanned++
			if b[i-1] == '`' {
				continue // of the same run
			}
			a.runs = append(a.runs, s.offset+i)
			return true
		}
		wait, noted := s.noteTag(b[i:], s.offset+i, final)
		if wait {
			return false
		}
		a.scanned++
		if noted {
			return true
		}
	}
	return false
}

// noteTag notes the tag that begins b if it opens a parameter or closes a call.
func (s *Scanner) noteTag(b []byte, at int, final bool) (wait, noted bool) {
	a := &s.ahead
	start, names := 1, s.config.Params
	if len(b) > 1 && b[1] == '/' {
		start, names = 2, s.config.Outer
	}
	end := start
	for end < len(b) && isName(b[end]) {
		end++
	}
	if end == len(b) && !final {
		// No longer name matters, so the wait is bounded.
		return names.begun(b[start:end]), false
	}
	name, known := names.find(b[start:end])
	switch {
	case known && start == 1:
		a.params = append(a.params, at)
	case known && name == s.config.Call:
		a.closers = append(a.closers, at)
	default:
		return false, false
	}
	return false, true
}

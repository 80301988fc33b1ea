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
	tag     matcher
}

func (a *ahead) reset() {
	if a.begun {
		*a = ahead{runs: a.runs[:0], params: a.params[:0], closers: a.closers[:0], tag: a.tag}
		a.tag.reset()
	}
}

// forget drops what stands before p.
func (a *ahead) forget(p int) {
	for _, list := range []*[]int{&a.runs, &a.params, &a.closers} {
		for len(*list) > 0 && (*list)[0] < p {
			*list = (*list)[1:]
		}
	}
}

// coded reports whether the tag that ends at b[end], and has an odd number of backtick runs before it on its line, stands
// in inline code: whether another run follows it on the line. For a call, runs inside it do not count, provided it opens a
// parameter first and ends on the line. Not known means that the line must be read on.
func (s *Scanner) coded(b []byte, end int, call, final bool) (coded, known bool) {
	a := &s.text.ahead
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
	case !call, len(a.params) == 0, a.params[0] > a.runs[0]:
		s.text.coded = s.text.coded && !call
		return true, true
	}
	for len(a.closers) == 0 && s.lookAhead(b, final) {
	}
	if len(a.closers) == 0 {
		s.text.coded = true
		return true, a.eol
	}
	for a.runs[len(a.runs)-1] < a.closers[0] && s.lookAhead(b, final) {
	}
	if a.runs[len(a.runs)-1] > a.closers[0] {
		s.text.coded = true
		return true, true
	}
	return false, a.eol
}

// lookAhead finds the next thing of note on the line. It returns false at the line's end, and where more must be read.
func (s *Scanner) lookAhead(b []byte, final bool) bool {
	a := &s.text.ahead
	for !a.eol {
		i := a.scanned - s.offset
		i += s.index(b[i:], "<`\n")
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
		var tag Tag
		_, v := match(&a.tag, b[i:], &tag)
		if v == more && !final {
			return false
		}
		a.tag.reset()
		a.scanned++
		if v == done && s.noteTag(&tag) {
			return true
		}
	}
	return false
}

// noteTag notes the tag that was scanned if it opens a parameter or closes a call.
func (s *Scanner) noteTag(t *Tag) bool {
	a := &s.text.ahead
	_, param := find(s.config.Params, t.Name, true)
	switch {
	case param && !t.Closing:
		a.params = append(a.params, a.scanned-1)
	case t.Closing && t.Name == s.config.Call:
		a.closers = append(a.closers, a.scanned-1)
	default:
		return false
	}
	return true
}

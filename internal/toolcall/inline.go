package toolcall

// markKind is a kind of mark that decides whether a tag is in inline code.
type markKind uint8

const (
	markRun      markKind = iota // a run of backticks
	markParam                    // a parameter's opening tag before the next run
	markCallEnd                  // a call's closing tag
	markRunAfter                 // a run after that tag
	markKinds
)

// markStops has, for each kind, its first character and then the characters that may end the search.
var markStops = [markKinds]string{markRun: "`\n", markParam: "<`\n", markCallEnd: "<\n", markRunAfter: "`\n"}

// mark caches a search: the first mark of a kind from an offset on, or the end of the line. Offsets count from the message's start.
type mark struct{ from, at int }

// inCode reports whether a tag that ends at an offset is in inline code: whether another backtick run follows on its line. The number
// of runs before the tag must be odd. Runs inside a call do not count if it opens a parameter first and ends on the line.
func (s *Scanner) inCode(end int, call bool) bool {
	if _, ok := s.nextMark(markRun, end); !ok {
		return false
	}
	if _, ok := s.nextMark(markParam, end); !ok || !call {
		s.codedCall = s.codedCall && !call
		return true
	}
	at, closed := s.nextMark(markCallEnd, end)
	_, again := s.nextMark(markRunAfter, at)
	s.codedCall = !closed || again
	return s.codedCall
}

// nextMark returns the first mark of a kind on the line, from an offset on. It caches the result.
func (s *Scanner) nextMark(k markKind, from int) (at int, ok bool) {
	m := &s.marks[k]
	if from += s.base; from < m.from || from > m.at {
		*m = mark{from, s.base + s.findMark(k, from-s.base)}
	}
	at = m.at - s.base
	return at, at < len(s.raw) && s.raw[at] == markStops[k][0]
}

// findMark is nextMark without the cache.
func (s *Scanner) findMark(k markKind, at int) int {
	for {
		at = s.find(at, markStops[k])
		if at == len(s.raw) || s.raw[at] != '<' {
			return at
		}
		tag, ok := s.readTag(s.config.Known, at, false, true)
		switch {
		case !ok:
		case k == markParam && s.config.param(&tag), k == markCallEnd && tag.Closing && tag.Name == s.config.Call:
			return at
		}
		at++
	}
}

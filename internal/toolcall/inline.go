package toolcall

import "strings"

// markKind is a kind of mark that decides whether a tag is in inline code.
type markKind uint8

const (
	markRun      markKind = iota // a run of backticks
	markParam                    // a parameter's opening tag before the next run
	markCallEnd                  // a call's closing tag
	markRunAfter                 // a run after that tag
	markKinds
)

// markStops has, for each kind, its first character and then the character that may end the search.
var markStops = [markKinds]string{markRun: "`", markParam: "<`", markCallEnd: "<", markRunAfter: "`"}

// inCode reports whether a tag that ends at an offset is in inline code: whether another backtick run follows on its line. The number
// of runs before the tag must be odd. Runs inside a call do not count if it opens a parameter first and ends on the line.
func (s *Scanner) inCode(end int, call bool) bool {
	if s.lineEnd < end {
		eol := s.find("\n", end)
		if s.starved {
			return false
		}
		s.lineEnd = eol
	}
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

// nextMark returns the first mark of a kind on the line, from an offset on. It keeps the result for the next call, which has a later offset.
func (s *Scanner) nextMark(k markKind, from int) (at int, ok bool) {
	m := &s.marks[k]
	if *m < from {
		*m = s.findMark(k, from)
	}
	return *m, *m < s.lineEnd && s.raw[*m] == markStops[k][0]
}

// findMark is nextMark without the cache.
func (s *Scanner) findMark(k markKind, at int) int {
	for line := s.raw[:s.lineEnd]; ; at++ {
		i := strings.IndexAny(line[at:], markStops[k])
		if i < 0 {
			return len(line)
		}
		s.scanned += i + 1
		at += i
		if line[at] != '<' {
			return at
		}
		tag, ok := readTag(s.config.Known, line, at)
		s.scanned += tag.End - at
		switch {
		case !ok:
		case k == markParam && s.config.param(&tag), k == markCallEnd && tag.Closing && tag.Name == s.config.Call:
			return at
		}
	}
}

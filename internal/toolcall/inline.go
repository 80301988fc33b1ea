package toolcall

// kind is what matters on a line on which a tag may stand in inline code.
type kind uint8

const (
	run    kind = iota // of backticks
	param              // the opening tag of a parameter, before the next run
	closer             // the closing tag of a call
	behind             // a run behind that
	kinds
)

// kindStops are the characters at which one of the kind may stand, or not any more.
var kindStops = [kinds]string{run: "`\n", param: "<`\n", closer: "<\n", behind: "`\n"}

// mark is the first one of a kind, or the end of the line, from a place on. Places count from the start of the message.
type mark struct{ from, at int }

// inCode reports whether the tag that ends at a place, and has an odd number of backtick runs before it on its line, stands
// in inline code: whether another run follows it on the line. For a call, runs inside it do not count, provided it opens a
// parameter first and ends on the line.
func (s *Scanner) inCode(end int, call bool) bool {
	if _, ok := s.next(run, end); !ok {
		return false
	}
	if _, ok := s.next(param, end); !ok || !call {
		s.coded = s.coded && !call
		return true
	}
	at, closed := s.next(closer, end)
	_, again := s.next(behind, at)
	s.coded = !closed || again
	return s.coded
}

// next returns the place of the first one of the kind on the line, from a place on. What is known is not looked for again.
func (s *Scanner) next(k kind, from int) (at int, ok bool) {
	m := &s.ahead[k]
	if from += s.base; from < m.from || from > m.at {
		*m = mark{from, s.base + s.lookAhead(k, from-s.base)}
	}
	at = m.at - s.base
	return at, at < len(s.raw) && s.raw[at] == kindStops[k][0]
}

// lookAhead looks for one of the kind from a place on.
func (s *Scanner) lookAhead(k kind, at int) int {
	for {
		at = s.find(at, kindStops[k])
		if at == len(s.raw) || s.raw[at] != '<' {
			return at
		}
		tag, ok := s.tag(s.config.Known, at, false, true)
		switch {
		case !ok:
		case k == param && s.config.param(&tag), k == closer && tag.Closing && tag.Name == s.config.Call:
			return at
		}
		at++
	}
}

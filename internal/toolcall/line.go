package toolcall

import "strings"

// maxFence is the longest fence that is told from longer ones, and maxIndent the widest indentation.
const (
	maxFence  = 64
	maxIndent = 250
)

// fence is the beginning, or the end, of a fenced code block.
type fence struct {
	char   byte
	length int // at most maxFence
	indent int // at most maxIndent
}

// closedBy reports whether a line ends f: as many of the same characters or more, and at most three more columns of indentation.
func (f fence) closedBy(end fence) bool {
	return f.char == end.char && end.length >= f.length && end.indent <= f.indent+3
}

// fenceOn returns the fence on a line, and its place. As in CommonMark, white space and > may precede it, and list markers one that opens a
// block. Only white space may follow one that closes it, and no backtick may follow backticks that open it.
func fenceOn(line string, opens bool) (f fence, at int, ok bool) {
	for n := 1; n > 0; at += n {
		if n = len(line) - at - len(strings.TrimLeft(line[at:], " \t>")); n == 0 && opens {
			n = listMarker(line[at:])
		}
	}
	run := line[at:]
	if run == "" || run[0] != '`' && run[0] != '~' {
		return f, at, false
	}
	rest := strings.TrimLeft(run, run[:1])
	n := len(run) - len(rest)
	if opens {
		ok = run[0] == '~' || strings.IndexByte(rest, '`') < 0
	} else {
		ok = strings.Trim(rest, " \t\r") == ""
	}
	return fence{run[0], min(n, maxFence), min(at, maxIndent)}, at, ok && n >= 3
}

// listMarker returns the length of a list's marker at the front of s, with the white space behind it.
func listMarker(s string) int {
	n, marks := len(s)-len(strings.TrimLeft(s, "0123456789")), "-+*"
	if n > 0 {
		marks = ".)"
	}
	if n > 9 || len(s) < n+2 || strings.IndexByte(marks, s[n]) < 0 || s[n+1] != ' ' && s[n+1] != '\t' {
		return 0
	}
	return n + 2
}

// prefix reads the beginning of a line, and a fenced code block behind it. It reports whether there is one.
func (s *Scanner) prefix() bool {
	begin := s.at
	for ; s.more(s.at) && strings.IndexByte(" \t>-+*0123456789.)", s.raw[s.at]) >= 0; s.at++ {
		s.looked++
	}
	s.begins = false
	for n := range 3 {
		if !s.more(s.at+n) || s.raw[s.at+n] != '`' && s.raw[s.at+n] != '~' {
			return false
		}
	}
	f, _, ok := fenceOn(s.raw[begin:s.find(s.at, "\n")], true)
	return ok && s.fenced(f)
}

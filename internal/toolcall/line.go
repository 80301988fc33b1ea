package toolcall

import "strings"

const (
	maxFence  = 64  // the longest fence that is told from longer ones
	maxIndent = 250 // the widest indentation that is told from wider ones
	maxDeeper = 3   // columns that a line which closes a fence may stand deeper
)

// fence is the beginning, or the end, of a fenced code block.
type fence struct {
	char   byte
	length int // at most maxFence
	indent int // at most maxIndent
}

// fenceOn returns the fence on a line, its place, and whether it opens or closes a block. As in CommonMark, white space and > may
// precede it, and list markers one that opens. Only white space may follow one that closes, and no backtick backticks that open.
func fenceOn(line string) (f fence, at int, opens, closes bool) {
	closes = true
	for n := 1; n > 0; at += n {
		for at < len(line) && (line[at] == '>' || line[at] == ' ' || line[at] == '\t') {
			at++
		}
		n = listMarker(line[at:])
		closes = closes && n == 0
	}
	to := at
	for to < len(line) && line[to] == line[at] && (line[at] == '`' || line[at] == '~') {
		to++
	}
	if to-at < 3 {
		return f, at, false, false
	}
	rest := line[to:]
	opens = line[at] == '~' || strings.IndexByte(rest, '`') < 0
	return fence{line[at], min(to-at, maxFence), min(at, maxIndent)}, at, opens, closes && strings.Trim(rest, " \t\r") == ""
}

// listMarker returns the length of a list's marker at the front of s, with the white space behind it.
func listMarker(s string) int {
	n, marks := 0, "-+*"
	for ; n < len(s) && isDigit(s[n]); n++ {
		marks = ".)"
	}
	if n > 9 || len(s) < n+2 || strings.IndexByte(marks, s[n]) < 0 || s[n+1] != ' ' && s[n+1] != '\t' {
		return 0
	}
	return n + 2
}

// linePrefix is what may precede a fence on its line.
var linePrefix = stops(" \t>-+*0123456789.)")

// prefix reads the beginning of a line, and a fenced code block behind it. It reports whether there is one.
func (s *Scanner) prefix() bool {
	begin := s.at
	for ; s.more(s.at) && linePrefix[s.raw[s.at]]; s.at++ {
		s.looked++
	}
	s.begins = false
	for n := range 3 {
		if !s.more(s.at+n) || s.raw[s.at+n] != '`' && s.raw[s.at+n] != '~' {
			return false
		}
	}
	f, _, opens, _ := fenceOn(s.raw[begin:s.find(s.at, "\n")])
	return opens && s.fenced(f)
}

package toolcall

import "strings"

const (
	maxFence       = 64  // longer fences count as this long
	maxIndent      = 250 // deeper indentation counts as this deep
	maxExtraIndent = 3   // how much deeper than the opening line a closing line may be indented
)

// fence is the first or last line of a fenced code block.
type fence struct {
	char   byte
	length int // at most maxFence
	indent int // at most maxIndent
}

// fenceOn returns the fence on a line, its offset, and whether it can open or close a block. As in CommonMark, white space and > may
// precede a fence, and list markers an opening one. Only white space may follow a closing fence, and no backtick an opening fence of
// backticks.
func fenceOn(line string) (f fence, at int, opens, closes bool) {
	closes = true
	for n := 1; n > 0; at += n {
		for ; at < len(line) && (line[at] == '>' || line[at] == ' ' || line[at] == '\t'); at++ {
		}
		n = listMarker(line[at:])
		closes = closes && n == 0
	}
	rest := line[at:]
	if !strings.HasPrefix(rest, "```") && !strings.HasPrefix(rest, "~~~") {
		return f, at, false, false
	}
	rest = strings.TrimLeft(rest, rest[:1])
	opens = line[at] == '~' || strings.IndexByte(rest, '`') < 0
	return fence{line[at], min(len(line)-len(rest)-at, maxFence), min(at, maxIndent)}, at, opens, closes && strings.Trim(rest, " \t\r") == ""
}

// listMarker returns the length of a list marker at the start of s, with one white space after it; 0 if there is none.
func listMarker(s string) int {
	n, marks := 0, ".)"
	for ; n < len(s) && isDigit(s[n]); n++ {
	}
	if n == 0 {
		marks = "-+*"
	}
	if n > 9 || len(s) < n+2 || strings.IndexByte(marks, s[n]) < 0 || s[n+1] != ' ' && s[n+1] != '\t' {
		return 0
	}
	return n + 2
}

// linePrefix are the characters that may precede a fence on its line.
var linePrefix = stops(" \t>-+*0123456789.)")

// readLineStart reads the start of a line, and the first line of the fenced code block after it.
func (s *Scanner) readLineStart() {
	for ; s.at < len(s.raw) && linePrefix[s.raw[s.at]]; s.at++ {
		s.scanned++
	}
	begins := s.hasPrefix(s.at, "```") || s.hasPrefix(s.at, "~~~")
	if s.starved {
		return
	}
	if begins {
		eol := s.find("\n", s.at)
		if s.starved {
			return
		}
		if f, _, opens, _ := fenceOn(s.raw[s.lineBegin:eol]); opens && !s.reread.neverFenced(s.base+s.at) {
			s.hiding = hiding{fence: f, open: eol + 1, at: eol + 1}
			s.state = (*Scanner).readFence
			return
		}
	}
	s.state = (*Scanner).readText
}

package toolcall

import "bytes"

// maxFence is the longest fence that is told from longer ones, and maxIndent the widest indentation.
const (
	maxFence  = 64
	maxIndent = 250
)

// line is what is known of the current line of text.
type line struct {
	runs  int  // runs of backticks so far, outside calls and hidden elements
	inRun bool // the last character was a backtick
	open  bool // only what may stand before a fence was read

	indent int    // of the prefix: white space, quotation marks and list markers
	marker marker // of a list, in the prefix
	digits int    // of a numbered one
}

type marker uint8

const (
	noMarker marker = iota
	number          // digits were read
	complete        // a whole marker was read; white space must follow
)

// note takes a character after the prefix.
func (l *line) note(c byte) {
	if c == '\n' {
		*l = line{open: true}
		return
	}
	if !l.inRun {
		l.runs++
	}
	l.inRun = true
}

// prefixed reports whether c goes on the prefix of a line: white space, > and list markers, as CommonMark has them.
func (l *line) prefixed(c byte) bool {
	ok := false
	switch l.marker {
	case noMarker:
		ok = c == ' ' || c == '\t' || c == '>'
		switch {
		case c == '-' || c == '+' || c == '*':
			l.marker, ok = complete, true
		case '0' <= c && c <= '9':
			l.marker, l.digits, ok = number, 1, true
		}
	case number:
		switch {
		case '0' <= c && c <= '9' && l.digits < 9:
			l.digits++
			ok = true
		case c == '.' || c == ')':
			l.marker, ok = complete, true
		}
	case complete:
		if c == ' ' || c == '\t' {
			l.marker, ok = noMarker, true
		}
	}
	if ok {
		l.indent++
	}
	return ok
}

// fence is the beginning, or the end, of a fenced code block.
type fence struct {
	char   byte
	length int // at most maxFence
	indent int // at most maxIndent
}

// closedBy reports whether the line that end describes can close f: CommonMark asks for as many of the same characters,
// and no more than three columns of further indentation.
func (f fence) closedBy(end fence) bool {
	return f.char == end.char && end.length >= f.length && end.indent <= f.indent+3
}

// closingFence returns the fence on a line that closes a block: white space and quotation marks, the fence, white space.
func closingFence(text []byte) (f fence, ok bool) {
	run := bytes.TrimLeft(text, " \t>")
	if len(run) == 0 || run[0] != '`' && run[0] != '~' {
		return f, false
	}
	rest := bytes.TrimLeft(run, string(run[:1]))
	n := len(run) - len(rest)
	return fence{run[0], min(n, maxFence), min(len(text)-len(run), maxIndent)}, n >= 3 && len(bytes.Trim(rest, " \t\r")) == 0
}

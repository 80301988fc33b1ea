package dialect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"followup/internal/question"
)

// codes is a list that holds each code once.
type codes []question.Code

func (c *codes) add(more ...question.Code) {
	for _, code := range more {
		if !slices.Contains(*c, code) {
			*c = append(*c, code)
		}
	}
}

// sorted returns the codes in their order, and never nil.
func (c codes) sorted() []question.Code {
	sorted := append([]question.Code{}, c...)
	slices.Sort(sorted)
	return sorted
}

// grower shows a text while it arrives: CRLF as LF, without white space at its ends. White space is held back until more follows.
type grower struct {
	begun bool
	at    int // up to here the text was read
	space int // bytes held back before that
}

// next returns what may be shown of a text, as far as it was read. Nothing is copied, and no white space is looked at twice.
func (g *grower) next(text string) string {
	to := len(text)
	piece := text[g.at:]
	if !g.begun {
		piece = strings.TrimLeftFunc(piece, isSpace)
	}
	from := to - len(piece) - g.space
	solid := len(piece)
	if solid > 0 && !solidASCII(piece[solid-1]) {
		if solid--; piece[solid] != ' ' || solid == 0 || !solidASCII(piece[solid-1]) { // but for one space
			solid = len(strings.TrimRightFunc(piece, isSpace))
		}
	}
	g.at = to
	if solid == 0 {
		g.space += len(piece)
		return ""
	}
	end := to - len(piece) + solid
	g.begun, g.space = true, to-end
	return withLF(text[from:end])
}

// withLF returns s with LF for each CRLF.
func withLF(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\r\n", "\n")
}

// isSpace reports whether r is trimmed: Unicode White_Space and the byte order mark.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

// trim returns s without the white space at its ends, which mostly is none, or a few kinds.
func trim(s string) string {
	if n := len(s); n > 0 && solidASCII(s[0]) && solidASCII(s[n-1]) {
		return s
	}
	return strings.TrimFunc(strings.Trim(s, " \t\r\n"), isSpace)
}

// blanks returns the number of spaces and tabs at the front of s.
func blanks(s string) (n int) {
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return n
}

func solidASCII(c byte) bool { return ' ' < c && c < utf8.RuneSelf }

package dialect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"followup/internal/question"
)

// codes is a set of codes in insertion order.
type codes []question.Code

func (c *codes) add(more ...question.Code) {
	for _, code := range more {
		if !slices.Contains(*c, code) {
			*c = append(*c, code)
		}
	}
}

// sorted returns the codes in alphabetical order. The result is never nil.
func (c codes) sorted() []question.Code {
	sorted := append([]question.Code{}, c...)
	slices.Sort(sorted)
	return sorted
}

// trimmer normalizes a text that arrives in pieces: it turns CRLF into LF and trims both ends. It holds white space
// back until more text follows.
type trimmer struct {
	begun bool
	at    int // end of the text read so far
	space int // white space held back, in bytes before at
}

// next returns the new part of text that may be shown. It copies nothing and looks at white space only once.
func (g *trimmer) next(text string) string {
	to := len(text)
	piece := text[g.at:]
	if !g.begun {
		piece = strings.TrimLeftFunc(piece, isSpace)
	}
	from := to - len(piece) - g.space
	solid := len(piece)
	if solid > 0 && !solidASCII(piece[solid-1]) {
		if solid--; piece[solid] != ' ' || solid == 0 || !solidASCII(piece[solid-1]) { // fast path: one trailing space
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

// withLF replaces each CRLF in s with LF.
func withLF(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\r\n", "\n")
}

// isSpace reports whether trim removes r: Unicode White_Space or the byte order mark.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

// trim removes white space from both ends of s. It is fast for the common cases: no white space, or ASCII only.
func trim(s string) string {
	if n := len(s); n > 0 && solidASCII(s[0]) && solidASCII(s[n-1]) {
		return s
	}
	return strings.TrimFunc(strings.Trim(s, " \t\r\n"), isSpace)
}

// indentLen returns the number of leading spaces and tabs.
func indentLen(s string) (n int) {
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return n
}

func solidASCII(c byte) bool { return ' ' < c && c < utf8.RuneSelf }

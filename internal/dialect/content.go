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

// trimmer normalizes a text that arrives in pieces: it turns CRLF into LF and trims both ends.
type trimmer struct {
	begun bool
	space []byte // white space held back until more text follows
}

// next adds a piece and returns the text that may be shown.
func (g *trimmer) next(piece string) string {
	if !g.begun {
		piece = strings.TrimLeftFunc(piece, isSpace)
	}
	solid := strings.TrimRightFunc(piece, isSpace)
	space := piece[len(solid):]
	if solid == "" {
		g.space = append(g.space, space...)
		return ""
	}
	solid = string(g.space) + solid
	g.begun, g.space = true, append(g.space[:0], space...)
	return withLF(solid)
}

// withLF replaces each CRLF in s with LF.
func withLF(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// isSpace reports whether trim removes r: Unicode White_Space or the byte order mark.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

// trim removes white space from both ends of s.
func trim(s string) string {
	if s == "" || isSolid(s[0]) && isSolid(s[len(s)-1]) {
		return s
	}
	return strings.TrimFunc(s, isSpace)
}

// isSolid reports whether c is ASCII and not white space, as most characters are.
func isSolid(c byte) bool { return ' ' < c && c < utf8.RuneSelf }

// indentLen returns the number of leading spaces and tabs.
func indentLen(s string) (n int) {
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return n
}

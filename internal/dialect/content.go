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
	space []byte // white space, and a beginning without anything visible, held back until more text follows
}

// next adds the text from an offset on and returns what may be shown. It copies nothing if the text has what was held back.
func (g *trimmer) next(text string, from int) string {
	piece := text[from:]
	if !g.begun && len(g.space) == 0 {
		piece = trimLeft(piece)
	}
	solid := trimRight(piece)
	if !g.begun && question.Invisible(solid) {
		solid = ""
	}
	space := piece[len(solid):]
	if held := len(g.space); held > 0 && solid != "" {
		if from >= held && text[from-held:from] == string(g.space) {
			solid = text[from-held : len(text)-len(space)]
		} else {
			solid = string(g.space) + solid
		}
		g.space = g.space[:0]
	}
	g.space = append(g.space, space...)
	g.begun = g.begun || solid != ""
	return withLF(solid)
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

// trim removes white space from both ends of s, and everything if nothing of s is visible.
func trim(s string) string {
	if s = trimLeft(trimRight(s)); question.Invisible(s) {
		return ""
	}
	return s
}

// trimLeft and trimRight are fast for ASCII.
func trimLeft(s string) string {
	for s != "" && asciiSpace(s[0]) {
		s = s[1:]
	}
	if s == "" || s[0] < utf8.RuneSelf {
		return s
	}
	return strings.TrimLeftFunc(s, isSpace)
}

func trimRight(s string) string {
	for s != "" && asciiSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	if s == "" || s[len(s)-1] < utf8.RuneSelf {
		return s
	}
	return strings.TrimRightFunc(s, isSpace)
}

func asciiSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// indentLen returns the number of leading spaces and tabs.
func indentLen(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

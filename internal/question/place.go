package question

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Place is the position of an error in the input, and its text. The zero value is unknown.
type Place struct {
	// Path is the JSON path of a valid value, such as questions[0].options[1].label.
	Path string `json:",omitempty"`
	// Line and Column, in characters from 1, are the place of a syntax error in markup or JSON; 0 if Path is set.
	Line   int `json:",omitempty"`
	Column int `json:",omitempty"`
	// Excerpt is the start of the text there, as from the function Excerpt; may be empty.
	Excerpt string `json:",omitempty"`
}

// MaxExcerpt is the maximum length of an excerpt in characters.
const MaxExcerpt = 40

// Excerpt returns the beginning of text on one line, with runs of white space and control characters replaced by single spaces, cut
// with … after MaxExcerpt characters. It reads only as much of the text as necessary.
func Excerpt(text string) string {
	var b strings.Builder
	b.Grow(min(len(text), 2*MaxExcerpt))
	n, gap := 0, false
	for _, r := range text {
		if blank(r) {
			gap = n > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			n++
		}
		gap = false
		b.WriteRune(r)
		if n++; n > MaxExcerpt {
			return cutExcerpt(b.String())
		}
	}
	return b.String()
}

// cutExcerpt shortens an excerpt to make room for the ….
func cutExcerpt(text string) string {
	n := 0
	for i := range text {
		if n++; n == MaxExcerpt {
			return strings.TrimRight(text[:i], " ") + "…"
		}
	}
	return text
}

// ExcerptEnd returns the end of text, shortened like Excerpt.
func ExcerptEnd(text string) string {
	if n := len(text) - utf8.UTFMax*2*MaxExcerpt; n > 0 {
		text = strings.ToValidUTF8(text[n:], "")
	}
	runes := []rune(strings.Join(strings.FieldsFunc(text, blank), " "))
	if n := len(runes) - MaxExcerpt; n > 0 {
		return "…" + strings.TrimLeft(string(runes[n+1:]), " ")
	}
	return string(runes)
}

// blank reports whether an excerpt replaces the character by a space.
func blank(r rune) bool {
	if '!' <= r && r <= '~' { // the common case
		return false
	}
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\uFEFF'
}

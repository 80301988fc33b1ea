package question

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Place is where in the input something is wrong, and what stands there. The zero value says nothing.
type Place struct {
	// Path is the JSON path of a value that can be read, such as questions[0].options[1].label.
	Path string `json:",omitempty"`
	// Line and Column, in characters from 1, tell where markup, or JSON itself, is broken; 0 where Path tells it.
	Line   int `json:",omitempty"`
	Column int `json:",omitempty"`
	// Excerpt is the beginning of what stands there, as Excerpt makes it; may be empty.
	Excerpt string `json:",omitempty"`
}

// MaxExcerpt is how many characters an excerpt has at most.
const MaxExcerpt = 40

// Excerpt returns the beginning of text on one line, white space and control characters as single spaces, cut with … where it
// has more than MaxExcerpt characters. It looks at no more of the text than that takes.
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

// cutExcerpt leaves room for the … in an excerpt that is too long.
func cutExcerpt(text string) string {
	n := 0
	for i := range text {
		if n++; n == MaxExcerpt {
			return strings.TrimRight(text[:i], " ") + "…"
		}
	}
	return text
}

// ExcerptEnd returns the end of text, as Excerpt does its beginning.
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

// blank reports whether an excerpt has a space for the character.
func blank(r rune) bool {
	if '!' <= r && r <= '~' { // as most are
		return false
	}
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\uFEFF'
}

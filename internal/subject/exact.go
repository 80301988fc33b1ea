package subject

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"followup/internal/protocol"
)

// mostMarked is how many characters of a text become their own nodes. Later ones are shown by Visible, so that the nodes of a
// hostile text stay in proportion to it.
const mostMarked = 3000

// Exact returns a text that a user decides on, character by character: hidden characters are nodes of the kind control, and
// characters that look like others of the kind confusable. Different texts have different nodes.
func Exact(text string) (nodes []protocol.MarkdownNode) {
	start, marked := 0, 0
	plain := func(end int) {
		if start < end {
			nodes = append(nodes, protocol.MarkdownNode{Text: text[start:end]})
		}
	}
	for m := range marks(text) {
		plain(m.at)
		if marked++; marked > mostMarked {
			return append(nodes, protocol.MarkdownNode{Text: Visible(text[m.at:])})
		}
		shown := text[m.at:m.end]
		if m.kind == protocol.MarkdownControl {
			var points []string
			for _, r := range shown {
				points = append(points, fmt.Sprintf("U+%04X", r))
			}
			shown = strings.Join(points, " ")
		}
		nodes, start = append(nodes, protocol.MarkdownNode{Kind: m.kind, Text: shown}), m.end
	}
	plain(len(text))
	return nodes
}

// Visible is Exact for plain text: hidden characters are written as ‹U+202E›, and characters that look like others are followed
// by such a code. Different texts have different forms, since ‹ itself is written so, too.
func Visible(text string) string {
	var b strings.Builder
	start := 0
	for m := range marks(text) {
		b.WriteString(text[start:m.at])
		if m.kind == protocol.MarkdownConfusable {
			b.WriteString(text[m.at:m.end])
		}
		for _, r := range text[m.at:m.end] {
			fmt.Fprintf(&b, "‹U+%04X›", r)
		}
		start = m.end
	}
	b.WriteString(text[start:])
	return b.String()
}

// mark is a part of a text that is not what it looks like.
type mark struct {
	at, end int
	kind    protocol.MarkdownKind
}

// marks returns such parts of a text, in order.
func marks(text string) iter.Seq[mark] {
	return func(yield func(mark) bool) {
		trailing := len(strings.TrimRight(text, " \n")) // trailing spaces and line breaks begin here
		for at := 0; at < len(text); {
			r, n := utf8.DecodeRuneInString(text[at:])
			end := at + n
			kind := protocol.MarkdownKind("")
			switch {
			case r == '\n' && at < trailing:
			case r == ' ' && at < trailing:
				run := len(text[at:]) - len(strings.TrimLeft(text[at:], " "))
				if end = at + run; text[end] == '\n' {
					kind = protocol.MarkdownControl
				}
			case r == '\n' || r == ' ':
				kind, end = protocol.MarkdownControl, len(text)
			case (r < '!' || r > '~') && hidden(r):
				kind = protocol.MarkdownControl
			case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
				end = at + wordEnd(text[at:])
				if !markWord(text, at, end, yield) {
					return
				}
			case r > '~' && (strings.ContainsRune(likeSigns, r) || !norm.NFKC.IsNormalString(text[at:end])):
				kind = protocol.MarkdownConfusable
			}
			if kind != "" && !yield(mark{at, end, kind}) {
				return
			}
			at = end
		}
	}
}

// hidden reports whether a character is invisible, or changes the direction of text.
func hidden(r rune) bool {
	switch {
	case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector), r == '\u2800', r == utf8.RuneError:
		return true
	}
	return !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S)
}

// wordEnd returns the length of the word at the beginning of a text: letters, digits and their combining marks.
func wordEnd(text string) int {
	for i, r := range text {
		if hidden(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			return i
		}
	}
	return len(text)
}

// markWord marks three kinds of characters in a word: letters of scripts that look like Latin ones, if the word has Latin letters
// too or consists only of such letters; compatibility characters; and digits other than 0 to 9.
func markWord(text string, at, end int, yield func(mark) bool) bool {
	word := text[at:end]
	if strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return true
	}
	latin, others := false, true
	for _, r := range word {
		latin = latin || unicode.Is(unicode.Latin, r)
		others = others && strings.ContainsRune(likeLatin, r)
	}
	var cluster norm.Iter
	cluster.InitString(norm.NFC, word)
	for at := at; !cluster.Done(); {
		before := cluster.Pos()
		composed := string(cluster.Next())
		next := at + cluster.Pos() - before
		r, _ := utf8.DecodeRuneInString(text[at:next])
		disguised := composed != text[at:next] || !norm.NFKC.IsNormalString(text[at:next]) || // several characters, or one for another
			unicode.IsDigit(r) && r >= utf8.RuneSelf ||
			(latin || others) && unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Lisu, unicode.Coptic)
		if disguised && !yield(mark{at, next, protocol.MarkdownConfusable}) {
			return false
		}
		at = next
	}
	return true
}

// likeLatin are letters of other scripts that look like Latin ones in most fonts
// (https://www.unicode.org/reports/tr39/#Confusable_Detection).
const likeLatin = "асԁеһіјӏорԛгѕԝхуьАВСЕНІЈКМОРЅТХУЗ" + "αινορυχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "օոսցհյ"

// likeSigns are characters that look like ASCII symbols, or like quotation marks in a text that has them, besides those that NFKC
// replaces.
const likeSigns = "‹‐‑‒–—―−⁃⁄∕⧸∖⧵‘’‚“”„′″ʹʺʻʼˈ։׃∶꞉ǃ∣ǀ∗˂˃˜∼ˆˋ⟨⟩❨❩"

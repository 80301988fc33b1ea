package dialect

import (
	"strings"
	"unicode"

	"followup/internal/locale"
	"followup/internal/question"
)

// Result returns the first text part of an answer: the user's exact words between tags that have lines of their own, as the
// tool's original specification requires.
func Result(tag, words string) string {
	return "<" + tag + ">\n" + words + "\n</" + tag + ">"
}

// Words returns the text between the tags of a Result, for any tag. ok is false if text is not a Result.
func Words(text string) (words string, ok bool) {
	tag, rest, found := strings.Cut(strings.TrimPrefix(text, "<"), ">\n")
	words, ok = strings.CutSuffix(rest, "\n</"+tag+">")
	return words, ok && found && strings.HasPrefix(text, "<") && tag != ""
}

// Quoted returns the text for what the user added from the editor: a sentence, then each quote under its label, in a
// fence that the quote cannot close. pairs means that a log viewer looks for pairs in the text before it, as in
// AnsweredText and RepliedText. Then nothing in the quotes looks like a pair.
func Quoted(t locale.Tag, quotes []question.Quote, pairs bool) string {
	var to strings.Builder
	inLine := func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}
	to.WriteString(t.Text("The user added this from the editor:"))
	for _, quote := range quotes {
		to.WriteString("\n\n" + strings.Map(inLine, quote.Label))
		if text := strings.TrimRight(quote.Text, "\r\n"); text != "" {
			longest := 2 // longest run of backticks
			for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '`' }) {
				longest = max(longest, len(run))
			}
			fence := strings.Repeat("`", longest+1)
			to.WriteString(":\n" + fence + "\n" + text + "\n" + fence)
		}
	}
	if pairs {
		return strings.ReplaceAll(to.String(), `"="`, `”="`)
	}
	return to.String()
}

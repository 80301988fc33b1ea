package dialect

import (
	"strings"
	"unicode"

	"followup/internal/locale"
	"followup/internal/question"
)

// Result is the first text part that an agent is given for an answer: the user's words exactly as they are, between the
// opening and the closing tag, each on a line of its own (seeds 000, 001, 002 and 004, section "Response Format").
func Result(tag, words string) string {
	return "<" + tag + ">\n" + words + "\n</" + tag + ">"
}

// Words are what stands between the tags of a Result, whichever tag it is; not ok where the text is none.
func Words(text string) (words string, ok bool) {
	tag, rest, found := strings.Cut(strings.TrimPrefix(text, "<"), ">\n")
	words, ok = strings.CutSuffix(rest, "\n</"+tag+">")
	return words, ok && found && strings.HasPrefix(text, "<") && tag != ""
}

// Quoted tells an agent what the user added from the editor: below a sentence each quote under its name, in a fence that nothing in
// it can close. Where the text before it is read for pairs, as RepliedText and AnsweredText are, nothing in it passes for one.
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
			longest := 2 // run of backticks
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

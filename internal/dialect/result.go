package dialect

import "strings"

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

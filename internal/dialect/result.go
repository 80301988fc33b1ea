package dialect

// Result is the first text part that an agent is given for an answer: the user's words exactly as they are, between the
// opening and the closing tag, each on a line of its own (seeds 000, 001, 002 and 004, section "Response Format").
func Result(tag, words string) string {
	return "<" + tag + ">\n" + words + "\n</" + tag + ">"
}

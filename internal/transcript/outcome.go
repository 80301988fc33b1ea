package transcript

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/question"
)

// pattern returns a regular expression that is compiled on first use: every process has these, and few read logs.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// refusal matches the results of Claude Code and cc-viewer for a call that the user declined.
var refusal = pattern(`(?i)doesn't want to (?:proceed|take this action)|rejected[^.\n]{0,60}\btool use|` +
	`tool use (?:was )?rejected|interrupted by user for tool use|\buser (?:has )?(?:declined|rejected|refused)\b`)

// Phrases in the results of Claude Code.
const (
	responded = "The user responded:"
	clarify   = "The user wants to clarify these questions"
	trailing  = "\n\nNote: The user's next message"
	away      = "No response after " // nobody answered, and Claude Code continued by itself
)

// wordsAnswer judges the result of Followup's question.
func wordsAnswer(c *call, r *result) bool {
	for _, part := range r.parts {
		if words, tag := wrapped(part); tag != "" {
			return c.end(question.Answered, words) && (words != "" || r.images > 0)
		}
	}
	return false
}

// refused reads a result that may be a refusal, in which the user may have written a reply instead of an answer.
func (c *call) refused(r *result) bool {
	text := r.first
	switch {
	case r.status == "cancelled", slices.ContainsFunc(c.by.refusals, func(s string) bool { return strings.Contains(text, s) }):
		return c.end(question.Dismissed, "")
	case c.by.read != nil:
		return false
	case slices.ContainsFunc(locale.Tags, func(t locale.Tag) bool { return text == t.Text(locale.OutcomeDismissed) }):
		return c.end(question.Dismissed, "") // Followup's own text
	case !refusal().MatchString(text):
		return false
	}
	words := instead(text)
	switch {
	case words == "":
		return c.end(question.Dismissed, "")
	case strings.HasPrefix(words, clarify): // not the user's words, but the choices made so far
		c.clarified(words)
		words = ""
	}
	return c.end(question.Replied, words)
}

// instead returns the user's words in a refusal.
func instead(text string) string {
	for _, before := range []string{"the user said:", "the following reason for the rejection:", responded} {
		if _, after, found := strings.Cut(text, before); found {
			after, _, _ = strings.Cut(after, trailing)
			return strings.TrimSpace(after)
		}
	}
	return ""
}

// pairsAnswer judges the result of Claude Code's questionnaire, and of Followup's: it has the exact values, or else pairs
// in the text.
func pairsAnswer(c *call, r *result) bool {
	first := r.first
	isExact := c.exact(r.beside) || slices.ContainsFunc(r.parts, func(part string) bool { return c.exact(parse(part)) })
	if strings.HasPrefix(first, away) {
		c.Timer = true
		return c.end(question.Answered, "")
	}
	if strings.HasPrefix(first, responded) {
		return c.end(question.Replied, instead(first)) && c.AnswerText != ""
	}
	words, tag := wrapped(first)
	if words == "" || !strings.HasSuffix(first, "</"+tag+">") {
		return isExact || c.pairs(first) || r.images > 0
	}
	text, _, _ := strings.Cut(first, "\n<"+tag+">") // Followup writes a reply below the choices made so far
	_ = isExact || c.pairs(text)
	return c.end(question.Replied, words)
}

// wrapped returns the user's words from the element that contains them in a result, and the element's name; both are "" if
// there is none. The words may contain the closing tag.
func wrapped(text string) (words, tag string) {
	for _, tag := range []string{"answer", "user_message"} {
		_, rest, _ := strings.Cut(text, "<"+tag+">")
		if end := strings.LastIndex(rest, "</"+tag+">"); end >= 0 {
			return strings.TrimSuffix(strings.TrimPrefix(rest[:end], "\n"), "\n"), tag
		}
	}
	return "", ""
}

// clineAnswer judges the result of Cline's ask_question, which is only the answer. If the session was ended, it is empty.
func clineAnswer(c *call, r *result) bool {
	return !r.failed && r.first != "" && c.end(question.Answered, r.first)
}

// copilotAnswer judges the result of Copilot CLI's ask_user with a question and choices, which are texts. Calls with a form
// are not read, since the form of their answers in a log is unknown. Based on the conversations in github/copilot-sdk's
// test/snapshots/ask_user (0b864461).
func copilotAnswer(c *call, r *result) bool {
	for _, before := range []string{"User selected: ", "User responded: "} {
		if words, ok := strings.CutPrefix(r.first, before); ok && !r.failed {
			return c.end(question.Answered, words)
		}
	}
	return false
}

// title returns Qwen Code's key for a question.
func title(at int, q dialect.Asked) string {
	return cmp.Or(strings.TrimSpace(q.Header), "Question "+strconv.Itoa(at+1))
}

// qwenAnswers judges the result of Qwen Code's ask_user_question, which has a paragraph for each answer: **Header**:
// labels, or own words. Based on QwenLM/qwen-code 1190f0b0, packages/core/src/tools/askUserQuestion.ts.
func qwenAnswers(c *call, r *result) bool {
	text, ok := strings.CutPrefix(r.first, "User has provided the following answers:")
	parts := sections(text, "\n**", "**: ", c.keys)
	return ok && c.choose(func(i int, p *pick, q question.Question) { p.read(q, strings.TrimSpace(parts[i])) })
}

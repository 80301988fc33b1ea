package transcript

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"followup/internal/locale"
	"followup/internal/question"
)

// pattern returns a regular expression that is compiled when it is first needed: every process has these, and few read logs.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// refusal matches the results of Claude Code and cc-viewer for a call that the user declined.
var refusal = pattern(`(?i)doesn't want to (?:proceed|take this action)|rejected[^.\n]{0,60}\btool use|` +
	`tool use (?:was )?rejected|interrupted by user for tool use|\buser (?:has )?(?:declined|rejected|refused)\b`)

// Words of Claude Code before what the user wrote in place of an answer.
var saidInstead = []string{"the user said:", "the following reason for the rejection:", responded}

const (
	responded = "The user responded:"
	clarify   = "The user wants to clarify these questions"
	trailing  = "\n\nNote: The user's next message"
)

// judge sets the outcome of an exchange by its result. It returns false if that is neither an answer nor a refusal.
func (l *log) judge(r *result, x *Exchange) bool {
	first := r.first()
	if r.call.native != nil {
		return r.call.native.judge(r, x)
	}
	if r.failed && l.refused(first, x) {
		return true
	}
	if x.Tool == question.ToolAskUser {
		return l.judgeQuestionnaire(r, first, x) || l.refused(first, x)
	}
	for _, part := range r.parts {
		if words, tag := wrapped(part); tag != "" {
			if words == "undefined" && x.Images > 0 { // how Roo spells an answer of images alone
				words = ""
			}
			x.Outcome, x.AnswerText = question.Answered, words
			return words != "" || x.Images > 0
		}
	}
	return l.refused(first, x)
}

// refused reads a result that may be a refusal: the user can have written something in place of an answer.
func (l *log) refused(text string, x *Exchange) bool {
	if slices.ContainsFunc(locale.Tags, func(t locale.Tag) bool { return text == t.Text(locale.OutcomeDismissed) }) {
		return x.dismiss() // in Followup's own words
	}
	if !refusal().MatchString(text) {
		return false
	}
	words := instead(text)
	switch {
	case words == "":
		return x.dismiss()
	case strings.HasPrefix(words, clarify): // no words of the user's, but the choices until then
		x.Answers, words = clarified(askedBy(x), words), ""
	}
	x.Outcome, x.AnswerText = question.Replied, words
	return true
}

// instead returns what the user wrote in place of an answer.
func instead(text string) string {
	for _, before := range saidInstead {
		if _, after, found := strings.Cut(text, before); found {
			after, _, _ = strings.Cut(after, trailing)
			return strings.TrimSpace(after)
		}
	}
	return ""
}

// judgeQuestionnaire reads the result of a questionnaire: the exact values where the log has them, and otherwise the pairs in the
// text.
func (l *log) judgeQuestionnaire(r *result, first string, x *Exchange) bool {
	asked := askedBy(x)
	x.Outcome = question.Answered
	for _, values := range append([]string{string(r.structured)}, r.parts...) {
		if x.Answers = exact(asked, values); len(x.Answers) > 0 {
			break
		}
	}
	if away().MatchString(first) || afk(r.structured) {
		x.Timer = true
		return true
	}
	if strings.HasPrefix(first, responded) {
		x.Outcome, x.AnswerText = question.Replied, instead(first)
		return x.AnswerText != ""
	}
	text := first
	if words, tag := wrapped(first); tag != "" && strings.HasSuffix(first, "</"+tag+">") { // our own: below the choices until then
		text, _, _ = strings.Cut(first, "\n<"+tag+">")
		x.Outcome, x.AnswerText = question.Replied, words
	}
	if len(x.Answers) == 0 {
		x.Answers = pairs(asked, text)
	}
	return len(x.Answers) > 0 || x.AnswerText != "" || x.Images > 0
}

// Elements that hold the user's words.
const (
	tagAnswer  = "answer"
	tagMessage = "user_message"
)

// wrapped returns the user's words from a result that holds them in an element, and its name; both are "" if there is no such element. The
// words can hold the closing tag.
func wrapped(text string) (words, tag string) {
	for _, tag := range []string{tagAnswer, tagMessage} {
		_, rest, opened := strings.Cut(text, "<"+tag+">")
		end := strings.LastIndex(rest, "</"+tag+">")
		if !opened || end < 0 {
			continue
		}
		words := strings.TrimPrefix(rest[:end], "\n")
		return strings.TrimSuffix(words, "\n"), tag
	}
	return "", ""
}

// askedBy returns the questions of a questionnaire: as they were read, or what can be read of an invalid call.
func askedBy(x *Exchange) []question.Question {
	if x.Call.Questionnaire != nil {
		return x.Call.Questionnaire.Questions
	}
	var from struct{ Questions []question.Question }
	decodeInto(x.Input, &from)
	return from.Questions
}

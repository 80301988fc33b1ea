package transcript

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"followup/internal/question"
)

// maxAnswers bounds the answers to one questionnaire, whatever a log claims.
const maxAnswers = 64

// notesOnly is what Claude Code takes for the answer to a question that has only a note.
const notesOnly = "(notes only)"

// exact reads answers out of JSON that holds them: {"answers": {question: label, list of labels, or own words}, "annotations":
// {question: {"notes"}}}. Claude Code writes it beside the result, and Followup as the second part of its own.
func exact(questions []question.Question, values string) []Answer {
	if !strings.HasPrefix(strings.TrimSpace(values), "{") {
		return nil
	}
	var from struct {
		Answers     map[string]json.RawMessage
		Annotations map[string]struct{ Notes string }
	}
	decodeInto([]byte(values), &from)
	answers, annotations := byQuestion(from.Answers), byQuestion(from.Annotations)
	var all []Answer
	add := func(q question.Question) {
		a := Answer{Question: q.Question, Pick: question.Pick{Notes: annotations[trimmed(q.Question)].Notes}}
		var list []string
		if raw := answers[trimmed(q.Question)]; json.Unmarshal(raw, &list) == nil && list != nil {
			for _, value := range list {
				a.choose(q, value)
			}
		} else {
			a.read(q, decode(raw))
		}
		if a.Other == notesOnly {
			a.Other = ""
		}
		if a.given() && len(all) < maxAnswers {
			all = append(all, a)
		}
	}
	for _, q := range questions {
		add(q)
		delete(answers, trimmed(q.Question))
	}
	for _, other := range slices.Sorted(maps.Keys(answers)) {
		add(question.Question{Question: other})
	}
	return all
}

// byQuestion returns m with its keys as questions are read.
func byQuestion[T any](m map[string]T) map[string]T {
	all := make(map[string]T, len(m))
	for text, value := range m {
		all[trimmed(text)] = value
	}
	return all
}

func (a *Answer) given() bool { return a.Answered() || a.Notes != "" }

// choose adds one value: an option's label, or own words.
func (a *Answer) choose(q question.Question, value string) {
	if value == "" {
		return
	}
	for i, o := range q.Options {
		if value == o.Label || value == unquoted(o.Label) {
			if !slices.Contains(a.Options, i) {
				a.Options = append(a.Options, i)
				slices.Sort(a.Options)
			}
			return
		}
	}
	if a.Other != "" {
		a.Other += between
	}
	a.Other += value
}

// between separates several values of one answer.
const between = ", "

// read adds an answer that is written as one string. If several options may be chosen, it is a list of labels, with the user's own
// words, which may hold anything, at its end.
func (a *Answer) read(q question.Question, value string) {
	single := !q.MultiSelect || slices.ContainsFunc(q.Options, func(o question.Option) bool { return o.Label == value })
	for !single && value != "" {
		label, rest := leading(q, value)
		if label == "" {
			break
		}
		a.choose(q, label)
		value = rest
	}
	a.choose(q, value)
}

// leading returns the longest label that value begins with, and what follows it; "" if there is none. A label with a comma may
// be in single quotes.
func leading(q question.Question, value string) (label, rest string) {
	longest := 0
	for _, o := range q.Options {
		for _, spelling := range []string{o.Label, "'" + o.Label + "'", unquoted(o.Label), "'" + unquoted(o.Label) + "'"} {
			after, ok := strings.CutPrefix(value, spelling)
			if !ok || o.Label == "" || len(spelling) <= longest {
				continue
			}
			if following, more := strings.CutPrefix(after, between); more || after == "" {
				label, rest, longest = o.Label, following, len(spelling)
			}
		}
	}
	return label, rest
}

// trimmed is how the text of a question is read.
func trimmed(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }

// unquoted is how Followup writes a text within a pair.
func unquoted(s string) string { return strings.ReplaceAll(s, `"`, "”") }

// anyPair is what log viewers look for.
var anyPair = pattern(`"([^"]+)"="([^"]*)"`)

// pairs reads answers out of a text like
//
//	… "question"="answer", "question"="answer" selected preview:
//	PREVIEW notes: WORDS. You can now continue …
//
// Each question is looked for by its own text, so that quotation marks in it and in the answers do no harm; where none is
// found, by the pattern alone.
func pairs(questions []question.Question, text string) []Answer {
	type place struct{ q, from, to int }
	var places []place
	for i, q := range questions {
		for _, spelling := range []string{q.Question, unquoted(q.Question)} {
			mark := `"` + spelling + `"=`
			if at := strings.Index(text, mark); at >= 0 && q.Question != "" {
				places = append(places, place{i, at, at + len(mark)})
				break
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int { return a.from - b.from })
	var all []Answer
	for i, p := range places {
		if i > 0 && p.from < places[i-1].to {
			continue // within another question's text
		}
		rest := text[p.to:]
		if i+1 < len(places) && places[i+1].from >= p.to {
			rest = strings.TrimSuffix(strings.TrimRight(text[p.to:places[i+1].from], " \n"), ",")
		} else {
			rest = withoutSentence(rest)
		}
		if a := one(questions[p.q], rest); a.given() && len(all) < maxAnswers {
			all = append(all, a)
		}
	}
	if len(places) > 0 {
		return all
	}
	for _, m := range anyPair().FindAllStringSubmatch(text, maxAnswers) {
		q := question.Question{Question: m[1]}
		same := func(q question.Question) bool { return unquoted(trimmed(q.Question)) == unquoted(trimmed(m[1])) }
		if i := slices.IndexFunc(questions, same); i >= 0 {
			q = questions[i]
		}
		a := Answer{Question: q.Question}
		if a.read(q, m[2]); a.given() {
			all = append(all, a)
		}
	}
	return all
}

// withoutSentence drops the sentence that Claude Code writes after the last pair.
func withoutSentence(rest string) string {
	for _, sentence := range []string{". You can now continue", ". Read the answers carefully"} {
		if at := strings.LastIndex(rest, sentence); at >= 0 {
			return rest[:at]
		}
	}
	return strings.TrimSuffix(strings.TrimSpace(rest), ".")
}

// one reads the text after one question and its equals sign.
func one(q question.Question, rest string) Answer {
	a := Answer{Question: q.Question}
	value, quoted := strings.CutPrefix(rest, `"`)
	if !quoted { // (no option selected) notes: WORDS
		_, a.Notes, _ = strings.Cut(rest, " notes: ")
		return a
	}
	end := len(value)
	for _, mark := range []string{`" selected preview:`, `" notes: `, `" user notes: `, "\"\n"} {
		if at := strings.Index(value, mark); at >= 0 {
			end = min(end, at)
		}
	}
	if end < len(value) {
		if at := strings.LastIndex(value[end:], " notes: "); at >= 0 {
			a.Notes = value[end+at+len(" notes: "):]
		}
	} else {
		end = max(0, strings.LastIndexByte(value, '"'))
	}
	a.read(q, value[:end])
	return a
}

// clarified reads the choices made so far out of a list like
//
//   - "question"
//     Answer: answer
//     User notes: words
func clarified(questions []question.Question, text string) []Answer {
	var all []Answer
	for i, q := range questions {
		_, rest, found := strings.Cut(text, `- "`+q.Question+"\"\n")
		if !found {
			continue
		}
		for j := range questions {
			if j != i {
				rest, _, _ = strings.Cut(rest, "\n- \""+questions[j].Question+"\"\n")
			}
		}
		a := Answer{Question: q.Question}
		rest, a.Notes, _ = strings.Cut(rest, "\n  User notes: ")
		if value, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), "Answer: "); ok {
			a.read(q, strings.TrimRight(value, "\n"))
		}
		a.Notes = strings.TrimSpace(a.Notes)
		if a.given() && len(all) < maxAnswers {
			all = append(all, a)
		}
	}
	return all
}

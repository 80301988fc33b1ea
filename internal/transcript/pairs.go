package transcript

import (
	"encoding/json"
	"slices"
	"strings"

	"followup/internal/question"
)

// maxAnswers bounds the questions of one questionnaire, and their options, whatever a log claims.
const maxAnswers = 64

// notesOnly is what Claude Code takes for the answer to a question that has only a note.
const notesOnly = "(notes only)"

// pick is the answer to one question of a questionnaire, as it is read.
type pick question.Pick

// choose adds one value: an option's label, or own words.
func (p *pick) choose(q question.Question, value string) {
	if value == "" {
		return
	}
	for i, o := range q.Options {
		if value == o.Label || value == unquoted(o.Label) {
			if !slices.Contains(p.Options, i) {
				p.Options = append(p.Options, i)
				slices.Sort(p.Options)
			}
			return
		}
	}
	if p.Other != "" {
		p.Other += between
	}
	p.Other += value
}

// between separates several values of one answer.
const between = ", "

// read adds an answer that is written as one string. If several options may be chosen, it is a list of labels, with the user's own
// words, which may hold anything, at its end.
func (p *pick) read(q question.Question, value string) {
	single := !q.MultiSelect || slices.ContainsFunc(q.Options, func(o question.Option) bool { return o.Label == value })
	for !single && value != "" {
		label, rest := leading(q, value)
		if label == "" {
			break
		}
		p.choose(q, label)
		value = rest
	}
	p.choose(q, value)
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

// questionText is the text of a question, as it is read.
type questionText string

// UnmarshalText implements encoding.TextUnmarshaler, for the keys of JSON objects.
func (q *questionText) UnmarshalText(text []byte) error {
	*q = questionText(strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	return nil
}

// unquoted is how Followup writes a text within a pair.
func unquoted(s string) string { return strings.ReplaceAll(s, `"`, "”") }

// exact reads answers out of JSON that holds them: {"answers": {question: label, list of labels, or own words}, "annotations":
// {question: {"notes"}}}. Claude Code writes it beside the result, and Followup as the second part of its own.
func (x *Exchange) exact(values string) (isGiven bool) {
	var from struct {
		Answers     map[questionText]json.RawMessage
		Annotations map[questionText]struct{ Notes string }
	}
	decodeInto([]byte(values), &from)
	for _, raw := range from.Answers {
		isGiven = isGiven || decode(raw) != "" // to a question that is not in the call
	}
	return x.choose(func(_ int, p *pick, q question.Question) {
		raw := from.Answers[questionText(q.Question)]
		p.Notes = from.Annotations[questionText(q.Question)].Notes
		var list []string
		if decodeInto(raw, &list); list == nil {
			p.read(q, decode(raw))
		}
		for _, value := range list {
			p.choose(q, value)
		}
		if p.Other == notesOnly {
			p.Other = ""
		}
	}) || isGiven
}

// sections returns what follows the text of each question, with a mark before and after it, up to the next one.
func (x *Exchange) sections(text, before, after string) []string {
	type place struct{ q, from, to int }
	var places []place
	for i, q := range x.questions() {
		for _, spelling := range []string{q.Question, unquoted(q.Question)} {
			if at := strings.Index(text, before+spelling+after); at >= 0 {
				places = append(places, place{i, at, at + len(before+spelling+after)})
				break
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int { return a.from - b.from })
	end := 0
	places = slices.DeleteFunc(places, func(p place) bool { // within another question's text
		isWithin := p.from < end
		end = max(end, p.to)
		return isWithin
	})
	all := make([]string, len(x.questions()))
	for i, p := range places {
		all[p.q] = text[p.to:]
		if i+1 < len(places) {
			all[p.q] = text[p.to:places[i+1].from]
		}
	}
	return all
}

// anyPair is what log viewers look for.
var anyPair = pattern(`"([^"]+)"="([^"]*)"`)

// pairs reads answers out of a text like
//
//	… "question"="answer", "question"="answer" selected preview:
//	PREVIEW notes: WORDS. You can now continue …
//
// Each question is looked for by its own text, so that quotation marks in it and in the answers do no harm; where none is
// found, by the pattern alone.
func (x *Exchange) pairs(text string) (isGiven bool) {
	sections := x.sections(text, `"`, `"=`)
	if x.choose(func(i int, p *pick, q question.Question) { p.readPair(q, sections[i]) }) {
		return true
	}
	found := anyPair().FindAllStringSubmatch(text, maxAnswers)
	return x.choose(func(_ int, p *pick, q question.Question) {
		for _, m := range found {
			if unquoted(strings.TrimSpace(m[1])) == unquoted(q.Question) {
				p.read(q, m[2])
			}
		}
	}) || slices.ContainsFunc(found, func(m []string) bool { return m[2] != "" })
}

// readPair reads the text after one question and its equals sign.
func (p *pick) readPair(q question.Question, text string) {
	value, quoted := strings.CutPrefix(text, `"`)
	if !quoted { // (no option selected) notes: WORDS
		_, value, _ = strings.Cut(text, " notes: ")
		p.Notes = withoutEnd(value)
		return
	}
	end := len(value)
	for _, mark := range []string{`" selected preview:`, `" notes: `, `" user notes: `, "\"\n"} {
		if at := strings.Index(value, mark); at >= 0 {
			end = min(end, at)
		}
	}
	if end == len(value) {
		end = max(0, strings.LastIndexByte(value, '"'))
	} else if at := strings.LastIndex(value[end:], " notes: "); at >= 0 {
		p.Notes = withoutEnd(value[end+at+len(" notes: "):])
	}
	p.read(q, value[:end])
}

// withoutEnd returns a note without what follows it: the next pair, or the sentence that Claude Code writes after the last one.
func withoutEnd(note string) string {
	for _, sentence := range []string{". You can now continue", ". Read the answers carefully"} {
		if at := strings.LastIndex(note, sentence); at >= 0 {
			return note[:at]
		}
	}
	note = strings.TrimSpace(note)
	return strings.TrimSuffix(strings.TrimSuffix(note, ","), ".")
}

// clarified reads the choices made so far out of a list like
//
//   - "question"
//     Answer: answer
//     User notes: words
func (x *Exchange) clarified(text string) {
	sections := x.sections(text, `- "`, "\"\n")
	x.choose(func(i int, p *pick, q question.Question) {
		value, notes, _ := strings.Cut(sections[i], "\n  User notes: ")
		if value, ok := strings.CutPrefix(strings.TrimLeft(value, " "), "Answer: "); ok {
			p.read(q, strings.TrimRight(value, "\n"))
		}
		p.Notes = strings.TrimSpace(notes)
	})
}

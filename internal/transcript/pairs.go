package transcript

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"followup/internal/dialect"
	"followup/internal/question"
)

// maxAnswers limits the questions of one questionnaire, and their options.
const maxAnswers = 64

// Phrases that tools write among the answers.
const (
	notesOnly    = "(notes only)" // Claude Code: the question has only a note
	codexNote    = "user_note: "  // Codex: before a note
	copilotOther = "Other"        // VS Code: the user only gave own words
	unattended   = "The user is not available to respond and will review your work later."
)

// pick is the answer to one question of a questionnaire while it is read.
type pick question.Pick

// choose adds one value: an option's label, or own words.
func (p *pick) choose(q question.Question, value string) {
	at := slices.IndexFunc(q.Options, func(o question.Option) bool { return value == o.Label || value == unquoted(o.Label) })
	switch {
	case value == "":
	case at < 0:
		p.Other = strings.TrimPrefix(p.Other+between+value, between)
	case !slices.Contains(p.Options, at):
		p.Options = append(p.Options, at)
		slices.Sort(p.Options)
	}
}

// add adds an answer in the forms that tools write: a text, a list of labels and own words, or an object that contains
// these.
func (p *pick) add(q question.Question, answer value) {
	lists, texts := []string{"answers", "selected", "selectedValues"}, []string{"selectedValue", "freeText", "freeformValue"}
	switch {
	case answer.json.IsArray():
		p.addList(q, answer)
	case answer.json.IsObject(): // from Codex, or from VS Code's ask_questions or its interface
		for _, name := range lists {
			p.addList(q, answer.get(name))
		}
		if p.Other == copilotOther {
			p.Other = ""
		}
		for _, name := range texts {
			p.choose(q, answer.get(name).text())
		}
	default:
		p.read(q, answer.text())
	}
	if p.Other == notesOnly {
		p.Other = ""
	}
}

// addList adds a list of labels, own words and a note.
func (p *pick) addList(q question.Question, list value) {
	for one := range list.list(2 * maxAnswers) {
		if note, ok := strings.CutPrefix(one.text(), codexNote); ok {
			p.Notes = note
		} else {
			p.choose(q, one.text())
		}
	}
}

// between separates several values of one answer.
const between = ", "

// read adds an answer that is one string. If several options may be chosen, the string is a list of labels, followed by the
// user's own words.
func (p *pick) read(q question.Question, value string) {
	isLabel := func(text string) bool {
		return slices.ContainsFunc(q.Options, func(o question.Option) bool { return o.Label == text })
	}
	if !q.MultiSelect || isLabel(value) {
		p.choose(q, value)
		return
	}
	if strings.Contains(value, `"`) {
		if chosen := dialect.SplitChosen(value, isLabel); chosen != nil {
			for _, each := range chosen {
				p.choose(q, each)
			}
			return
		}
	}
	for value != "" { // before Claude Code 2.1.330 the words could hold anything, and a label with a comma could be in single quotes
		label, rest := leading(q, value)
		p.choose(q, cmp.Or(label, value))
		value = rest
	}
}

// leading returns the longest label at the start of value, and the text after it; both are "" if there is none.
func leading(q question.Question, value string) (label, rest string) {
	longest := 0
	for _, o := range q.Options {
		for _, spelling := range []string{o.Label, "'" + o.Label + "'", unquoted(o.Label), "'" + unquoted(o.Label) + "'"} {
			after, ok := strings.CutPrefix(value, spelling)
			following, more := strings.CutPrefix(after, between)
			if ok && (more || after == "") && o.Label != "" && len(spelling) > longest {
				label, rest, longest = o.Label, following, len(spelling)
			}
		}
	}
	return label, rest
}

// unquoted returns a text as Followup writes it inside a pair.
func unquoted(s string) string { return strings.ReplaceAll(s, `"`, "”") }

// section locates the text about a question: the question's index, and the offsets of the mark before its key and of the
// text after the key.
type section struct{ place, mark, begin int }

// sections returns the text after each question's key, up to the next key. In the text, each key is between the marks before and after.
// Questions with the same key get the texts in order.
func sections(text, before, after string, keys []string) []string {
	var found []section
	searched := map[string]int{} // the end of the searched text, by mark
	for i, key := range keys {
		for _, spelling := range []string{key, unquoted(key)} {
			mark := before + spelling + after
			if at := strings.Index(text[searched[mark]:], mark); at >= 0 {
				at += searched[mark]
				searched[mark] = at + len(mark)
				found = append(found, section{i, at, at + len(mark)})
				break
			}
		}
	}
	slices.SortFunc(found, func(a, b section) int { return cmp.Compare(a.mark, b.mark) })
	all := make([]string, len(keys))
	for i, s := range found {
		end := len(text)
		if i+1 < len(found) {
			end = max(s.begin, found[i+1].mark)
		}
		all[s.place] = text[s.begin:end]
	}
	return all
}

// anyPair matches pairs like log viewers do.
var anyPair = pattern(`"([^"]+)"="([^"]*)"`)

// pairs reads answers out of a text like
//
//	… "question"="answer", "question"="answer" selected preview:
//	PREVIEW notes: WORDS. You can now continue …
//
// Each question is looked for by its own text, so quotation marks in it and in the answers are harmless; if none is
// found, by the pattern alone.
func (c *call) pairs(text string) (isGiven bool) {
	parts := sections(text, `"`, `"=`, c.keys)
	if c.choose(func(i int, p *pick, q question.Question) { p.readPair(q, parts[i]) }) {
		return true
	}
	answers := map[string]string{}
	for _, m := range anyPair().FindAllStringSubmatch(text, maxAnswers) {
		answers[m[1]] = m[2]
	}
	values, _ := json.Marshal(map[string]any{"answers": answers}) // of texts
	return c.exact(parse(values))
}

// readPair reads the text after a question and its equals sign.
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

// withoutEnd returns a note without the text after it: the next pair, or the sentence that Claude Code writes after the
// last pair.
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
func (c *call) clarified(text string) {
	parts := sections(text, `- "`, "\"\n", c.keys)
	c.choose(func(i int, p *pick, q question.Question) {
		value, notes, _ := strings.Cut(parts[i], "\n  User notes: ")
		if value, ok := strings.CutPrefix(strings.TrimLeft(value, " "), "Answer: "); ok {
			p.read(q, strings.TrimRight(value, "\n"))
		}
		p.Notes = strings.TrimSpace(notes)
	})
}

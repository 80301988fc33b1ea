package dialect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"followup/internal/question"
)

// questionnaire makes the arguments of AskUserQuestion of an object: of its questions or, if there are none, of the one question
// that it is.
func (w *walker) questionnaire(f *frame) *arguments {
	a := &arguments{items: f.choose(slotItems).copy()}
	a.itemsPath = w.pathOf(a.items, keyQuestions)()
	switch flat := f.asks(); {
	case a.items != nil && a.items.holds():
		w.spread(f, a.items.list)
	case flat:
		a.items = &value{list: w.oneQuestion(f)}
		f.join(&a.items.list.told)
	}
	if v := f.choose(slotMetadata); v != nil {
		a.metadata = v.raw
	}
	return f.orInner(a)
}

// asks reports whether the object is a question itself.
func (f *frame) asks() bool {
	return slices.ContainsFunc(f.values, func(v *value) bool {
		return (v.of.slot == slotQuestion || v.of.slot == slotOptions) && v.holds()
	})
}

// spread takes what stands beside the questions for what stands in each: that several options may be chosen must not be lost.
func (w *walker) spread(f *frame, l *list) {
	for _, v := range f.values {
		switch {
		case !v.holds() || v.of.slot > slotOptions:
		case v.flag && l != nil:
			f.repairs.add(question.RepairFlatQuestion)
			for q := range l.questions {
				l.questions[q].MultiSelect = true
			}
		default:
			f.notices.add(question.NoticeUnknownKey)
		}
	}
}

// oneQuestion returns the list of the one question that the object is.
func (w *walker) oneQuestion(f *frame) *list {
	l := &list{}
	l.repairs.add(question.RepairFlatQuestion)
	w.addQuestion(l, f)
	l.count = 1
	return l
}

// check notes what is wrong with a text, and returns it.
func (p *problems) check(w *walker, v *value, name string, required bool) string {
	switch {
	case v != nil && v.wrong != nil:
		p.misfits(w.pathOf(v, name), v.wrong)
	case required && v.string() == "":
		p.lacks(w.pathOf(v, name))
	}
	return v.string()
}

// addOption adds an option that has ended.
func (w *walker) addOption(l *list, f *frame) {
	p := problems{missing: l.missing, invalid: l.invalid} // of which the first are told
	text := func(s slot, name string, required bool) string { return p.check(w, f.choose(s), name, required) }
	option := question.Option{
		Label: text(slotText, keyLabel, true), Description: text(slotDescription, keyDescription, false),
		Preview: text(slotPreview, keyPreview, false),
	}
	if f.text {
		f.repairs.add(question.RepairStringOption)
	}
	l.join(&f.told)
	if l.count >= w.options.Limits.Options || p.any {
		l.add(p)
		return
	}
	if slices.ContainsFunc(l.options, func(other question.Option) bool { return other.Label == option.Label }) {
		l.twice(w.pathOf(nil, keyLabel), option.Label)
	}
	l.options = append(l.options, option)
	if l.show {
		w.draft.option(w.top().index, option)
	}
}

// addQuestion adds a question that has ended.
func (w *walker) addQuestion(l *list, f *frame) {
	p := problems{missing: l.missing, invalid: l.invalid} // of which the first are told
	q := question.Question{
		Question: p.check(w, f.choose(slotQuestion), keyQuestion, true), Header: p.check(w, f.choose(slotHeader), keyHeader, false),
		Options: w.checkOptions(&p, f.choose(slotOptions)),
	}
	if v := f.choose(slotMulti); v != nil {
		if q.MultiSelect = v.flag; v.wrong != nil {
			p.misfits(w.pathOf(v, ""), v.wrong)
		}
	}
	if slices.ContainsFunc(l.questions, func(other question.Question) bool { return other.Question == q.Question }) {
		p.twice(w.pathOf(nil, keyQuestion), q.Question)
	}
	l.add(p)
	l.join(&f.told)
	if q.Question != "" && len(l.questions) < w.options.Limits.Questions {
		l.questions = append(l.questions, q)
	}
	w.endedQuestion(f.show, f.index)
}

// checkOptions notes what is wrong with the options of a question, and returns them.
func (w *walker) checkOptions(p *problems, v *value) []question.Option {
	path := w.pathOf(v, keyOptions)
	switch {
	case v != nil && v.wrong != nil:
		p.misfits(path, v.wrong)
	case v == nil || v.list == nil:
		p.counts(path, question.MinOptions, w.options.Limits.Options, 0)
	default:
		p.add(v.list.problems)
		p.counts(path, question.MinOptions, w.options.Limits.Options, v.list.count)
		return v.list.options
	}
	return nil
}

// questionnaire takes what was read of AskUserQuestion.
func (r *reading) questionnaire(a *arguments, limits question.Limits) {
	r.metadata = a.metadata
	path := func() string { return a.itemsPath }
	switch v := a.items; {
	case v == nil || v.wrong == nil && v.list == nil:
		r.lacks(path)
	case v.wrong != nil:
		r.misfits(path, v.wrong)
	default:
		r.questions = v.list.questions
		r.add(v.list.problems)
		r.counts(path, 1, limits.Questions, v.list.count)
	}
}

// String writes the codes as a message names them.
func (c codes) String() string {
	words := make([]string, len(c))
	for i, code := range c {
		words[i] = string(code)
	}
	return strings.Join(words, ", ")
}

// metadata returns what was attached as it was written, or that as a string where it is not well-formed.
func metadata(text []byte) json.RawMessage {
	if json.Valid(text) {
		return bytes.Clone(text)
	}
	quoted, _ := json.Marshal(string(text)) // which text cannot fail at
	return quoted
}

package dialect

import (
	"encoding/json"
	"slices"

	"followup/internal/question"
)

// questionnaire reads an object as the arguments of AskUserQuestion: its questions or, if there are none, the one question that it is.
func (n *native) questionnaire(f *frame) *reading {
	r, items := n.newReading(), f.choose(slotItems)
	r.count = 1
	switch flat := f.asks(); {
	case items != nil && items.holds():
		n.spread(f, items.list)
	case flat:
		items = &value{of: &member{key: keyQuestions}, list: n.oneQuestion(f)}
		f.join(&items.list.told)
	}
	if v := f.choose(slotMetadata); v.string() != "" {
		r.metadata = json.RawMessage(v.text)
	}
	switch {
	case items == nil || items.wrong == nil && items.list == nil:
		n.lacks(&r.problems, items, keyQuestions)
	case items.wrong != nil:
		n.is(&r.problems, items, keyQuestions, *items.wrong)
	default:
		r.questions = items.list.questions
		r.merge(items.list.problems)
		n.counts(&r.problems, items, keyQuestions, 1, n.options.Limits.Questions, items.list.count)
	}
	return f.orInner(r, items)
}

// asks reports whether the object is a question itself.
func (f *frame) asks() bool {
	return slices.ContainsFunc(f.values, func(v value) bool {
		return (v.of.slot == slotQuestion || v.of.slot == slotOptions) && v.holds()
	})
}

// spread takes what stands beside the questions for what stands in each: that several options may be chosen must not be lost.
func (n *native) spread(f *frame, l *reading) {
	for i := range f.values {
		switch v := &f.values[i]; {
		case !v.holds() || v.of.slot > slotOptions:
		case v.flag() && l != nil:
			f.repairs.add(question.RepairFlatQuestion)
			for q := range l.questions {
				l.questions[q].MultiSelect = true
			}
		default:
			f.notices.add(question.NoticeUnknownKey)
		}
	}
}

func (n *native) oneQuestion(f *frame) *reading {
	l := &reading{}
	l.repairs.add(question.RepairFlatQuestion)
	n.addQuestion(l, f)
	l.count = 1
	return l
}

// check notes what is wrong with a text, and returns it.
func (n *native) check(p *problems, v *value, name string, required bool) string {
	switch {
	case v != nil && v.wrong != nil:
		n.is(p, v, name, *v.wrong)
	case required && v.string() == "":
		n.lacks(p, v, name)
	}
	return v.string()
}

func (n *native) addOption(l *reading, label, description, preview *value) {
	before, p := l.found, &l.problems
	option := question.Option{
		Label: n.check(p, label, keyLabel, true), Description: n.check(p, description, keyDescription, false),
		Preview: n.check(p, preview, keyPreview, false),
	}
	if l.count >= n.options.Limits.Options || l.found > before {
		return
	}
	if slices.ContainsFunc(l.options, func(other question.Option) bool { return other.Label == option.Label }) {
		n.twice(&l.problems, keyLabel, option.Label)
	}
	l.options = append(l.options, option)
	if l.show {
		n.draft.question(n.top().index).options = true
		n.out.emit(&GrewPart{Index: n.top().index, Options: []question.Option{option}})
	}
}

func (n *native) addQuestion(l *reading, f *frame) {
	p := &l.problems
	q := question.Question{
		Question: n.check(p, f.choose(slotQuestion), keyQuestion, true), Header: n.check(p, f.choose(slotHeader), keyHeader, false),
		Options: n.checkOptions(p, f.choose(slotOptions)),
	}
	if v := f.choose(slotMulti); v != nil {
		if q.MultiSelect = v.flag(); v.wrong != nil {
			n.is(p, v, "", *v.wrong)
		}
	}
	if slices.ContainsFunc(l.questions, func(other question.Question) bool { return other.Question == q.Question }) {
		n.twice(p, keyQuestion, q.Question)
	}
	l.join(&f.told)
	if q.Question != "" && len(l.questions) < n.options.Limits.Questions {
		l.questions = append(l.questions, q)
	}
	if f.show {
		n.draft.question(f.index)
	}
}

// checkOptions notes what is wrong with the options of a question, and returns them.
func (n *native) checkOptions(p *problems, v *value) []question.Option {
	switch {
	case v != nil && v.wrong != nil:
		n.is(p, v, keyOptions, *v.wrong)
	case v == nil || v.list == nil:
		n.counts(p, v, keyOptions, question.MinOptions, n.options.Limits.Options, 0)
	default:
		p.merge(v.list.problems)
		n.counts(p, v, keyOptions, question.MinOptions, n.options.Limits.Options, v.list.count)
		return v.list.options
	}
	return nil
}

// metadata returns what was attached as it was written, or that as a string where it is not well-formed.
func metadata(text string) string {
	if json.Valid([]byte(text)) {
		return text
	}
	quoted, _ := json.Marshal(text) // which text cannot fail at
	return string(quoted)
}

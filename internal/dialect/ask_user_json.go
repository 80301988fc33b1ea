package dialect

import (
	"encoding/json"
	"slices"

	"followup/internal/question"
)

// questionnaire converts an object to the arguments of AskUserQuestion. Without a list of questions, the object
// itself may be one question.
func (n *native) questionnaire(f *frame) *reading {
	r, items := n.newReading(), f.choose(slotItems)
	r.count = 1
	flat := slices.ContainsFunc(f.values, func(v value) bool {
		return (v.member.slot == slotQuestion || v.member.slot == slotOptions) && v.nonEmpty()
	})
	switch {
	case items != nil && items.nonEmpty():
		n.applyTopLevel(f, items.list)
	case flat:
		items = &value{member: &member{key: keyQuestions}, list: n.oneQuestion(f)}
		f.join(&items.list.remarks)
	}
	if v := f.choose(slotMetadata); v.string() != "" {
		r.metadata = json.RawMessage(v.text)
	}
	if items == nil || items.problem == nil && items.list == nil {
		n.note(&r.problems, &r.missing, items, keyQuestions, question.Detail{})
	} else if list := n.checkList(&r.problems, items, keyQuestions, 1, n.options.Limits.Questions); list != nil {
		r.questions = list.questions
	}
	return f.resolveArguments(r, items)
}

// applyTopLevel handles question fields next to the list of questions. A multiSelect flag there applies to every question, so
// that it is not lost; other fields are reported as unknown keys.
func (n *native) applyTopLevel(f *frame, l *reading) {
	for i := range f.values {
		switch v := &f.values[i]; {
		case !v.nonEmpty() || v.member.slot > slotOptions:
		case v.isTrue() && l != nil:
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

// checkText returns the value's text and records its problem, if any.
func (n *native) checkText(p *problems, v *value, name string, required bool) string {
	switch {
	case v != nil && v.problem != nil:
		n.noteInvalid(p, v, name, *v.problem)
	case required && v.string() == "":
		n.note(p, &p.missing, v, name, question.Detail{})
	}
	return v.string()
}

func (n *native) addOption(l *reading, label, description, preview *value) {
	before, p := l.found, &l.problems
	option := question.Option{
		Label: n.checkText(p, label, keyLabel, true), Description: n.checkText(p, description, keyDescription, false),
		Preview: n.checkText(p, preview, keyPreview, false),
	}
	if l.found == before {
		n.keepOption(l, option)
	}
}

// keepOption adds a valid option, unless there are too many.
func (n *native) keepOption(l *reading, option question.Option) {
	if l.count >= n.options.Limits.Options {
		return
	}
	if slices.ContainsFunc(l.options, func(other question.Option) bool { return other.Label == option.Label }) {
		n.noteDuplicate(&l.problems, keyLabel, option.Label)
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
		Question: n.checkText(p, f.choose(slotQuestion), keyQuestion, true), Header: n.checkText(p, f.choose(slotHeader), keyHeader, false),
	}
	if list := n.checkList(p, f.choose(slotOptions), keyOptions, question.MinOptions, n.options.Limits.Options); list != nil {
		q.Options = list.options
	}
	if v := f.choose(slotMulti); v != nil {
		if q.MultiSelect = v.isTrue(); v.problem != nil {
			n.noteInvalid(p, v, "", *v.problem)
		}
	}
	n.keepQuestion(l, q)
	l.join(&f.remarks)
	if f.show {
		n.draft.question(f.index)
	}
}

// keepQuestion adds a question, unless it has no text or there are too many.
func (n *native) keepQuestion(l *reading, q question.Question) {
	if slices.ContainsFunc(l.questions, func(other question.Question) bool { return other.Question == q.Question }) {
		n.noteDuplicate(&l.problems, keyQuestion, q.Question)
	}
	if q.Question != "" && len(l.questions) < n.options.Limits.Questions {
		l.questions = append(l.questions, q)
	}
}

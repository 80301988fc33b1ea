package dialect

import (
	"cmp"
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// followup converts an object to the arguments of ask_followup_question.
func (n *native) followup(f *frame) *reading {
	r := n.newReading()
	r.count = 1
	q, items := f.choose(slotQuestion), f.choose(slotItems)
	if r.text = q.string(); r.text == "" {
		r.missing = &question.Detail{Name: tagQuestion}
		if q != nil && q.problem != nil {
			r.missing.At = question.Place{Path: n.path(keyQuestion), Excerpt: q.problem.At.Excerpt}
		}
	}
	switch {
	case items == nil:
	case items.problem != nil:
		at := question.Place{Path: n.path(items.member.key), Excerpt: items.problem.At.Excerpt}
		r.invalid = &question.Detail{Name: tagFollowUp, At: at}
	case items.list != nil:
		r.items = items.list.items
	}
	return f.resolveArguments(r, q, items)
}

// resolveArguments returns r if one of the outer values is not empty. Otherwise it returns the arguments nested in a
// wrapper such as "input", if any.
func (f *frame) resolveArguments(r *reading, outer ...*value) *reading {
	if slices.ContainsFunc(outer, func(v *value) bool { return v != nil && v.nonEmpty() }) {
		for i := range f.values {
			if v := &f.values[i]; v.member.slot == slotArguments && v.nonEmpty() {
				f.notices.add(question.NoticeUnknownKey)
			}
		}
	} else if v := f.choose(slotArguments); v != nil && v.list != nil {
		r = v.list
	}
	r.remarks = remarks{slices.Clone(f.repairs), slices.Clone(f.notices), f.fault} // push reuses the frame's slices
	return r
}

func (l *reading) addSuggestion(f *frame) {
	text, mode := f.choose(slotText), f.choose(slotMode)
	if text == nil || !text.given {
		l.repairs.add(question.RepairBadSuggestion)
		return
	}
	l.join(&f.remarks)
	l.add(text.string(), mode.string())
}

// unwrapElements reads each suggestion that is a <suggest> element as its content. If the question or another
// suggestion contains markup, the elements may be meant literally, so nothing changes.
func (r *reading) unwrapElements() {
	found := false
	for _, s := range r.items {
		switch element := strings.HasPrefix(s.Answer, "<suggest") && strings.HasSuffix(s.Answer, "</suggest>"); {
		case element:
			found = true
		case hasMarkup(s.Answer):
			return
		}
	}
	if !found || hasMarkup(r.text) {
		return
	}
	list, read := &suggestionList{}, suggestionList{}
	for _, s := range r.items {
		if strings.HasPrefix(s.Answer, "<suggest") {
			read = suggestionList{items: read.items[:0]}
			read.read(s.Answer, maxLayer, true)
			if len(read.items) == 1 && read.markup.Fault == toolcall.NoFault {
				s.Answer, s.Mode = read.items[0].Answer, cmp.Or(s.Mode, read.items[0].Mode)
			}
		}
		list.add(s.Answer, s.Mode)
	}
	r.items = list.items
	r.repairs.add(list.repairs...)
	r.repairs.add(question.RepairElementSuggestions)
}

// hasMarkup reports whether text may contain a tag or an entity.
func hasMarkup(text string) bool {
	return !toolcall.Plain(text) && (strings.ContainsRune(text, '<') || strings.ContainsRune(text, '&') && strings.ContainsRune(text, ';'))
}

package dialect

import (
	"cmp"
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// followup reads an object as the arguments of ask_followup_question.
func (n *native) followup(f *frame) *reading {
	r := n.newReading()
	r.count = 1
	q, items := f.choose(slotQuestion), f.choose(slotItems)
	if r.text = q.string(); r.text == "" {
		r.missing = &question.Detail{Name: tagQuestion}
		if q != nil && q.wrong != nil {
			r.missing.At = question.Place{Path: n.path(keyQuestion), Excerpt: q.wrong.At.Excerpt}
		}
	}
	switch {
	case items == nil:
	case items.wrong != nil:
		r.invalid = &question.Detail{Name: tagFollowUp, At: question.Place{Path: n.path(items.of.key), Excerpt: items.wrong.At.Excerpt}}
	case items.list != nil:
		r.items = items.list.items
	}
	return f.orInner(r, q, items)
}

// orInner returns the arguments that are in an object of their own, if there are none outside it.
func (f *frame) orInner(r *reading, outer ...*value) *reading {
	if slices.ContainsFunc(outer, func(v *value) bool { return v != nil && v.holds() }) {
		for i := range f.values {
			if v := &f.values[i]; v.of.slot == slotArguments && v.holds() {
				f.notices.add(question.NoticeUnknownKey)
			}
		}
	} else if v := f.choose(slotArguments); v != nil && v.list != nil {
		r = v.list
	}
	r.told = told{slices.Clone(f.repairs), slices.Clone(f.notices), f.fault} // the frame is used again
	return r
}

func (l *reading) addSuggestion(f *frame) {
	text, mode := f.choose(slotText), f.choose(slotMode)
	if text == nil || !text.given {
		l.repairs.add(question.RepairBadSuggestion)
		return
	}
	l.join(&f.told)
	l.add(text.string(), mode.string())
}

// elementItems unwraps suggestions that are each a suggest element, unless the question or another one speaks of markup.
func (r *reading) elementItems() {
	found := false
	for _, s := range r.items {
		switch element := strings.HasPrefix(s.Answer, "<suggest") && strings.HasSuffix(s.Answer, "</suggest>"); {
		case element:
			found = true
		case speaksOfMarkup(s.Answer):
			return
		}
	}
	if !found || speaksOfMarkup(r.text) {
		return
	}
	list, content := &suggestionList{}, &followUpReader{}
	for _, s := range r.items {
		if strings.HasPrefix(s.Answer, "<suggest") {
			read := content.again(s.Answer, 0, deepestLayer, true)
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

// speaksOfMarkup reports whether there is what may be a tag or an entity in the text.
func speaksOfMarkup(text string) bool {
	return strings.ContainsRune(text, '<') || strings.ContainsRune(text, '&') && strings.ContainsRune(text, ';')
}

package dialect

import (
	"encoding/json"
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// arguments are what was read of a tool's arguments, when they have ended.
type arguments struct {
	told
	question     *value // of ask_followup_question; nil where there is none
	questionPath string
	items        *value // the suggestions, or the questions; nil where there are none
	itemsPath    string
	metadata     json.RawMessage
}

// followup makes the arguments of ask_followup_question of an object.
func (w *walker) followup(f *frame) *arguments {
	a := &arguments{questionPath: w.path(keyQuestion)}
	a.question, a.items = f.choose(slotQuestion).copy(), f.choose(slotItems).copy()
	a.itemsPath = w.pathOf(a.items, tagFollowUp)()
	return f.orInner(a)
}

// orInner returns the arguments that are in an object of their own, if there are none outside it.
func (f *frame) orInner(a *arguments) *arguments {
	if a.question != nil && a.question.holds() || a.items != nil && a.items.holds() {
		for _, v := range f.values {
			if v.of.slot == slotArguments && v.holds() {
				f.notices.add(question.NoticeUnknownKey)
			}
		}
	} else if v := f.choose(slotArguments); v != nil && v.args != nil {
		a = v.args
	}
	a.told = told{slices.Clone(f.repairs), slices.Clone(f.notices), f.fault} // the frame is used again
	return a
}

// addSuggestion adds an item that has ended.
func (w *walker) addSuggestion(l *list, f *frame) {
	text, mode := f.choose(slotText), f.choose(slotMode)
	if text == nil || !text.given {
		l.suggest.codes.add(question.RepairBadSuggestion)
		return
	}
	l.join(&f.told)
	l.suggest.add(text.string(), mode.string())
}

// followup takes what was read of ask_followup_question.
func (r *reading) followup(a *arguments) {
	var at question.Place
	if q := a.question; q != nil {
		if r.text = q.text; q.wrong != nil {
			at = question.Place{Path: a.questionPath, Excerpt: q.wrong.at.Excerpt}
		}
	}
	if r.text == "" {
		r.missing = &question.Detail{Name: tagQuestion, At: at}
	}
	switch items := a.items; {
	case items == nil:
	case items.wrong != nil:
		r.invalid = &question.Detail{Name: tagFollowUp, At: question.Place{Path: a.itemsPath, Excerpt: items.wrong.at.Excerpt}}
	case items.list != nil:
		r.suggest = items.list.suggest.items
	}
	if list := elementItems(r.text, r.suggest); list != nil {
		r.suggest = list.items
		r.repairs.add(list.codes...)
		r.repairs.add(question.RepairElementSuggestions)
	}
}

// elementItems reads items that are a suggest element each as what that element says; nil where there are none, or where the
// question or another item speaks of markup, so that the elements may be meant as they stand.
func elementItems(asked string, items []question.Suggestion) *suggestionList {
	found := false
	for _, s := range items {
		switch element := strings.HasPrefix(s.Answer, "<suggest") && strings.HasSuffix(s.Answer, "</suggest>"); {
		case element:
			found = true
		case speaksOfMarkup(s.Answer):
			return nil
		}
	}
	if !found || speaksOfMarkup(asked) {
		return nil
	}
	list := &suggestionList{}
	for _, s := range items {
		content := followUpContent{items: items[:0]}
		if strings.HasPrefix(s.Answer, "<suggest") {
			content = readFollowUp(s.Answer, deepestLayer, true)
		}
		if len(content.items) != 1 || content.fault.kind != toolcall.NoFault {
			list.add(s.Answer, s.Mode)
			continue
		}
		inner := content.items[0]
		if s.Mode != "" {
			inner.Mode = s.Mode
		}
		list.add(inner.Answer, inner.Mode)
	}
	return list
}

// speaksOfMarkup reports whether there is what may be a tag or an entity in the text.
func speaksOfMarkup(text string) bool {
	return strings.ContainsRune(text, '<') || strings.ContainsRune(text, '&') && strings.ContainsRune(text, ';')
}

// readArray reads text, which stands in so many strings, as JSON that holds a list of suggestions; nil when it is none.
func readArray(text string, depth int) *list {
	w := newWalker(Options{Limits: question.Limits{Parameter: len(text)}}, draft{out: &output{emit: func(Event) {}}})
	defer w.release()
	l := newLayer(w, depth, wholeList)
	l.tokens.Append([]byte(text))
	v := l.value(l.tokens.End())
	if v.list == nil || v.wrong != nil {
		return nil
	}
	v.list.mended(mended(&l.tokens))
	return v.list
}

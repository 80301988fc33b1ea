package dialect

import (
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// followUpContent is what the content of a follow_up was read as.
type followUpContent struct {
	items    []question.Suggestion // of use, in their order
	codes    codes                 // what was mended
	notices  codes                 // what was left out
	readable bool                  // suggestions, or nothing at all, were found
	fault    fault                 // the first way in which it is not well-formed
}

// readFollowUp reads text as the content of a follow_up is read: suggestions as elements, a JSON array, or a list.
func readFollowUp(text string) followUpContent {
	return followUpIn(text, 0, len(text), toolcall.Tags(text, names))
}

// followUpIn reads the content of a follow_up that stands at a place of a call, with the given tags in it.
func followUpIn(call string, from, to int, tags []toolcall.Tag) (read followUpContent) {
	content := trim(call[from:to])
	if inner, ok := toolcall.InCData(content); ok {
		read = readFollowUp(inner)
		read.fault.at = from
		return read
	}
	opened, closed := false, false // suggestions
	for i := range tags {
		if isSuggestion(tags[i].Name) {
			opened, closed = opened || !tags[i].Closing, closed || tags[i].Closing
		}
	}
	switch {
	case content == "":
		read.readable = true
	case opened && content[0] == '<':
		return elementsIn(call, from, to, tags)
	default:
		text := read.withoutWrappers(call, from, to, tags)
		// In a list, an element without its closing tag is a part of an item's text.
		_, listed := cutMarker(trim(text))
		switch {
		case read.array(trim(text), from) || opened && !closed && listed && read.list(text):
		case opened:
			return elementsIn(call, from, to, tags)
		case !read.list(text):
			read.readable = onlyComments(text)
		}
		if !opened { // elements find their own faults
			read.bare(toolcall.Check(call[from:to], from))
		}
	}
	return read
}

func (r *followUpContent) bare(check toolcall.Checker) {
	if check.Fault != toolcall.NoFault {
		r.fault.found(&check)
		r.codes.add(question.RepairBareMarkup)
	}
}

// withoutWrappers returns what the content stands for, without the tags of wrappers.
func (r *followUpContent) withoutWrappers(call string, from, to int, tags []toolcall.Tag) string {
	var b strings.Builder
	for i := range tags {
		if t := &tags[i]; isWrapper(t.Name) {
			r.codes.add(question.RepairSuggestionTag)
			b.WriteString(call[from:t.Start])
			from = t.End
		}
	}
	b.WriteString(call[from:to])
	return toolcall.Decode(b.String())
}

// array reads text, which begins at a place of the call, as JSON that holds a list of suggestions, and reports whether it is that.
func (r *followUpContent) array(text string, from int) bool {
	if text == "" || strings.IndexByte("[{\"`", text[0]) < 0 {
		return false
	}
	found := readArray(text)
	if found == nil {
		return false
	}
	if found.fault != nil {
		r.fault.note(toolcall.Fault(found.fault.Reason), "", from)
	}
	r.codes.add(question.RepairJSONSuggestions)
	r.codes.add(found.repairs...)
	r.notices.add(found.notices...)
	r.take(&found.suggest)
	return true
}

// list reads text as a list of suggestions, and reports whether it is that. What introduces it is none of it.
func (r *followUpContent) list(text string) bool {
	answers, _ := readList(text)
	if answers == nil {
		return false
	}
	r.codes.add(question.RepairListSuggestions)
	list := &suggestionList{}
	for _, answer := range answers {
		list.add(answer, "")
	}
	r.take(list)
	return true
}

// take takes the suggestions that were read.
func (r *followUpContent) take(list *suggestionList) {
	r.items, r.readable = list.items, true
	r.codes.add(list.codes...)
}

// onlyComments reports whether text holds nothing but comments.
func onlyComments(text string) bool {
	var check toolcall.Checker
	rest := check.Read(text, 0)
	check.Close(len(text))
	return trim(rest) == "" && check.Tags == 0 && check.Fault == toolcall.NoFault
}

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
	readable bool                  // suggestions, or nothing at all, were found
	fault    fault                 // the first way in which it is not well-formed
	lenient  toolcall.Fault        // what was mended in JSON
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
	list := &suggestionList{}
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
		case read.array(trim(text), list) || opened && !closed && listed && read.list(text, list):
		case opened:
			return elementsIn(call, from, to, tags)
		case !read.list(text, list):
			read.readable = onlyComments(text)
		}
		if !opened { // elements find their own faults
			read.bare(toolcall.Check(call[from:to], from))
		}
	}
	read.items = list.items
	read.codes.add(list.codes...)
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

// array reads text as a JSON array of suggestions, and reports whether it is that.
func (r *followUpContent) array(text string, list *suggestionList) bool {
	if text == "" || strings.IndexByte("[\"`", text[0]) < 0 {
		return false
	}
	found := &suggestionList{}
	lenient, doubly, ok := readArray(text, found)
	if !ok {
		return false
	}
	r.codes.add(question.RepairJSONSuggestions)
	if doubly {
		r.codes.add(question.RepairDoubleEncoded)
	}
	if lenient != "" {
		r.codes.add(question.RepairLenientJSON)
		r.lenient = lenient
	}
	r.readable = true
	list.adopt(found)
	return true
}

// list reads text as a list of suggestions, and reports whether it is that. What introduces it is none of it.
func (r *followUpContent) list(text string, list *suggestionList) bool {
	answers, _ := readList(text)
	if answers == nil {
		return false
	}
	r.codes.add(question.RepairListSuggestions)
	for _, answer := range answers {
		list.add(answer, "")
	}
	r.readable = true
	return true
}

// onlyComments reports whether text holds nothing but comments.
func onlyComments(text string) bool {
	for {
		before, rest, found := strings.Cut(text, "<!--")
		if trim(before) != "" {
			return false
		}
		if !found {
			return true
		}
		if _, text, found = strings.Cut(rest, "-->"); !found {
			return false
		}
	}
}

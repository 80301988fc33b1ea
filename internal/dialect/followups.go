package dialect

import (
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// followUpReader reads the content of a follow_up: elements, a JSON array, or a list's lines.
type followUpReader struct {
	suggestionList
	depth   int  // how many strings, or CDATA sections, stand around it
	tried   bool // it is known not to be JSON
	literal bool // it stood in CDATA, where nothing is markup
}

// readFollowUp reads text, around which stand so many strings, as the content of a follow_up. Tried: it is known not to be JSON.
func readFollowUp(text string, depth int, tried bool) *suggestionList {
	r := followUpReader{depth: depth, tried: tried}
	r.read(text)
	return &r.suggestionList
}

// followUpIn reads the content of a follow_up that stands at a place of a call.
func followUpIn(call string, from, to int) *suggestionList {
	read := readFollowUp(call[from:to], 0, false)
	read.markup.at += from
	return read
}

func (r *followUpReader) read(text string) {
	content := trim(text)
	if inner, ok := toolcall.InCData(content); ok && r.depth < deepestLayer {
		r.depth++
		r.literal = true
		r.read(inner)
		r.markup.at = 0
		return
	}
	opened, closed := false, false // suggestions
	for t := range toolcall.EachTag(text, names) {
		if isSuggestion(t.Name) {
			opened, closed = opened || !t.Closing, closed || t.Closing
		}
	}
	switch {
	case content == "" || strings.EqualFold(content, "null") || strings.EqualFold(content, "none"):
		r.readable = true
	case opened && content[0] == '<':
		r.elements(text)
	default:
		plain := r.withoutWrappers(text)
		// In a list, an element without its closing tag is a part of an item's text.
		_, listed := cutMarker(trim(plain))
		switch {
		case r.array(trim(plain)) || opened && !closed && listed && r.list(plain):
		case opened:
			r.elements(text)
		case !r.list(plain):
			var check toolcall.Checker // there may be comments only
			rest := check.Read(plain, 0)
			check.Close(len(plain))
			r.readable = trim(rest) == "" && check.Tags == 0 && check.Fault == toolcall.NoFault
		}
		if !opened && !r.literal { // elements find their own faults
			if check := toolcall.Check(text, 0); check.Fault != toolcall.NoFault {
				r.markup.found(&check)
				r.repairs.add(question.RepairBareMarkup)
			}
		}
	}
}

// elements reads content made of elements.
func (r *followUpReader) elements(text string) {
	e := elements{list: &r.suggestionList, literal: r.literal}
	for t := range toolcall.EachTag(text, names) {
		e.Tag(text, &t)
	}
	e.close(text, len(text))
}

// withoutWrappers returns what the content stands for, without the tags of wrappers.
func (r *followUpReader) withoutWrappers(text string) string {
	var b strings.Builder
	from := 0
	for t := range toolcall.EachTag(text, names) {
		if isWrapper(t.Name) {
			r.repairs.add(question.RepairSuggestionTag)
			b.WriteString(text[from:t.Start])
			from = t.End
		}
	}
	if b.Len() == 0 {
		return toolcall.Decode(text[from:])
	}
	b.WriteString(text[from:])
	return toolcall.Decode(b.String())
}

// array reads text as JSON that holds a list of suggestions, and reports whether it is that.
func (r *followUpReader) array(text string) bool {
	if r.tried || r.depth >= deepestLayer || !beginsJSON(text) {
		return false
	}
	n := beginNative("", Options{})
	defer n.release()
	j := &n.layers[r.depth]
	j.Init(text, nil)
	found := n.whole(j, wholeList)
	l := found.list
	if l == nil || found.wrong != nil {
		return false
	}
	if l.mended(j.mended()); l.fault != nil {
		r.markup.note(toolcall.Fault(l.fault.Reason), "", 0)
	}
	r.repairs.add(question.RepairJSONSuggestions)
	r.join(&l.told)
	r.items, r.readable = l.items, true
	return true
}

// list reads text as a list of suggestions, and reports whether it is that. What introduces it is none of it.
func (r *followUpReader) list(text string) (items bool) {
	if items, _ = r.lines(text); items {
		r.repairs.add(question.RepairListSuggestions)
		r.readable = true
	}
	return items
}

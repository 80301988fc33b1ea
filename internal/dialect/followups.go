package dialect

import (
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// followUpReader reads the content of a follow_up: elements, a JSON array, or a list.
type followUpReader struct {
	suggestionList
	depth int  // number of strings or CDATA sections around it
	tried bool // the text is known not to be JSON
}

// readAt replaces the reader's state and reads text, which starts at offset at inside depth strings. tried means that
// the text is known not to be JSON.
func (r *followUpReader) readAt(text string, at, depth int, tried bool) *suggestionList {
	*r = followUpReader{suggestionList: suggestionList{items: r.items[:0]}, depth: depth, tried: tried}
	r.read(text)
	r.markup.At += at
	return &r.suggestionList
}

func readFollowUp(text string, at int) *suggestionList {
	return new(followUpReader).readAt(text, at, 0, false)
}

func (r *followUpReader) read(text string) {
	content := trim(text)
	if inner, ok := toolcall.InCData(content); ok && r.depth < maxLayer {
		r.depth++
		r.literal = true
		r.read(inner)
		r.markup.At = 0
		return
	}
	opened, closed := false, false // tags of suggestions seen
	var without strings.Builder    // the text without wrapper tags
	from := 0
	for t := range toolcall.EachTag(text, names) {
		switch {
		case isWrapper(t.Name):
			without.WriteString(text[from:t.Start])
			from = t.End
		case isSuggestion(t.Name):
			opened, closed = opened || !t.Closing, closed || t.Closing
		}
		if opened && content[0] == '<' {
			r.elements(text)
			return
		}
	}
	if content == "" || strings.EqualFold(content, "null") || strings.EqualFold(content, "none") {
		r.readable = true
		return
	}
	plain := text
	if from > 0 {
		r.repairs.add(question.RepairSuggestionTag)
		without.WriteString(text[from:])
		plain = without.String()
	}
	plain = toolcall.Decode(plain)
	solid := trim(plain)
	// In a list, an element without a closing tag is part of an item's text.
	_, listed := cutMarker(solid)
	switch {
	case r.array(solid) || opened && !closed && listed && r.list(plain):
	case opened:
		r.elements(text)
	case !r.list(plain):
		r.readable = onlyComments(solid)
	}
	if !opened && !r.literal { // elements check their own markup
		r.noteFlaw(toolcall.Check(text, 0))
	}
}

func (r *followUpReader) elements(text string) {
	e := elements{list: &r.suggestionList}
	for t := range toolcall.EachTag(text, names) {
		e.Tag(text, &t)
	}
	e.close(text, len(text))
}

// onlyComments reports whether a text contains only comments, processing instructions and white space.
func onlyComments(text string) bool {
	if text != "" && !strings.HasPrefix(text, "<!--") && !strings.HasPrefix(text, "<?") {
		return false
	}
	var check toolcall.Checker
	rest := check.Read(text, 0)
	check.Close(len(text))
	return trim(rest) == "" && check.Tags == 0 && check.Fault == toolcall.NoFault
}

// array reads text as a JSON list of suggestions and reports whether it is one.
func (r *followUpReader) array(text string) bool {
	if r.tried || r.depth >= maxLayer || !beginsJSON(text) {
		return false
	}
	n := acquireNative("", Options{})
	defer n.release()
	n.draft.listed = true // these events are discarded
	j := &n.layers[r.depth]
	j.Init(text, nil)
	found := n.readWhole(j, listMember)
	l := found.list
	if l == nil || found.problem != nil {
		return false
	}
	if l.noteRepair(j.firstRepair()); l.fault != nil {
		r.markup.Note(toolcall.Fault(l.fault.Reason), "", 0)
	}
	r.repairs.add(question.RepairJSONSuggestions)
	r.join(&l.remarks)
	r.items, r.readable = l.items, true
	return true
}

// list reads text as a list of suggestions and reports whether it is one. Introductory lines are ignored.
func (r *followUpReader) list(text string) (items bool) {
	if items, _ = r.lines(text); items {
		r.repairs.add(question.RepairListSuggestions)
		r.readable = true
	}
	return items
}

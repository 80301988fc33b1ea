package dialect

import (
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// readFollowUp reads the content of a follow_up, which starts at the given offset.
func readFollowUp(text string, at int) *suggestionList {
	l := &suggestionList{}
	l.read(text, 0, false)
	l.markup.At += at
	return l
}

// noneWords mean no suggestions.
var noneWords = []string{"", "null", "none", "false", "n/a"}

// read reads the content of a follow_up: elements, a JSON array, or a list. depth is the number of strings or CDATA
// sections around it. tried means that the text is known not to be JSON.
func (l *suggestionList) read(text string, depth int, tried bool) {
	content := trim(text)
	if inner, ok := toolcall.InCData(content); ok && depth < maxLayer {
		l.literal = true
		l.read(inner, depth+1, tried)
		l.markup.At = 0
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
			l.elements(text)
			return
		}
	}
	if slices.ContainsFunc(noneWords, func(word string) bool { return strings.EqualFold(content, word) }) {
		l.readable = true
		return
	}
	plain := text
	if from > 0 {
		l.repairs.add(question.RepairSuggestionTag)
		without.WriteString(text[from:])
		plain = without.String()
	}
	plain = toolcall.Decode(plain)
	solid := trim(plain)
	// In a list, an element without a closing tag is part of an item's text.
	_, listed := cutMarker(solid)
	switch {
	case !tried && l.array(solid, depth) || opened && !closed && listed && l.list(plain):
	case opened:
		l.elements(text)
	case !l.list(plain):
		l.readable = onlyComments(solid)
	}
	if !opened && !l.literal { // elements check their own markup
		l.noteFlaw(toolcall.Check(text, 0))
	}
}

func (l *suggestionList) elements(text string) {
	e := elements{list: l}
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
func (l *suggestionList) array(text string, depth int) bool {
	if depth >= maxLayer || !beginsJSON(text) {
		return false
	}
	n := acquireNative("", Options{})
	defer n.release()
	n.draft.listed = true // these events are discarded
	j := &n.layers[depth]
	j.Init(text, nil)
	found := n.readWhole(j, listMember)
	read := found.list
	if read == nil || found.problem != nil {
		return false
	}
	if read.noteRepair(j.firstRepair()); read.fault != nil {
		l.markup.Note(toolcall.Fault(read.fault.Reason), "", 0)
	}
	l.repairs.add(question.RepairJSONSuggestions)
	l.join(&read.remarks)
	l.items, l.readable = read.items, true
	return true
}

// object reads text as one suggestion in JSON, and reports whether it is one under the tool's own names.
func (l *suggestionList) object(text string) bool {
	var j toolcall.JSON
	answer, mode, given := "", "", false
	if j.Init(text, nil); !strings.HasPrefix(text, "{") || j.Value() != toolcall.Object {
		return false
	}
	for j.Key() {
		key := j.Text()
		k := j.Value()
		j.Skip(k)
		switch {
		case k == toolcall.String && (key == "text" || key == "answer" || key == "label"):
			answer, given = trim(withLF(j.Text())), true
		case k == toolcall.String && key == "mode":
			mode = trim(j.Text())
		case k != toolcall.Null || key != "mode":
			return false
		}
	}
	if !given || !j.End() {
		return false
	}
	l.repairs.add(question.RepairJSONSuggestions)
	l.add(answer, mode)
	return true
}

// unlike reports whether a repair of an object in a string suggests that the string is a text.
func unlike(c question.Code) bool {
	return c == question.RepairKeyAlias || c == question.RepairBadSuggestion
}

// list reads text as a list of suggestions and reports whether it is one. Introductory lines are ignored.
func (l *suggestionList) list(text string) bool {
	items, _ := l.lines(text)
	return items
}

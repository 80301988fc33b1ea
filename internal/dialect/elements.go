package dialect

import (
	"cmp"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// elements reads suggestions written as elements, tag by tag. Places are those of the call.
type elements struct {
	list *suggestionList

	from     int            // where the content of the open suggestion begins, or else what stands outside of any
	tag      toolcall.Tag   // of the open suggestion; its End is 0 when none is open
	mode     string         // of that, by its attribute
	text     string         // of that, by its attribute
	inner    map[string]int // the elements with known names that are open in it
	wrappers int            // that are open
	after    bool           // what stands outside began on the line of a suggestion's end
	outside  toolcall.Checker
}

func (e *elements) open() bool { return e.tag.End > 0 }

// Tag takes the next tag in the content.
func (e *elements) Tag(call string, t *toolcall.Tag) {
	switch suggestion := isSuggestion(t.Name); {
	case suggestion && !t.Closing && (!e.open() || t.Name == e.tag.Name):
		e.beginSuggestion(call, t)
	case e.open() && !t.Closing:
		if t.Opening() {
			if e.inner == nil {
				e.inner = map[string]int{}
			}
			e.inner[t.Name]++
		}
	case e.open() && t.Name != e.tag.Name && e.inner[t.Name] > 0:
		e.inner[t.Name]--
	case e.open() && suggestion:
		if t.Name != e.tag.Name {
			e.list.repairs.add(question.RepairSuggestionTag)
			e.list.markup.Note(toolcall.StrayEndTag, t.Name, t.Start)
		}
		e.end(call, t.Start, true)
		e.from = t.End
	case isWrapper(t.Name) && (!e.open() || e.wrappers > 0):
		if e.open() {
			e.end(call, t.Start, false)
		}
		e.wrapper(call, t)
	}
}

func (e *elements) beginSuggestion(call string, t *toolcall.Tag) {
	if e.open() {
		e.end(call, t.Start, false)
	}
	e.list.readable = true
	e.stray(call, t.Start, true)
	if t.Name != tagSuggest {
		e.list.repairs.add(question.RepairSuggestionTag)
	}
	e.list.loose(t)
	e.tag, e.mode, e.text, e.from = *t, e.attribute(call, t, "mode"), e.attribute(call, t, "text"), t.End
	if e.mode == "" {
		if e.mode = e.attribute(call, t, "mode_slug"); e.mode != "" {
			e.list.repairs.add(question.RepairSuggestionFields)
		}
	}
	clear(e.inner)
	if t.Empty {
		e.end(call, t.End, true)
	}
}

func (e *elements) attribute(call string, t *toolcall.Tag, name string) string {
	value := t.Attr(call, name)
	if toolcall.Plain(value) {
		return trim(value)
	}
	if toolcall.Check(value, 0).Fault == toolcall.BareAmpersand {
		e.list.flawed(toolcall.Flaw{Fault: toolcall.BareAmpersand, At: t.Start})
	}
	return trim(toolcall.Decode(value))
}

// end ends the open suggestion at the given place, with its closing tag or without.
func (e *elements) end(call string, at int, closed bool) {
	content := call[e.from:at]
	if !closed {
		e.list.markup.Note(toolcall.UnclosedTag, e.tag.Name, e.tag.Start)
		e.list.repairs.add(question.RepairUnclosedSuggestion)
	}
	answer, mode, fields := trim(content), "", false
	if !toolcall.Plain(content) {
		e.list.flawed(toolcall.Check(content, e.from))
		if answer, mode, fields = suggestionFields(content); !fields {
			answer, mode = trim(toolcall.Decode(content)), ""
		}
	}
	switch {
	case e.text == "":
	case answer == "":
		answer, fields = e.text, true
	default:
		e.list.repairs.add(question.RepairStrayText)
	}
	if fields {
		e.list.repairs.add(question.RepairSuggestionFields)
	}
	e.list.add(answer, cmp.Or(mode, e.mode))
	e.tag, e.from, e.after = toolcall.Tag{}, at, true
}

// answerFields are the names of elements that hold the answer of a suggestion, the better ones first.
var answerFields = []string{"content", "answer", "text", "label"}

var fieldNames = toolcall.NewNames(append(answerFields, "mode")...)

// suggestionFields reads a suggestion made of elements: an answer, or text, and perhaps a mode before or after it.
func suggestionFields(content string) (answer, mode string, ok bool) {
	fields, text := map[string]string{}, ""
	var open toolcall.Tag // its End is 0 between the fields
	end := 0              // of the last field
	between := func(to int) bool {
		before, first := trim(content[end:to]), text == ""
		text = cmp.Or(before, text)
		return before == "" || first
	}
	for t := range toolcall.EachTag(content, fieldNames) {
		if open.End == 0 && !t.Opening() {
			break
		}
		if open.End == 0 {
			open = t
		} else if t.Closing && t.Name == open.Name {
			if _, twice := fields[t.Name]; twice || !between(open.Start) {
				return "", "", false
			}
			fields[t.Name] = trim(toolcall.Decode(content[open.End:t.Start]))
			open, end = toolcall.Tag{}, t.End
		}
	}
	if !between(len(content)) {
		return "", "", false
	}
	if _, moded := fields["mode"]; text != "" {
		return trim(toolcall.Decode(text)), fields["mode"], moded && len(fields) == 1
	}
	for _, name := range answerFields {
		field, given := fields[name]
		ok, answer = ok || given, cmp.Or(answer, field)
	}
	return answer, fields["mode"], ok
}

func (e *elements) wrapper(call string, t *toolcall.Tag) {
	e.list.repairs.add(question.RepairSuggestionTag)
	e.stray(call, t.Start, false)
	e.from = t.End
	switch {
	case t.Empty:
	case !t.Closing:
		e.wrappers++
	case e.wrappers > 0:
		e.wrappers--
	default:
		e.list.markup.Note(toolcall.StrayEndTag, t.Name, t.Start)
	}
}

// stray reads the content between suggestions: the items of a list are suggestions too, and other text is reported.
func (e *elements) stray(call string, to int, suggestion bool) {
	content := call[e.from:to]
	after := e.after
	e.after = false
	if trim(content) == "" {
		return
	}
	text := toolcall.Decode(e.outside.Read(content, e.from))
	if trim(text) == "" {
		return
	}
	// What stands on the line of a suggestion is no item, though its marker may be that.
	told := false
	if after {
		var rest string
		rest, text, _ = strings.Cut(text, "\n")
		told = trim(rest) != ""
	}
	if i := strings.LastIndexByte(text, '\n') + 1; suggestion {
		rest, _ := cutMarker(strings.TrimLeft(text[i:], " \t"))
		told = told || trim(rest) != ""
		text = text[:i]
	}
	items, other := e.list.lines(text)
	if told || other {
		e.list.repairs.add(question.RepairStrayText)
	}
	if items {
		e.list.repairs.add(question.RepairListSuggestions)
	}
}

func (e *elements) close(call string, at int) {
	if e.open() {
		e.end(call, at, false)
		e.after = false
	}
	if e.wrappers > 0 {
		e.list.markup.Note(toolcall.UnclosedTag, "suggestions", at)
	}
	e.stray(call, at, false)
	e.outside.Close(at)
	e.list.flawed(e.outside.Flaw)
	e.from = at
}

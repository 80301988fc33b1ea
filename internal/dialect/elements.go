package dialect

import (
	"cmp"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// elements reads suggestions written as elements, one tag at a time. Offsets are relative to the call.
type elements struct {
	list *suggestionList

	from     int          // start of the open suggestion's content, or of the text after the last one
	tag      toolcall.Tag // of the open suggestion; End is 0 if none is open
	mode     string       // the mode attribute
	text     string       // the text attribute
	inner    tagCounts    // open elements inside the suggestion, by index in tagNames
	wrappers int          // number of open wrappers
	sameLine bool         // the text outside starts on the line on which a suggestion ended
	outside  toolcall.Checker
}

func (e *elements) open() bool { return e.tag.End > 0 }

// Tag reads the next tag in the content.
func (e *elements) Tag(call string, t *toolcall.Tag) {
	switch suggestion := isSuggestion(t.Name); {
	case suggestion && !t.Closing && (!e.open() || t.Name == e.tag.Name):
		e.beginSuggestion(call, t)
	case e.open() && !t.Closing:
		if t.Opening() {
			e.inner[t.Index]++
		}
	case e.open() && t.Name != e.tag.Name && e.inner[t.Index] > 0:
		e.inner[t.Index]--
	case e.open() && suggestion:
		if t.Name != e.tag.Name {
			e.list.repairs.add(question.RepairSuggestionTag)
			e.list.markup.Note(toolcall.StrayEndTag, t.Name, t.Start)
		}
		e.endSuggestion(call, t.Start, true)
		e.from = t.End
	case isWrapper(t.Name) && (!e.open() || e.wrappers > 0):
		if e.open() {
			e.endSuggestion(call, t.Start, false)
		}
		e.wrapper(call, t)
	}
}

func (e *elements) beginSuggestion(call string, t *toolcall.Tag) {
	if e.open() {
		e.endSuggestion(call, t.Start, false)
	}
	e.list.readable = true
	e.readOutside(call, t.Start, true)
	if t.Name != tagSuggest {
		e.list.repairs.add(question.RepairSuggestionTag)
	}
	e.list.checkAttributes(t)
	slug := ""
	e.tag, e.mode, e.text, e.from = *t, "", "", t.End
	for name, value := range t.Attributes(call) {
		switch name {
		case "mode":
			e.mode = value
		case "text":
			e.text = value
		case "mode_slug":
			slug = value
		}
	}
	e.mode, e.text = e.attribute(e.mode), e.attribute(e.text)
	if e.mode == "" && slug != "" {
		if e.mode = e.attribute(slug); e.mode != "" {
			e.list.repairs.add(question.RepairSuggestionFields)
		}
	}
	clear(e.inner[:])
	if t.Empty {
		e.endSuggestion(call, t.End, true)
	}
}

// attribute decodes the value of an attribute of the open suggestion.
func (e *elements) attribute(value string) string {
	if toolcall.Check(value, 0).Fault == toolcall.BareAmpersand {
		e.list.noteFlaw(toolcall.Flaw{Fault: toolcall.BareAmpersand, At: e.tag.Start})
	}
	return trim(toolcall.Decode(value))
}

// endSuggestion adds the open suggestion, which ends at the given offset. closed reports whether it has a closing tag.
func (e *elements) endSuggestion(call string, at int, closed bool) {
	content := call[e.from:at]
	if !closed {
		e.list.markup.Note(toolcall.UnclosedTag, e.tag.Name, e.tag.Start)
		e.list.repairs.add(question.RepairUnclosedSuggestion)
	}
	answer, mode, fields := trim(content), "", false
	if !toolcall.Plain(content) {
		e.list.noteFlaw(toolcall.Check(content, e.from))
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
	if fields || !e.list.object(answer) {
		e.list.add(answer, cmp.Or(mode, e.mode))
	}
	e.tag, e.from, e.sameLine = toolcall.Tag{}, at, true
}

// answerFields are the elements that may hold a suggestion's answer, in order of preference.
var answerFields = []string{"content", "answer", "text", "label"}

var fieldNames = toolcall.NewNames(append(answerFields, "mode")...)

// suggestionFields reads a suggestion that consists of elements: an answer element or plain text, and optionally a
// mode element before or after it.
func suggestionFields(content string) (answer, mode string, ok bool) {
	fields, texts := map[string]string{}, []string{}
	var open toolcall.Tag // End is 0 between the fields
	end := 0              // end of the last field
	outside := func(to int) {
		if text := trim(content[end:to]); text != "" {
			texts = append(texts, text)
		}
	}
	for t := range toolcall.EachTag(content, fieldNames) {
		if open.End == 0 && !t.Opening() {
			break
		}
		if open.End == 0 {
			open = t
		} else if t.Closing && t.Name == open.Name {
			outside(open.Start)
			if _, twice := fields[t.Name]; twice {
				return "", "", false
			}
			fields[t.Name] = trim(toolcall.Decode(content[open.End:t.Start]))
			open, end = toolcall.Tag{}, t.End
		}
	}
	switch outside(len(content)); len(texts) {
	case 0:
	case 1:
		_, moded := fields["mode"]
		return trim(toolcall.Decode(texts[0])), fields["mode"], moded && len(fields) == 1
	default:
		return "", "", false
	}
	for _, name := range answerFields {
		field, given := fields[name]
		ok, answer = ok || given, cmp.Or(answer, field)
	}
	return answer, fields["mode"], ok
}

func (e *elements) wrapper(call string, t *toolcall.Tag) {
	e.list.repairs.add(question.RepairSuggestionTag)
	e.readOutside(call, t.Start, false)
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

// readOutside reads the content between suggestions. List items there are suggestions too; other text is reported as
// stray.
func (e *elements) readOutside(call string, to int, suggestion bool) {
	content := call[e.from:to]
	after := e.sameLine
	e.sameLine = false
	if trim(content) == "" {
		return
	}
	text := toolcall.Decode(e.outside.Read(content, e.from))
	if trim(text) == "" {
		return
	}
	// Text on the same line as a suggestion is not a list item, but a list marker in front of the suggestion is not
	// stray text either.
	strayText := false
	if after {
		var rest string
		rest, text, _ = strings.Cut(text, "\n")
		strayText = trim(rest) != ""
	}
	if i := strings.LastIndexByte(text, '\n') + 1; suggestion {
		rest, _ := cutMarker(strings.TrimLeft(text[i:], " \t"))
		strayText = strayText || trim(rest) != ""
		text = text[:i]
	}
	if _, other := e.list.lines(text); strayText || other {
		e.list.repairs.add(question.RepairStrayText)
	}
}

func (e *elements) close(call string, at int) {
	if e.open() {
		e.endSuggestion(call, at, false)
		e.sameLine = false
	}
	if e.wrappers > 0 {
		e.list.markup.Note(toolcall.UnclosedTag, "suggestions", at)
	}
	e.readOutside(call, at, false)
	e.outside.Close(at)
	e.list.noteFlaw(e.outside.Flaw)
	e.from = at
}

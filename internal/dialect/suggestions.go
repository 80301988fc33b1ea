package dialect

import (
	"slices"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// suggestionList collects the suggestions of one call, without those that are of no use.
type suggestionList struct {
	items []question.Suggestion
	seen  map[question.Suggestion]bool // of items, once there are many
	codes codes
	found bool   // something was meant as a suggestion, of use or not
	shown *draft // told of each that is kept; may be nil
}

func (l *suggestionList) add(answer, mode string) {
	l.found = true
	s := question.Suggestion{Answer: answer, Mode: mode}
	switch {
	case answer == "":
		l.codes.add(question.RepairBlankSuggestion)
		return
	case l.has(s):
		l.codes.add(question.RepairDuplicateSuggestion)
		return
	}
	if l.items == nil {
		l.items = make([]question.Suggestion, 0, question.MaxSuggestions)
	}
	l.items = append(l.items, s)
	if l.seen != nil {
		l.seen[s] = true
	}
	if l.shown != nil {
		l.shown.accept(s)
	}
}

// few is how many suggestions are looked through one by one.
const few = 16

func (l *suggestionList) has(s question.Suggestion) bool {
	if len(l.items) < few {
		return slices.Contains(l.items, s)
	}
	if l.seen == nil {
		l.seen = map[question.Suggestion]bool{}
		for _, item := range l.items {
			l.seen[item] = true
		}
	}
	return l.seen[s]
}

// adopt adds what was found elsewhere.
func (l *suggestionList) adopt(found *suggestionList) {
	for _, s := range found.items {
		l.add(s.Answer, s.Mode)
	}
	l.found = l.found || found.found
	l.codes.add(found.codes...)
}

// bad drops an item of the wrong type.
func (l *suggestionList) bad() {
	l.found = true
	l.codes.add(question.RepairBadSuggestion)
}

// The names of the tag form.
const (
	tagAsk        = question.ToolFollowup
	tagQuestion   = "question"
	tagFollowUp   = "follow_up"
	tagSuggest    = "suggest"
	tagSuggestion = "suggestion"
	tagOption     = "option"
)

var tagNames = []string{
	tagAsk, tagQuestion, tagFollowUp, tagSuggest, tagSuggestion, tagOption, "suggestions", "options",
}

var (
	names      = toolcall.NewNames(tagNames...)
	paramNames = toolcall.NewNames(tagNames[1:]...)
)

func isWrapper(name string) bool { return name == "suggestions" || name == "options" }

func isSuggestion(name string) bool {
	return name == tagSuggest || name == tagSuggestion || name == tagOption
}

// fault is the first way in which something is not well-formed.
type fault struct {
	kind toolcall.Fault
	name string
}

func (f *fault) note(kind toolcall.Fault, name string) {
	if f.kind == toolcall.NoFault {
		*f = fault{kind, name}
	}
}

// elements reads suggestions written as elements.
type elements struct {
	list     *suggestionList
	codes    codes
	fault    fault
	stray    content // what stands outside them
	open     bool
	name     string // of the open one
	mode     string
	current  content
	wrappers int            // that are open
	lenient  toolcall.Fault // of a JSON array
}

func (e *elements) Chars(b []byte) {
	if e.open {
		e.current.Chars(b)
		return
	}
	e.stray.Chars(b)
}

func (e *elements) Literal(b []byte) {
	if e.open {
		e.current.Literal(b)
		return
	}
	e.stray.Literal(b)
}

func (e *elements) Tag(t *toolcall.Tag) {
	switch {
	case isSuggestion(t.Name) && !t.End && (!e.open || t.Name == e.name):
		e.begin(t)
	case e.open && t.End && e.ends(t.Name):
		if t.Name != e.name {
			e.codes.add(question.RepairSuggestionTag)
		}
		e.end(true)
	case e.open && t.End && isWrapper(t.Name) && e.wrappers > 0:
		e.end(false)
		e.wrapper(t)
	case !e.open && isWrapper(t.Name):
		e.wrapper(t)
	default:
		e.Chars(t.Raw)
	}
}

// ends reports whether an end tag of the name ends the open suggestion. Any name for suggestions does, unless an element of that name
// is open in the suggestion's text.
func (e *elements) ends(name string) bool {
	return isSuggestion(name) && (name == e.name || !e.current.check.Innermost([]byte(name)))
}

func (e *elements) begin(t *toolcall.Tag) {
	if e.open {
		e.end(false)
	}
	e.list.found = true
	e.stray.cut()
	if t.Name != tagSuggest {
		e.codes.add(question.RepairSuggestionTag)
	}
	if t.Loose {
		e.bare(toolcall.BadAttribute, t.Name)
	}
	value, _ := t.Attr("mode")
	mode, ok := decodeAttr(value)
	if !ok {
		e.bare(toolcall.BareAmpersand, "")
	}
	e.open, e.name, e.mode = true, t.Name, mode
	e.current.reset()
	if t.Empty {
		e.end(true)
	}
}

// bare notes markup that is not well-formed, if any.
func (e *elements) bare(kind toolcall.Fault, name string) {
	if kind != toolcall.NoFault {
		e.fault.note(kind, name)
		e.codes.add(question.RepairBareMarkup)
	}
}

// end ends the open suggestion, with its closing tag or without.
func (e *elements) end(closed bool) {
	c := &e.current
	c.close()
	e.bare(c.check.Fault, c.check.Name)
	if !closed {
		e.fault.note(toolcall.UnclosedTag, e.name)
		e.codes.add(question.RepairUnclosedSuggestion)
	}
	e.open = false
	e.list.add(c.String(), e.mode)
}

func (e *elements) wrapper(t *toolcall.Tag) {
	e.codes.add(question.RepairSuggestionTag)
	e.stray.cut()
	switch {
	case t.Empty:
	case !t.End:
		e.wrappers++
	case e.wrappers > 0:
		e.wrappers--
	default:
		e.fault.note(toolcall.StrayEndTag, t.Name)
	}
}

// close ends the parameter around the suggestions.
func (e *elements) close() {
	if e.open {
		e.end(false)
	}
	if e.wrappers > 0 {
		e.fault.note(toolcall.UnclosedTag, "suggestions")
	}
	e.stray.close()
	e.bare(e.stray.check.Fault, e.stray.check.Name)
}

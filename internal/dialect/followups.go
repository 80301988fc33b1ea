package dialect

import (
	"bytes"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// followUp reads the content of one follow_up: suggestions as elements as they come, everything else when it ends.
type followUp struct {
	elements
	own      suggestionList
	lead     []byte    // white space that comes first, of which a list's indentation is part
	room     [16]byte  // for that
	kept     recording // what was read, as long as no suggestion was found in it
	begun    bool      // something other than white space was read
	waiting  bool      // it did not begin with a tag, so it is read when it ends
	readable bool      // set by close: suggestions, or nothing at all, were found
}

func newFollowUp(shown *draft) *followUp {
	f := &followUp{}
	f.init(shown)
	return f
}

func (f *followUp) init(shown *draft) {
	f.list = &f.own
	f.own.shown = shown
}

// settled reports whether there are elements, so that nothing needs to be kept.
func (f *followUp) settled() bool { return f.list.found && !f.waiting }

// begin notes the first thing that is not white space; markup says that it is a tag.
func (f *followUp) begin(markup bool) {
	if !f.begun {
		f.begun, f.waiting = true, !markup
	}
}

// keep records with the given method, after the white space that came first.
func (f *followUp) keep(record func(*recording, []byte), b []byte) {
	if f.settled() {
		return
	}
	if len(f.lead) > 0 {
		f.kept.Chars(f.lead)
		f.lead = nil
	}
	record(&f.kept, b)
}

func (f *followUp) Chars(b []byte) {
	if !f.begun {
		rest := trimLeft(b)
		if f.lead == nil {
			f.lead = f.room[:0]
		}
		f.lead = append(f.lead, b[:len(b)-len(rest)]...)
		if b = rest; len(b) == 0 {
			return
		}
		f.begin(b[0] == '<')
	}
	f.keep((*recording).Chars, b)
	if !f.waiting {
		f.elements.Chars(b)
	}
}

func (f *followUp) CDataBegin() {
	f.begin(false)
	f.keep(func(r *recording, _ []byte) { r.CDataBegin() }, nil)
}

func (f *followUp) CData(b []byte) {
	f.keep((*recording).CData, b)
	if !f.waiting {
		f.Literal(b)
	}
}

func (f *followUp) CDataEnd() {
	f.keep(func(r *recording, _ []byte) { r.CDataEnd() }, nil)
}

// Tag takes a tag that does not end the parameter.
func (f *followUp) Tag(t *toolcall.Tag) bool {
	f.begin(true)
	if !f.waiting {
		f.elements.Tag(t)
	}
	if f.settled() {
		f.kept = recording{}
	} else {
		f.keep(func(r *recording, _ []byte) { r.Tag(t) }, nil)
	}
	return false
}

// close ends the parameter and reads what waited for that.
func (f *followUp) close() {
	if f.settled() {
		f.elements.close()
		f.readable = true
		return
	}
	if inner, ok := f.kept.unwrapped(); ok {
		f.readAgain(inner)
		return
	}
	text, tags := f.decode()
	start := ""
	if s := trim(text); s != "" {
		start = s[:1]
	}
	switch {
	case start == "":
		f.readable = true
	case strings.Contains("[\"`", start) && f.readJSON(text):
	case f.waiting && tags && f.readElements(text):
	case f.readList(text):
	default:
		f.readable = onlyComments(text)
	}
	f.kept = recording{}
}

// readAgain reads what stood in CDATA as if it had stood there without.
func (f *followUp) readAgain(content []byte) {
	inner := newFollowUp(f.list.shown)
	lexer := toolcall.Lexer{Names: names}
	lexer.Feed(content, inner)
	lexer.End(inner)
	inner.close()
	f.list, f.readable, f.kept = inner.list, inner.readable, recording{}
	f.codes.add(inner.codes...)
	f.fault.note(inner.fault.kind, inner.fault.name)
}

// decode returns the text of what was kept, without wrappers, and whether it holds the tag of a suggestion.
func (f *followUp) decode() (text string, tags bool) {
	var c content
	c.whole = true
	for _, t := range f.kept.tokens {
		b := f.kept.raw[t.start:t.end]
		switch {
		case t.kind == cdataToken:
			c.Literal(b)
		case t.kind == tagToken && isWrapper(t.tag.Name):
			f.codes.add(question.RepairSuggestionTag)
		default:
			tags = tags || t.kind == tagToken && isSuggestion(t.tag.Name) && !t.tag.End
			c.Chars(b)
		}
	}
	c.close()
	if !tags { // elements find their own faults
		f.bare(c.check.Fault, c.check.Name)
	}
	return c.text.String(), tags
}

// readJSON reads text as an array of suggestions.
func (f *followUp) readJSON(text string) bool {
	list := &suggestionList{}
	lenient, doubly, ok := readArray(trim(text), list)
	if !ok {
		return false
	}
	f.codes.add(question.RepairJSONSuggestions)
	if doubly {
		f.codes.add(question.RepairDoubleEncoded)
	}
	if lenient != "" {
		f.codes.add(question.RepairLenientJSON)
		f.lenient = lenient
	}
	f.readable = true
	f.list.adopt(list)
	return true
}

// readElements reads what was kept for elements that follow some text. In a list, an element without its closing tag is
// taken for a part of an item's text.
func (f *followUp) readElements(text string) bool {
	_, listed := cutMarker(trim(text))
	closed := false
	for _, t := range f.kept.tokens {
		closed = closed || t.kind == tagToken && isSuggestion(t.tag.Name) && t.tag.End
	}
	if listed && !closed {
		return false
	}
	kept := f.kept
	f.kept, f.waiting = recording{}, false
	kept.play(f)
	f.elements.close()
	f.readable = true
	return true
}

func (f *followUp) readList(text string) bool {
	answers := readList(text)
	if answers == nil {
		return false
	}
	f.codes.add(question.RepairListSuggestions)
	list := &suggestionList{}
	for _, answer := range answers {
		list.add(answer, "")
	}
	f.readable = true
	f.list.adopt(list)
	return true
}

// unwrapped returns what CDATA sections hold, if nothing but white space stands outside them.
func (r *recording) unwrapped() ([]byte, bool) {
	var inner []byte
	sections := 0
	for _, t := range r.tokens {
		b := r.raw[t.start:t.end]
		switch t.kind {
		case cdataToken:
			inner = append(inner, b...)
		case cdataBegin:
			sections++
		case tagToken:
			return nil, false
		case charsToken:
			if len(bytes.TrimFunc(b, isSpace)) > 0 {
				return nil, false
			}
		}
	}
	return inner, sections > 0
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
	f := newFollowUp(nil)
	lexer := toolcall.Lexer{Names: names}
	lexer.Feed([]byte(text), f)
	lexer.End(f)
	f.close()
	all := f.codes
	all.add(f.list.codes...)
	return followUpContent{items: f.list.items, codes: all, readable: f.readable, fault: f.fault, lenient: f.lenient}
}

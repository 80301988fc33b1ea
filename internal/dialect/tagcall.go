package dialect

import (
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// tagCall reads a call written as tags, when it has ended. Offsets are relative to the call.
type tagCall struct {
	reading
	options *Options
	scanner *toolcall.Scanner
	draft   tagDraft
	opening toolcall.Tag
	call    string

	tags    []seenTag
	read    int       // number of tags read
	scanned int       // number of reads including repeated ones, to measure the cost
	at      int       // end of the part read so far
	end     int       // start of the closing tag
	last    tagCounts // for each name, the index after its last closing tag
	code    inlineCode

	between toolcall.Checker // checks the text between the parameters
	stray   bool             // there is text between the parameters

	lastQuestion  param // the last one that is not blank, else the first
	questionCount int
	lastFollowUp  param // the last one that is not blank, else the first
	followUpCount int
	list          *suggestionList // their suggestions
	none          suggestionList  // the list if there is no follow_up
	direct        *elements       // suggestions outside any follow_up; nil if none
	directSize    int             // their size in bytes
}

// seenTag is a compact toolcall.Tag.
type seenTag struct {
	start, end            int32
	name                  int8 // index in tagNames
	closing, empty, loose bool
}

func (c *tagCall) tagAt(i int) toolcall.Tag {
	s := c.tags[i]
	return toolcall.Tag{
		Name: tagNames[s.name], Index: int(s.name), Start: int(s.start), End: int(s.end), Closing: s.closing, Empty: s.empty, Loose: s.loose,
	}
}

// param is the location of a parameter: its opening tag and its content.
type param struct{ start, from, to int }

// begin begins the call with its opening tag.
func (c *tagCall) begin(m *tagMessage, opening *toolcall.Tag) {
	tags := c.tags[:0]
	*c = tagCall{} // a literal would be copied
	c.tool, c.scanner, c.options = question.ToolFollowup, m.scanner, &m.options
	c.draft.draft = draft{out: &m.out, tool: question.ToolFollowup, limit: m.options.Limits.Parameter}
	c.draft.scanner = m.scanner
	c.opening, c.at, c.tags, c.list = *opening, opening.End, tags, &c.none
	c.none.readable = true
	c.between.Shallow = true
}

// tag reads the call's next tag.
func (c *tagCall) tag(t *toolcall.Tag) {
	c.tags = append(c.tags, seenTag{int32(t.Start), int32(t.End), int8(t.Index), t.Closing, t.Empty, t.Loose}) //nolint:gosec // they fit
	if t.Closing {
		c.last[t.Index] = int32(len(c.tags)) //nolint:gosec // it fits
	}
	c.draft.next(c.scanner.Call(), t)
}

// ended reads the call after its closing tag.
func (c *tagCall) ended() {
	c.call = c.scanner.Call()
	if c.end = c.opening.End; !c.opening.Empty {
		c.end = strings.LastIndexByte(c.call, '<') // a closing tag contains no other <
	}
	if c.draft.grows {
		c.draft.show(c.call, c.end, true)
	}
	c.draft.out.flush() // addList may change the lists from here on
	if c.readJSON() {
		return
	}
	c.checkAttributes(&c.opening)
	c.readParameters()
	c.finish()
}

// readJSON reads a call with JSON in place of its parameters, and reports whether it is one.
func (c *tagCall) readJSON() bool {
	content := trim(c.call[c.opening.End:c.end])
	if len(c.tags) == 0 {
		content = trim(toolcall.Decode(content))
		if open, end := strings.IndexByte(content, '>'), strings.LastIndexByte(content, '<'); 0 < open && open < end && content[0] == '<' {
			content = trim(content[open+1 : end]) // in an element such as <arguments>
		}
	}
	if !beginsJSON(content) {
		return false
	}
	read := readInput(c.tool, []byte(content), *c.options)
	if read.err != nil && len(c.tags) > 0 {
		return false
	}
	read.repairs.add(question.RepairForeignForm)
	read.notePlace(c.scanner, false)
	c.draft.end(read.call(c.options.Strict))
	return true
}

// nextTag returns the next tag. ok is false at the end of the call.
func (c *tagCall) nextTag() (t toolcall.Tag, ok bool) {
	if c.read == len(c.tags) {
		return t, false
	}
	c.scanned++
	c.read++
	return c.tagAt(c.read - 1), true
}

func (c *tagCall) readParameters() {
	for t, ok := c.nextTag(); ok; t, ok = c.nextTag() {
		c.readBetween(t.Start)
		c.at = t.End
		switch {
		case t.Closing:
			c.markup.Note(toolcall.StrayEndTag, t.Name, t.Start)
		case t.Name == tagAsk:
			c.repairs.add(question.RepairUnknownParameter)
			if c.questionCount+c.followUpCount == 0 && c.direct == nil {
				c.stray = false // the first tag was only a mention, followed by text about it
			}
			if !t.Empty {
				c.markup.Note(toolcall.UnclosedTag, t.Name, t.Start)
			}
		case t.Empty:
			c.addParameter(&t, t.End, true)
		default:
			to, after, closed := c.contentEnd(&t)
			c.addParameter(&t, to, closed)
			c.at = after
		}
	}
	c.readBetween(c.end)
	c.between.Close(c.end)
	c.closeDirect()
	if c.between.Tags > 0 {
		c.repairs.add(question.RepairUnknownParameter)
		if c.between.Fault != toolcall.BareLess && c.between.Fault != toolcall.BareAmpersand {
			c.markup.Note(c.between.Fault, c.between.Name, c.between.At)
		}
	}
	if c.stray {
		c.repairs.add(question.RepairStrayText)
	}
	if c.questionCount > 1 || c.followUpCount > 1 {
		c.repairs.add(question.RepairRepeatedParameter)
	}
}

// contentEnd returns where a parameter's content ends and where reading continues. The parameter ends at its own
// closing tag, but a closing tag in inline code does not count if another one follows. A suggestion's closing tag
// must come before the next opening tag of the same name.
func (c *tagCall) contentEnd(open *toolcall.Tag) (to, after int, closed bool) {
	first, name, suggestion := c.read, c.tags[c.read-1].name, isSuggestion(open.Name)
	last := int(c.last[name])
	c.code = inlineCode{at: open.End, next: c.code.next}
	for c.read < last {
		c.scanned++
		seen := c.tags[c.read]
		if c.read++; seen.name != name || !seen.closing && !suggestion {
			continue
		}
		if !seen.closing {
			break
		}
		if t := c.tagAt(c.read - 1); suggestion || c.read == last || !c.code.contains(c.call[:c.end], &t) {
			return t.Start, t.End, true
		}
	}
	c.read = first
	for t, ok := c.nextTag(); ok; t, ok = c.nextTag() {
		switch ends, closed := c.endsAt(open, &t); {
		case closed:
			return t.Start, t.End, true
		case ends:
			c.read--
			return t.Start, t.Start, false
		}
	}
	return c.end, c.end, false
}

// endsAt reports whether t ends the parameter, which has no closing tag of its own. Any parameter ends at the opening
// tag of another; a suggestion ends at any known tag. Wrappers may be closed by each other's names, and so may
// suggestions.
func (c *tagCall) endsAt(open, t *toolcall.Tag) (ends, closed bool) {
	name, suggestion := open.Name, isSuggestion(open.Name)
	switch {
	case t.Name == tagAsk, t.Closing && t.Name == tagQuestion:
		return false, false
	case t.Closing && suggestion:
		ends, closed = true, isSuggestion(t.Name)
	case t.Closing:
		closed = isWrapper(name) && (isWrapper(t.Name) || t.Name == tagFollowUp)
		ends = closed
	default:
		ends = suggestion || (t.Name == tagQuestion) != (name == tagQuestion)
	}
	if closed {
		c.markup.Note(toolcall.StrayEndTag, t.Name, t.Start)
	}
	return ends, closed
}

// addParameter adds a parameter, or a suggestion outside any follow_up. closed reports whether it has a closing tag.
func (c *tagCall) addParameter(t *toolcall.Tag, to int, closed bool) {
	if isSuggestion(t.Name) {
		c.addDirect(t, to, closed)
		return
	}
	c.checkAttributes(t)
	if !closed {
		c.repairs.add(question.RepairUnclosedParameter)
		c.markup.Note(toolcall.UnclosedTag, t.Name, t.Start)
	}
	found := param{t.Start, t.End, to}
	if t.Name == tagQuestion {
		c.checkSize(tagQuestion, to-t.End)
		text := c.textOf(found)
		if c.questionCount++; text != "" || c.questionCount == 1 {
			c.lastQuestion, c.text = found, text
		}
		return
	}
	if isWrapper(t.Name) {
		c.repairs.add(question.RepairSuggestionTag)
	}
	c.checkSize(tagFollowUp, to-t.End)
	c.closeDirect()
	filled := !blank(c.call[t.End:to])
	if c.followUpCount++; filled || c.followUpCount == 1 {
		c.lastFollowUp = found
	}
	switch shown := c.draft.firstFollowUp; {
	case !filled:
	case found.from == shown.from && to == shown.to && c.draft.list.readable:
		c.addList(&c.draft.list)
	default:
		c.addList(readFollowUp(c.call[t.End:to], t.End))
	}
}

// addList adds the suggestions of a follow_up that is not blank. Lists with suggestions are joined; if none has any,
// the last list wins.
func (c *tagCall) addList(l *suggestionList) {
	switch {
	case len(c.list.items) == 0:
		c.list = l
	case len(l.items) > 0:
		c.list.notify = nil
		for _, s := range l.items {
			c.list.add(s.Answer, s.Mode)
		}
		c.list.join(&l.remarks)
		c.list.markup.Note(l.markup.Fault, l.markup.Name, l.markup.At)
	}
}

// addDirect adds a suggestion outside any follow_up. Its content ends at the offset to.
func (c *tagCall) addDirect(t *toolcall.Tag, to int, closed bool) {
	c.repairs.add(question.RepairSuggestionTag)
	if c.direct == nil {
		c.direct, c.directSize = &elements{list: &suggestionList{}}, 0
	}
	c.direct.from, c.direct.sameLine = t.Start, false
	c.direct.Tag(c.call, t)
	if !t.Empty {
		c.direct.endSuggestion(c.call, to, closed)
	}
	c.directSize += to - t.Start
	c.checkSize(tagFollowUp, c.directSize)
}

// closeDirect adds the suggestions read by addDirect as one list.
func (c *tagCall) closeDirect() {
	if c.direct != nil {
		c.addList(c.direct.list)
		c.lastFollowUp, c.direct = param{}, nil
		c.followUpCount++
	}
}

// blank reports whether content decodes to white space only.
func blank(content string) bool {
	content = trim(content)
	encoded := strings.HasPrefix(content, "&") || strings.HasPrefix(content, "<![CDATA[")
	return content == "" || encoded && trim(toolcall.Decode(content)) == ""
}

// textOf returns the text of a question.
func (c *tagCall) textOf(p param) string { return trim(toolcall.Decode(c.call[p.from:p.to])) }

// readBetween reads the text between parameters, up to the given offset. A comment that does not end there hides
// nothing.
func (c *tagCall) readBetween(to int) {
	text := c.between.Read(c.call[c.at:to], c.at)
	if c.between.Uncomment(c.at) || !blank(text) {
		c.stray = true
	}
}

func (c *tagCall) checkSize(name string, size int) {
	if limit := c.options.Limits.Parameter; size > limit && c.err == nil {
		c.err = &question.Error{Code: question.CodeTooLarge, Detail: question.Detail{Name: name, Limit: limit}}
	}
}

// finish completes a call that has its closing tag.
func (c *tagCall) finish() {
	c.notePlace(c.scanner, false)
	c.unnest()
	c.noteFlaw(toolcall.Check(c.call[c.lastQuestion.from:c.lastQuestion.to], c.lastQuestion.from))
	if c.text == "" {
		c.missing = &question.Detail{Name: tagQuestion}
		if c.questionCount > 0 {
			c.missing.At = placeOf(c.call, c.lastQuestion.start)
		}
	}
	if c.items = c.list.items; !c.list.readable {
		content := c.call[c.lastFollowUp.from:c.lastFollowUp.to]
		at := placeOf(c.call, c.lastFollowUp.to-len(trimLeft(content)))
		c.invalid = &question.Detail{Name: tagFollowUp, At: at}
	}
	c.join(&c.list.remarks)
	c.markup.Note(c.list.markup.Fault, c.list.markup.Name, c.list.markup.At)
	if f := c.markup; c.scanner.Unclosed {
		c.fault = &question.Detail{Reason: question.ReasonHidden}
	} else if f.Fault != toolcall.NoFault {
		c.fault = &question.Detail{Reason: question.Reason(f.Fault), Name: f.Name, At: placeOf(c.call, f.At)}
	}
	c.draft.end(c.reading.call(c.options.Strict))
}

// unnest moves a follow_up out of the end of the question if there are no other suggestions. If there is no question,
// it moves one out of the follow_up.
func (c *tagCall) unnest() {
	if len(c.list.items) == 0 && c.list.readable {
		if found, end := c.findNested(c.lastQuestion, tagFollowUp); end > 0 && trim(c.call[end:c.lastQuestion.to]) == "" {
			if inner := readFollowUp(c.call[found.from:found.to], found.from); len(inner.items) > 0 {
				c.lastQuestion.to, c.list = found.start, inner
				c.text = c.textOf(c.lastQuestion)
				c.repairs.add(question.RepairNestedParameter)
			}
		}
	}
	if c.text == "" {
		p := c.lastFollowUp
		if found, end := c.findNested(p, tagQuestion); end > 0 {
			white := strings.Repeat(" ", end-found.start) // to keep offsets unchanged
			c.list = readFollowUp(c.call[p.from:found.start]+white+c.call[end:p.to], p.from)
			c.lastQuestion, c.text = found, c.textOf(found)
			c.repairs.add(question.RepairNestedParameter)
		}
	}
}

// findNested returns the last complete, non-blank element with the given name inside p, and the end of that element.
// It skips suggestions.
func (c *tagCall) findNested(p param, name string) (found param, end int) {
	place := func(t seenTag, at int) int { return int(t.start) - at }
	i, _ := slices.BinarySearchFunc(c.tags, p.from, place)
	to, _ := slices.BinarySearchFunc(c.tags, p.to, place)
	for ; i < to; i++ {
		t := c.tagAt(i)
		if !t.Opening() || t.Name != name && (name != tagQuestion || !isSuggestion(t.Name)) {
			continue
		}
		j := i + 1
		for j < to && c.tags[j].name != c.tags[i].name {
			j++
		}
		if j == to || !c.tags[j].closing {
			if t.Name != name {
				i = j - 1 // an unclosed suggestion ends at the next one
			}
			continue
		}
		inner := param{t.Start, t.End, int(c.tags[j].start)}
		if i = j; t.Name == name && c.textOf(inner) != "" {
			found, end = inner, c.tagAt(j).End
		}
	}
	return found, end
}

// inlineCode finds tags in inline code: after an odd number of backtick runs on their line, with another run after
// them.
type inlineCode struct {
	at   int // end of the content read so far
	runs int // backtick runs on the current line up to at
	next int // no backtick or line break stands between at and next
}

// contains reports whether the tag is in inline code. Tags must be passed in order.
func (c *inlineCode) contains(call string, t *toolcall.Tag) bool {
	before := call[c.at:t.Start]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before, c.runs = before[i:], 0
	}
	for range strings.FieldsFuncSeq(before, func(r rune) bool { return r != '`' }) {
		c.runs++
	}
	if c.at = t.Start; c.runs%2 == 0 {
		return false
	}
	c.next = max(c.next, t.End)
	if i := strings.IndexAny(call[c.next:], "`\n"); i >= 0 {
		c.next += i
	} else {
		c.next = len(call)
	}
	return strings.HasPrefix(call[c.next:], "`")
}

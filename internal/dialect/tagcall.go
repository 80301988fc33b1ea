package dialect

import (
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// tagCall reads a call written as tags, when it has ended. Places count from the beginning of the call.
type tagCall struct {
	reading
	options *Options
	draft   tagDraft
	call    string

	tags  []seenTag
	read  int    // how many of them were read
	taken int    // tags that were read, again or not: what reading costs
	at    int    // up to here the call was read
	end   int    // where its closing tag begins
	last  [8]int // of each name, how many tags there are up to the last closing one
	code  inlineCode

	between toolcall.Checker // what stands between the parameters
	stray   bool             // text does

	asked      param // the last question that is not blank, or else the first
	asks       int
	follow     param // the last follow_up that is not blank, or else the first
	follows    int
	list       *suggestionList // what they hold
	direct     *elements       // what the suggestions straight in the call are read as; nil where there are none
	directSize int             // of these
}

// seenTag is what is kept of a tag of the call.
type seenTag struct {
	start   int32
	name    int8 // its place in tagNames
	closing bool
}

func (c *tagCall) tagAt(i int) toolcall.Tag {
	t, _ := toolcall.TagAt(c.call, int(c.tags[i].start), names)
	return t
}

// param is where a parameter stands: its opening tag, and its content.
type param struct{ start, from, to int }

// take reads the call with the opening tag.
func (c *tagCall) take(m *tagMessage, opening *toolcall.Tag) {
	scanner := &m.scanner
	*c = tagCall{
		reading: reading{tool: question.ToolFollowup, scanner: scanner}, options: &m.options,
		draft: tagDraft{
			draft:   draft{out: &m.out, tool: question.ToolFollowup, limit: m.options.Limits.Parameter},
			scanner: scanner,
		},
		at: opening.End, tags: c.tags[:0], list: &suggestionList{readable: true},
	}
	c.between.Shallow = true
	for t, more := scanner.Next(); more; t, more = scanner.Next() {
		tag := seenTag{int32(t.Start), int8(slices.Index(tagNames, t.Name)), t.Closing} //nolint:gosec // a message is shorter
		if c.tags = append(c.tags, tag); t.Closing {
			c.last[tag.name] = len(c.tags)
		}
		c.draft.next(scanner.Call(), &t)
	}
	c.call = scanner.Call()
	switch scanner.End {
	case toolcall.Closed:
		if c.end = opening.End; !opening.Empty {
			c.end = strings.LastIndexByte(c.call, '<') // its closing tag holds no other
		}
		if c.draft.grows {
			c.draft.show(c.call, c.end, true)
		}
		m.out.flush() // lists may be joined now
		c.loose(opening)
		c.parameters()
		c.done()
	case toolcall.Cut:
		c.draft.fail(question.CodeTruncated, 0)
	case toolcall.Overflow:
		c.draft.fail(question.CodeTooLarge, m.options.Limits.Message)
	}
}

// tag returns the next tag, and whether there is one before the end of the call.
func (c *tagCall) tag() (t toolcall.Tag, ok bool) {
	if c.read == len(c.tags) {
		return t, false
	}
	c.taken++
	c.read++
	return c.tagAt(c.read - 1), true
}

func (c *tagCall) parameters() {
	for t, ok := c.tag(); ok; t, ok = c.tag() {
		c.aside(t.Start)
		c.at = t.End
		switch {
		case t.Closing:
			c.markup.Note(toolcall.StrayEndTag, t.Name, t.Start)
		case t.Name == tagAsk:
			c.repairs.add(question.RepairUnknownParameter)
			if c.asks+c.follows == 0 && c.direct == nil {
				c.stray = false // the first one was a mention, and what followed it spoke of that
			}
			if !t.Empty {
				c.markup.Note(toolcall.UnclosedTag, t.Name, t.Start)
			}
		case t.Empty:
			c.parameter(&t, t.End, true)
		default:
			to, after, closed := c.content(&t)
			c.parameter(&t, to, closed)
			c.at = after
		}
	}
	c.aside(c.end)
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
	if c.asks > 1 || c.follows > 1 {
		c.repairs.add(question.RepairRepeatedParameter)
	}
}

// content returns where the content of a parameter ends, and where the call goes on: at its own closing tag, though not at one in inline
// code where another follows; a suggestion's must come before another opening tag of the name.
func (c *tagCall) content(open *toolcall.Tag) (to, after int, closed bool) {
	first, name, suggestion := c.read, c.tags[c.read-1].name, isSuggestion(open.Name)
	last := c.last[name]
	c.code = inlineCode{at: open.End, next: c.code.next}
	for c.read < last {
		c.taken++
		seen := c.tags[c.read]
		if c.read++; seen.name != name || !seen.closing && !suggestion {
			continue
		}
		if !seen.closing {
			break
		}
		if t := c.tagAt(c.read - 1); suggestion || c.read == last || !c.code.around(c.call[:c.end], &t) {
			return t.Start, t.End, true
		}
	}
	c.read = first
	for t, ok := c.tag(); ok; t, ok = c.tag() {
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

// endsAt reports whether the open parameter, which has no closing tag of its own, ends at the tag: at the first opening tag of another
// parameter; a suggestion at any other tag that matters. Wrappers and suggestions can be closed by each other's names.
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

// parameter takes a parameter, or a suggestion, that ends at the given place, with a closing tag or without.
func (c *tagCall) parameter(t *toolcall.Tag, to int, closed bool) {
	if isSuggestion(t.Name) {
		c.suggestion(t, to, closed)
		return
	}
	c.loose(t)
	if !closed {
		c.repairs.add(question.RepairUnclosedParameter)
		c.markup.Note(toolcall.UnclosedTag, t.Name, t.Start)
	}
	found, filled := param{t.Start, t.End, to}, !blank(c.call[t.End:to])
	if t.Name == tagQuestion {
		c.sized(tagQuestion, to-t.End)
		if c.asks++; filled || c.asks == 1 {
			c.asked = found
		}
		return
	}
	if isWrapper(t.Name) {
		c.repairs.add(question.RepairSuggestionTag)
	}
	c.sized(tagFollowUp, to-t.End)
	c.closeDirect()
	if c.follows++; filled || c.follows == 1 {
		c.follow = found
	}
	switch shown := c.draft.follow; {
	case !filled:
	case found.from == shown.from && to == shown.to && c.draft.list.readable:
		c.hold(&c.draft.list)
	default:
		c.hold(readFollowUp(c.call[t.End:to], t.End))
	}
}

// hold takes the suggestions of one more follow_up that is not blank: several are joined, and the last one counts if none holds any.
func (c *tagCall) hold(l *suggestionList) {
	switch {
	case len(c.list.items) == 0:
		c.list = l
	case len(l.items) > 0:
		c.list.shown = nil
		for _, s := range l.items {
			c.list.add(s.Answer, s.Mode)
		}
		c.list.join(&l.told)
		c.list.markup.Note(l.markup.Fault, l.markup.Name, l.markup.At)
	}
}

// suggestion takes a suggestion straight in the call, whose content ends at the given place.
func (c *tagCall) suggestion(t *toolcall.Tag, to int, closed bool) {
	c.repairs.add(question.RepairSuggestionTag)
	if c.direct == nil {
		c.direct, c.directSize = &elements{list: &suggestionList{}}, 0
	}
	c.direct.from, c.direct.after = t.Start, false
	c.direct.Tag(c.call, t)
	if !t.Empty {
		c.direct.end(c.call, to, closed)
	}
	c.directSize += to - t.Start
	c.sized(tagFollowUp, c.directSize)
}

// closeDirect ends the suggestions straight in the call, of which there are no more.
func (c *tagCall) closeDirect() {
	if c.direct != nil {
		c.hold(c.direct.list)
		c.follow, c.direct = param{}, nil
		c.follows++
	}
}

// blank reports whether content stands for nothing but white space.
func blank(content string) bool {
	content = trim(content)
	return content == "" || (content[0] == '&' || content[0] == '<') && trim(toolcall.Decode(content)) == ""
}

// aside reads what stands between parameters, up to the given place. A comment that does not end there hides nothing.
func (c *tagCall) aside(to int) {
	text := c.between.Read(c.call[c.at:to], c.at)
	if c.between.Uncomment(c.at) || !blank(text) {
		c.stray = true
	}
}

func (c *tagCall) sized(name string, size int) {
	if limit := c.options.Limits.Parameter; size > limit && c.err == nil {
		c.err = &question.Error{Code: question.CodeTooLarge, Detail: question.Detail{Name: name, Limit: limit}}
	}
}

// done ends a call that was read to its end.
func (c *tagCall) done() {
	if c.scanner.Fenced {
		c.repairs.add(question.RepairFencedCall)
	}
	if c.scanner.Unclosed {
		c.repairs.add(question.RepairUnclosedElement)
	}
	c.unnest()
	content := c.call[c.asked.from:c.asked.to]
	c.flawed(toolcall.Check(content, c.asked.from))
	if c.text = trim(toolcall.Decode(trim(content))); c.text == "" {
		c.missing = &question.Detail{Name: tagQuestion}
		if c.asks > 0 {
			c.missing.At = placeOf(c.call, c.asked.start)
		}
	}
	if c.items = c.list.items; !c.list.readable {
		content := c.call[c.follow.from:c.follow.to]
		at := placeOf(c.call, c.follow.to-len(strings.TrimLeftFunc(content, isSpace)))
		c.invalid = &question.Detail{Name: tagFollowUp, At: at}
	}
	c.join(&c.list.told)
	c.markup.Note(c.list.markup.Fault, c.list.markup.Name, c.list.markup.At)
	if f := c.markup; c.scanner.Unclosed {
		c.fault = &question.Detail{Reason: question.ReasonHidden}
	} else if f.Fault != toolcall.NoFault {
		c.fault = &question.Detail{Reason: question.Reason(f.Fault), Name: f.Name, At: placeOf(c.call, f.At)}
	}
	c.draft.end(c.reading.call(c.options.Strict))
}

// unnest takes a follow_up from the end of the question if there are no other suggestions, or a question from the follow_up.
func (c *tagCall) unnest() {
	if len(c.list.items) == 0 && c.list.readable {
		if found, end := c.nested(c.asked, tagFollowUp); end > 0 && trim(c.call[end:c.asked.to]) == "" {
			if inner := readFollowUp(c.call[found.from:found.to], found.from); len(inner.items) > 0 {
				c.asked.to, c.list = found.start, inner
				c.repairs.add(question.RepairNestedParameter)
			}
		}
	}
	if blank(c.call[c.asked.from:c.asked.to]) {
		p := c.follow
		if found, end := c.nested(p, tagQuestion); end > 0 {
			white := strings.Repeat(" ", end-found.start) // so that places stay
			c.list = readFollowUp(c.call[p.from:found.start]+white+c.call[end:p.to], p.from)
			c.asked = found
			c.repairs.add(question.RepairNestedParameter)
		}
	}
}

// nested finds the last whole element of the name that is not blank in a parameter, and its end. It skips suggestions.
func (c *tagCall) nested(p param, name string) (found param, end int) {
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
		closed := j < to && c.tags[j].closing
		if !closed && t.Name != name {
			i = j - 1 // a suggestion reaches to the next one
		}
		if !closed {
			continue
		}
		inner := param{t.Start, t.End, int(c.tags[j].start)}
		if i = j; t.Name == name && !blank(c.call[inner.from:inner.to]) {
			found, end = inner, c.tagAt(j).End
		}
	}
	return found, end
}

// inlineCode tells whether tags stand in inline code: behind an odd number of runs of backticks on their line, and before another.
type inlineCode struct {
	at   int // up to here the content was read
	runs int // of backticks on the line of that
	next int // no backtick and no line break that is still asked for stands before that
}

// around reports whether inline code is around the tag. Tags are asked about in their order.
func (c *inlineCode) around(call string, t *toolcall.Tag) bool {
	if i := strings.LastIndexByte(call[c.at:t.Start], '\n'); i >= 0 {
		c.at, c.runs = c.at+i+1, 0
	}
	for {
		i := strings.IndexByte(call[c.at:t.Start], '`')
		if i < 0 {
			break
		}
		if c.at += i + 1; call[c.at-2] != '`' {
			c.runs++
		}
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
	return c.next < len(call) && call[c.next] == '`'
}

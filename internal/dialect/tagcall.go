package dialect

import (
	"followup/internal/question"
	"followup/internal/toolcall"
)

// place is which parameter of a call is open.
type place uint8

const (
	between    place = iota
	inQuestion       // <question>
	inFollowUp       // <follow_up>, or a wrapper in its place
	inDirect         // a suggestion straight in the call
)

// tagCall puts one call together from what a scanner tells of it.
type tagCall struct {
	options *Options
	draft   draft
	codes   codes
	fault   fault
	hidden  bool             // found where something that is never closed hid it
	large   *question.Detail // the limit that was passed; the rest of the call is skipped then
	stray   toolcall.Checker // what stands between parameters

	place place
	name  string // of the tag that opened the parameter
	size  int    // raw bytes in it

	question     *content // the open one, or the last
	questions    int
	bestQuestion *content // the last that is not blank
	follow       *followUp
	follows      int
	direct       bool // follow is made of suggestions straight in the call
	bestFollow   *followUp

	// Most calls have one of each, so these need no allocation.
	firstQuestion content
	firstFollow   followUp

	maybe maybe
}

// init makes c a call that holds nothing, whatever it held before.
func (c *tagCall) init(o *Options, out *output, tag *toolcall.Tag, hidden bool) {
	if c.options != nil {
		*c = tagCall{}
	}
	c.options, c.hidden = o, hidden
	c.draft.out = out
	if hidden {
		c.codes.add(question.RepairUnclosedElement)
	}
	c.loose(tag)
}

// loose notes an attribute that is not written as XML has it.
func (c *tagCall) loose(t *toolcall.Tag) {
	if t.Loose {
		c.codes.add(question.RepairBareMarkup)
		c.fault.note(toolcall.BadAttribute, t.Name)
	}
}

// grow counts raw bytes in the open parameter, and reports whether it is within its limit.
func (c *tagCall) grow(n int) bool {
	if c.large == nil && c.place != between {
		if c.size += n; c.size > c.options.Limits.Parameter {
			c.tooLarge()
		}
	}
	return c.large == nil
}

// tooLarge gives the call up: only its end is looked for.
func (c *tagCall) tooLarge() {
	name := tagFollowUp
	if c.place == inQuestion {
		name = tagQuestion
	}
	c.large = &question.Detail{Name: name, Limit: c.options.Limits.Parameter}
	c.draft.grow()
	c.draft.question = nil
	c.question, c.bestQuestion, c.follow, c.bestFollow = nil, nil, nil, nil
	c.maybe, c.place = maybe{}, between
}

func (c *tagCall) Chars(b []byte) {
	switch {
	case c.maybe.open:
		c.maybe.kept.Chars(b)
		c.bound()
	case c.place == inQuestion:
		c.question.Chars(wholeChars(b, c.options.Limits.Parameter-c.size))
		c.grow(len(b))
	case !c.grow(len(b)):
	case c.place != between:
		c.follow.Chars(b)
	default:
		c.stray.Write(b)
		c.unknown()
	}
}

// run returns the run of the open question, of room bytes at most.
func (c *tagCall) run(room int) run {
	if room == 0 || c.place != inQuestion || c.maybe.open || c.question.busy() {
		return run{}
	}
	return newRun(&c.question.trimmed, min(room, c.options.Limits.Parameter-c.size))
}

// bound gives up when what may be a parameter of its own is larger than one may be.
func (c *tagCall) bound() {
	if len(c.maybe.kept.raw) > c.options.Limits.Parameter {
		c.tooLarge()
	}
}

// unknown notes tags of unknown elements between the parameters.
func (c *tagCall) unknown() {
	if c.stray.Tags > 0 {
		c.codes.add(question.RepairUnknownParameter)
	}
}

func (c *tagCall) CDataBegin() {
	switch {
	case c.maybe.open:
		c.maybe.kept.CDataBegin()
	case c.grow(len("<![CDATA[")) && c.place == inQuestion:
		c.question.cut()
	case c.large == nil && c.place != between:
		c.follow.CDataBegin()
	}
}

func (c *tagCall) CData(b []byte) {
	switch {
	case c.maybe.open:
		c.maybe.kept.CData(b)
		c.bound()
	case c.place == inQuestion:
		c.question.Literal(wholeChars(b, c.options.Limits.Parameter-c.size))
		c.grow(len(b))
	case !c.grow(len(b)) || c.place == between:
	default:
		c.follow.CData(b)
	}
}

func (c *tagCall) CDataEnd() {
	switch {
	case c.maybe.open:
		c.maybe.kept.CDataEnd()
	case c.grow(len("]]>")) && c.place > inQuestion:
		c.follow.CDataEnd()
	}
}

// Tag takes the next tag, and returns true for the one that closes the call.
func (c *tagCall) Tag(t *toolcall.Tag) (stop bool) {
	closing := t.End && t.Name == tagAsk
	switch {
	case c.large != nil:
		return closing
	case c.maybe.open:
		return c.decide(t)
	case c.place == between:
		if !closing {
			c.open(t)
		}
		return closing
	case closing:
		c.unclosed()
		return true
	case t.End && c.place != inDirect && c.owns(t.Name):
		c.close()
		return false
	case c.otherOpens(t):
		return c.provisional(t)
	case c.place == inDirect && t.End && (t.Name == tagFollowUp || isWrapper(t.Name)):
		c.unclosed()
		return false
	}
	c.inside(t)
	return false
}

// inside takes a tag that belongs to the open parameter's content.
func (c *tagCall) inside(t *toolcall.Tag) {
	switch {
	case !c.grow(len(t.Raw)):
	case c.place == inQuestion:
		c.question.Chars(t.Raw)
	default:
		c.follow.Tag(t)
		if c.place == inDirect && !c.follow.open {
			c.place = between
		}
	}
}

// open takes a tag between the parameters.
func (c *tagCall) open(t *toolcall.Tag) {
	c.stray.Interrupt()
	if t.End {
		c.fault.note(toolcall.StrayEndTag, t.Name)
		return
	}
	if t.Name == tagAsk {
		c.codes.add(question.RepairUnknownParameter)
		if !t.Empty {
			c.fault.note(toolcall.UnclosedTag, t.Name)
		}
		return
	}
	c.draft.begin(question.ToolFollowup)
	switch {
	case t.Name == tagQuestion:
		c.loose(t)
		c.openQuestion()
	case isSuggestion(t.Name):
		c.codes.add(question.RepairSuggestionTag)
		if !c.direct {
			c.openFollowUp()
			c.direct = true
		}
		c.place, c.name = inDirect, t.Name
		c.inside(t)
		return
	default:
		c.loose(t)
		if isWrapper(t.Name) {
			c.codes.add(question.RepairSuggestionTag)
		}
		c.openFollowUp()
		c.place, c.direct = inFollowUp, false
	}
	c.name = t.Name
	if t.Empty {
		c.close()
	}
}

func (c *tagCall) openQuestion() {
	if c.questions++; c.questions == 1 {
		c.question = &c.firstQuestion
		c.question.first = questionRoom
		c.draft.question = &c.question.trimmed
	} else {
		c.question = &content{}
	}
	c.place, c.size = inQuestion, 0
}

func (c *tagCall) openFollowUp() {
	c.closeDirect()
	c.size = 0
	if c.follows++; c.follows == 1 {
		c.follow = &c.firstFollow
		c.follow.init(&c.draft)
	} else {
		c.follow = newFollowUp(nil)
	}
}

// unclosed ends the open parameter without its closing tag.
func (c *tagCall) unclosed() {
	if c.place == inDirect {
		c.follow.end(false)
		c.place = between
		return
	}
	c.codes.add(question.RepairUnclosedParameter)
	c.fault.note(toolcall.UnclosedTag, c.name)
	c.close()
}

// close ends the open parameter, which replaces an earlier one if it holds something.
func (c *tagCall) close() {
	switch c.place {
	case inQuestion:
		c.question.close()
		c.fault.note(c.question.check.Fault, c.question.check.Name)
		if c.bestQuestion == nil || c.question.solid > 0 {
			c.bestQuestion = c.question
		}
		c.draft.grow()
	case inFollowUp:
		c.closeFollowUp()
	}
	c.place = between
}

func (c *tagCall) closeFollowUp() {
	c.follow.close()
	c.fault.note(c.follow.fault.kind, c.follow.fault.name)
	if c.bestFollow == nil || c.follow.begun {
		c.bestFollow = c.follow
	}
}

// closeDirect ends the suggestions straight in the call, of which there are no more.
func (c *tagCall) closeDirect() {
	if c.direct {
		c.direct = false
		c.closeFollowUp()
	}
}

// finish returns what was read, when the call has ended.
func (c *tagCall) finish() reading {
	read := reading{codes: c.codes, large: c.large}
	if c.large != nil {
		return read
	}
	c.closeDirect()
	c.stray.Close()
	if c.questions > 1 || c.follows > 1 {
		read.codes.add(question.RepairRepeatedParameter)
	}
	if c.stray.Tags > 0 && c.stray.Fault != toolcall.BareLess {
		c.fault.note(c.stray.Fault, c.stray.Name)
	}
	if q := c.bestQuestion; q != nil {
		read.question = &q.trimmed
		if q.check.Fault != toolcall.NoFault {
			read.codes.add(question.RepairBareMarkup)
		}
	}
	if c.fault.kind != toolcall.NoFault {
		read.fault, read.faultName = question.Reason(c.fault.kind), c.fault.name
	}
	if f := c.bestFollow; f != nil {
		read.codes.add(f.codes...)
		read.codes.add(f.list.codes...)
		read.suggest = f.list.items
		read.shapeless = !f.readable
		if read.fault == "" {
			read.fault = question.Reason(f.lenient)
		}
	}
	if c.hidden {
		read.fault, read.faultName = question.ReasonHidden, ""
	}
	return read
}

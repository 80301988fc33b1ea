package dialect

import (
	"strings"
	"unicode/utf8"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// tagCall is a call written as tags, read when all of it is there. Places count from its beginning.
type tagCall struct {
	options *Options
	preview *preview // which may have read the suggestions already
	call    string
	tags    []toolcall.Tag  // those that matter, between the opening and the closing one
	never   map[string]bool // the names of which no closing tag comes any more
	codes   codes
	fault   fault
	large   *question.Detail // the first limit that was passed
	between toolcall.Checker // what stands between the parameters

	questions, follows params
	direct             *elements // what the suggestions straight in the call are read as; nil where there are none
	directSize         int       // of these
}

// params are the parameters of one kind.
type params struct {
	count int
	best  param // the last that is not blank, or else the first
}

// param is a parameter, and where its content stands.
type param struct {
	start, from, to int            // of its opening tag and of its content
	tags            []toolcall.Tag // in that
	direct          *elements      // in its place, suggestions straight in the call
}

func (p *params) add(call string, found param) {
	p.count++
	if p.count == 1 || found.direct != nil || !blank(call[found.from:found.to]) {
		p.best = found
	}
}

// blank reports whether content stands for nothing but white space. Only what begins with markup must be decoded to tell.
func blank(content string) bool {
	content = trim(content)
	return content == "" || (content[0] == '&' || content[0] == '<') && trim(toolcall.Decode(content)) == ""
}

// read finds the parameters.
func (c *tagCall) read(opening *toolcall.Tag) {
	c.loose(opening)
	end := strings.LastIndexByte(c.call, '<') // of the closing tag, which holds no other
	if opening.Empty {
		end = opening.End
	}
	at := opening.End
	for i := 0; i < len(c.tags); {
		t := &c.tags[i]
		c.between.Read(c.call[at:t.Start], at)
		at = t.End
		i++
		switch {
		case t.Closing:
			c.fault.note(toolcall.StrayEndTag, t.Name, t.Start)
		case t.Name == tagAsk:
			c.codes.add(question.RepairUnknownParameter)
			if !t.Empty {
				c.fault.note(toolcall.UnclosedTag, t.Name, t.Start)
			}
		default:
			i, at = c.parameter(i, end)
		}
	}
	c.between.Read(c.call[at:end], at)
	c.between.Close(end)
	c.closeDirect()
	if c.between.Tags > 0 {
		c.codes.add(question.RepairUnknownParameter)
		if c.between.Fault != toolcall.BareLess && c.between.Fault != toolcall.BareAmpersand {
			c.fault.found(&c.between)
		}
	}
	if c.questions.count > 1 || c.follows.count > 1 {
		c.codes.add(question.RepairRepeatedParameter)
	}
}

// loose notes an attribute that is not written as XML has it.
func (c *tagCall) loose(t *toolcall.Tag) {
	if t.Loose {
		c.codes.add(question.RepairBareMarkup)
		c.fault.note(toolcall.BadAttribute, t.Name, t.Start)
	}
}

// parameter takes the parameter, or the suggestion straight in the call, whose opening tag is the one before the index i. It
// returns the index of the first tag behind it, and where it ends.
func (c *tagCall) parameter(i, end int) (next, at int) {
	t := &c.tags[i-1]
	found, closed := param{start: t.Start, from: t.End, to: t.End}, true
	next, at = i, t.End
	if !t.Empty {
		var j int
		j, closed = c.ends(i, t.Name)
		found.to, next, at = end, j, end
		if j < len(c.tags) {
			found.to, at = c.tags[j].Start, c.tags[j].Start
		}
		if closed {
			next, at = j+1, c.tags[j].End
		}
		found.tags = c.tags[i:j]
	}
	if isSuggestion(t.Name) {
		c.suggestion(t, found.to, closed)
		return next, at
	}
	c.loose(t)
	if !closed {
		c.codes.add(question.RepairUnclosedParameter)
		c.fault.note(toolcall.UnclosedTag, t.Name, t.Start)
	}
	if t.Name == tagQuestion {
		c.sized(tagQuestion, found.to-found.from)
		c.questions.add(c.call, found)
		return next, at
	}
	if isWrapper(t.Name) {
		c.codes.add(question.RepairSuggestionTag)
	}
	c.sized(tagFollowUp, found.to-found.from)
	c.closeDirect()
	c.follows.add(c.call, found)
	return next, at
}

// ends finds the tag at which what the name opens ends, from the index i on: its own closing tag, or else the first opening tag of
// another parameter; a suggestion without a closing tag ends at any other tag that matters. Wrappers and suggestions can be closed
// by each other's names.
func (c *tagCall) ends(i int, name string) (j int, closed bool) {
	if j := c.closing(i, name); j < len(c.tags) {
		return j, true
	}
	suggestion := isSuggestion(name)
	for j = i; j < len(c.tags); j++ {
		switch t := &c.tags[j]; {
		case t.Name == tagAsk, t.Closing && t.Name == tagQuestion:
		case t.Closing && suggestion:
			return j, isSuggestion(t.Name)
		case t.Closing:
			if isWrapper(name) && (isWrapper(t.Name) || t.Name == tagFollowUp) {
				return j, true
			}
		case suggestion || (t.Name == tagQuestion) != (name == tagQuestion):
			return j, false
		}
	}
	return j, false
}

// closing finds the first closing tag of the name from the index i on, which for a suggestion must be the next of its name; there
// is none when it is the number of tags.
func (c *tagCall) closing(i int, name string) int {
	if c.never[name] {
		return len(c.tags)
	}
	for ; i < len(c.tags); i++ {
		if t := &c.tags[i]; t.Name == name {
			if t.Closing {
				return i
			} else if isSuggestion(name) {
				return len(c.tags)
			}
		}
	}
	if c.never == nil {
		c.never = map[string]bool{}
	}
	c.never[name] = true
	return i
}

// sized notes that a parameter is too large.
func (c *tagCall) sized(name string, size int) {
	if limit := c.options.Limits.Parameter; size > limit && c.large == nil {
		c.large = &question.Detail{Name: name, Limit: limit}
	}
}

// suggestion takes a suggestion straight in the call, whose content ends at the given place.
func (c *tagCall) suggestion(t *toolcall.Tag, to int, closed bool) {
	c.codes.add(question.RepairSuggestionTag)
	if c.direct == nil {
		c.direct, c.directSize = &elements{list: &suggestionList{}}, 0
	}
	c.direct.begin(t.Start)
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
		c.follows.add(c.call, param{direct: c.direct})
		c.direct = nil
	}
}

// reading is what the call was read as. The question is a part of the call that is not decoded.
func (c *tagCall) reading() (read reading, asked param) {
	asked = c.questions.best
	if c.large != nil {
		read.err = &question.Error{Code: question.CodeTooLarge, Detail: *c.large}
		return read, asked
	}
	read.repairs = c.codes
	follow := c.followUp(c.follows.best)
	if len(follow.items) == 0 && follow.readable {
		if to, nested, ok := c.nestedFollowUp(asked); ok {
			asked.to, follow = to, nested
			read.repairs.add(question.RepairNestedParameter)
		}
	}
	if blank(c.call[asked.from:asked.to]) && c.follows.best.direct == nil {
		if nested, rest, ok := c.nestedQuestion(c.follows.best); ok {
			asked, follow = nested, rest
			read.repairs.add(question.RepairNestedParameter)
		}
	}
	content := c.call[asked.from:asked.to]
	if toolcall.Plain(content) {
		read.text = trim(content)
	} else {
		read.text = trim(toolcall.Decode(content))
		if check := toolcall.Check(content, asked.from); check.Fault != toolcall.NoFault {
			read.repairs.add(question.RepairBareMarkup)
			c.fault.found(&check)
		}
	}
	if read.text == "" && c.questions.count > 0 {
		read.questionAt = c.place(asked.start)
	}
	c.fault.note(follow.fault.kind, follow.fault.name, follow.fault.at)
	if f := c.fault; f.kind != toolcall.NoFault {
		read.fault = &question.Detail{Reason: question.Reason(f.kind), Name: f.name, At: c.place(f.at)}
	}
	read.repairs.add(follow.codes...)
	read.notices.add(follow.notices...)
	if read.suggest, read.shapeless = follow.items, !follow.readable; read.shapeless {
		content := c.call[c.follows.best.from:c.follows.best.to]
		read.listAt = c.place(c.follows.best.to - len(strings.TrimLeftFunc(content, isSpace)))
	}
	return read, asked
}

// followUp reads the suggestions, unless they were read when they were shown: a call of 2 KB costs a twelfth less so (make bench).
func (c *tagCall) followUp(p param) followUpContent {
	switch {
	case p.direct != nil:
		return p.direct.content()
	case p.to > p.from && p.from == c.preview.from && p.to == c.preview.to && trim(c.call[p.from:p.to])[0] == '<':
		return c.preview.elements.content()
	}
	return followUpIn(c.call, p.from, p.to, p.tags)
}

// nestedFollowUp reads the follow_up that stands at the end of the question, and returns where it begins.
func (c *tagCall) nestedFollowUp(p param) (at int, read followUpContent, ok bool) {
	last := len(p.tags) - 1
	if last < 0 || !p.tags[last].Closing || p.tags[last].Name != tagFollowUp || !blank(c.call[p.tags[last].End:p.to]) {
		return 0, read, false
	}
	for i := last - 1; i >= 0; i-- {
		if t := &p.tags[i]; t.Name == tagFollowUp {
			if !t.Opening() {
				break
			}
			read = followUpIn(c.call, t.End, p.tags[last].Start, p.tags[i+1:last])
			return t.Start, read, len(read.items) > 0
		}
	}
	return 0, read, false
}

// nestedQuestion finds the question that stands in a follow_up outside of its suggestions, and reads what is left of that.
func (c *tagCall) nestedQuestion(p param) (found param, rest followUpContent, ok bool) {
	for i := 0; i < len(p.tags); i++ {
		t := &p.tags[i]
		if !t.Opening() || t.Name != tagQuestion && !isSuggestion(t.Name) {
			continue
		}
		j := i + 1
		for j < len(p.tags) && p.tags[j].Name != t.Name {
			j++
		}
		closed := j < len(p.tags) && p.tags[j].Closing
		if isSuggestion(t.Name) {
			if i = j; !closed { // it reaches to the next one
				i--
			}
			continue
		}
		if !closed {
			continue
		}
		end := p.tags[j].End
		found = param{start: t.Start, from: t.End, to: p.tags[j].Start}
		without := c.call[:t.Start] + strings.Repeat(" ", end-t.Start) + c.call[end:] // so that places stay
		tags := append(append([]toolcall.Tag{}, p.tags[:i]...), p.tags[j+1:]...)
		return found, followUpIn(without, p.from, p.to, tags), !blank(c.call[found.from:found.to])
	}
	return found, rest, false
}

// place tells where in the call something stands, and what.
func (c *tagCall) place(at int) question.Place {
	before := c.call[:at]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return question.Place{
		Line: 1 + strings.Count(before, "\n"), Column: 1 + utf8.RuneCountInString(line), Excerpt: question.Excerpt(c.call[at:]),
	}
}

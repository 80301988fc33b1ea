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
	code    inlineCode
	codes   codes
	fault   fault
	large   *question.Detail // the first limit that was passed
	between toolcall.Checker // what stands between the parameters
	stray   bool             // text does

	questions, follows params
	direct             *elements // what the suggestions straight in the call are read as; nil where there are none
	directSize         int       // of these
}

// params are the parameters of one kind.
type params struct {
	count  int
	best   param   // the last that is not blank, or else the first
	filled bool    // best is not blank
	all    []param // that are not blank, where there are several
}

// param is a parameter, and where its content stands.
type param struct {
	start, from, to int            // of its opening tag and of its content
	tags            []toolcall.Tag // in that
	direct          *elements      // in its place, suggestions straight in the call
}

func (p *params) add(call string, found param) {
	p.count++
	filled := found.direct != nil || !blank(call[found.from:found.to])
	switch {
	case filled && p.filled:
		if p.all == nil {
			p.all = append(p.all, p.best)
		}
		p.all = append(toolcall.Doubled(p.all), found)
		fallthrough
	case filled, p.count == 1:
		p.best, p.filled = found, filled
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
	c.between.Shallow = true
	end := strings.LastIndexByte(c.call, '<') // of the closing tag, which holds no other
	if opening.Empty {
		end = opening.End
	}
	at := opening.End
	for i := 0; i < len(c.tags); {
		t := &c.tags[i]
		c.aside(at, t.Start)
		at = t.End
		i++
		switch {
		case t.Closing:
			c.fault.note(toolcall.StrayEndTag, t.Name, t.Start)
		case t.Name == tagAsk:
			c.codes.add(question.RepairUnknownParameter)
			if c.questions.count+c.follows.count == 0 && c.direct == nil {
				c.stray = false // the first one was a mention, and what followed it spoke of that
			}
			if !t.Empty {
				c.fault.note(toolcall.UnclosedTag, t.Name, t.Start)
			}
		default:
			i, at = c.parameter(i, end)
		}
	}
	c.aside(at, end)
	c.between.Close(end)
	c.closeDirect()
	if c.between.Tags > 0 {
		c.codes.add(question.RepairUnknownParameter)
		if c.between.Fault != toolcall.BareLess && c.between.Fault != toolcall.BareAmpersand {
			c.fault.found(&c.between)
		}
	}
	if c.stray {
		c.codes.add(question.RepairStrayText)
	}
	if c.questions.count > 1 || c.follows.count > 1 {
		c.codes.add(question.RepairRepeatedParameter)
	}
}

// aside reads what stands between parameters. A comment that does not end there hides nothing.
func (c *tagCall) aside(from, to int) {
	text := c.between.Read(c.call[from:to], from)
	if c.between.Uncomment(from) || trim(text) != "" && trim(toolcall.Decode(text)) != "" {
		c.stray = true
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
			if closed = isSuggestion(t.Name); closed {
				c.fault.note(toolcall.StrayEndTag, t.Name, t.Start)
			}
			return j, closed
		case t.Closing:
			if isWrapper(name) && (isWrapper(t.Name) || t.Name == tagFollowUp) {
				c.fault.note(toolcall.StrayEndTag, t.Name, t.Start)
				return j, true
			}
		case suggestion || (t.Name == tagQuestion) != (name == tagQuestion):
			return j, false
		}
	}
	return j, false
}

// closing finds the first closing tag of the name from the index i on that does not stand in inline code, or else the last of those
// that do; for a suggestion it must be the next of its name. There is none when it is the number of tags.
func (c *tagCall) closing(i int, name string) int {
	if c.never[name] {
		return len(c.tags)
	}
	last := len(c.tags)
	if !isSuggestion(name) && i > 0 {
		c.code.begin(c.tags[i-1].End)
	}
	for ; i < len(c.tags); i++ {
		if t := &c.tags[i]; t.Name == name {
			switch {
			case isSuggestion(name) && !t.Closing:
				return len(c.tags)
			case t.Closing && (isSuggestion(name) || !c.code.holds(c.call, t)):
				return i
			case t.Closing:
				last = i
			}
		}
	}
	if last < len(c.tags) {
		return last
	}
	if c.never == nil {
		c.never = map[string]bool{}
	}
	c.never[name] = true
	return last
}

// inlineCode tells whether tags stand in inline code: behind an odd number of runs of backticks on their line, and before another.
type inlineCode struct {
	at   int // up to here the content was read
	runs int // of backticks on the line of that
	next int // where the next backtick or line break is, once that was looked for
}

// begin begins to read the content of a parameter.
func (c *inlineCode) begin(at int) { *c = inlineCode{at: at} }

// holds reports whether the tag stands in inline code. Tags are asked about in their order.
func (c *inlineCode) holds(call string, t *toolcall.Tag) bool {
	if c.runs == 0 && strings.IndexByte(call[c.at:t.Start], '`') < 0 {
		c.at = t.Start
		return false
	}
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
	c.at = t.Start
	if c.runs%2 == 0 {
		return false
	}
	if c.next < t.End {
		if c.next = len(call); strings.ContainsAny(call[t.End:], "`\n") {
			c.next = t.End + strings.IndexAny(call[t.End:], "`\n")
		}
	}
	return c.next < len(call) && call[c.next] == '`'
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
	asked, read.tool = c.questions.best, question.ToolFollowup
	if c.large != nil {
		read.err = &question.Error{Code: question.CodeTooLarge, Detail: *c.large}
		return read, asked
	}
	read.repairs = c.codes
	follow := c.followUps()
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
	if read.text == "" {
		read.missing = &question.Detail{Name: tagQuestion}
		if c.questions.count > 0 {
			read.missing.At = c.place(asked.start)
		}
	}
	c.fault.note(follow.fault.kind, follow.fault.name, follow.fault.at)
	if f := c.fault; f.kind != toolcall.NoFault {
		read.fault = &question.Detail{Reason: question.Reason(f.kind), Name: f.name, At: c.place(f.at)}
	}
	read.repairs.add(follow.codes...)
	read.notices.add(follow.notices...)
	if read.suggest = follow.items; !follow.readable {
		content := c.call[c.follows.best.from:c.follows.best.to]
		at := c.place(c.follows.best.to - len(strings.TrimLeftFunc(content, isSpace)))
		read.invalid = &question.Detail{Name: tagFollowUp, At: at}
	}
	return read, asked
}

// followUps reads the suggestions: of several parameters those that hold some, and the last that is not blank where none does.
func (c *tagCall) followUps() (read followUpContent) {
	read = c.followUp(c.follows.best)
	if len(c.follows.all) < 2 {
		return read
	}
	joined, list := followUpContent{}, suggestionList{}
	for _, p := range c.follows.all {
		if one := c.followUp(p); len(one.items) > 0 {
			for _, s := range one.items {
				list.add(s.Answer, s.Mode)
			}
			joined.codes.add(one.codes...)
			joined.notices.add(one.notices...)
			joined.fault.note(one.fault.kind, one.fault.name, one.fault.at)
		}
	}
	if len(list.items) == 0 {
		return read
	}
	joined.take(&list)
	return joined
}

// followUp reads the suggestions, unless they were read when they were shown.
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

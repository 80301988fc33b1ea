package dialect

import (
	"strings"
	"unicode/utf8"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// tagCall reads a call written as tags, tag by tag, and shows what can be told before its end: the first question, and the suggestions of
// the first follow_up. Places count from the beginning of the call.
type tagCall struct {
	options *Options
	draft   draft
	call    string // as far as it was read
	codes   codes
	fault   fault
	large   *question.Detail // the first limit that was passed

	between toolcall.Checker // what stands between the parameters
	stray   bool             // text does
	at      int              // up to here that was read

	open     toolcall.Tag    // of the parameter that is read; its End is 0 between parameters
	unclosed bool            // no closing tag of its own comes
	coded    toolcall.Tag    // the last of its closing tags that stand in inline code
	waits    bool            // whether the last one does is not known
	looked   int             // up to here the rest of its line was looked at then
	again    int             // from here on tags must be read again; 0 when none must
	never    map[string]bool // the names of which no closing tag comes any more
	taken    int             // tags so far, again or not: what reading costs
	code     inlineCode

	text  growing
	grows bool   // more of the question is shown
	shown [2]int // where the question stands that was shown

	elements elements // of the follow_up that is read
	other    bool     // it begins with something else
	tagged   bool     // it has a tag
	list     suggestionList

	asked      param // the last question that is not blank, or else the first
	questions  int
	follow     followUp // the last that is not blank, or else the first
	follows    int
	filled     int             // of these, how many are not blank
	joined     followUpContent // of those that hold suggestions
	joint      suggestionList  // of these
	direct     *elements       // what the suggestions straight in the call are read as; nil where there are none
	directSize int             // of these
}

// param is where a parameter stands: its opening tag, and its content.
type param struct{ start, from, to int }

// followUp is a parameter that was read. Suggestions straight in the call have no content.
type followUp struct {
	param
	content followUpContent
	direct  bool
}

// begin makes c ready for a call with the opening tag.
func (c *tagCall) begin(o *Options, out *output, opening *toolcall.Tag) {
	*c = tagCall{
		options: o, at: opening.End,
		draft: draft{out: out, tool: question.ToolFollowup, shown: c.draft.shown[:0], block: c.draft.block.Spare()},
		list:  suggestionList{items: c.list.items[:0]},
	}
	c.between.Shallow = true
	c.list.shown = &c.draft
	c.loose(opening)
}

// Tag takes the next tag.
func (c *tagCall) Tag(call string, t *toolcall.Tag) {
	c.call = call
	c.take(t)
	c.repeat(t.End)
}

// repeat reads tags again from where they must be, up to the given place.
func (c *tagCall) repeat(to int) {
	for c.again > 0 {
		from := c.again
		c.again = 0
		for t := range toolcall.EachTag(c.call[from:to], names) {
			t.Start, t.End = from+t.Start, from+t.End
			if c.take(&t); c.again > 0 {
				break
			}
		}
	}
}

func (c *tagCall) take(t *toolcall.Tag) {
	c.taken++
	if c.waits {
		c.settle(t.Start)
		return
	}
	if c.open.End > 0 && c.within(t) {
		return
	}
	c.aside(t.Start)
	c.at = t.End
	switch {
	case t.Closing:
		c.fault.note(toolcall.StrayEndTag, t.Name, t.Start)
	case t.Name == tagAsk:
		c.codes.add(question.RepairUnknownParameter)
		if c.questions+c.follows == 0 && c.direct == nil {
			c.stray = false // the first one was a mention, and what followed it spoke of that
		}
		if !t.Empty {
			c.fault.note(toolcall.UnclosedTag, t.Name, t.Start)
		}
	default:
		c.beginParameter(t)
	}
}

func (c *tagCall) beginParameter(t *toolcall.Tag) {
	c.draft.begin()
	c.open, c.unclosed = *t, c.never[t.Name]
	c.restart()
	switch {
	case t.Empty:
		c.end(t.End, true)
	case t.Name == tagQuestion && c.questions == 0:
		c.text, c.grows = growing{from: t.End, read: t.End, grower: grower{at: t.End}}, true
	case t.Name != tagQuestion && !isSuggestion(t.Name) && c.draft.list == nil:
		c.draft.list, c.elements.list = &c.list, &c.list
	}
}

// restart reads the open parameter from its beginning.
func (c *tagCall) restart() {
	c.code.begin(c.open.End)
	c.coded, c.other, c.tagged = toolcall.Tag{}, false, false
	if c.open.Name != tagQuestion && !isSuggestion(c.open.Name) {
		c.elements = elements{list: &suggestionList{}}
		c.elements.begin(c.open.End)
	}
}

// within takes a tag in the open parameter. It reports whether the tag belongs to that, or closes it. A parameter ends at its own closing
// tag, though not one in inline code where another follows; a suggestion's must come before another opening tag of the name.
func (c *tagCall) within(t *toolcall.Tag) bool {
	suggestion := isSuggestion(c.open.Name)
	switch {
	case c.unclosed:
		ends, closed := c.endsAt(t)
		if !ends {
			break
		}
		if c.end(t.Start, closed); closed {
			c.at = t.End
		}
		return closed
	case t.Name != c.open.Name:
	case !t.Closing && suggestion:
		c.unclosed, c.again = true, c.open.End
		return true
	case !t.Closing:
	case !suggestion && c.code.odd(c.call, t):
		c.Grew(c.call, t.Start)
		c.coded, c.waits = *t, true
		c.looked = max(c.looked, t.End) // a run or line break that ended an earlier wait ends this one, too
		c.settle(c.looked)
		return true
	default:
		c.end(t.Start, true)
		c.at = t.End
		return true
	}
	switch {
	case c.open.Name == tagQuestion:
		if !t.Closing && t.Name != tagQuestion && t.Name != tagAsk { // it may end here
			c.Grew(c.call, t.Start)
			c.grows = false
		}
	case !suggestion:
		if !c.tagged {
			before := trim(c.call[c.open.End:t.Start])
			c.tagged, c.other = true, before != "" && before[0] != '<'
		}
		if !c.other {
			c.elements.Tag(c.call, t)
		}
	}
	return true
}

// settle decides whether the closing tag that may stand in inline code does, which a run of backticks behind it on its line tells. The tags
// behind it are read again.
func (c *tagCall) settle(to int) {
	for ; c.looked < to && c.call[c.looked] != '`' && c.call[c.looked] != '\n'; c.looked++ {
	}
	switch {
	case c.looked >= len(c.call):
	case c.call[c.looked] == '\n':
		c.endCoded()
	case c.call[c.looked] == '`':
		c.waits, c.again = false, c.coded.End
	}
}

// endCoded ends the open parameter at the last closing tag that may stand in inline code.
func (c *tagCall) endCoded() {
	last := c.coded
	c.waits, c.again = false, last.End
	c.end(last.Start, true)
	c.at = last.End
}

// endsAt reports whether the open parameter, which has no closing tag of its own, ends at the tag: at the first opening tag of another
// parameter; a suggestion at any other tag that matters. Wrappers and suggestions can be closed by each other's names.
func (c *tagCall) endsAt(t *toolcall.Tag) (ends, closed bool) {
	name, suggestion := c.open.Name, isSuggestion(c.open.Name)
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
		c.fault.note(toolcall.StrayEndTag, t.Name, t.Start)
	}
	return ends, closed
}

// end ends the open parameter at the given place, with a closing tag or without.
func (c *tagCall) end(to int, closed bool) {
	t := c.open
	c.open, c.at = toolcall.Tag{}, to
	if isSuggestion(t.Name) {
		c.suggestion(&t, to, closed)
		return
	}
	c.loose(&t)
	if !closed {
		c.codes.add(question.RepairUnclosedParameter)
		c.fault.note(toolcall.UnclosedTag, t.Name, t.Start)
	}
	found := param{t.Start, t.End, to}
	blank := blank(c.call[t.End:to])
	if t.Name == tagQuestion {
		c.sized(tagQuestion, to-t.End)
		if c.grows && c.questions == 0 && !t.Empty {
			c.showQuestion(to, true)
			c.shown = [2]int{t.End, to}
		}
		c.grows = false
		if c.questions++; !blank || c.questions == 1 {
			c.asked = found
		}
		return
	}
	if isWrapper(t.Name) {
		c.codes.add(question.RepairSuggestionTag)
	}
	c.sized(tagFollowUp, to-t.End)
	c.closeDirect()
	follow := followUp{param: found}
	if c.elements.any && !c.other {
		c.elements.close(c.call, to)
		follow.content = c.elements.content()
	} else {
		follow.content = followUpIn(c.call, t.End, to)
	}
	c.addFollowUp(follow, !blank)
}

func (c *tagCall) addFollowUp(f followUp, filled bool) {
	before := c.follow
	if c.follows++; filled || c.follows == 1 {
		c.follow = f
	}
	if !filled {
		return
	}
	if c.filled++; c.filled == 2 {
		c.join(&before.content)
	}
	if c.filled > 1 {
		c.join(&f.content)
	}
}

// join adds the suggestions of one follow_up to those of the others.
func (c *tagCall) join(content *followUpContent) {
	for _, s := range content.items {
		c.joint.add(s.Answer, s.Mode)
	}
	if len(content.items) > 0 {
		c.joined.codes.add(content.codes...)
		c.joined.notices.add(content.notices...)
		c.joined.fault.note(content.fault.kind, content.fault.name, content.fault.at)
	}
}

// blank reports whether content stands for nothing but white space.
func blank(content string) bool {
	if content = trim(content); content != "" && content[0] != '<' && content[0] != '&' {
		return false
	}
	var d toolcall.Decoder
	for len(content) > 0 {
		text, n := d.Next(content, true)
		if trim(text) != "" {
			return false
		}
		content = content[n:]
	}
	return true
}

// Grew tells that the call was read up to the given place.
func (c *tagCall) Grew(call string, to int) {
	if c.call = call; c.waits {
		c.settle(to)
		c.repeat(to)
	}
	if c.grows && !c.waits {
		c.showQuestion(to, false)
	}
}

// showQuestion shows the question as it stands in the call up to the given place. Whole says that it ends there.
func (c *tagCall) showQuestion(to int, whole bool) {
	if limit := c.text.from + c.options.Limits.Parameter; to > limit {
		for to, whole = limit, false; !utf8.RuneStart(c.call[to]); to-- {
		}
	}
	c.text.grow(c.call, to, whole, &c.draft)
}

// show shows how the call ended, which the reading tells; the question stands where asked says.
func (c *tagCall) show(read *reading, asked param) {
	c.draft.begin()
	if c.shown == [2]int{asked.from, asked.to} {
		c.draft.question(0).Question = read.text
	}
	c.draft.end(read.call(c.options.Strict))
}

// growing is the text of a question that is being read.
type growing struct {
	grower
	decoder toolcall.Decoder
	from    int  // where the content begins
	read    int  // up to here it was read
	decoded bool // it does not stand for itself, and is in the block
}

// grow shows what is new up to the given place. Whole says that the text ends there.
func (g *growing) grow(call string, to int, whole bool, d *draft) {
	for g.read < to {
		text, n := g.decoder.Next(call[g.read:to], whole)
		if n == 0 {
			break
		}
		if len(text) != n && !g.decoded {
			d.block.Begin()
			d.block.WriteString(call[g.from:g.read])
			g.decoded, g.at = true, g.at-g.from
		}
		g.read += n
		var fresh string
		if g.decoded {
			d.block.WriteString(text)
			fresh = g.next(d.block.Text(), d.block.Len())
		} else {
			fresh = g.next(call, g.read)
		}
		if fresh != "" {
			d.grow(0, fresh)
		}
	}
}

// finish reads the end of the call, all of which is given.
func (c *tagCall) finish(call string, opening *toolcall.Tag) {
	c.call = call
	end := strings.LastIndexByte(call, '<') // of the closing tag, which holds no other
	if opening.Empty {
		end = opening.End
	}
	for c.open.End > 0 {
		if c.waits {
			c.settle(end)
		}
		switch {
		case c.again > 0:
		case c.coded.End > 0:
			c.endCoded()
		case c.unclosed:
			c.end(end, false)
		default:
			if c.never == nil {
				c.never = map[string]bool{}
			}
			c.never[c.open.Name], c.unclosed, c.again = true, true, c.open.End
			c.restart()
		}
		c.repeat(end)
	}
	c.aside(end)
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
	if c.questions > 1 || c.follows > 1 {
		c.codes.add(question.RepairRepeatedParameter)
	}
}

// aside reads what stands between parameters, up to the given place. A comment that does not end there hides nothing.
func (c *tagCall) aside(to int) {
	text := c.between.Read(c.call[c.at:to], c.at)
	if c.between.Uncomment(c.at) || trim(text) != "" && trim(toolcall.Decode(text)) != "" {
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

// inlineCode tells whether tags stand in inline code: behind an odd number of runs of backticks on their line, and before another.
type inlineCode struct {
	at   int // up to here the content was read
	runs int // of backticks on the line of that
}

// begin begins to read the content of a parameter.
func (c *inlineCode) begin(at int) { *c = inlineCode{at: at} }

// odd reports whether an odd number of runs stands before the tag on its line. Tags are asked about in their order.
func (c *inlineCode) odd(call string, t *toolcall.Tag) bool {
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
	return c.runs%2 == 1
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
		c.addFollowUp(followUp{content: c.direct.content(), direct: true}, true)
		c.direct = nil
	}
}

// reading is what the call was read as, and where the question stands.
func (c *tagCall) reading() (read reading, asked param) {
	asked, read.tool = c.asked, question.ToolFollowup
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
	if blank(c.call[asked.from:asked.to]) && !c.follow.direct {
		if nested, rest, ok := c.nestedQuestion(c.follow.param); ok {
			asked, follow = nested, rest
			read.repairs.add(question.RepairNestedParameter)
		}
	}
	content := c.call[asked.from:asked.to]
	read.text = trim(toolcall.Decode(content))
	if check := toolcall.Check(content, asked.from); check.Fault != toolcall.NoFault {
		read.repairs.add(question.RepairBareMarkup)
		c.fault.found(&check)
	}
	if read.text == "" {
		read.missing = &question.Detail{Name: tagQuestion}
		if c.questions > 0 {
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
		content := c.call[c.follow.from:c.follow.to]
		at := c.place(c.follow.to - len(strings.TrimLeftFunc(content, isSpace)))
		read.invalid = &question.Detail{Name: tagFollowUp, At: at}
	}
	return read, asked
}

// followUps returns the suggestions: of several parameters those that hold some, and the last that is not blank where none does.
func (c *tagCall) followUps() followUpContent {
	switch {
	case c.follows == 0:
		return followUpContent{readable: true}
	case len(c.joint.items) == 0:
		return c.follow.content
	}
	c.joined.take(&c.joint)
	return c.joined
}

// nestedFollowUp reads the follow_up that stands at the end of the question, and returns where it begins.
func (c *tagCall) nestedFollowUp(p param) (at int, read followUpContent, ok bool) {
	text := c.call[p.from:p.to]
	content, closed := strings.CutSuffix(trim(text), ">")
	if content = trim(content); !closed || !strings.HasSuffix(content, "</"+tagFollowUp) {
		return 0, read, false
	}
	tags := toolcall.Tags(text, names)
	last := len(tags) - 1
	for i := last - 1; i >= 0; i-- {
		if t := &tags[i]; t.Name == tagFollowUp {
			if !t.Opening() {
				break
			}
			read = followUpIn(c.call, p.from+t.End, p.from+tags[last].Start)
			return p.from + t.Start, read, len(read.items) > 0
		}
	}
	return 0, read, false
}

// nestedQuestion finds the question that stands in a follow_up outside of its suggestions, and reads what is left of that.
func (c *tagCall) nestedQuestion(p param) (found param, rest followUpContent, ok bool) {
	text := c.call[p.from:p.to]
	tags := toolcall.Tags(text, names)
	for i := 0; i < len(tags); i++ {
		t := &tags[i]
		if !t.Opening() || t.Name != tagQuestion && !isSuggestion(t.Name) {
			continue
		}
		j := i + 1
		for j < len(tags) && tags[j].Name != t.Name {
			j++
		}
		closed := j < len(tags) && tags[j].Closing
		if isSuggestion(t.Name) {
			if i = j; !closed { // it reaches to the next one
				i--
			}
			continue
		}
		if !closed {
			continue
		}
		end := tags[j].End
		found = param{p.from + t.Start, p.from + t.End, p.from + tags[j].Start}
		rest = readFollowUp(text[:t.Start]+strings.Repeat(" ", end-t.Start)+text[end:], 0, false) // so that places stay
		rest.fault.at += p.from
		return found, rest, !blank(c.call[found.from:found.to])
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

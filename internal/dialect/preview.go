package dialect

import (
	"strings"
	"unicode/utf8"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// preview shows a call written as tags while it is read, as far as can be told then: the first question and the suggestions of the
// first follow_up. How the call is read is decided at its end; what was shown otherwise is shown anew then.
type preview struct {
	draft draft
	place place
	name  string // of the tag that opened the parameter
	limit int    // of a parameter, in bytes

	text  growing
	asked bool   // there was a question
	shown [2]int // where the text stands that was shown, once the question has ended

	elements elements
	list     suggestionList
	followed bool // there was a follow_up
	content  int  // where its content begins, until its first tag
	from, to int  // where its content stands, if all of that was read as elements
}

// place is what in a call a preview is inside of.
type place uint8

const (
	between    place = iota
	inQuestion       // <question>
	inFollowUp       // <follow_up>, or a wrapper in its place
	inUnshown        // a parameter that is not shown, or not shown further
)

// init makes p ready for a call.
func (p *preview) init(out *output, limit int) {
	if p.draft.out != nil {
		*p = preview{}
	}
	p.draft.out, p.draft.tool, p.limit = out, question.ToolFollowup, limit
	p.list.shown, p.draft.list = &p.draft, &p.list
	p.elements.list = &p.list
}

// Tag takes the next tag of the call.
func (p *preview) Tag(call string, t *toolcall.Tag) {
	closes := t.Closing && t.Name == p.name
	switch {
	case p.place == between && !t.Closing && t.Name != tagAsk:
		p.open(t)
	case p.place == inQuestion && closes:
		p.endQuestion(call, t.Start)
	case p.place == inQuestion && !t.Closing && t.Name != tagQuestion && t.Name != tagAsk:
		p.grow(call, t.Start, false)
		p.place = inUnshown // whether the tag belongs to the question is known when that is closed, or not
	case p.place == inFollowUp:
		p.inFollowUp(call, t, closes)
	case p.place == inUnshown && closes:
		p.place = between
	}
}

// open takes the opening tag of a parameter.
func (p *preview) open(t *toolcall.Tag) {
	p.draft.begin()
	p.name, p.place = t.Name, inUnshown
	switch {
	case t.Empty:
		p.place = between
	case t.Name == tagQuestion && !p.asked:
		p.asked, p.place = true, inQuestion
		p.text = growing{from: t.End, grower: grower{at: t.End}}
	case (t.Name == tagFollowUp || isWrapper(t.Name)) && !p.followed:
		p.followed, p.place, p.content, p.from = true, inFollowUp, t.End, t.End
		p.elements.begin(t.End)
	}
}

// inFollowUp takes a tag in a follow_up. What does not begin with a tag may be a list or JSON, which is read at the end.
func (p *preview) inFollowUp(call string, t *toolcall.Tag, closes bool) {
	first := trim(call[p.content:t.Start])
	p.content = t.Start
	switch {
	case closes || t.Closing && t.Name == tagFollowUp:
		if p.place = between; p.elements.any {
			p.elements.close(call, t.Start)
			p.to = t.Start
		}
	case first != "" && first[0] != '<' && !p.elements.any:
		p.place = inUnshown
	default:
		p.elements.Tag(call, t)
	}
}

// Grew tells that the call was read up to the given place.
func (p *preview) Grew(call string, to int) {
	if p.place == inQuestion {
		p.grow(call, to, false)
	}
}

// grow shows the question as it stands in the call up to the given place.
func (p *preview) grow(call string, to int, whole bool) {
	if limit := p.text.from + p.limit; to > limit {
		for to, whole = limit, false; !utf8.RuneStart(call[to]); to-- {
		}
	}
	p.text.grow(call, to, whole, p.draft.out)
}

func (p *preview) endQuestion(call string, to int) {
	p.grow(call, to, true)
	p.shown, p.place = [2]int{p.text.from, to}, between
}

// finish shows how the call ended, which the reading tells; the question stands where asked says.
func (p *preview) finish(call string, read *reading, asked param, strict bool) {
	p.draft.begin()
	if p.place == inQuestion {
		p.endQuestion(call, max(strings.LastIndexByte(call, '<'), p.text.from))
	}
	if p.shown == [2]int{asked.from, asked.to} {
		p.draft.question(0).Question = read.text
	}
	p.draft.end(read.call(strict))
}

// growing is the text of a question that is being read.
type growing struct {
	grower
	decoder toolcall.Decoder
	from    int // where the content begins
}

// grow tells what is new up to the given place. Whole says that the text ends there.
func (g *growing) grow(call string, to int, whole bool, out *output) {
	for g.at < to {
		text, n := g.decoder.Next(call[g.at:to], whole)
		if n == 0 {
			break
		}
		if fresh := g.decoded(call, text, n); fresh != "" {
			out.grew.Text = fresh
			out.emit(&out.grew)
		}
	}
}

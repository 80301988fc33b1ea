package conversation

import (
	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
)

// Partial is what has been read so far of a call that is still arriving.
type Partial struct {
	text    []byte
	suggest []question.Suggestion
	parts   []part // of a questionnaire
}

// part is one question of a questionnaire that is still arriving.
type part struct {
	text        []byte
	header      string
	options     []question.Option
	multiSelect bool
}

// Extent is how much of a Partial somebody has been told.
type Extent struct {
	text    int // bytes
	suggest int
	parts   []partExtent
}

type partExtent struct {
	text, options       int
	header, multiSelect bool
}

// grow adds what a reader tells of a questionnaire.
func (p *Partial) grow(e *dialect.GrewPart) {
	for len(p.parts) <= e.Index {
		p.parts = append(p.parts, part{})
	}
	to := &p.parts[e.Index]
	to.text = append(to.text, e.Text...)
	if e.Header != "" {
		to.header = e.Header
	}
	to.options = append(to.options, e.Options...)
	to.multiSelect = to.multiSelect || e.MultiSelect
}

// rewritten is what a reader has replaced all that was shown by.
func rewritten(e *dialect.Rewrote) Partial {
	p := Partial{text: []byte(e.Question), suggest: e.Suggest}
	for i, q := range e.Questions {
		p.grow(&dialect.GrewPart{Index: i, Text: q.Question, Header: q.Header, Options: q.Options, MultiSelect: q.MultiSelect})
	}
	return p
}

// Payload is what is known of the call of the tool.
func (p *Partial) Payload(tool string) protocol.Payload {
	if tool != question.ToolAskUser {
		return protocol.Payload{Followup: &protocol.Followup{Question: string(p.text), Suggest: suggestions(p.suggest)}}
	}
	asked := make([]protocol.Question, len(p.parts))
	for i, part := range p.parts {
		asked[i] = protocol.Question{
			Question: string(part.text), Header: part.header, Options: options(part.options), MultiSelect: part.multiSelect,
		}
	}
	return protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: asked}}
}

// Extent is that of all that has been read.
func (p *Partial) Extent() Extent {
	all := Extent{text: len(p.text), suggest: len(p.suggest)}
	for _, part := range p.parts {
		all.parts = append(all.parts, partExtent{len(part.text), len(part.options), part.header != "", part.multiSelect})
	}
	return all
}

// Since is what is new to somebody who has been told that much; false where nothing is.
func (p *Partial) Since(has Extent) (protocol.InboxGrowth, bool) {
	grown := protocol.InboxGrowth{
		Text: string(p.text[has.text:]), Suggest: suggestions(p.suggest[has.suggest:]), Parts: p.partsSince(has.parts),
	}
	return grown, grown.Text != "" || len(grown.Suggest)+len(grown.Parts) > 0
}

func (p *Partial) partsSince(has []partExtent) []protocol.PartGrowth {
	var growth []protocol.PartGrowth
	for i, part := range p.parts {
		var known partExtent
		if i < len(has) {
			known = has[i]
		}
		fresh := protocol.PartGrowth{
			Index: i, Text: string(part.text[known.text:]), MultiSelect: part.multiSelect && !known.multiSelect,
		}
		if !known.header {
			fresh.Header = part.header
		}
		if len(part.options) > known.options {
			fresh.Options = options(part.options[known.options:])
		}
		if i >= len(has) || fresh.Text != "" || fresh.Header != "" || fresh.MultiSelect || len(fresh.Options) > 0 {
			growth = append(growth, fresh)
		}
	}
	return growth
}

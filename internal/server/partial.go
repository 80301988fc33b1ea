package server

import (
	"strings"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
)

// partial is what has been read so far of a call that is still arriving.
type partial struct {
	question strings.Builder
	suggest  []question.Suggestion
	parts    []*part // of a questionnaire
}

// part is one question of a questionnaire that is still arriving.
type part struct {
	text        strings.Builder
	header      string
	options     []question.Option
	multiSelect bool
}

// sent is what the interface knows of a record.
type sent struct {
	item    bool       // it has been told of it at all
	stale   bool       // what it was told, except for growth, has changed
	text    int        // how many bytes of the partial question it has
	suggest int        // how many of the partial suggestions it has
	parts   []sentPart // what it has of each part
}

// sentPart is what the interface knows of one question of a questionnaire.
type sentPart struct {
	text, options       int
	header, multiSelect bool
}

// grow adds what a reader tells of a questionnaire.
func (p *partial) grow(e *dialect.GrewPart) {
	for len(p.parts) <= e.Index {
		p.parts = append(p.parts, &part{})
	}
	to := p.parts[e.Index]
	to.text.WriteString(e.Text)
	if e.Header != "" {
		to.header = e.Header
	}
	to.options = append(to.options, e.Options...)
	to.multiSelect = to.multiSelect || e.MultiSelect
}

// rewritten is what a reader has replaced all that was shown by.
func rewritten(e *dialect.Rewrote) partial {
	p := partial{suggest: e.Suggest}
	p.question.WriteString(e.Question)
	for i, q := range e.Questions {
		p.grow(&dialect.GrewPart{Index: i, Text: q.Question, Header: q.Header, Options: q.Options, MultiSelect: q.MultiSelect})
	}
	return p
}

// payload is what is known of the call of the tool.
func (p *partial) payload(tool string) protocol.Payload {
	if tool != question.ToolAskUser {
		return protocol.Payload{Followup: &protocol.Followup{Question: p.question.String(), Suggest: suggestions(p.suggest)}}
	}
	asked := make([]protocol.Question, len(p.parts))
	for i, part := range p.parts {
		asked[i] = protocol.Question{
			Question: part.text.String(), Header: part.header, Options: options(part.options), MultiSelect: part.multiSelect,
		}
	}
	return protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: asked}}
}

// sent is what the interface knows when it has been told all of it.
func (p *partial) sent() sent {
	all := sent{item: true, text: p.question.Len(), suggest: len(p.suggest)}
	for _, part := range p.parts {
		all.parts = append(all.parts, sentPart{part.text.Len(), len(part.options), part.header != "", part.multiSelect})
	}
	return all
}

// grown is what is new of the parts to an interface that has what is given.
func (p *partial) grown(has []sentPart) []protocol.PartGrowth {
	var growth []protocol.PartGrowth
	for i, part := range p.parts {
		var known sentPart
		if i < len(has) {
			known = has[i]
		}
		fresh := protocol.PartGrowth{
			Index: i, Text: part.text.String()[known.text:], MultiSelect: part.multiSelect && !known.multiSelect,
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

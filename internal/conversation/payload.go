package conversation

import (
	"slices"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
)

// Payload returns the question for the interface and the agent's client; nil for an incomplete or invalid call.
func (r *Record) Payload() *protocol.Payload {
	if !r.Call.Asks() {
		return nil
	}
	return &protocol.Payload{Followup: r.Call.Followup, Questionnaire: r.Call.Questionnaire, Approval: r.Call.Approval}
}

// Partial is the parsed part of an arriving call.
type Partial struct {
	text    []byte
	suggest []question.Suggestion
	parts   []part // of a questionnaire
}

// part is one question of an arriving questionnaire.
type part struct {
	text        []byte
	header      string
	options     []question.Option
	multiSelect bool
}

// grow adds an event of a questionnaire's parser.
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

// Payload returns the parsed part of the tool's call.
func (p *Partial) Payload(tool string) protocol.Payload {
	if tool != question.ToolAskUser {
		return protocol.Payload{Followup: &protocol.Followup{Question: string(p.text), Suggest: append([]question.Suggestion{}, p.suggest...)}}
	}
	asked := make([]protocol.Question, len(p.parts))
	for i, part := range p.parts {
		asked[i] = protocol.Question{
			Question: string(part.text), Header: part.header, Options: append([]question.Option{}, part.options...), MultiSelect: part.multiSelect,
		}
	}
	return protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: asked}}
}

// Snapshot returns a copy. It shares the texts, which only grow.
func (p *Partial) Snapshot() Partial { return Partial{p.text, p.suggest, slices.Clone(p.parts)} }

// Since returns the additions since a snapshot, and false if there are none.
func (p *Partial) Since(has Partial) (protocol.InboxGrowth, bool) {
	grown := protocol.InboxGrowth{Text: string(p.text[len(has.text):]), Suggest: p.suggest[len(has.suggest):]}
	for i, now := range p.parts {
		var known part
		if i < len(has.parts) {
			known = has.parts[i]
		}
		fresh := protocol.PartGrowth{
			Index: i, Text: string(now.text[len(known.text):]), Options: now.options[len(known.options):],
			MultiSelect: now.multiSelect && !known.multiSelect,
		}
		if known.header == "" {
			fresh.Header = now.header
		}
		if i >= len(has.parts) || fresh.Text != "" || fresh.Header != "" || fresh.MultiSelect || len(fresh.Options) > 0 {
			grown.Parts = append(grown.Parts, fresh)
		}
	}
	return grown, grown.Text != "" || len(grown.Suggest)+len(grown.Parts) > 0
}

package conversation

import (
	"slices"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
)

// Payload returns the question as the interface and the agent's side get it; nil for an incomplete or invalid call.
func (r *Record) Payload() *protocol.Payload {
	switch {
	case r.Call.Followup != nil:
		asked := r.Call.Followup
		return &protocol.Payload{Followup: &protocol.Followup{Question: asked.Question, Suggest: suggestions(asked.Suggest)}}
	case r.Call.Questionnaire != nil:
		return &protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: questions(r.Call.Questionnaire.Questions)}}
	case r.Call.Approval != nil:
		return &protocol.Payload{Approval: approval(r.Call.Approval)}
	}
	return nil
}

func approval(from *question.Approval) *protocol.Approval {
	s := from.Subject
	return &protocol.Approval{
		Title: from.Title, Reason: from.Reason, Changeable: from.Changeable,
		Subject: protocol.Subject{
			Kind: protocol.SubjectKind(s.Kind), Text: s.Text, Folder: s.Folder, Path: s.Path, Before: s.Before, After: s.After, Name: s.Name, OtherArguments: s.OtherArguments,
		},
		Options: each(from.Options, func(o question.Choice) protocol.Choice {
			return protocol.Choice{ID: o.ID, Label: o.Label, Kind: protocol.ChoiceKind(o.Kind)}
		}),
	}
}

func each[A, B any](from []A, convert func(A) B) []B {
	to := make([]B, len(from))
	for i, one := range from {
		to[i] = convert(one)
	}
	return to
}

func suggestions(from []question.Suggestion) []protocol.Suggestion {
	return each(from, func(s question.Suggestion) protocol.Suggestion { return protocol.Suggestion(s) })
}

func questions(from []question.Question) []protocol.Question {
	return each(from, func(q question.Question) protocol.Question {
		return protocol.Question{Question: q.Question, Header: q.Header, Options: options(q.Options), MultiSelect: q.MultiSelect}
	})
}

func options(from []question.Option) []protocol.Option {
	return each(from, func(o question.Option) protocol.Option { return protocol.Option(o) })
}

func picks(from []protocol.Pick) []question.Pick {
	return each(from, func(p protocol.Pick) question.Pick { return question.Pick(p) })
}

func protocolPicks(from []question.Pick) []protocol.Pick {
	return each(from, func(p question.Pick) protocol.Pick { return protocol.Pick(p) })
}

func exactAnswers(to *protocol.Structured, asked *question.Questionnaire, given []question.Pick) {
	answers, annotations := dialect.Values(asked, given)
	to.Questions, to.Answers = questions(asked.Questions), answers
	to.Annotations = map[string]protocol.Annotation{}
	for text, annotation := range annotations {
		to.Annotations[text] = protocol.Annotation(annotation)
	}
}

// Partial is the part of an arriving call that was parsed so far.
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

// Snapshot returns a copy. It shares the texts, which only grow.
func (p *Partial) Snapshot() Partial { return Partial{p.text, p.suggest, slices.Clone(p.parts)} }

// Since returns the additions since a snapshot, and false if there are none.
func (p *Partial) Since(has Partial) (protocol.InboxGrowth, bool) {
	grown := protocol.InboxGrowth{Text: string(p.text[len(has.text):]), Suggest: suggestions(p.suggest[len(has.suggest):])}
	for i, now := range p.parts {
		var known part
		if i < len(has.parts) {
			known = has.parts[i]
		}
		fresh := protocol.PartGrowth{
			Index: i, Text: string(now.text[len(known.text):]), MultiSelect: now.multiSelect && !known.multiSelect,
		}
		if known.header == "" {
			fresh.Header = now.header
		}
		if len(now.options) > len(known.options) {
			fresh.Options = options(now.options[len(known.options):])
		}
		if i >= len(has.parts) || fresh.Text != "" || fresh.Header != "" || fresh.MultiSelect || len(fresh.Options) > 0 {
			grown.Parts = append(grown.Parts, fresh)
		}
	}
	return grown, grown.Text != "" || len(grown.Suggest)+len(grown.Parts) > 0
}

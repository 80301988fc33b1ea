package conversation

import (
	"followup/internal/protocol"
	"followup/internal/question"
)

// Payload is what was asked, as the interface and the agent's side get it; nil for a call that is not whole or not valid.
func (r *Record) Payload() *protocol.Payload {
	switch {
	case r.Call.Followup != nil:
		asked := r.Call.Followup
		return &protocol.Payload{Followup: &protocol.Followup{Question: asked.Question, Suggest: suggestions(asked.Suggest)}}
	case r.Call.Questionnaire != nil:
		return &protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: questions(r.Call.Questionnaire.Questions)}}
	}
	return nil
}

func suggestions(from []question.Suggestion) []protocol.Suggestion {
	to := make([]protocol.Suggestion, len(from))
	for i, suggestion := range from {
		to[i] = protocol.Suggestion(suggestion)
	}
	return to
}

func questions(from []question.Question) []protocol.Question {
	to := make([]protocol.Question, len(from))
	for i, q := range from {
		to[i] = protocol.Question{
			Question: q.Question, Header: q.Header, Options: options(q.Options), MultiSelect: q.MultiSelect,
		}
	}
	return to
}

func options(from []question.Option) []protocol.Option {
	to := make([]protocol.Option, len(from))
	for i, option := range from {
		to[i] = protocol.Option(option)
	}
	return to
}

package server

import (
	"followup/internal/protocol"
	"followup/internal/question"
)

// payload is what was asked, as the interface and the agent's side get it; nil for a call that is not whole or not valid.
func payload(r *record) *protocol.Payload {
	switch {
	case r.call.Followup != nil:
		asked := r.call.Followup
		return &protocol.Payload{Followup: &protocol.Followup{Question: asked.Question, Suggest: suggestions(asked.Suggest)}}
	case r.call.Questionnaire != nil:
		return &protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: questions(r.call.Questionnaire.Questions)}}
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

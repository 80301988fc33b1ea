package conversation

import (
	"followup/internal/dialect"
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

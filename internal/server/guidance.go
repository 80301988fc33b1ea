package server

import (
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

// DefaultMistakeLimit is how many invalid calls in a row lead to the user being asked for guidance.
const DefaultMistakeLimit = 3

// askForGuidance puts a request for guidance in the inbox. It stands beside the questions, not in their queue.
func (s *Server) askForGuidance(failed *record, id string) {
	c := failed.session
	count := c.state.Mistakes.Count()
	r := s.newRecord(c, id, "")
	r.state = protocol.ItemPending
	r.guidance = &protocol.Guidance{ConsecutiveMistakes: count, Error: *callError(failed)}
	r.call.Followup = &question.Followup{
		Question: s.locale.Text(locale.GuidanceQuestion, c.agent, count), Suggest: []question.Suggestion{},
	}
	s.touch(r)
	s.inboxChanged(r)
	s.watchNotShown(r)
}

// held notes that an invalid call is not answered before the user has given guidance.
func (s *Server) held(r, guidance *record) {
	if r.state == protocol.ItemHeld && r.guidedBy == guidance {
		return
	}
	if r.state == protocol.ItemStreaming {
		s.inboxRemoved(r)
	}
	r.state, r.guidedBy = protocol.ItemHeld, guidance
	s.touch(r)
}

// guided adds the user's guidance to what the agent is told of its invalid call.
func (s *Server) guided(r *record) {
	if r.guidedBy == nil || r.guidedBy.outcome.Outcome != protocol.OutcomeAnswered {
		return
	}
	r.answer.Text += "\n\n" + dialect.Result(string(r.session.resultTag), r.guidedBy.outcome.Text)
	r.answer.Images = r.guidedBy.answer.Images
}

// failed is the event of an invalid call, with an id for the request for guidance that it may lead to.
func (s *Server) failed(r *record) session.Failed {
	return session.Failed{ID: r.id, Guidance: s.options.NewID()}
}

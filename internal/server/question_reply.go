package server

import (
	"context"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

func (s *Server) questionReply(_ context.Context, p protocol.ReplyParams) (protocol.CloseResult, error) {
	images, ok := decodeImages(p.Images)
	s.enter()
	defer s.leave()
	r, done, err := s.answerable(p.QuestionID)
	if r == nil || err != nil {
		return done, err
	}
	switch {
	case r.call.Questionnaire == nil:
		return done, s.refuse(question.NoQuestionnaire)
	case !ok:
		return done, s.refuse(question.ImageType)
	}
	answers, code := r.call.Questionnaire.ResolveReply(p.Text, picks(p.Picks), images)
	if code != "" {
		return done, s.refuse(code)
	}
	outcome := protocol.ItemOutcome{Text: p.Text, Picks: protocolPicks(answers.Picks)}
	return s.give(r, outcome, p.Images, p.Locations, session.Replied{ID: r.id}), nil
}

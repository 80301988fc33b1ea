package server

import (
	"context"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

func (s *Server) questionAnswer(_ context.Context, p protocol.AnswerParams) (protocol.CloseResult, error) {
	images, ok := decodeImages(p.Images)
	s.enter()
	defer s.leave()
	r, done, err := s.answerable(p.QuestionID)
	if r == nil || err != nil {
		return done, err
	}
	if !ok {
		return done, s.refuse(question.ImageType)
	}
	outcome, code := resolve(r, p, images)
	if code != "" {
		return done, s.refuse(code)
	}
	return s.give(r, outcome, p.Images, p.Locations, session.Answered{ID: r.id}), nil
}

// resolve checks an answer to what was asked, and gives it as it is recorded.
func resolve(r *record, p protocol.AnswerParams, images []question.Image) (protocol.ItemOutcome, question.Code) {
	if asked := r.call.Questionnaire; asked != nil {
		answers, code := asked.Resolve(picks(p.Picks), images)
		return protocol.ItemOutcome{
			Provenance: protocol.Provenance(answers.Provenance), Picks: protocolPicks(answers.Picks),
		}, code
	}
	answer, code := r.call.Followup.Resolve(question.Answer{
		Provenance: question.Provenance(p.Provenance), Text: p.Text, Mode: p.Mode, Suggestion: p.Suggestion, Images: images,
	})
	return protocol.ItemOutcome{
		Provenance: protocol.Provenance(answer.Provenance), Text: answer.Text, Mode: answer.Mode, Suggestion: answer.Suggestion,
	}, code
}

// answerable finds a question that can be answered. Where there is none to answer, the record is nil: one that has its
// outcome keeps it.
func (s *Server) answerable(id string) (*record, protocol.CloseResult, error) {
	r, err := s.record(id)
	switch {
	case err != nil:
		return nil, protocol.CloseResult{}, err
	case r.state == protocol.ItemClosed:
		return nil, protocol.CloseResult{Outcome: *r.outcome}, nil
	case r.state != protocol.ItemPending:
		return nil, protocol.CloseResult{}, s.refusal(session.ErrNotPending)
	}
	return r, protocol.CloseResult{}, nil
}

// give records what the user gave and ends the question by the event.
func (s *Server) give(
	r *record, outcome protocol.ItemOutcome, images []protocol.Image, locations []protocol.Location, e session.Event,
) protocol.CloseResult {
	outcome.Images = len(images)
	r.outcome, r.answer.Images, r.answerLocations = &outcome, images, locations
	s.mustApply(r.session, e)
	return s.closed(r)
}

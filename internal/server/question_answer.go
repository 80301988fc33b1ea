package server

import (
	"context"
	"encoding/base64"
	"errors"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
	"followup/internal/session"
)

func (s *Server) questionAnswer(_ context.Context, p protocol.AnswerParams) (protocol.CloseResult, error) {
	given := question.Answer{
		Provenance: question.Provenance(p.Provenance), Text: p.Text, Mode: p.Mode, Suggestion: p.Suggestion,
	}
	for _, image := range p.Images {
		data, err := base64.StdEncoding.DecodeString(image.Data)
		if err != nil {
			return protocol.CloseResult{}, s.refuse(question.ImageType)
		}
		given.Images = append(given.Images, question.Image{MimeType: image.MimeType, Data: data})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.record(p.QuestionID)
	if err != nil {
		return protocol.CloseResult{}, err
	}
	switch r.state {
	case protocol.ItemClosed:
		return protocol.CloseResult{Outcome: *r.outcome}, nil
	case protocol.ItemPending:
	default:
		return protocol.CloseResult{}, s.refusal(session.ErrNotPending)
	}
	answer, code := r.call.Followup.Resolve(given)
	if code != "" {
		return protocol.CloseResult{}, s.refuse(code)
	}
	r.outcome = &protocol.ItemOutcome{
		Provenance: protocol.Provenance(answer.Provenance), Text: answer.Text, Mode: answer.Mode,
		Suggestion: answer.Suggestion, Images: len(answer.Images),
	}
	r.answer.Images = p.Images
	r.answerLocations = p.Locations
	s.mustApply(r.session, session.Answered{ID: r.id})
	return protocol.CloseResult{Accepted: true, Outcome: *r.outcome}, nil
}

// refuse tells the user why an answer cannot be taken.
func (s *Server) refuse(code question.Code) error {
	var args []any
	switch code {
	case question.TooManyImages:
		args = []any{question.MaxImages}
	case question.ImageTooLarge:
		args = []any{question.MaxImageBytes >> 20}
	}
	return rpc.Errorf(protocol.CodeRefused, "%s", s.locale.Text(locale.Key("refused."+string(code)), args...))
}

// refusal words the machine's errors for the user.
func (s *Server) refusal(err error) error {
	if errors.Is(err, session.ErrNotPending) {
		return rpc.Errorf(protocol.CodeRefused, "%s", s.locale.Text(locale.RefusedNotPending))
	}
	return err
}

package server

import (
	"errors"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
	"followup/internal/session"
)

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

package server

import (
	"errors"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// kinds are the codes of errors.
var kinds = map[conversation.Kind]int64{
	conversation.Unknown: protocol.CodeUnknown, conversation.Misnamed: jsonrpc2.CodeInvalidParams, conversation.Late: jsonrpc2.CodeInvalidRequest,
	conversation.Incomplete: protocol.CodeIncomplete,
}

// isUnknown reports whether err means that the question does not exist.
func isUnknown(err error) bool {
	var wrong *conversation.Error
	return errors.As(err, &wrong) && wrong.Kind == conversation.Unknown
}

// localize gives other packages' errors their codes, and translates errors for the user.
func (s *Server) localize(err error) error {
	var refusal *locale.Refusal
	var wrong *conversation.Error
	switch {
	case errors.As(err, &refusal):
		return rpc.Errorf(protocol.CodeRefused, "%s", refusal.In(s.locale()))
	case errors.As(err, &wrong):
		return rpc.Errorf(kinds[wrong.Kind], "%s", wrong.Text)
	case errors.Is(err, conversation.ErrWithdrawn):
		return rpc.Errorf(protocol.CodeCancelled, "%s", err)
	}
	return err
}

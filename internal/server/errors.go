package server

import (
	"errors"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// kinds are the codes of what is wrong with a request.
var kinds = map[conversation.Kind]int64{
	conversation.Unknown: protocol.CodeUnknown, conversation.Misnamed: jsonrpc2.CodeInvalidParams, conversation.Late: jsonrpc2.CodeInvalidRequest,
	conversation.Incomplete: protocol.CodeIncomplete,
}

// isUnknown reports whether there is no such question.
func isUnknown(err error) bool {
	var wrong *conversation.Error
	return errors.As(err, &wrong) && wrong.Kind == conversation.Unknown
}

// word gives the errors of the rooms their codes, and what the user is told the user's language.
func (s *Server) word(err error) error {
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

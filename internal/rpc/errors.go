package rpc

import (
	"context"
	"errors"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
)

// ErrCancelled is the cause of a request's context that was ended by $/cancelRequest, rather than by the connection's end.
var ErrCancelled = errors.New("the request was cancelled")

// Errorf makes an error that reaches the peer with this code and message.
func Errorf(code int64, format string, args ...any) error {
	return &jsonrpc2.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// toWire is the one place where an error gets its code. (The library sends a plain error, and a wrapped one, as code 0.)
func toWire(err error) *jsonrpc2.Error {
	var wire *jsonrpc2.Error
	switch {
	case errors.As(err, &wire):
		return wire
	case errors.Is(err, ErrCancelled), errors.Is(err, context.Canceled):
		return &jsonrpc2.Error{Code: protocol.CodeCancelled, Message: ErrCancelled.Error()}
	default:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
	}
}

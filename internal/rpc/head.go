package rpc

import (
	"encoding/json"
	"errors"

	"github.com/sourcegraph/jsonrpc2"
)

// A Head is what somebody between two peers has to know of a message to pass it on or not. It is read by the same code that
// the peer reads it with, so that both take a message for the same.
type Head struct {
	// Response tells that it answers, and names no method.
	Response bool
	Method   string
	// ID is as it came, a string or a number; nil in a notification.
	ID json.RawMessage
}

// ReadHead reads the head of a message. Its error can be told to the sender by Refusal; the head has the message's id then, as
// far as there is one.
func ReadHead(body []byte) (Head, error) {
	in, err := decode(body)
	head := Head{Response: in.kind == aResponse, Method: in.method}
	if in.id != "" {
		head.ID = json.RawMessage(in.id)
	}
	switch {
	case errors.Is(err, errNotJSON):
		err = Errorf(jsonrpc2.CodeParseError, "%v", err)
	case err != nil:
		err = Errorf(jsonrpc2.CodeInvalidRequest, "%v", err)
	}
	return head, err
}

// Refusal is the response that tells the sender of a message what is wrong with it.
func Refusal(h Head, why error) ([]byte, error) {
	return answer(id(h.ID), "error", toWire(why))
}

// IsTooLarge reports whether ReadFrame has skipped a message because of its size. The connection goes on behind it.
func IsTooLarge(err error) bool { return errors.Is(err, errTooLarge) }

// Rejection is the answer to a message that is not one.
func Rejection(why error) []byte {
	body, err := answer("", "error", jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: why.Error()})
	if err != nil {
		panic(err) // a code and a text can be written
	}
	return body
}

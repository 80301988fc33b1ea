package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	fast "github.com/segmentio/encoding/json"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/bounded"
	"followup/internal/protocol"
)

// A Head is a message without its content: enough to respond to it or forward it. A connection parses messages with it, too, so
// that a relay and the peer behind it never interpret one differently.
//
// The library would decode params into maps and encode them again, which multiplies the cost of a hostile message.
type Head struct {
	// Response reports whether the message is a response. It has no method then.
	Response bool
	Method   string
	// ID is a number as received, or a string in canonical form. It is nil in a notification.
	ID json.RawMessage
	// Params are nil if absent.
	Params json.RawMessage
}

// The reasons to reject a message, for its sender.
var (
	errNotJSON   = &jsonrpc2.Error{Code: jsonrpc2.CodeParseError, Message: "the message is not JSON"}
	errNoObject  = &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the message is not an object; batches are not supported"}
	errNoMessage = &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the message is neither a request nor a response"}
	errNoID      = &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the id is neither a string nor a number"}
	errLongID    = &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: fmt.Sprintf("the id is longer than %d bytes", maxID)}
	errLongName  = &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: fmt.Sprintf("the method's name is longer than %d bytes", maxMethod)}
)

// maxID and maxMethod limit in bytes what responses and the log repeat of a message.
const (
	maxID     = 1 << 10
	maxMethod = 200
)

// maxBrackets limits the depth of messages for the fast library, whose recursion has no limit and would overflow the stack.
const maxBrackets = 10_000

// ReadHead parses the head of a message. Response can send its error; the head then has the message's id, if it could be parsed. The params
// are a part of body, since a copy of a large message would take as much memory again.
func ReadHead(body []byte) (Head, error) {
	var message *struct {
		ID     json.RawMessage `json:"id"`
		Method json.RawMessage `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	unmarshal := unmarshalFast
	if bytes.Count(body, []byte{'['})+bytes.Count(body, []byte{'{'}) > maxBrackets {
		unmarshal = json.Unmarshal
	}
	switch err := unmarshal(body, &message); {
	case err != nil && !json.Valid(body):
		return Head{}, errNotJSON
	case err != nil || message == nil:
		return Head{}, errNoObject
	}
	if len(message.ID) > maxID {
		return Head{}, errLongID
	}
	id, isID := readID(bytes.Clone(message.ID))
	head := Head{ID: id, Params: message.Params}
	if message.ID != nil && !isID {
		return head, errNoID
	}
	if message.Method == nil && (message.Result != nil || message.Error != nil) {
		head.Response = true
		return head, nil
	}
	if len(message.Method) > maxMethod {
		return head, errLongName
	}
	if !bytes.HasPrefix(message.Method, []byte{'"'}) || json.Unmarshal(message.Method, &head.Method) != nil {
		return head, errNoMessage
	}
	return head, nil
}

// unmarshalFast is json.Unmarshal, except that a json.RawMessage is a part of body.
func unmarshalFast(body []byte, into any) error {
	rest, err := fast.Parse(body, into, fast.DontCopyRawMessage)
	if err == nil && len(rest) > 0 {
		err = errNotJSON
	}
	return err
}

// readID returns an id in canonical form, so that ids can be compared.
func readID(raw json.RawMessage) (id json.RawMessage, ok bool) {
	var text string
	switch {
	case len(raw) == 0:
		return nil, false
	case raw[0] == '"' && json.Unmarshal(raw, &text) == nil:
		id, err := json.Marshal(text)
		return id, err == nil
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		return raw, true
	}
	return nil, false
}

// Response returns the response to a request: its result, or its error if err is not nil. id is nil if it could not be parsed.
func Response(id json.RawMessage, result any, err error) ([]byte, error) {
	message := struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  *any            `json:"result,omitempty"`
		Error   *jsonrpc2.Error `json:"error,omitempty"`
	}{Version: "2.0", ID: id}
	if err != nil {
		message.Error = toWire(err)
	} else {
		message.Result = &result
	}
	return encode(message)
}

// Message returns a request, or a notification if the id is nil.
func Message(id json.RawMessage, method string, params any) ([]byte, error) {
	return encode(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id,omitempty"`
		Method  string          `json:"method"`
		Params  any             `json:"params"`
	}{"2.0", id, method, params})
}

// encode returns a value as JSON. Unlike json.Marshal, it copies a long one only once, and writes <, > and & as one byte instead
// of six, since no message is embedded in HTML.
func encode(value any) ([]byte, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(body.Bytes(), []byte{'\n'}), err
}

// ErrCancelled is the cause of a request's context that $/cancelRequest has ended, rather than the connection's end.
var ErrCancelled = errors.New("the request was cancelled")

// Errorf returns an error with a code and a message for the peer. It shortens long texts among the arguments.
func Errorf(code int64, format string, args ...any) error {
	return &jsonrpc2.Error{Code: code, Message: fmt.Sprintf(format, bounded.Args(args)...)}
}

// toWire determines the code of an error, for all responses. (The library sends plain and wrapped errors as code 0.)
func toWire(err error) *jsonrpc2.Error {
	var wire *jsonrpc2.Error
	switch {
	case errors.As(err, &wire):
		return &jsonrpc2.Error{Code: wire.Code, Message: bounded.Text(wire.Message), Data: wire.Data}
	case errors.Is(err, ErrCancelled), errors.Is(err, context.Canceled):
		return &jsonrpc2.Error{Code: protocol.CodeCancelled, Message: ErrCancelled.Error()}
	default:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: bounded.Text(err.Error())}
	}
}

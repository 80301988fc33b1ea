package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"
)

// objectStream is a jsonrpc2.ObjectStream that outlives a malformed message and never blocks its sender. (The library's own
// streams end the connection at the first malformed message, without a word, and write in the sender's goroutine.)
type objectStream struct {
	in     *bufio.Reader
	closer io.Closer
	out    *outbox
	log    *zap.Logger
	trace  func(direction string, body []byte)
	begin  func(incoming)     // takes the requests that the library does not see
	cancel context.CancelFunc // ends what was begun

	mu     sync.Mutex
	closed bool  // by this side, so that reading fails for no fault of the peer's
	err    error // why reading ended; nil at a clean end
}

var _ jsonrpc2.ObjectStream = (*objectStream)(nil)

// ReadObject reads up to the next message that is the library's. Requests are begun on the way, and what is no message is
// answered: the library has no way to answer one whose id cannot be told.
func (s *objectStream) ReadObject(v any) error {
	for {
		if s.in.Buffered() == 0 {
			// The read may block its thread, and what waits for the writer would go only when the scheduler finds out.
			runtime.Gosched()
		}
		body, err := readFrame(s.in)
		switch {
		case errors.Is(err, errTooLarge):
			s.reject(nil, jsonrpc2.CodeInvalidRequest, err.Error())
			continue
		case err != nil:
			s.ended(err)
			return io.EOF
		}
		s.trace("received", body)
		if req, ok := readIncoming(body); ok {
			s.begin(req)
			continue
		}
		if !json.Valid(body) {
			s.reject(nil, jsonrpc2.CodeParseError, "the message is not JSON")
			continue
		}
		if bytes.TrimLeft(body, " \t\r\n")[0] != '{' {
			s.reject(nil, jsonrpc2.CodeInvalidRequest, "the message is not an object; batches are not supported")
			continue
		}
		if err := json.Unmarshal(body, v); err != nil {
			s.reject(messageID(body), jsonrpc2.CodeInvalidRequest, "the message is neither a request nor a response: "+err.Error())
			continue
		}
		return nil
	}
}

// messageID is the id of a message that could not be read otherwise; null where it has none that could be answered.
func messageID(body []byte) json.RawMessage {
	var message struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(body, &message) != nil || len(message.ID) == 0 {
		return nil
	}
	if first := message.ID[0]; first == '{' || first == '[' || first == 't' || first == 'f' {
		return nil
	}
	return message.ID
}

// reject answers a message that is not one.
func (s *objectStream) reject(id json.RawMessage, code int64, message string) {
	s.log.Warn("rejected a message", zap.Int64("code", code), zap.String("reason", message))
	if id == nil {
		id = json.RawMessage("null")
	}
	body, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   jsonrpc2.Error  `json:"error"`
	}{"2.0", id, jsonrpc2.Error{Code: code, Message: message}})
	if err != nil {
		s.log.Error("could not write a rejection", zap.Error(err))
		return
	}
	s.send(body)
}

// WriteObject queues a message. It fails only on a message that is no JSON or after the connection's end.
func (s *objectStream) WriteObject(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if !s.send(body) {
		return jsonrpc2.ErrClosed
	}
	return nil
}

func (s *objectStream) send(body []byte) bool {
	s.trace("sent", body)
	return s.out.put(body)
}

// ended notes why reading ended.
func (s *objectStream) ended(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && !errors.Is(err, io.EOF) {
		s.err = err
	}
}

// Close ends the reading; what is in the outbox is still written.
func (s *objectStream) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.out.close()
	return s.closer.Close()
}

func (s *objectStream) readError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

package rpc

import (
	"bufio"
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
	begin  func(incoming)     // takes requests and notifications
	ctx    context.Context    // of what is begun
	cancel context.CancelFunc // ends it

	mu     sync.Mutex
	closed bool  // by this side, so that reading fails for no fault of the peer's
	err    error // why reading ended; nil at a clean end
}

var _ jsonrpc2.ObjectStream = (*objectStream)(nil)

// ReadObject reads up to the next response, which is the library's. Requests are begun on the way, and what is no message is
// answered.
func (s *objectStream) ReadObject(v any) error {
	for {
		s.out.room(s.ctx)
		if s.in.Buffered() == 0 {
			// The read may block its thread, and what waits for the writer would go only when the scheduler finds out.
			runtime.Gosched()
		}
		body, err := ReadFrame(s.in)
		switch {
		case errors.Is(err, errTooLarge):
			s.reject("", jsonrpc2.CodeInvalidRequest, err)
			continue
		case err != nil:
			s.ended(err)
			return io.EOF
		}
		s.trace("received", body)
		in, err := decode(body)
		switch {
		case errors.Is(err, errNotJSON):
			s.reject("", jsonrpc2.CodeParseError, err)
		case err != nil:
			s.reject(in.id, jsonrpc2.CodeInvalidRequest, err)
		case in.kind != aResponse:
			s.begin(in)
		default:
			if err := json.Unmarshal(body, v); err == nil {
				return nil
			}
			s.reject(in.id, jsonrpc2.CodeInvalidRequest, errNoMessage)
		}
	}
}

// reject answers a message that is not one.
func (s *objectStream) reject(to id, code int64, why error) {
	s.log.Warn("rejected a message", zap.Int64("code", code), zap.String("reason", why.Error()))
	body, err := answer(to, "error", jsonrpc2.Error{Code: code, Message: why.Error()})
	if err != nil {
		s.log.Error("could not write a rejection", zap.Error(err))
		return
	}
	s.send(body)
}

// WriteObject queues a message. It fails only on a message that is no JSON or after the connection's end.
func (s *objectStream) WriteObject(v any) error {
	body, err := encode(v)
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

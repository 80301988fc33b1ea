package rpc

import (
	"encoding/json"
	"errors"
	"io"
	"runtime"

	"github.com/sourcegraph/jsonrpc2"
)

// stream is the connection for the library's read loop. The library's own streams end the connection at the first malformed
// message without a response, and write in the sender's goroutine.
type stream struct{ *Conn }

// ReadObject reads up to the next response, which the library handles. It begins the requests before it, in order.
func (s stream) ReadObject(v any) error {
	<-s.dialed
	for {
		s.out.room(s.options.MaxQueued)
		if s.in.Buffered() == 0 {
			// The read may block its thread, which would delay the writer until the scheduler notices.
			runtime.Gosched()
		}
		body, err := ReadFrame(s.in)
		var head Head
		if err == nil {
			s.tracer.Trace("received", body)
			head, err = ReadHead(body)
		}
		var malformed *jsonrpc2.Error
		switch {
		case errors.As(err, &malformed):
			s.reply(head, nil, err)
		case err != nil:
			s.endedBy(err)
			return io.EOF
		case !head.Response:
			s.take(head)
		case json.Unmarshal(body, v) == nil:
			return nil
		default:
			s.reply(head, nil, errNoMessage)
		}
	}
}

// WriteObject queues a message. It fails only if the message cannot be encoded, or after the connection's end.
func (s stream) WriteObject(v any) error {
	body, err := encode(v)
	if err == nil && !s.out.Send(body) {
		err = jsonrpc2.ErrClosed
	}
	return err
}

// Close ends reading. Queued messages are still written.
func (s stream) Close() error {
	s.endedBy(nil)
	s.cancel()
	s.out.Close()
	return s.options.In.Close()
}

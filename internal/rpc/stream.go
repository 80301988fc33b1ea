package rpc

import (
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"sync"

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
			s.takeInTurn(head, len(body))
		case json.Unmarshal(body, v) == nil:
			return nil
		default:
			s.reply(head, nil, errNoMessage)
		}
	}
}

// largeMessage is the size in bytes from which the messages of all connections are decoded one after the other: each takes several times
// its size meanwhile.
const largeMessage = 1 << 20

// hugeMessage is the size in bytes from which the memory of a message is collected at once.
const hugeMessage = 16 << 20

// decoding is held while a large message is decoded. Handlers do not block then.
var decoding sync.Mutex

// takeInTurn handles a message of the given size.
func (s stream) takeInTurn(head Head, size int) {
	if size >= largeMessage {
		decoding.Lock()
		defer decoding.Unlock()
	}
	s.take(head)
	if size >= hugeMessage {
		runtime.GC() // otherwise the heap may double before its garbage is collected
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

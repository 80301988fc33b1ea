package rpc

import (
	"errors"
	"io"
	"sync"
)

// A Writer sends messages without blocking the sender: it queues them, and one goroutine writes them. A peer that reads slowly,
// or not at all, therefore never delays reading its own messages.
type Writer struct {
	to     io.Writer
	tracer *Tracer
	limit  int
	onFull func() // called once when the limit is exceeded

	mu      sync.Mutex
	changed *sync.Cond // the queue has changed, or the writer was closed
	queue   []message
	bytes   int             // the size of the queue in bytes
	keys    map[string]bool // of the queued messages
	closed  bool
	done    chan struct{} // see Done
}

// errBacklog is the reason when a connection ends because its peer does not read.
var errBacklog = errors.New("the peer does not read its messages")

// message is a queued message, which is built when it is written.
type message struct {
	key   string
	size  int
	build func() []byte
}

// overhead is the approximate cost of a queued message besides its bytes.
const overhead = 1 << 8

// NewWriter returns a Writer. If more than limit bytes are queued, it drops them, ends, and calls onFull. Zero means no limit.
func NewWriter(to io.Writer, tracer *Tracer, limit int, onFull func()) *Writer {
	w := &Writer{to: to, tracer: tracer, limit: limit, onFull: onFull, keys: map[string]bool{}, done: make(chan struct{})}
	w.changed = sync.NewCond(&w.mu)
	go w.run()
	return w
}

// Send queues the bytes of a message. It reports false if the writer has ended.
func (w *Writer) Send(body []byte) bool {
	return w.add(message{size: overhead + len(body), build: func() []byte { return body }})
}

// sendLater queues a message that is built when it is written, unless one with the same key is queued: that one will be as new.
// An empty key is never the same. If build returns nil, nothing is sent.
func (w *Writer) sendLater(key string, build func() []byte) { w.add(message{key, overhead, build}) }

func (w *Writer) add(m message) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.closed:
		return false
	case w.keys[m.key]:
		return true
	case w.limit > 0 && w.bytes > w.limit:
		w.end()
		go w.onFull()
		return false
	}
	if m.key != "" {
		w.keys[m.key] = true
	}
	w.queue = append(w.queue, m)
	w.bytes += m.size
	w.changed.Broadcast()
	return true
}

// room blocks until at most that many bytes are queued, or the writer is closed. Zero means no limit.
func (w *Writer) room(most int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for most > 0 && w.bytes > most && !w.closed {
		w.changed.Wait()
	}
}

// end drops the queue. The caller holds mu.
func (w *Writer) end() {
	w.closed, w.queue = true, nil
	w.changed.Broadcast()
}

// Close ends the writer once its queue is written.
func (w *Writer) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.changed.Broadcast()
}

// Done returns a channel that is closed when the last message is written, or cannot be.
func (w *Writer) Done() <-chan struct{} { return w.done }

func (w *Writer) run() {
	defer close(w.done)
	for {
		m, more := w.next()
		if !more {
			return
		}
		body := m.build()
		if body == nil {
			continue
		}
		w.tracer.Trace("sent", body)
		if WriteFrame(w.to, body) != nil {
			w.mu.Lock()
			w.end()
			w.mu.Unlock()
			return
		}
	}
}

// next blocks until a message is queued. It reports false if the writer has ended.
func (w *Writer) next() (message, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.queue) == 0 {
		if w.closed {
			return message{}, false
		}
		w.queue = nil // frees the backlog's memory
		w.changed.Wait()
	}
	m := w.queue[0]
	w.queue[0] = message{}
	w.queue = w.queue[1:]
	w.bytes -= m.size
	w.changed.Broadcast()
	delete(w.keys, m.key) // it may be built before the next change arrives
	return m, true
}

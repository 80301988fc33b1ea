package rpc

import (
	"io"
	"sync"
)

// outbox is the only writer of a connection. Whoever sends puts a message in and goes on, so that a peer which reads
// slowly, or not at all, never holds up the reading of its own messages.
type outbox struct {
	w io.Writer

	mu     sync.Mutex
	queue  []entry
	lazy   map[string]bool // the keys that stand in the queue
	wake   chan struct{}   // holds one token while there may be something to do
	closed bool
	done   chan struct{} // closed when the writer has ended
	err    error         // why it ended early
}

// entry is one message: its bytes, or how to make them once it is its turn.
type entry struct {
	body []byte
	key  string
	make func() []byte // nil where the bytes are there
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{w: w, lazy: map[string]bool{}, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go o.run()
	return o
}

// put queues the bytes of one message. It reports false when the connection can no longer be written to.
func (o *outbox) put(body []byte) bool {
	return o.add(entry{body: body})
}

// putLazy queues a message that is made when its turn comes. While one of the same key still waits, it does nothing: that
// one will tell what is new as well. Make may return nil when there is nothing to tell after all.
func (o *outbox) putLazy(key string, build func() []byte) {
	o.add(entry{key: key, make: build})
}

func (o *outbox) add(e entry) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return false
	}
	if e.key != "" {
		if o.lazy[e.key] {
			return true
		}
		o.lazy[e.key] = true
	}
	o.queue = append(o.queue, e)
	o.signal()
	return true
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// close ends the outbox once everything in it is written; done is closed then.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.signal()
}

func (o *outbox) run() {
	defer close(o.done)
	for range o.wake {
		for {
			e, more := o.take()
			if !more {
				break
			}
			body := e.body
			if e.make != nil {
				body = e.make()
			}
			if body == nil {
				continue
			}
			if err := WriteFrame(o.w, body); err != nil {
				o.fail(err)
				return
			}
		}
		if o.finished() {
			return
		}
	}
}

func (o *outbox) take() (entry, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 {
		o.queue = nil // lets go of a backlog's memory
		return entry{}, false
	}
	e := o.queue[0]
	o.queue[0] = entry{}
	o.queue = o.queue[1:]
	// From here on a change is told by the next message of this key: this one may be made already.
	delete(o.lazy, e.key)
	return e, true
}

func (o *outbox) finished() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.closed && len(o.queue) == 0
}

func (o *outbox) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed, o.queue, o.err = true, nil, err
}

package rpc

import (
	"context"
	"errors"
	"io"
	"sync"
)

// outbox is the only writer of a connection. Whoever sends puts a message in and goes on, so that a peer which reads
// slowly, or not at all, never holds up the reading of its own messages.
type outbox struct {
	w    io.Writer
	most int // see Options.MaxQueued
	end  int // see Options.MaxBacklog

	mu     sync.Mutex
	queue  []entry
	queued int             // the size of what stands in it
	roomy  chan struct{}   // closed when there is room again; nil while nobody waits for it
	lazy   map[string]bool // the keys that stand in the queue
	wake   chan struct{}   // holds one token while there may be something to do
	closed bool
	done   chan struct{} // closed when the writer has ended
	err    error         // why it ended early
	full   func()        // called once when the backlog is exceeded; nil for nothing
}

// errBacklog is why a connection ends whose peer does not read.
var errBacklog = errors.New("the peer does not read what it is sent")

// entry is one message: its bytes, or how to make them once it is its turn.
type entry struct {
	body []byte
	key  string
	make func() []byte // nil where the bytes are there
}

// size is what an entry costs, about.
func (e entry) size() int { return len(e.body) + 1<<8 }

func newOutbox(w io.Writer, most, end int) *outbox {
	o := &outbox{w: w, most: most, end: end, lazy: map[string]bool{}, wake: make(chan struct{}, 1), done: make(chan struct{})}
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
	if o.end > 0 && o.queued > o.end {
		o.closed, o.queue, o.err = true, nil, errBacklog
		o.wakeRoom()
		if o.full != nil {
			go o.full()
		}
		return false
	}
	o.queue = append(o.queue, e)
	o.queued += e.size()
	o.signal()
	return true
}

// onFull sets what is called once when the backlog is exceeded.
func (o *outbox) onFull(call func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.full = call
}

// room waits until no more stands in the queue than may, the connection has ended or ctx has.
func (o *outbox) room(ctx context.Context) {
	for {
		roomy := o.crowded()
		if roomy == nil {
			return
		}
		select {
		case <-roomy:
		case <-ctx.Done():
			return
		}
	}
}

// crowded tells that there is no room, by what is closed when there is again.
func (o *outbox) crowded() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.most == 0 || o.closed || o.queued <= o.most {
		return nil
	}
	if o.roomy == nil {
		o.roomy = make(chan struct{})
	}
	return o.roomy
}

// wakeRoom lets go on who waits for room; it is called with the lock.
func (o *outbox) wakeRoom() {
	if o.roomy != nil {
		close(o.roomy)
		o.roomy = nil
	}
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
	if o.queued -= e.size(); o.queued <= o.most {
		o.wakeRoom()
	}
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
	o.wakeRoom()
}

// A Writer sends messages without blocking the sender.
type Writer struct{ out *outbox }

// NewWriter makes one. If more than backlog bytes wait to be read, what waits is dropped, and full is called once.
func NewWriter(w io.Writer, backlog int, full func()) *Writer {
	o := newOutbox(w, 0, backlog)
	o.onFull(full)
	return &Writer{o}
}

// Send queues one message.
func (w *Writer) Send(body []byte) { w.out.put(body) }

// Close ends it once everything is written; Done is closed then.
func (w *Writer) Close() { w.out.close() }

// Done is closed when the last message is written, or cannot be.
func (w *Writer) Done() <-chan struct{} { return w.out.done }

// Package rpc is what github.com/sourcegraph/jsonrpc2 leaves to its users: typed handlers, messages begun in the order of
// their arrival, one writer that never blocks a sender, cancellation, survival of panics and of malformed messages, and
// one place where errors get their codes.
package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
)

// Options are what a connection runs on.
type Options struct {
	// In and Out are the two directions. In is closed when the connection ends, so that a blocked read returns.
	In  io.ReadCloser
	Out io.Writer
	// Log gets what goes wrong, and the traffic while it is traced.
	Log *zap.Logger
	// MaxQueued is how many bytes may wait to be read by the peer before its own messages are left unread; 0: any number.
	MaxQueued int
	// MaxBacklog is how many bytes may wait to be read by the peer before the connection is closed. Zero means no limit.
	MaxBacklog int
	// Waiting is how many of the peer's requests may be under way, of those that may have to wait; nil: any number.
	Waiting *Bound
}

// A Bound is how many requests may be under way at once, on all connections that share it.
type Bound struct {
	most int64
	now  atomic.Int64
}

// NewBound makes a bound of so many.
func NewBound(most int) *Bound { return &Bound{most: int64(most)} }

func (b *Bound) enter() error {
	if b != nil && b.now.Add(1) > b.most {
		b.now.Add(-1)
		return Errorf(protocol.CodeBusy, "%d requests are under way; no more are taken until some are answered", b.most)
	}
	return nil
}

func (b *Bound) leave() {
	if b != nil {
		b.now.Add(-1)
	}
}

// A Conn is one side of a connection.
type Conn struct {
	router *Router
	log    *zap.Logger
	bound  *Bound
	stream *objectStream
	conn   *jsonrpc2.Conn
	dialed chan struct{} // closed when conn is set
	done   chan struct{} // see Done
	tracer *Tracer

	mu       sync.Mutex
	inFlight map[id]context.CancelCauseFunc
	waiting  sync.WaitGroup
}

// Dial begins a connection. It lasts until the input ends, Close is called, or ctx ends.
func Dial(ctx context.Context, router *Router, o Options) *Conn {
	c := &Conn{
		router: router, log: o.Log, bound: o.Waiting, dialed: make(chan struct{}), done: make(chan struct{}), inFlight: map[id]context.CancelCauseFunc{},
		tracer: NewTracer(o.Log),
	}
	ctx, cancel := context.WithCancel(ctx)
	c.stream = &objectStream{
		in: bufio.NewReaderSize(o.In, 64<<10), closer: o.In, out: newOutbox(o.Out, o.MaxQueued, o.MaxBacklog), log: o.Log, trace: c.tracer.Trace,
		begin: func(req incoming) { c.take(ctx, req) }, ctx: ctx, cancel: cancel,
	}
	c.conn = jsonrpc2.NewConn(ctx, c.stream, c, jsonrpc2.SetLogger(printer{o.Log}))
	c.stream.out.onFull(func() {
		c.log.Warn("the connection is closed: its peer does not read", zap.Int("bytes", o.MaxBacklog))
		c.stream.ended(errBacklog)
		c.Close()
	})
	close(c.dialed)
	go func() {
		<-c.conn.DisconnectNotify()
		c.waiting.Wait()
		close(c.done)
	}()
	return c
}

// printer takes the library's own log lines.
type printer struct{ log *zap.Logger }

func (p printer) Printf(format string, args ...any) { p.log.Warn(fmt.Sprintf(format, args...)) }

// Close ends the connection. What has been sent is still written, if the peer reads it; Flushed tells when.
func (c *Conn) Close() { _ = c.conn.Close() }

// Ended is closed when the connection has ended.
func (c *Conn) Ended() <-chan struct{} { return c.conn.DisconnectNotify() }

// Done is closed when the connection has ended and no handler runs any more.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Flushed is closed when everything that was sent before the connection's end has been written, or cannot be.
func (c *Conn) Flushed() <-chan struct{} { return c.stream.out.done }

// Room waits until the peer has read enough of what it was sent, as far as Options.MaxQueued says.
func (c *Conn) Room(ctx context.Context) { c.stream.out.room(ctx) }

// Err tells why the connection ended: nil at a clean end of the input, an error that wraps ErrFraming where the bytes could
// not be understood.
func (c *Conn) Err() error { return c.stream.readError() }

// SetTrace turns the logging of the traffic on and off.
func (c *Conn) SetTrace(value lsp.Trace) { c.tracer.Set(value) }

// Notify sends a notification. It never blocks.
func Notify[P any](c *Conn, m protocol.Notification[P], params P) {
	body, err := notification(m.Method, params)
	if err != nil {
		c.log.Error("could not write a notification", zap.String("method", m.Method), zap.Error(err))
		return
	}
	c.stream.send(body)
}

// NotifyLater sends a notification whose params are made when the line is free for them. Calls with the same key are
// joined until then. Build reports false when there is nothing to tell after all.
func NotifyLater[P any](c *Conn, m protocol.Notification[P], key string, build func() (P, bool)) {
	c.stream.out.putLazy(m.Method+" "+key, func() []byte {
		var params P
		ok := false
		if err := c.made(m.Method, func() { params, ok = build() }); err != nil || !ok {
			return nil
		}
		body, err := notification(m.Method, params)
		if err != nil {
			c.log.Error("could not write a notification", zap.String("method", m.Method), zap.Error(err))
			return nil
		}
		c.tracer.Trace("sent", body)
		return body
	})
}

func notification(method string, params any) ([]byte, error) {
	return encode(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
}

// encode returns a value as JSON. Unlike json.Marshal, it copies a long one only once, and writes <, > and & as one byte instead of six: no
// message stands in HTML.
func encode(value any) ([]byte, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(body.Bytes(), []byte{'\n'}), err
}

// Call sends a request and waits for its result.
func Call[P, R any](ctx context.Context, c *Conn, m protocol.Request[P, R], params P) (R, error) {
	var result R
	err := c.conn.Call(ctx, m.Method, params, &result)
	return result, err
}

// CallAs is Call with an id of the caller's, by which the request can be cancelled.
func CallAs[P, R any](ctx context.Context, c *Conn, id jsonrpc2.ID, m protocol.Request[P, R], params P) (R, error) {
	var result R
	err := c.conn.Call(ctx, m.Method, params, &result, jsonrpc2.PickID(id))
	return result, err
}

// CallUntil is CallAs that cancels the request when ctx ends, and gives what becomes of it then: an answer may have come at the same
// moment.
func CallUntil[P, R any](ctx context.Context, c *Conn, id jsonrpc2.ID, m protocol.Request[P, R], params P) (R, error) {
	wait := Send(c, id, m, params)
	stop := context.AfterFunc(ctx, func() { Notify(c, protocol.CancelRequest, protocol.CancelParams{ID: lsp.ID(id)}) })
	defer stop()
	return wait()
}

// Send sends a request, and returns a function that waits for what becomes of it.
func Send[P, R any](c *Conn, id jsonrpc2.ID, m protocol.Request[P, R], params P) (wait func() (R, error)) {
	sent, err := c.conn.DispatchCall(context.Background(), m.Method, params, jsonrpc2.PickID(id))
	return func() (result R, _ error) {
		if err != nil {
			return result, err
		}
		err := sent.Wait(context.Background(), &result)
		return result, err
	}
}

// CallOrLeave is CallUntil that gives up at once when ctx ends: what becomes of the request then may come late, from far away.
func CallOrLeave[P, R any](ctx context.Context, c *Conn, id jsonrpc2.ID, m protocol.Request[P, R], params P) (R, error) {
	result, err := CallAs(ctx, c, id, m, params)
	if ctx.Err() != nil {
		Notify(c, protocol.CancelRequest, protocol.CancelParams{ID: lsp.ID(id)})
	}
	return result, err
}

// made calls what makes a message when its turn comes. A panic in it costs that message.
func (c *Conn) made(method string, build func()) (err error) {
	defer c.recover(method, &err)
	build()
	return nil
}

// Handle implements jsonrpc2.Handler. Requests do not pass through the library.
func (c *Conn) Handle(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) {}

// take begins one message after the other, in the order of their arrival.
func (c *Conn) take(ctx context.Context, req incoming) {
	<-c.dialed
	if req.kind == aNotification {
		if req.method == protocol.CancelRequest.Method {
			c.cancel(req)
		} else if _, err := c.begin(ctx, req); err != nil {
			c.log.Warn("a notification was not taken", zap.String("method", req.method), zap.Error(err))
		}
		return
	}
	c.mu.Lock()
	_, twice := c.inFlight[req.id]
	c.mu.Unlock()
	if twice {
		c.reply(req, nil, Errorf(jsonrpc2.CodeInvalidRequest, "a request with the id %s is under way already", req.id))
		return
	}
	var bound *Bound
	if c.router.waits[req.method] {
		bound = c.bound
	}
	if err := bound.enter(); err != nil {
		c.reply(req, nil, err)
		return
	}
	result, err := c.begin(ctx, req)
	if err != nil || result.wait == nil {
		bound.leave()
		c.reply(req, result.result, err)
		return
	}
	c.await(ctx, req, result.wait)
}

func (c *Conn) begin(ctx context.Context, req incoming) (result begun, err error) {
	defer c.recover(req.method, &err)
	if c.router.Gate != nil {
		if err := c.router.Gate(req.method); err != nil {
			return begun{}, err
		}
	}
	begin, ok := c.router.methods[req.method]
	if !ok {
		return begun{}, Errorf(jsonrpc2.CodeMethodNotFound, "there is no method %q", req.method)
	}
	return begin(ctx, req.params)
}

// await runs the second half of a request beside the reading.
func (c *Conn) await(ctx context.Context, req incoming, wait func(context.Context) (any, error)) {
	ctx, cancel := context.WithCancelCause(ctx)
	c.mu.Lock()
	c.inFlight[req.id] = cancel
	c.mu.Unlock()
	c.waiting.Go(func() {
		result, err := c.finish(ctx, req.method, wait)
		c.mu.Lock()
		delete(c.inFlight, req.id)
		c.mu.Unlock()
		c.bound.leave()
		cancel(nil)
		c.reply(req, result, err)
	})
}

func (c *Conn) finish(ctx context.Context, method string, wait func(context.Context) (any, error)) (result any, err error) {
	defer c.recover(method, &err)
	return wait(ctx)
}

// recover turns a panic into an internal error, so that one bad message does not end every conversation.
func (c *Conn) recover(method string, err *error) {
	if cause := recover(); cause != nil {
		c.log.Error("a handler panicked", zap.String("method", method), zap.Any("panic", cause), zap.ByteString("stack", debug.Stack()))
		*err = Errorf(jsonrpc2.CodeInternalError, "internal error in %s; the log has the details", method)
	}
}

func (c *Conn) cancel(req incoming) {
	var params struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(req.params, &params)
	of, ok := readID(params.ID)
	if !ok {
		c.log.Warn("a cancellation without an id")
		return
	}
	c.mu.Lock()
	cancel := c.inFlight[of]
	c.mu.Unlock()
	if cancel != nil { // otherwise it has been answered already
		cancel(ErrCancelled)
	}
}

func (c *Conn) reply(req incoming, result any, err error) {
	if late, ok := result.(late); ok && err == nil {
		c.stream.out.putLazy("", func() []byte {
			var made any
			err := c.made(req.method, func() { made = late() })
			body := c.response(req, made, err)
			c.tracer.Trace("sent", body)
			return body
		})
		return
	}
	if body := c.response(req, result, err); body != nil {
		c.stream.send(body)
	}
}

// response is the bytes of a response; nil where there can be none.
func (c *Conn) response(req incoming, result any, err error) []byte {
	member := "result"
	if err != nil {
		if c.router.Word != nil {
			err = c.router.Word(err)
		}
		wire := toWire(err)
		c.log.Info("answered with an error", zap.String("method", req.method), zap.Int64("code", wire.Code), zap.String("message", wire.Message))
		member, result = "error", wire
	}
	body, err := answer(req.id, member, result)
	if err != nil {
		c.log.Error("could not answer", zap.String("method", req.method), zap.Error(err))
		return nil
	}
	return body
}

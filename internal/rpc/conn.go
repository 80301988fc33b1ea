// Package rpc adds to github.com/sourcegraph/jsonrpc2 typed handlers that begin in the order of arrival, a writer that never
// blocks a sender, cancellation, recovery from panics and malformed messages, and one place where errors get their codes.
package rpc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime/debug"
	"sync"

	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
)

// Options configure a connection.
type Options struct {
	// In and Out are the two directions. In is closed when the connection ends, so that a blocked read returns.
	In  io.ReadCloser
	Out io.Writer
	// Log receives errors and, while tracing is on, the messages.
	Log *zap.Logger
	// MaxQueued is how many bytes may be queued for the peer before its own messages are left unread. Zero means no limit.
	MaxQueued int
	// MaxBacklog is how many bytes may be queued for the peer before the connection is closed. Zero means no limit.
	MaxBacklog int
	// Slots limits, by its capacity, how many of the peer's requests may wait at once. Connections may share it. If nil, there is no limit.
	Slots chan struct{}
}

// A Conn is one side of a connection.
type Conn struct {
	options Options
	router  *Router
	log     *zap.Logger
	tracer  *Tracer
	in      *bufio.Reader
	out     *Writer
	conn    *jsonrpc2.Conn
	dialed  chan struct{} // closed when conn is set
	done    chan struct{} // see Done
	ctx     context.Context
	cancel  context.CancelFunc // ends ctx, and all handlers

	waiting  sync.WaitGroup
	mu       sync.Mutex
	inFlight map[string]context.CancelCauseFunc // by id
	ended    bool
	err      error // see Err
}

// Dial begins a connection. It lasts until the input ends, Close is called, or ctx ends.
func Dial(ctx context.Context, router *Router, o Options) *Conn {
	c := &Conn{
		options: o, router: router, log: o.Log, tracer: NewTracer(o.Log), in: bufio.NewReaderSize(o.In, 64<<10),
		dialed: make(chan struct{}), done: make(chan struct{}), inFlight: map[string]context.CancelCauseFunc{},
	}
	c.ctx, c.cancel = context.WithCancel(ctx)
	c.out = NewWriter(o.Out, c.tracer, o.MaxBacklog, func() {
		c.log.Warn("closing the connection: the peer does not read", zap.Int("bytes", o.MaxBacklog))
		c.endedBy(errBacklog)
		c.Close()
	})
	c.conn = jsonrpc2.NewConn(c.ctx, stream{c}, nil, jsonrpc2.SetLogger(zap.NewStdLog(o.Log)))
	close(c.dialed)
	go func() {
		<-c.conn.DisconnectNotify()
		c.waiting.Wait()
		close(c.done)
	}()
	return c
}

// Close ends the connection. Queued messages are still written, if the peer reads them; see Flushed.
func (c *Conn) Close() { _ = c.conn.Close() }

// Ended returns a channel that is closed when the connection ends.
func (c *Conn) Ended() <-chan struct{} { return c.conn.DisconnectNotify() }

// Done returns a channel that is closed when the connection has ended and all handlers have returned.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Flushed returns a channel that is closed when all messages from before the connection's end are written, or cannot be.
func (c *Conn) Flushed() <-chan struct{} { return c.out.Done() }

// Room blocks until at most Options.MaxQueued bytes are queued for the peer, or the connection has ended.
func (c *Conn) Room() { c.out.room(c.options.MaxQueued) }

// Err returns why the connection ended: nil at a clean end of the input, and an error that wraps errFraming if the input
// could not be split into messages.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// endedBy records why the connection ends. The first reason counts, since later ones are consequences.
func (c *Conn) endedBy(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended && !errors.Is(err, io.EOF) {
		c.err = err
	}
	c.ended = true
}

// SetTrace turns the tracing of messages on and off.
func (c *Conn) SetTrace(value lsp.Trace) { c.tracer.Set(value) }

// Notify sends a notification. It never blocks.
func Notify[P any](c *Conn, m protocol.Notification[P], params P) {
	if body := c.encoded(m.Method, func() ([]byte, error) { return Message(nil, m.Method, params) }); body != nil {
		c.out.Send(body)
	}
}

// NotifyLater sends a notification whose params are built when it is written. Until then, calls with the same key are merged. If
// build returns false, nothing is sent.
func NotifyLater[P any](c *Conn, m protocol.Notification[P], key string, build func() (P, bool)) {
	c.out.sendLater(m.Method+" "+key, func() []byte {
		return c.encoded(m.Method, func() ([]byte, error) {
			params, ok := build()
			if !ok {
				return nil, nil
			}
			return Message(nil, m.Method, params)
		})
	})
}

// encoded returns a message of a method. If it cannot be encoded, encoded logs that and returns nil.
func (c *Conn) encoded(method string, build func() ([]byte, error)) []byte {
	body, err := guard(c, method, build)
	if err != nil {
		c.log.Error("could not encode a message", zap.String("method", method), zap.Error(err))
		return nil
	}
	return body
}

// Call sends a request and blocks until its result arrives.
func Call[P, R any](ctx context.Context, c *Conn, m protocol.Request[P, R], params P) (result R, err error) {
	err = c.conn.Call(ctx, m.Method, params, &result)
	return result, err
}

// Send sends a request, and returns a function that blocks until the result arrives.
func Send[P, R any](c *Conn, id jsonrpc2.ID, m protocol.Request[P, R], params P) (wait func() (R, error)) {
	sent, err := c.conn.DispatchCall(context.Background(), m.Method, params, jsonrpc2.PickID(id))
	return func() (result R, _ error) {
		if err == nil {
			err = sent.Wait(context.Background(), &result)
		}
		return result, err
	}
}

// CallUntil sends a request and cancels it when ctx ends. Even then it waits for the result, since an answer may have arrived at the same moment.
func CallUntil[P, R any](ctx context.Context, c *Conn, id jsonrpc2.ID, m protocol.Request[P, R], params P) (R, error) {
	wait := Send(c, id, m, params)
	stop := context.AfterFunc(ctx, func() { cancel(c, id) })
	defer stop()
	return wait()
}

// CallOrLeave is CallUntil, except that it returns at once when ctx ends, because a distant peer's result may be late.
func CallOrLeave[P, R any](ctx context.Context, c *Conn, id jsonrpc2.ID, m protocol.Request[P, R], params P) (result R, err error) {
	err = c.conn.Call(ctx, m.Method, params, &result, jsonrpc2.PickID(id))
	if ctx.Err() != nil {
		cancel(c, id)
	}
	return result, err
}

func cancel(c *Conn, id jsonrpc2.ID) {
	Notify(c, protocol.CancelRequest, protocol.CancelParams{ID: lsp.ID(id)})
}

// take handles one message after the other, in the order of arrival.
func (c *Conn) take(head Head) {
	switch {
	case head.ID != nil:
		c.request(head)
	case head.Method == protocol.CancelRequest.Method:
		c.cancelled(head)
	default:
		if _, err := c.begin(head); err != nil {
			c.log.Warn("a notification was rejected", zap.String("method", head.Method), zap.Error(err))
		}
	}
}

func (c *Conn) request(head Head) {
	c.mu.Lock()
	_, twice := c.inFlight[string(head.ID)]
	c.mu.Unlock()
	if twice {
		c.reply(head, nil, Errorf(jsonrpc2.CodeInvalidRequest, "a request with the id %s is already pending", head.ID))
		return
	}
	leave := func() {}
	if c.options.Slots != nil && c.router.methods[head.Method].waits {
		select {
		case c.options.Slots <- struct{}{}:
			leave = func() { <-c.options.Slots }
		default:
			c.reply(head, nil, Errorf(protocol.CodeBusy, "%d requests are pending; no more are accepted until some are answered", cap(c.options.Slots)))
			return
		}
	}
	begun, err := c.begin(head)
	head.Params = nil // a request may wait for days
	if err != nil || begun.Wait == nil {
		leave()
		c.reply(head, begun.Result, err)
		return
	}
	c.await(head, begun.Wait, leave)
}

func (c *Conn) begin(head Head) (Begun[any], error) {
	return guard(c, head.Method, func() (none Begun[any], _ error) {
		if c.router.Gate != nil {
			if err := c.router.Gate(head.Method); err != nil {
				return none, err
			}
		}
		method, ok := c.router.methods[head.Method]
		if !ok {
			return none, Errorf(jsonrpc2.CodeMethodNotFound, "there is no method %q", head.Method)
		}
		return method.begin(c.ctx, head.Params)
	})
}

// await runs the second half of a request in a goroutine, and then calls leave.
func (c *Conn) await(head Head, wait Waiting[any], leave func()) {
	ctx, cancel := context.WithCancelCause(c.ctx)
	c.mu.Lock()
	c.inFlight[string(head.ID)] = cancel
	c.mu.Unlock()
	c.waiting.Go(func() {
		result, err := guard(c, head.Method, func() (any, error) { return wait(ctx) })
		c.mu.Lock()
		delete(c.inFlight, string(head.ID))
		c.mu.Unlock()
		leave()
		cancel(nil)
		if errors.Is(err, context.Canceled) && c.ctx.Err() != nil {
			return // the connection has ended: nobody cancelled the request, and the peer may repeat it over another one
		}
		c.reply(head, result, err)
	})
}

// guard calls f, and turns a panic into an internal error, so that one message does not end every conversation.
func guard[T any](c *Conn, method string, f func() (T, error)) (result T, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			c.log.Error("a handler panicked", zap.String("method", method), zap.Any("panic", cause), zap.ByteString("stack", debug.Stack()))
			err = Errorf(jsonrpc2.CodeInternalError, "internal error in %s; the log has the details", method)
		}
	}()
	return f()
}

func (c *Conn) cancelled(head Head) {
	var params struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(head.Params, &params)
	id, ok := readID(params.ID)
	if !ok {
		c.log.Warn("a cancellation without an id")
		return
	}
	c.mu.Lock()
	cancel := c.inFlight[string(id)]
	c.mu.Unlock()
	if cancel != nil { // otherwise it already has a response
		cancel(ErrCancelled)
	}
}

func (c *Conn) reply(head Head, result any, err error) {
	if late, ok := result.(late); ok && err == nil {
		c.out.sendLater("", func() []byte {
			built, err := guard(c, head.Method, func() (any, error) { return late(), nil })
			return c.encoded(head.Method, func() ([]byte, error) { return c.response(head, built, err) })
		})
		return
	}
	if body := c.encoded(head.Method, func() ([]byte, error) { return c.response(head, result, err) }); body != nil {
		c.out.Send(body)
	}
}

func (c *Conn) response(head Head, result any, err error) ([]byte, error) {
	if err != nil && c.router.Word != nil {
		err = c.router.Word(err)
	}
	if err != nil {
		c.log.Info("responded with an error", zap.String("method", head.Method), zap.Error(err))
	}
	return Response(head.ID, result, err)
}

// Package relay connects a peer of a sidecar to the process that answers it: a person's keeper over a Unix domain socket, or a
// team's hub over a WebSocket. It keeps unanswered requests in order. When the link breaks, it makes a new one, restores the peer's
// state there (sessions, subscription, settings, streams), and repeats open requests with the same ids. So the peer sees a late
// response, not a lost one.
package relay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// ErrExit means that the peer sent exit without shutdown.
var ErrExit = errors.New("exit without shutdown")

type relay struct {
	Options
	ctx    context.Context
	out    *rpc.Writer
	tracer *rpc.Tracer
	wake   chan struct{} // there may be something to send
	sent   chan struct{} // a message was sent, or answered
	asked  chan struct{} // the peer sent a request
	kept   chan struct{} // closed when keep has returned
	pauses *backoff.ExponentialBackOff

	mu    sync.Mutex // held while a message is sent to the peer, which keeps the order
	began bool
	over  bool // the peer sent shutdown
	// finishing means that the peer has gone and the link should end by itself. finished is closed once it has.
	finishing bool
	finished  chan struct{}
	hello     protocol.InitializeParams
	status    Status
	links     int  // the number of links so far
	link      Link // the current link, or nil
	entries   []*entry
	at        int // the entries before this one were sent over the link
	byID      map[string]*entry
	// state has the requests that opened the peer's sessions and subscribed, and the last message of each setting. Every new link gets them.
	state   []state
	streams map[streamKey]*stream // sent by the peer
	lastID  int

	subscribed bool
	open       map[string]json.RawMessage // open questions, as last sent to the peer
	missing    map[string]bool            // open questions that the new link's snapshot has not contained yet; nil unless one is arriving
	sought     map[string]bool            // questions whose outcome was requested
	storage    *protocol.Storage          // as last sent by the other end
	hung       bool
}

// entry is a message to the other end: a request until it is answered, or a notification until it is sent.
type entry struct {
	id     string // as JSON; empty for a notification
	method string
	body   []byte
	sent   int       // the link that it was sent over; 0 for none
	of     *entry    // the request that it cancels
	stream streamKey // the stream of a piece, which is kept until the stream has ended
	about  streamKey // the stream that it resumes or ends, or the session that it closes
	// own handles the response to a request of the relay itself.
	own func(result json.RawMessage, failed *jsonrpc2.Error)
	// again means that each new link gets it too, although it is the relay's own.
	again bool
}

// state is a message that sets part of the peer's state. A later one with the same key replaces it.
type state struct {
	key, method string
	body        []byte
}

// settings are the methods whose last message applies to the whole connection. The value is true for requests.
var settings = map[string]bool{
	protocol.InboxDidShow.Method: false, protocol.NoticeAttend.Method: false, protocol.NoticeConfigure.Method: false,
	protocol.TimerConfigure.Method: true, protocol.HistoryConfigure.Method: true, protocol.HubConnect.Method: true,
}

// Answers are the methods by which a person decides.
var Answers = map[string]bool{
	protocol.QuestionAnswer.Method: true, protocol.QuestionReply.Method: true, protocol.QuestionDecide.Method: true, protocol.QuestionDismiss.Method: true,
}

// maxBacklog is how many bytes may wait for a peer that does not read before the relay ends.
const maxBacklog = 64 << 20

// flushGrace is how long the end waits for a peer that does not read.
const flushGrace = 2 * time.Second

// Serve relays until the input ends, the peer sends exit, or ctx ends. It returns ErrExit, or the error of reading the input.
func Serve(ctx context.Context, o Options) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	r := &relay{
		Options: o, ctx: ctx, byID: map[string]*entry{}, open: map[string]json.RawMessage{}, sought: map[string]bool{}, streams: map[streamKey]*stream{},
		wake: make(chan struct{}, 1), sent: make(chan struct{}, 1), asked: make(chan struct{}, 1), kept: make(chan struct{}), finished: make(chan struct{}),
		pauses: &backoff.ExponentialBackOff{InitialInterval: o.First, MaxInterval: o.Last, Multiplier: 2, RandomizationFactor: 0.5},
	}
	r.pauses.Reset()
	r.tracer = rpc.NewTracer(o.Log)
	r.out = rpc.NewWriter(o.Out, r.tracer, maxBacklog, func() {
		o.Log.Error("ending: the peer does not read what it is sent")
		end()
	})
	stop := context.AfterFunc(ctx, func() { _ = o.In.Close() })
	defer stop()
	read := make(chan error, 1)
	go func() { read <- r.read() }()
	var why error
	select {
	case why = <-read:
		r.drain()
	case <-ctx.Done(): // closing standard input does not interrupt a read
	}
	end()
	r.mu.Lock()
	began := r.began
	r.mu.Unlock()
	if began {
		<-r.kept
	}
	r.out.Close()
	select {
	case <-r.out.Done():
	case <-time.After(flushGrace):
		o.Log.Warn("the peer did not read the last messages")
	}
	return why
}

// read handles the peer's messages until its input ends. It returns the error, if any.
func (r *relay) read() error {
	in := bufio.NewReader(r.In)
	for {
		body, err := rpc.ReadFrame(in)
		var tooLarge *jsonrpc2.Error
		switch {
		case errors.As(err, &tooLarge):
			r.respond(nil, nil, err)
		case errors.Is(err, io.EOF), err != nil && r.ctx.Err() != nil:
			return nil //nolint:nilerr // the relay itself has closed the input
		case err != nil:
			return err
		case !r.take(body):
			if !r.over {
				return ErrExit
			}
			return nil
		}
	}
}

// drain waits until the other end has got everything and has closed the link, so that the peer's last messages are not lost.
func (r *relay) drain() {
	if r.Drain == 0 || !r.began || r.ctx.Err() != nil {
		return
	}
	late := time.NewTimer(r.Drain)
	defer late.Stop()
	for {
		r.mu.Lock()
		done, link := r.link != nil && r.at >= len(r.entries), r.link
		idle := r.status.Phase == Refused || link == nil && len(r.entries) == 0
		r.mu.Unlock()
		if done {
			r.mu.Lock()
			r.finishing = true
			r.mu.Unlock()
			link.Finish()
			select {
			case <-r.finished:
			case <-late.C:
			}
			return
		}
		if idle {
			return
		}
		select {
		case <-r.sent:
		case <-late.C:
			return
		}
	}
}

// take handles a message from the peer. It reports whether more may follow.
func (r *relay) take(body []byte) bool {
	r.tracer.Trace("received", body)
	head, err := rpc.ReadHead(body)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil:
		r.Log.Warn("rejected a message", zap.String("reason", err.Error()))
		r.respond(head.ID, nil, err)
	case head.Response:
	case head.Method == protocol.Exit.Method:
		return false
	case head.Method == protocol.Initialize.Method:
		r.initialize(head)
	case head.Method == protocol.SetTrace.Method:
		r.setTrace(head)
	case !r.began && head.ID == nil:
		if _, is := settings[head.Method]; is {
			r.notified(head, body)
		}
	case !r.began:
		r.refuse(head.ID, rpc.Errorf(protocol.CodeNotInitialized, "%s was sent before initialize", head.Method))
	case r.over:
		r.refuse(head.ID, rpc.Errorf(jsonrpc2.CodeInvalidRequest, "%s was sent after shutdown", head.Method))
	case head.Method == protocol.Shutdown.Method:
		r.over = true
		r.respond(head.ID, protocol.None{}, nil)
	case head.Method == protocol.Initialized.Method: // the relay does its own handshake
	case head.Method == protocol.CancelRequest.Method:
		r.cancel(head, body)
	case head.ID == nil:
		r.notified(head, body)
	case r.byID[string(head.ID)] != nil:
		r.refuse(head.ID, rpc.Errorf(jsonrpc2.CodeInvalidRequest, "a request with the id %s is already pending", head.ID))
	default:
		if r.RefuseAway != nil && r.status.Phase != Linked {
			// A request sent over a broken link may have been handled: it is repeated like all others.
			if why := r.RefuseAway(head.Method); why != nil {
				r.refuse(head.ID, why)
				break
			}
		}
		r.add(&entry{id: string(head.ID), method: head.Method, body: body, about: subject(head)})
		signal(r.asked)
	}
	return true
}

// notified handles a notification from the peer.
func (r *relay) notified(head rpc.Head, body []byte) {
	if !r.passes(head.Method) {
		return
	}
	if _, is := settings[head.Method]; is {
		r.keepState(head.Method, head.Method, body)
	}
	if stream, wanted := r.piece(head); wanted {
		r.add(&entry{method: head.Method, body: body, stream: stream})
	}
}

func (r *relay) passes(method string) bool {
	return r.Notifications == nil || slices.Contains(r.Notifications, method)
}

// keepState keeps the last message with a key.
func (r *relay) keepState(key, method string, body []byte) {
	r.forgetState(key)
	r.state = append(r.state, state{key, method, body})
}

func (r *relay) forgetState(key string) {
	r.state = slices.DeleteFunc(r.state, func(s state) bool { return s.key == key })
}

// initialize answers the handshake at once, so that the peer does not wait for a link.
func (r *relay) initialize(head rpc.Head) {
	var params protocol.InitializeParams
	if head.Params != nil {
		if err := json.Unmarshal(head.Params, &params); err != nil {
			r.refuse(head.ID, rpc.Errorf(jsonrpc2.CodeInvalidParams, "the params cannot be read: %v", err))
			return
		}
	}
	if r.began {
		r.refuse(head.ID, rpc.Errorf(jsonrpc2.CodeInvalidRequest, "initialize was sent twice"))
		return
	}
	result, hello, err := r.Greet(params)
	if err != nil {
		r.refuse(head.ID, err)
		return
	}
	if hello.Trace != "" {
		r.tracer.Set(hello.Trace)
		hello.Trace = "" // the other end has its own log
	}
	r.hello, r.began = hello, true
	r.respond(head.ID, result, nil)
	go r.keep()
}

// setTrace turns the tracing of the peer's messages on and off here, since the other end has its own log.
func (r *relay) setTrace(head rpc.Head) {
	var params protocol.SetTraceParams
	if err := json.Unmarshal(head.Params, &params); err != nil {
		r.Log.Warn("could not parse a trace level", zap.Error(err))
		return
	}
	r.tracer.Set(params.Value)
}

// cancel cancels a request. Without a link, it answers the request at once.
func (r *relay) cancel(head rpc.Head, body []byte) {
	var params cancelParams
	if json.Unmarshal(head.Params, &params) != nil {
		return
	}
	e := r.byID[string(params.ID)]
	switch {
	case e == nil:
	case r.status.Phase == Linked && e.sent == r.links:
		r.add(&entry{body: body, of: e})
	default:
		r.abandon(e)
	}
}

// abandon answers a cancelled request while there is no link. If the other end may have its question, the next link asks it
// again and cancels it there, so that it is treated like any cancelled question.
func (r *relay) abandon(e *entry) {
	if e.again {
		return
	}
	kept := e.method == protocol.QuestionAsk.Method && e.sent > 0
	if r.refuse(json.RawMessage(e.id), rpc.ErrCancelled); !kept {
		r.drop(e)
		return
	}
	e.again, e.own = true, func(json.RawMessage, *jsonrpc2.Error) {}
	if !slices.ContainsFunc(r.entries, func(each *entry) bool { return each.of == e }) {
		r.add(&entry{body: r.message(protocol.CancelRequest.Method, cancelParams{json.RawMessage(e.id)}), of: e})
	}
}

// refuse answers a request of the peer with an error. It ignores notifications.
func (r *relay) refuse(id json.RawMessage, why error) {
	if id != nil {
		r.respond(id, nil, why)
	}
}

// respond answers a request of the peer with its result, or with an error if err is not nil.
func (r *relay) respond(id json.RawMessage, result any, err error) {
	body, wrong := rpc.Response(id, result, err)
	if wrong != nil {
		r.Log.Error("could not encode a response", zap.Error(wrong))
		return
	}
	r.out.Send(body)
}

// cancelParams are protocol.CancelParams with the id as the peer wrote it.
type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

// message returns a notification of the relay itself.
func (r *relay) message(method string, params any) []byte {
	body, err := rpc.Message(nil, method, params)
	if err != nil {
		r.Log.Error("could not encode a message", zap.String("method", method), zap.Error(err))
	}
	return body
}

func (r *relay) add(e *entry) {
	r.entries = append(r.entries, e)
	if e.id != "" {
		r.byID[e.id] = e
	}
	signal(r.wake)
}

// drop removes a message and its cancellation.
func (r *relay) drop(e *entry) {
	delete(r.byID, e.id)
	r.remove(func(each *entry) bool { return each == e || each.of == e })
}

func (r *relay) remove(gone func(*entry) bool) {
	kept, at := r.entries[:0], r.at
	for i, e := range r.entries {
		if !gone(e) {
			kept = append(kept, e)
		} else if i < at {
			r.at--
		}
	}
	clear(r.entries[len(kept):])
	r.entries = kept
}

// ask sends a request of the relay itself.
func (r *relay) ask(method string, params any, own func(json.RawMessage, *jsonrpc2.Error)) *entry {
	return r.askAgain(method, r.message(method, params), own)
}

// askAgain repeats a request of the peer as the relay's own.
func (r *relay) askAgain(method string, body []byte, own func(json.RawMessage, *jsonrpc2.Error)) *entry {
	r.lastID++
	id := fmt.Sprintf(`"link %d"`, r.lastID)
	var request map[string]json.RawMessage
	if json.Unmarshal(body, &request) == nil {
		request["id"] = json.RawMessage(id)
		body, _ = json.Marshal(request) // it was just parsed
	}
	return &entry{id: id, method: method, body: body, own: own}
}

// signal sends without blocking.
func signal(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// Package hubclient is a sidecar that is far away: it takes what a peer of a sidecar's sends, and has a team's hub answer it, over a
// WebSocket that it keeps. A link that breaks is made anew for as long as it takes, and what was not answered is asked again with the
// same ids: the peer sees an answer that is late. What no patience helps against is told at once.
package hubclient

import (
	"bufio"
	"context"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/url"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Options are what a link to a hub runs on.
type Options struct {
	// In and Out carry the protocol, as a sidecar's do. In is closed at the end.
	In  io.ReadCloser
	Out io.Writer
	// Log must not be nil. It gets no texts, and no token.
	Log *zap.Logger
	// URL is the hub's address, as ParseURL gives it.
	URL *url.URL
	// Roots are those that the hub's certificate may come from; nil: the system's.
	Roots *x509.CertPool
	// Token gives the token, at each attempt anew: it may have been replaced. Its error is one that only the user can mend.
	Token func() (string, error)
	// Version is the program's.
	Version string
	// Locale is the language of what the user is told.
	Locale locale.Tag
	// Tell is told of every change of the link's state, one at a time. It must not block. Nil: nobody is told.
	Tell func(State)
	// Silence is how long a hub may be silent, and then how long it may take to answer a ping. 0: 20 s.
	Silence time.Duration
	// First and Last are the shortest and the longest pause before the next attempt. 0: 0.5 s and 60 s.
	First, Last time.Duration
}

// State is where a link stands.
type State struct {
	protocol.HubState
	// Away is why there is no link at the moment, in the user's language; empty while there is one.
	Away string
	// Role is what the token's holder may do; only while there is a link.
	Role protocol.Role
}

// What else was not said.
const (
	silence = 20 * time.Second
	first   = 500 * time.Millisecond
	last    = time.Minute
	// dialTime is how long an attempt may take.
	dialTime = 30 * time.Second
	// steady is how long a link must have lasted for the next one to be tried at once.
	steady = 10 * time.Second
	// refusedPause is after how long a hub that has refused the user is tried again though nobody asks for it.
	refusedPause = 5 * time.Minute
	// goodbye is how long a hub may take to hear that this is the end.
	goodbye = time.Second
	// maxMessage bounds one message of the hub's, in bytes.
	maxMessage = rpc.MaxFrame
)

// Serve passes what comes in to the hub until the input ends or ctx does. Nothing is withdrawn then.
func Serve(ctx context.Context, o Options) {
	if o.Silence == 0 {
		o.Silence = silence
	}
	if o.First == 0 {
		o.First = first
	}
	if o.Last == 0 {
		o.Last = last
	}
	ctx, end := context.WithCancel(ctx)
	r := &relay{
		Options: o, ctx: ctx, byID: map[string]*entry{}, open: map[string]protocol.InboxItem{},
		wake: make(chan struct{}, 1), asked: make(chan struct{}, 1), kept: make(chan struct{}),
		pauses: &backoff.ExponentialBackOff{InitialInterval: o.First, MaxInterval: o.Last, Multiplier: 2, RandomizationFactor: 0.5},
	}
	r.pauses.Reset()
	stop := context.AfterFunc(ctx, func() { _ = o.In.Close() })
	defer stop()
	in := bufio.NewReader(o.In)
	for {
		body, err := rpc.ReadFrame(in)
		if err != nil {
			break
		}
		if !r.take(body) {
			break
		}
	}
	end()
	if r.began {
		<-r.kept
	}
}

// take takes a message of the peer's. It tells whether there may be another one.
func (r *relay) take(body []byte) bool {
	head, err := rpc.ReadHead(body)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil:
		r.refuse(head.ID, err)
	case head.Response:
	case head.Method == protocol.Initialize.Method:
		r.initialize(head, body)
	case head.Method == protocol.Shutdown.Method:
		r.reply(head.ID, protocol.None{})
	case head.Method == protocol.Exit.Method:
		return false
	case head.Method == protocol.CancelRequest.Method:
		r.cancel(body)
	case head.Method == protocol.InboxDidShow.Method:
		r.shows = body
		r.add(&entry{body: body})
	case head.ID == nil: // no other notification is a hub's
	case !r.began:
		r.refuse(head.ID, rpc.Errorf(protocol.CodeNotInitialized, "%s came before initialize", head.Method))
	case answers[head.Method] && r.state.State != protocol.HubConnected:
		// It would be sent behind the user's back, maybe days later. One that a link was given before it broke may have been taken: it
		// is the hub's to tell what came of it, so it is asked again like everything else, and stands as sent until then.
		r.refuseAnswer(head.ID)
	default:
		r.add(&entry{id: string(head.ID), method: head.Method, body: body})
		signal(r.asked)
	}
	return true
}

// initialize shakes hands in the hub's place, which may not be there: whoever starts this one does not wait for the network.
func (r *relay) initialize(head rpc.Head, body []byte) {
	var request struct {
		Params protocol.InitializeParams `json:"params"`
	}
	theirs := &request.Params.InitializationOptions
	switch err := json.Unmarshal(body, &request); {
	case err != nil:
		r.refuse(head.ID, rpc.Errorf(jsonrpc2.CodeInvalidParams, "the params cannot be read: %v", err))
		return
	case r.began:
		r.refuse(head.ID, rpc.Errorf(jsonrpc2.CodeInvalidRequest, "initialize came twice"))
		return
	}
	r.hello = protocol.InitializeParams{
		ClientInfo: request.Params.ClientInfo,
		InitializationOptions: protocol.InitializationOptions{
			ProtocolVersion: protocol.Version, Locale: theirs.Locale, WorkspaceFolders: theirs.WorkspaceFolders,
		},
	}
	r.began = true
	r.reply(head.ID, protocol.InitializeResult{
		ProtocolVersion: protocol.Version, ServerInfo: protocol.ServerInfo{Name: "followup", Version: r.Version},
	})
	go r.keep()
}

// cancel cancels a request. While there is no link, it is answered at once.
func (r *relay) cancel(body []byte) {
	var request struct {
		Params struct {
			ID json.RawMessage `json:"id"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &request) != nil {
		return
	}
	e := r.byID[string(request.Params.ID)]
	switch {
	case e == nil:
	case r.state.State == protocol.HubConnected && e.sent == r.links:
		r.add(&entry{body: body, of: e})
	default:
		r.abandon(e)
	}
}

// abandon answers a cancelled request without a link. A question that the hub may have is asked and cancelled there by the next one, so
// that the hub does with it what it does with a cancel.
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
		cancel, err := json.Marshal(map[string]any{
			"jsonrpc": "2.0", "method": protocol.CancelRequest.Method, "params": map[string]any{"id": json.RawMessage(e.id)},
		})
		if err == nil {
			r.add(&entry{body: cancel, of: e})
		}
	}
}

// reply answers a request of the peer's.
func (r *relay) reply(id json.RawMessage, result any) {
	r.tell(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
}

// refuse answers a request of the peer's with an error; a notification has no answer.
func (r *relay) refuse(id json.RawMessage, why error) {
	if id == nil {
		return
	}
	body, err := rpc.Refusal(rpc.Head{ID: id}, why)
	if err == nil {
		r.pass(body)
	}
}

// tell sends the peer a message.
func (r *relay) tell(message any) {
	body, err := json.Marshal(message)
	if err != nil {
		r.Log.Error("a message cannot be written", zap.Error(err))
		return
	}
	r.pass(body)
}

// pass hands the peer a message as it is. The peer reads whatever comes; one that is gone is noticed by its input.
func (r *relay) pass(body []byte) { _ = rpc.WriteFrame(r.Out, body) }

// signal leaves a token where there is none.
func signal(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// Package hubclient is a sidecar that is far away: it takes what a peer of a sidecar's sends, and has a team's hub answer it, over a
// WebSocket that it keeps. A link that breaks is made anew for as long as it takes, and what was not answered is asked again with the
// same ids: the peer sees an answer that is late. What no patience helps against is told at once.
package hubclient

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/relay"
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
	// Person refuses a token of an agent's.
	Person bool
	// Retry ends the pause before the next attempt with each value. If nil, nothing does.
	Retry <-chan struct{}
	// Drain is how long the end waits until everything is sent. Zero ends at once.
	Drain time.Duration
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

// client is a peer's way to a hub.
type client struct {
	Options
	hub atomic.Pointer[protocol.Hub] // as the last link told it; nil before the first
}

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
	c := &client{Options: o}
	_ = relay.Serve(ctx, relay.Options{ // however the input ended
		In: o.In, Out: o.Out, Log: o.Log, Dial: c.connect, Broken: c.broken, Greet: c.greetPeer, Words: c.words, Tell: c.tell,
		Retry: o.Retry, Drain: o.Drain, First: o.First, Last: o.Last, Steady: steady, RefusedPause: refusedPause,
		Notifications: []string{protocol.InboxDidShow.Method, protocol.InboxDidChange.Method},
		RefuseAway:    c.refuseAway, Reword: c.reword, Doubtful: isUnclear,
	})
}

// greetPeer shakes hands in the hub's place.
func (c *client) greetPeer(p protocol.InitializeParams) (protocol.InitializeResult, protocol.InitializeParams, error) {
	theirs := p.InitializationOptions
	hello := protocol.InitializeParams{
		ClientInfo: p.ClientInfo,
		InitializationOptions: protocol.InitializationOptions{
			ProtocolVersion: protocol.Version, Locale: theirs.Locale, WorkspaceFolders: theirs.WorkspaceFolders,
		},
	}
	return protocol.InitializeResult{
		ProtocolVersion: protocol.Version, ServerInfo: protocol.ServerInfo{Name: "followup", Version: c.Version},
	}, hello, nil
}

const hubNotNow locale.Key = "There is no connection to the hub {0} at the moment. Nothing was sent; answer when the connection " +
	"is back."

// refuseAway tells a person that an answer was not sent: it would be sent behind their back, maybe days later.
func (c *client) refuseAway(method string) error {
	if !relay.Answers[method] {
		return nil
	}
	return rpc.Errorf(protocol.CodeRefused, "%s", c.Locale.Text(hubNotNow, c.name()))
}

const (
	hubNoPerson locale.Key = "The token is an agent's. To answer at the hub {0}, you need a person's."
	hubNoAgent  locale.Key = "The hub {0} does not take this from a person. To ask there, you need an agent's token (followup hub " +
		"invite NAME --agent)."
)

// reword words an error of the hub's.
func (c *client) reword(wrong *jsonrpc2.Error) error {
	if wrong.Code != protocol.CodeForbidden || wrong.Data == nil { // what the account may not do, the hub says itself
		wrong.Message = told(wrong.Message, mostWords)
		return wrong
	}
	key := hubNoPerson
	if hub := c.hub.Load(); hub != nil && hub.Role == protocol.RolePerson {
		key = hubNoAgent
	}
	return rpc.Errorf(protocol.CodeForbidden, "%s", c.Locale.Text(key, c.name()))
}

// tell tells of every change of the link's state.
func (c *client) tell(now relay.Status) {
	if c.Tell == nil {
		return
	}
	state := State{HubState: protocol.HubState{State: protocol.HubConnecting, URL: c.URL.String()}, Away: now.Away}
	hub := c.hub.Load()
	if hub != nil {
		state.Name = hub.Name
	}
	switch now.Phase {
	case relay.Dialing:
	case relay.Waiting:
		state.Problem = now.Away
	case relay.Refused:
		state.State, state.Problem = protocol.HubRefused, now.Away
	case relay.Linked:
		state.State, state.Account = protocol.HubConnected, hub.Account
	}
	c.Tell(state)
}

// name is what the hub is called, as far as that is known.
func (c *client) name() string {
	if hub := c.hub.Load(); hub != nil {
		return cmp.Or(hub.Name, c.URL.Host)
	}
	return c.URL.Host
}

func (c *client) words(why error) string {
	text := why.Error()
	var refusal *locale.Refusal
	if errors.As(why, &refusal) {
		text = refusal.In(c.Locale)
	}
	return told(text, mostWords) // which the hub may have a part in
}

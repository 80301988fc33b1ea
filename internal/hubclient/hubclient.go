// Package hubclient connects a peer of a sidecar to a team's hub, which takes the sidecar's place, over a WebSocket. It reconnects
// for as long as necessary and repeats unanswered requests with the same ids, so the peer sees a late answer. Permanent failures
// are reported at once.
package hubclient

import (
	"cmp"
	"context"
	"crypto/x509"
	"io"
	"net/url"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/relay"
	"followup/internal/rpc"
)

// Options configure a link to a hub.
type Options struct {
	// In and Out carry the protocol, like a sidecar's. In is closed at the end.
	In  io.ReadCloser
	Out io.Writer
	// Log must not be nil. It gets no texts and no token.
	Log *zap.Logger
	// URL is the hub's address, from ParseURL.
	URL *url.URL
	// Roots are the roots of the hub's certificate. If nil, the system's.
	Roots *x509.CertPool
	// Token returns the token. It is called for each attempt, since the token may have been replaced. Its error is one that only the
	// user can fix.
	Token func() (string, error)
	// Version is the program's version.
	Version string
	// Locale is the language of messages to the user.
	Locale locale.Tag
	// StateChanged, if not nil, is called with every change of the link's state, one at a time. It must not block.
	StateChanged func(State)
	// Person rejects an agent's token.
	Person bool
	// Each value on Retry ends the pause before the next attempt. If nil, no pause ends early.
	Retry <-chan struct{}
	// Drain is how long the end waits until everything is sent. Zero ends at once.
	Drain time.Duration
	// Silence is how long a hub may be silent, and then how long it may take to answer a ping. Zero means 20 s.
	Silence time.Duration
	// First and Last are the minimum and maximum pause between attempts. Zero means 0.5 s and 60 s.
	First, Last time.Duration
}

// State is the state of a link.
type State struct {
	protocol.HubState
	// Away is why there is no link at the moment, in the user's language; empty while there is one.
	Away string
}

// Timeouts and limits that are not options.
const (
	silence = 20 * time.Second
	first   = 500 * time.Millisecond
	last    = time.Minute
	// dialTime limits an attempt.
	dialTime = 30 * time.Second
	// steady is how long a link must have lasted for an immediate retry.
	steady = 10 * time.Second
	// refusedPause is the pause before a hub that has refused the user is tried again without a request.
	refusedPause = 5 * time.Minute
	// goodbye limits the closing handshake.
	goodbye = time.Second
	// maxMessage limits a message of the hub in bytes.
	maxMessage = rpc.MaxFrame
)

// client is a peer's connection to a hub.
type client struct {
	Options
	hub atomic.Pointer[protocol.Hub] // from the last link; nil before the first
}

// Serve relays input to the hub until the input or ctx ends, which withdraws no question.
func Serve(ctx context.Context, o Options) {
	o.Silence = cmp.Or(o.Silence, silence)
	o.First = cmp.Or(o.First, first)
	o.Last = cmp.Or(o.Last, last)
	c := &client{Options: o}
	_ = relay.Serve(ctx, relay.Options{ // the input's end is not an error
		In: o.In, Out: o.Out, Log: o.Log, Dial: c.connect, Broken: c.broken, Greet: c.greetPeer, Words: c.words, StateChanged: c.report,
		Retry: o.Retry, Drain: o.Drain, First: o.First, Last: o.Last, Steady: steady, RefusedPause: refusedPause,
		Notifications: []string{protocol.InboxDidShow.Method, protocol.InboxDidChange.Method},
		RefuseAway:    c.refuseAway, Reword: c.reword, Doubtful: isUnclear,
	})
}

// greetPeer answers the peer's handshake.
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

// refuseAway returns the error for an answer without a link: sending it later, maybe after days, could surprise the user.
func (c *client) refuseAway(method string) error {
	if !relay.Answers[method] {
		return nil
	}
	return rpc.Errorf(protocol.CodeRefused, "%s", c.Locale.Text(hubNotNow, c.name()))
}

const (
	hubNoPerson locale.Key = "The token is an agent's. To answer at the hub {0}, you need a person's."
	hubNoAgent  locale.Key = "At the hub {0}, a person may not do this. To ask there, you need an agent's token (followup hub " +
		"invite NAME --agent)."
)

// reword rewords an error of the hub.
func (c *client) reword(wrong *jsonrpc2.Error) error {
	if wrong.Code != protocol.CodeForbidden || wrong.Data == nil { // the hub words what the account may not do
		wrong.Message = sanitize(wrong.Message, mostWords)
		return wrong
	}
	key := hubNoPerson
	if hub := c.hub.Load(); hub != nil && hub.Role == protocol.RolePerson {
		key = hubNoAgent
	}
	return rpc.Errorf(protocol.CodeForbidden, "%s", c.Locale.Text(key, c.name()))
}

// report reports a change of the link's state.
func (c *client) report(now relay.Status) {
	if c.StateChanged == nil {
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
	c.StateChanged(state)
}

// name returns the hub's name, if known.
func (c *client) name() string {
	if hub := c.hub.Load(); hub != nil {
		return cmp.Or(hub.Name, c.URL.Host)
	}
	return c.URL.Host
}

// words returns an error's text. Part of it may be from the hub.
func (c *client) words(why error) string { return sanitize(c.Locale.Words(why), mostWords) }

// Limits for a hub's texts in characters: of a name, and of an error.
const (
	mostName  = 100
	mostWords = 1000
)

// sanitize returns a hub's text for display: on one line, without characters that control a terminal, and of limited length.
func sanitize(text string, most int) string {
	// A character has at most four bytes. Cutting first bounds the work.
	if len(text) > 4*most {
		text = text[:4*most]
	}
	text = archive.Inline(text)
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

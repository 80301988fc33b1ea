package relay

import (
	"context"
	"io"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
)

// A Link is one connection to the process that responds.
type Link interface {
	// Read returns the next message.
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, body []byte) error
	// Watch blocks until ctx ends. It closes the link if the other end is dead.
	Watch(ctx context.Context)
	// Finish ends the sending side. Responses to earlier messages still arrive.
	Finish()
	// Close closes the link gracefully, CloseNow at once.
	Close()
	CloseNow()
}

// Failure is why a link could not be made, or broke.
type Failure struct {
	// Why is the message for the user. If nil, there is none.
	Why error
	// Final means that another attempt cannot help.
	Final bool
	// After is the minimum pause before the next attempt; AtOnce skips it.
	After  time.Duration
	AtOnce bool
}

// Phase is the phase of a relay.
type Phase int

// The phases.
const (
	Dialing Phase = iota
	Linked
	Waiting // until the next attempt
	Refused // until the peer sends a request
)

// Status is a relay's state.
type Status struct {
	Phase Phase
	// Away is why there is no link, in the user's language; empty if there is one, or no problem yet.
	Away string
}

// Options configure a relay. Fields are optional unless marked as required.
type Options struct {
	// In and Out carry the protocol, as for a sidecar. In is closed at the end. Required.
	In  io.ReadCloser
	Out io.Writer
	// Log is required. It gets no question texts and no token.
	Log *zap.Logger
	// Dial makes one attempt, including the handshake. Required.
	Dial func(ctx context.Context, hello protocol.InitializeParams) (Link, *Failure)
	// Broken returns why a link ended. Required.
	Broken func(error) *Failure
	// Greet answers the peer's initialize, and returns the params for the handshake of each link. Required.
	Greet func(protocol.InitializeParams) (result protocol.InitializeResult, hello protocol.InitializeParams, err error)
	// Words translates a failure for the user. Required.
	Words func(error) string
	// StateChanged is called with every new state, one at a time. It must not block.
	StateChanged func(Status)
	// First and Last are the minimum and maximum pause between attempts. Steady is how long a link must have lasted for an immediate
	// retry. RefusedPause is the pause after a final failure unless the peer sends a request. Required.
	First, Last, Steady, RefusedPause time.Duration

	// Retry ends the pause before the next attempt with each value that it delivers.
	Retry <-chan struct{}
	// Notifications are the methods to forward, in either direction. If nil, all are forwarded.
	Notifications []string
	// Outside, if not nil, shows a desktop notification for the other end.
	Outside func(OutsideParams)
	// RefuseAway returns the error for a request while there is no link. If nil, requests wait.
	RefuseAway func(method string) error
	// Reword, if not nil, replaces an error from the other end.
	Reword func(*jsonrpc2.Error) error
	// Doubtful reports whether a final failure may be temporary if a link has worked before.
	Doubtful func(error) bool
	// Drain is how long Serve waits at the end until everything is sent and answered. Zero means no wait.
	Drain time.Duration
	// Patience is how long the other end may take to answer a ping. Zero sends no pings.
	Patience time.Duration
	// Hung is called when a ping is not answered in time, and returns the text that the peer shows. It must not block. Required with Patience.
	Hung func() string
}

// Messages that only a relay and a keeper exchange.
var (
	// Ping returns once the keeper has acquired its lock on the conversations.
	Ping = protocol.Request[protocol.None, protocol.None]{Method: "keeper/ping"}
	// Outside asks the relay's process to show a desktop notification.
	Outside = protocol.Notification[OutsideParams]{Method: "keeper/outside"}
)

// OutsideParams are a desktop notification, and whether it plays a sound.
type OutsideParams struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Show  bool   `json:"show,omitempty"`
	Sound bool   `json:"sound,omitempty"`
}

package relay

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
)

// A Link is one connection to the process that answers.
type Link interface {
	// Read returns the next message.
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, body []byte) error
	// Watch blocks until ctx ends. It closes the link if the other end is dead.
	Watch(ctx context.Context)
	// Finish says that nothing more is written. What has been sent is still answered.
	Finish()
	// Close ends the link in the regular way, CloseNow at once.
	Close()
	CloseNow()
}

// Failure is why there is no link.
type Failure struct {
	// Why is told to the user. If nil, the user is told nothing.
	Why error
	// Final says that another attempt cannot help.
	Final bool
	// After is the shortest pause before the next attempt; AtOnce skips it.
	After  time.Duration
	AtOnce bool
}

// Phase is where a relay stands.
type Phase int

// The phases.
const (
	Dialing Phase = iota
	Linked
	Waiting // until the next attempt
	Refused // until the peer asks again
)

// Status is a relay's state.
type Status struct {
	Phase Phase
	// Away is why there is no link, in the user's words; empty if there is one, or nothing is wrong yet.
	Away string
}

// Options are what a relay runs on. What is nil or zero is optional unless it says otherwise.
type Options struct {
	// In and Out carry the protocol, as a sidecar's do. In is closed at the end. Required.
	In  io.ReadCloser
	Out io.Writer
	// Log is required. It gets no texts and no token.
	Log *zap.Logger
	// Dial makes one attempt, up to and including the handshake. Required.
	Dial func(ctx context.Context, hello protocol.InitializeParams) (Link, *Failure)
	// Broken says why a link has ended. Required.
	Broken func(error) *Failure
	// Greet answers the peer's initialize, and returns what to say in the handshake of each link. Required.
	Greet func(protocol.InitializeParams) (result protocol.InitializeResult, hello protocol.InitializeParams, err error)
	// Words are those of a failure, in the user's language. Required.
	Words func(error) string
	// Tell is called with every new state, one at a time. It must not block.
	Tell func(Status)
	// First and Last are the shortest and the longest pause between two attempts. Steady is how long a link must have lasted for the next
	// attempt to be made at once, RefusedPause how long a final failure stands unless the peer asks again. Required.
	First, Last, Steady, RefusedPause time.Duration

	// Retry ends the pause before the next attempt with each value.
	Retry <-chan struct{}
	// Notifications are those that are passed, in either direction. If nil, all are.
	Notifications []string
	// Own take notifications that are not the peer's. They must not block.
	Own map[string]func(params json.RawMessage)
	// RefuseAway returns the error that answers a request while there is no link; if nil, requests wait.
	RefuseAway func(method string) error
	// Reword replaces an error of the other end's.
	Reword func(*jsonrpc2.Error) error
	// Doubtful says that a final failure may be wrong where a link has worked before.
	Doubtful func(error) bool
	// Drain is how long the end waits until everything is sent and answered. Zero ends at once.
	Drain time.Duration
	// Patience is how long the other end may take to answer a ping. Zero sends no pings.
	Patience time.Duration
	// Hung is called when a ping is not answered in time, and returns what the peer shows. It must not block. Required with Patience.
	Hung func() string
}

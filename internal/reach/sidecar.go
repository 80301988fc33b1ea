package reach

import (
	"context"
	"io"
	"time"

	"github.com/sourcegraph/go-lsp"

	"followup/internal/hubclient"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Sidecar is a command's connection to the keeper or to a hub.
type Sidecar struct {
	Conn *rpc.Conn
	// Client is the command's name in the history.
	Client string
	// Hung, if not nil, is called with the user's words when the keeper does not answer, perhaps repeatedly. Set it before Greet.
	Hung func(words string)

	input io.Closer
	ended chan struct{}
}

// Dial returns a connection to the keeper, or to hub if it is not nil. The router handles its messages. The caller calls Greet next.
func (r Reach) Dial(router *rpc.Router, hub *hubclient.Options) *Sidecar {
	toSidecar, fromUs := io.Pipe()
	toUs, fromSidecar := io.Pipe()
	s := &Sidecar{input: fromUs, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		defer func() { _ = fromSidecar.Close() }()
		if hub != nil {
			link := *hub
			link.In, link.Out = toSidecar, fromSidecar
			hubclient.Serve(context.Background(), link)
			return
		}
		relay := Relay{Reach: r, Hung: func(words string) {
			if s.Hung != nil {
				s.Hung(words)
			}
		}}
		_ = relay.Serve(context.Background(), toSidecar, fromSidecar) // its input is this process's
	}()
	s.Conn = rpc.Dial(context.Background(), router, rpc.Options{In: toUs, Out: fromUs, Log: r.Log})
	return s
}

// Greet performs the handshake. It sets no limit for unseen questions, so none expires.
func (s *Sidecar) Greet(ctx context.Context, o protocol.InitializationOptions) error {
	o.ProtocolVersion = protocol.Version
	o.NotShownAfter = new(int)
	*o.NotShownAfter = -1
	if _, err := rpc.Call(ctx, s.Conn, protocol.Initialize, protocol.InitializeParams{
		ClientInfo: lsp.ClientInfo{Name: s.Client}, InitializationOptions: o,
	}); err != nil {
		return err
	}
	rpc.Notify(s.Conn, protocol.Initialized, protocol.None{})
	return nil
}

// End closes the connection. Pending writes are finished first, and questions asked here become orphaned.
func (s *Sidecar) End() { s.EndIn(context.Background()) }

// Leaving is how long an interrupted command waits for its connection to close.
const Leaving = 500 * time.Millisecond

// EndIn is End, but does not wait for long once ctx has ended.
func (s *Sidecar) EndIn(ctx context.Context) {
	_ = s.input.Close()
	select {
	case <-s.ended:
		return
	case <-ctx.Done():
	}
	select {
	case <-s.ended:
	case <-time.After(Leaving):
	}
}

package main

import (
	"context"
	"io"
	"os"
	"sync/atomic"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"followup/internal/hubclient"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/server"
	"followup/internal/store"
)

// ownSidecar is a sidecar in this process, which needs no editor, or the link to a hub in the place of one: what asks for an agent or
// shows the inbox here is its peer.
type ownSidecar struct {
	conn  *rpc.Conn
	input io.Closer
	ended chan struct{}

	opening atomic.Pointer[error] // why its store could not be opened, the last time
}

// startOwnSidecar starts one, or where hub is not nil keeps the link to it. Its peer takes what the router has; hands are not shaken yet.
func startOwnSidecar(p process, log *zap.Logger, router *rpc.Router, hub *hubclient.Options) *ownSidecar {
	toSidecar, fromUs := io.Pipe()
	toUs, fromSidecar := io.Pipe()
	s := &ownSidecar{input: fromUs, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		defer func() { _ = fromSidecar.Close() }()
		if hub != nil {
			link := *hub
			link.In, link.Out = toSidecar, fromSidecar
			hubclient.Serve(context.Background(), link)
			return
		}
		server.Serve(context.Background(), server.Options{
			In: toSidecar, Out: fromSidecar, Log: log, Version: version(), PID: os.Getpid(),
			OpenStore: s.openStore, Env: p.env, Lease: server.DefaultLease, NewID: newID,
		})
	}()
	s.conn = rpc.Dial(context.Background(), router, rpc.Options{In: toUs, Out: fromUs, Log: log})
	return s
}

// openStore opens the sidecar's store, and keeps why that failed.
func (s *ownSidecar) openStore(ctx context.Context, place string, o store.Options) (store.Store, store.Report, error) {
	opened, report, err := openEngine(ctx, place, o)
	s.opening.Store(&err)
	return opened, report, err
}

// notOpened tells why the sidecar's store could not be opened; nil if it could, or was not yet.
func (s *ownSidecar) notOpened(place string) error {
	if err := s.opening.Load(); err != nil && *err != nil {
		return notOpened(place, *err)
	}
	return nil
}

// greet shakes hands. No question is given up because nobody sees it.
func (s *ownSidecar) greet(ctx context.Context, o protocol.InitializationOptions) error {
	o.ProtocolVersion = protocol.Version
	o.NotShownAfter = new(int)
	*o.NotShownAfter = -1
	if _, err := rpc.Call(ctx, s.conn, protocol.Initialize, protocol.InitializeParams{InitializationOptions: o}); err != nil {
		return err
	}
	rpc.Notify(s.conn, protocol.Initialized, protocol.None{})
	return nil
}

// end ends it: what is left to be written is, and what was asked here is nobody's then.
func (s *ownSidecar) end() {
	_ = s.input.Close()
	<-s.ended
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

package rpctest

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/zap/zaptest"

	"followup/internal/protocol"
	"followup/internal/server"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
)

// Host is a person's host in memory, to which several editors connect.
type Host struct {
	*server.Host
	t testing.TB
}

// NewHost makes a host that keeps everything in a folder. It is closed with the test, behind its connections.
func NewHost(t testing.TB, folder string, change func(*server.Options)) *Host {
	t.Helper()
	options := server.Options{
		Log: zaptest.NewLogger(t), Version: "test", PID: 1, OpenStore: sqlite.Engine, Slow: time.Hour, Resumed: true,
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	}
	if change != nil {
		change(&options)
	}
	h := &Host{Host: server.NewHost(options), t: t}
	h.Keep(folder)
	t.Cleanup(h.Close)
	return h
}

// Connect is an editor that has shaken hands and subscribed.
func (h *Host) Connect(options protocol.InitializationOptions) *Editor {
	h.t.Helper()
	e := h.Dial(options)
	e.Subscribe()
	return e
}

// Dial is Connect without the subscription, as an agent's command is connected.
func (h *Host) Dial(options protocol.InitializationOptions) *Editor {
	h.t.Helper()
	toServer, fromEditor := io.Pipe()
	toEditor, fromServer := io.Pipe()
	status, served := make(chan int, 1), make(chan struct{})
	go func() {
		defer close(served)
		h.ServeClient(context.Background(), toServer, fromServer, server.Client{})
		_ = fromServer.Close()
		status <- 0
	}()
	h.t.Cleanup(func() { waits.For(h.t, served) }) // behind the hanging up
	e := Over(h.t, toEditor, fromEditor)
	e.Status = status
	options.ProtocolVersion = protocol.Version
	Call(e, protocol.Initialize, protocol.InitializeParams{InitializationOptions: options})
	return e
}

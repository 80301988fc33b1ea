package rpctest

import (
	"context"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest"

	"followup/internal/protocol"
	"followup/internal/server"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
)

// Host is a person's host in memory, for several editors.
type Host struct {
	*server.Host
	t testing.TB
}

// NewHost returns a host that stores everything in folder, or nothing if that is empty. It closes with the test, after its connections.
func NewHost(t testing.TB, folder string, change func(*server.Options)) *Host {
	t.Helper()
	h := &Host{Host: newHost(t, folder, change), t: t}
	t.Cleanup(h.Close)
	return h
}

// newLogger returns a test's logger that drops messages after its end: a host may close later, with its last client.
func newLogger(t testing.TB) *zap.Logger {
	out := &logged{TB: t}
	t.Cleanup(func() {
		out.mu.Lock()
		defer out.mu.Unlock()
		out.ended = true
	})
	return zaptest.NewLogger(out)
}

// logged is a test that drops log messages after its end.
type logged struct {
	testing.TB
	mu    sync.Mutex
	ended bool
}

func (l *logged) Logf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended {
		l.TB.Logf(format, args...)
	}
}

func newHost(t testing.TB, folder string, change func(*server.Options)) *server.Host {
	options := server.Options{
		Log: newLogger(t), Version: "test", PID: 1, OpenStore: sqlite.Open,
		Slow:  time.Hour, // a delayed test is not a slow disk
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	}
	if change != nil {
		change(&options)
	}
	h := server.NewHost(options)
	h.Keep(folder)
	return h
}

// Connect returns an editor after the handshake and the subscription.
func (h *Host) Connect(options protocol.InitializationOptions) *Editor {
	h.t.Helper()
	e := h.Dial(options)
	e.Subscribe()
	return e
}

// Dial is Connect without the subscription, like an agent's command.
func (h *Host) Dial(options protocol.InitializationOptions) *Editor {
	h.t.Helper()
	e := dial(h.t, h.Host, func() {})
	e.greet(options)
	return e
}

// Pipe connects a peer of the test itself to the host of a folder. If folder is empty, the host saves nothing. leave
// closes the connection, and waits for the host to end it.
func Pipe(t testing.TB, folder string) (in io.ReadCloser, out io.WriteCloser, leave func()) {
	t.Helper()
	in, out, served := connect(hostOf(t, folder, nil))
	return in, out, func() {
		_ = out.Close()
		<-served
	}
}

// Serve serves a peer as a client of a folder's host.
func Serve(ctx context.Context, t testing.TB, folder string, in io.ReadCloser, out io.Writer) {
	h, ended := hostOf(t, folder, nil)
	defer ended()
	h.Serve(ctx, in, out, nil)
}

// connect connects to a host, and calls ended after the end of the connection.
func connect(h *server.Host, ended func()) (in io.ReadCloser, out io.WriteCloser, served chan struct{}) {
	toServer, fromEditor := io.Pipe()
	toEditor, fromServer := io.Pipe()
	served = make(chan struct{})
	go func() {
		defer close(served)
		h.Serve(context.Background(), toServer, fromServer, nil)
		ended()
		_ = fromServer.Close()
	}()
	return toEditor, fromEditor, served
}

func dial(t testing.TB, h *server.Host, ended func()) *Editor {
	t.Helper()
	in, out, served := connect(h, ended)
	t.Cleanup(func() { waits.For(t, served) }) // after the connection is closed
	e := Over(t, in, out)
	e.served = served
	return e
}

// keepers are the hosts of folders with connected editors, since each folder has one keeper.
var keepers = struct {
	sync.Mutex
	of map[string]*kept
}{of: map[string]*kept{}}

// kept is a host, and the number of its editors.
type kept struct {
	host    *server.Host
	editors int
}

// hostOf returns the host of a folder: it is created for the first editor, and closed after the last. Without a folder, each editor
// has its own, which saves nothing.
func hostOf(t testing.TB, folder string, change func(*server.Options)) (h *server.Host, leave func()) {
	t.Helper()
	if folder == "" {
		h = newHost(t, "", change)
		return h, h.Close
	}
	keepers.Lock()
	defer keepers.Unlock()
	k := keepers.of[folder]
	switch {
	case k == nil:
		k = &kept{host: newHost(t, folder, change)}
		keepers.of[folder] = k
	case change != nil:
		t.Fatal("the folder's host runs already, with other options")
	}
	k.editors++
	return k.host, func() {
		keepers.Lock()
		defer keepers.Unlock()
		if k.editors--; k.editors == 0 {
			k.host.Close()
			delete(keepers.of, folder)
		}
	}
}

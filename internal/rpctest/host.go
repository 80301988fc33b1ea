package rpctest

import (
	"context"
	"io"
	"sync"
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

// NewHost makes a host that keeps everything in a folder, or nowhere. It is closed with the test, behind its connections.
func NewHost(t testing.TB, folder string, change func(*server.Options)) *Host {
	t.Helper()
	h := &Host{Host: newHost(t, folder, change), t: t}
	t.Cleanup(h.Close)
	return h
}

func newHost(t testing.TB, folder string, change func(*server.Options)) *server.Host {
	options := server.Options{
		Log: zaptest.NewLogger(t), Version: "test", PID: 1, OpenStore: sqlite.Open,
		Slow:  time.Hour, // a test that is held up is no slow disk
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	}
	if change != nil {
		change(&options)
	}
	h := server.NewHost(options)
	h.Keep(folder)
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
	e := dial(h.t, h.Host, func() {})
	options.ProtocolVersion = protocol.Version
	Call(e, protocol.Initialize, protocol.InitializeParams{InitializationOptions: options})
	return e
}

// Pipe connects to the one host of a folder, or if that is empty to one that keeps nothing, for a peer of the test's own. leave hangs up, and
// waits for the host to end the connection.
func Pipe(t testing.TB, folder string) (in io.ReadCloser, out io.WriteCloser, leave func()) {
	t.Helper()
	var h *server.Host
	var ended func()
	if folder == "" {
		h = newHost(t, "", nil)
		ended = h.Close
	} else {
		h, ended = keeperOf(t, folder, nil)
	}
	in, out, served := connect(h, ended)
	return in, out, func() {
		_ = out.Close()
		<-served
	}
}

// Serve serves a peer as a client of the one host of a folder.
func Serve(ctx context.Context, t testing.TB, folder string, in io.ReadCloser, out io.Writer) {
	h, ended := keeperOf(t, folder, nil)
	defer ended()
	h.ServeClient(ctx, in, out)
}

// connect connects to a host; ended is called behind the end of the connection.
func connect(h *server.Host, ended func()) (in io.ReadCloser, out io.WriteCloser, served chan struct{}) {
	toServer, fromEditor := io.Pipe()
	toEditor, fromServer := io.Pipe()
	served = make(chan struct{})
	go func() {
		defer close(served)
		h.ServeClient(context.Background(), toServer, fromServer)
		ended()
		_ = fromServer.Close()
	}()
	return toEditor, fromEditor, served
}

func dial(t testing.TB, h *server.Host, ended func()) *Editor {
	t.Helper()
	in, out, served := connect(h, ended)
	t.Cleanup(func() { waits.For(t, served) }) // behind the hanging up
	e := Over(t, in, out)
	e.served = served
	return e
}

// keepers are the hosts of the folders that editors are connected to, as each folder has one keeper.
var keepers = struct {
	sync.Mutex
	of map[string]*kept
}{of: map[string]*kept{}}

// kept is a host, and how many editors are connected to it.
type kept struct {
	host    *server.Host
	editors int
}

// keeperOf is the host of a folder: it is made for the first editor, and closed behind the last.
func keeperOf(t testing.TB, folder string, change func(*server.Options)) (h *server.Host, leave func()) {
	t.Helper()
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

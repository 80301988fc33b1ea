package hub

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"followup/internal/bounded"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
	"followup/internal/web"
)

// site is a running hub.
type site struct {
	t       testing.TB
	hub     *Hub
	address string // http://…
	log     *observer.ObservedLogs
	// stop stops the hub, and blocks until it has ended.
	stop func()
}

// serve starts a hub on a store, until the test ends.
func serve(t testing.TB, storage string, change func(*Options)) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	core, log := observer.New(zap.DebugLevel)
	o := Options{
		Name: "Test", Storage: storage, Address: "http://" + listener.Addr().String(), Locale: locale.English, Log: bounded.Log(zap.New(core)),
		Server: server.Options{Version: "test", PID: 1, OpenStore: sqlite.Open, NewID: rpctest.NewID},
	}
	if change != nil {
		change(&o)
	}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	served, err := web.New(web.Options{
		Listener: listener, Log: o.Log, Door: h, Handlers: h.Handlers(), Path: "/page", MaxPages: 100,
		Files: fstest.MapFS{"index.html": {Data: []byte("<!DOCTYPE html>")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- served.Serve(ctx) }()
	stopped := false
	s := &site{t: t, hub: h, address: strings.TrimSuffix(served.Address(), "/"), log: log}
	s.stop = func() {
		if stopped {
			return
		}
		stopped = true
		end()
		if err := waits.For(t, ended); err != nil {
			t.Error(err)
		}
		h.Close()
	}
	t.Cleanup(func() {
		s.stop()
		if t.Failed() {
			for _, line := range log.All() {
				t.Log(line.Level, line.Message, line.ContextMap())
			}
		}
	})
	waits.Until(t, "the hub is ready", func() bool { return h.Ready(t.Context()) == nil })
	return s
}

// invited invites an account, and returns its token.
func invited(t testing.TB, in Accounts, name string, agent bool, groups ...string) (token string) {
	t.Helper()
	token, err := Invite(t.Context(), in, Invitation{Name: name, Agent: agent, Groups: groups})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// invite is invited for a running hub.
func (s *site) invite(in Accounts, name string, agent bool) (token string) {
	s.t.Helper()
	token = invited(s.t, in, name, agent)
	waits.Until(s.t, "the hub knows the token", func() bool {
		_, known := s.hub.directory.find(token, time.Now())
		return known
	})
	return token
}

// opened opens a store like "followup hub invite".
func opened(t testing.TB, storage string) store.Store {
	t.Helper()
	return openedFor(t, storage, "")
}

// openedFor opens a team's store.
func openedFor(t testing.TB, storage, team string) store.Store {
	t.Helper()
	s, _, err := sqlite.Open(t.Context(), storage, store.Options{Team: team})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// program is a program with a connection to a hub.
type program struct {
	*rpctest.Editor
	// closed gets the reason when the connection ends.
	closed chan error
	result protocol.InitializeResult
}

// dial connects with a token.
func (s *site) dial(token string) (*websocket.Conn, int, error) {
	header := http.Header{"Authorization": {"Bearer " + token}}
	conn, response, err := websocket.Dial(s.t.Context(), "ws"+strings.TrimPrefix(s.address, "http")+"/rpc", &websocket.DialOptions{HTTPHeader: header}) //nolint:bodyclose // the library has read it
	status := 0
	if response != nil {
		status = response.StatusCode
	}
	return conn, status, err
}

// connect connects with a token, and performs the handshake.
func (s *site) connect(token string) *program {
	s.t.Helper()
	return s.connectIn(token, "")
}

// connectIn is connect with a language.
func (s *site) connectIn(token, language string) *program {
	s.t.Helper()
	conn, _, err := s.dial(token)
	if err != nil {
		s.t.Fatal(err)
	}
	conn.SetReadLimit(-1)
	in, fromHub := io.Pipe()
	toHub, out := io.Pipe()
	p := &program{closed: make(chan error, 1)}
	go func() {
		for {
			_, body, err := conn.Read(context.Background())
			if err == nil {
				err = rpc.WriteFrame(fromHub, body)
			}
			if err != nil {
				p.closed <- err
				_ = fromHub.Close()
				return
			}
		}
	}()
	go func() {
		frames := bufio.NewReader(toHub)
		for {
			body, err := rpc.ReadFrame(frames)
			if err == nil {
				err = conn.Write(context.Background(), websocket.MessageText, body)
			}
			if err != nil {
				_ = conn.CloseNow()
				_, _ = io.Copy(io.Discard, toHub)
				return
			}
		}
	}()
	s.t.Cleanup(func() { _ = conn.CloseNow() })
	p.Editor = rpctest.Over(s.t, in, out)
	p.result = rpctest.Call(p.Editor, protocol.Initialize, protocol.InitializeParams{
		InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version, Locale: language},
	})
	return p
}

// watch is connect for a person who looks at the inbox.
func (s *site) watch(token string) *program {
	s.t.Helper()
	p := s.connect(token)
	p.Subscribe()
	return p
}

// code returns the close code of the connection.
func (p *program) code(t testing.TB) websocket.StatusCode {
	t.Helper()
	return websocket.CloseStatus(waits.For(t, p.closed))
}

// failure returns the error of a request.
func failure[P, R any](p *program, m protocol.Request[P, R], params P) error {
	_, err := rpc.Call(context.Background(), p.Conn, m, params)
	return err
}

// typed returns a typed answer.
func typed(id, text string) protocol.AnswerParams {
	return protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: text}
}

// failureIn is failure with a context.
func failureIn[P, R any](ctx context.Context, p *program, m protocol.Request[P, R], params P) error {
	_, err := rpc.Call(ctx, p.Conn, m, params)
	return err
}

// get returns the status of an unauthenticated request.
func (s *site) get(path string) int {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.address+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Host = "10.1.2.3" // like a load balancer that only knows the address
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// value returns a metric without labels.
func value(t testing.TB, h *Hub, name string) float64 {
	t.Helper()
	w := httptest.NewRecorder()
	h.Metrics().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for line := range strings.Lines(w.Body.String()) {
		if text, found := strings.CutPrefix(line, name+" "); found {
			number, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil {
				t.Fatal(err)
			}
			return number
		}
	}
	t.Fatalf("there is no %s", name)
	return 0
}

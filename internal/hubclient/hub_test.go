package hubclient_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap/zaptest"

	"followup/internal/hubclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// hub is a hub whose responses the test sends.
type hub struct {
	t     testing.TB
	url   *url.URL
	links chan *link
	// refuse answers one attempt instead of a link.
	refuse chan http.HandlerFunc
	// always, if not nil, answers every attempt.
	always atomic.Pointer[http.HandlerFunc]
	server *httptest.Server
}

// link is a client's link after the handshake.
type link struct {
	hub    *hub
	conn   *websocket.Conn
	header http.Header
	hello  protocol.InitializeParams
	done   chan struct{}
}

// message is any JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result any             `json:"result,omitempty"`
	Error  *jsonrpc2.Error `json:"error,omitempty"`
}

// starting is the response of a proxy whose hub is still starting.
var starting http.HandlerFunc = func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "starting", http.StatusBadGateway) }

func newHub(t testing.TB) *hub {
	h := &hub{t: t, links: make(chan *link), refuse: make(chan http.HandlerFunc, 1)}
	h.server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.server.Close)
	h.url, _ = url.Parse(h.server.URL)
	return h
}

func (h *hub) serve(w http.ResponseWriter, r *http.Request) {
	select {
	case instead := <-h.refuse:
		instead(w, r)
		return
	default:
	}
	if instead := h.always.Load(); instead != nil {
		(*instead)(w, r)
		return
	}
	if r.URL.Path != "/rpc" {
		http.NotFound(w, r)
		return
	}
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	conn.SetReadLimit(rpc.MaxFrame)
	l := &link{hub: h, conn: conn, header: r.Header, done: make(chan struct{})}
	select {
	case h.links <- l:
	case <-r.Context().Done():
		return
	}
	<-l.done
}

// next blocks until a client's next link, and performs the handshake.
func (h *hub) next() *link {
	h.t.Helper()
	l := waits.For(h.t, h.links)
	l.welcome()
	l.expect(protocol.Initialized.Method)
	return l
}

// welcome answers the handshake.
func (l *link) welcome() {
	l.hub.t.Helper()
	hello := l.expect(protocol.Initialize.Method)
	if err := json.Unmarshal(hello.Params, &l.hello); err != nil {
		l.hub.t.Fatal(err)
	}
	l.answer(hello, protocol.InitializeResult{ProtocolVersion: protocol.Version, Hub: &protocol.Hub{Name: "Team", Account: "ada", Role: protocol.RolePerson}})
}

func (l *link) expect(method string) message {
	l.hub.t.Helper()
	var m message
	if err := json.Unmarshal(l.read(), &m); err != nil {
		l.hub.t.Fatal(err)
	}
	if m.Method != method {
		l.hub.t.Fatalf("the client sent %s %s, want %s", m.Method, m.Params, method)
	}
	return m
}

func (l *link) read() []byte {
	l.hub.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waits.Patience)
	defer cancel()
	_, body, err := l.conn.Read(ctx)
	if err != nil {
		l.hub.t.Fatal("the client's link has ended: ", err)
	}
	return body
}

func (l *link) send(m message) {
	l.hub.t.Helper()
	body, err := json.Marshal(m)
	if err != nil {
		l.hub.t.Fatal(err)
	}
	body = append([]byte(`{"jsonrpc":"2.0",`), body[1:]...)
	if err := l.conn.Write(context.Background(), websocket.MessageText, body); err != nil {
		l.hub.t.Fatal(err)
	}
}

func (l *link) answer(to message, result any) { l.send(message{ID: to.ID, Result: result}) }

func (l *link) change(change protocol.InboxChange) {
	params, _ := json.Marshal(change)
	l.send(message{Method: protocol.InboxDidChange.Method, Params: params})
}

// cut ends the link like a lost network.
func (l *link) cut() {
	_ = l.conn.CloseNow()
	close(l.done)
}

// peer uses the client like a sidecar.
type peer struct {
	t       testing.TB
	conn    *rpc.Conn
	changes chan protocol.InboxChange
	states  chan hubclient.State
	hangUp  func()
	ended   chan struct{}
}

func (h *hub) dial(change func(*hubclient.Options)) *peer {
	h.t.Helper()
	toClient, fromPeer := io.Pipe()
	toPeer, fromClient := io.Pipe()
	p := &peer{t: h.t, changes: make(chan protocol.InboxChange, 100), states: make(chan hubclient.State, 1000), ended: make(chan struct{})}
	log := zaptest.NewLogger(h.t)
	options := hubclient.Options{
		In: toClient, Out: fromClient, Log: log, URL: h.url, Version: "test", Locale: locale.English,
		Token:        func() (string, error) { return "followup_TOKEN", nil },
		StateChanged: func(now hubclient.State) { p.states <- now },
		First:        time.Millisecond, Last: time.Millisecond, Silence: time.Minute,
	}
	if change != nil {
		change(&options)
	}
	go func() {
		defer close(p.ended)
		hubclient.Serve(context.Background(), options)
		_ = fromClient.Close()
	}()
	router := &rpc.Router{}
	rpc.OnNotification(router, protocol.InboxDidChange, func(_ context.Context, change protocol.InboxChange) error {
		p.changes <- change
		return nil
	})
	p.conn = rpc.Dial(context.Background(), router, rpc.Options{In: toPeer, Out: fromPeer, Log: log})
	p.hangUp = func() { _ = fromPeer.Close() }
	h.t.Cleanup(func() {
		p.hangUp()
		waits.For(h.t, p.ended)
		waits.For(h.t, p.conn.Done())
	})
	call(p, protocol.Initialize, protocol.InitializeParams{InitializationOptions: protocol.InitializationOptions{
		ProtocolVersion: protocol.Version, Locale: "fr", StorageFolder: "/secret/folder",
	}})
	rpc.Notify(p.conn, protocol.Initialized, protocol.None{})
	return p
}

// until blocks until the link has a state.
func (p *peer) until(want protocol.HubLink) hubclient.State {
	p.t.Helper()
	for {
		if now := waits.For(p.t, p.states); now.State == want {
			return now
		}
	}
}

func call[P, R any](p *peer, m protocol.Request[P, R], params P) R {
	p.t.Helper()
	result := waits.For(p.t, begin(p, m, params))
	if result.err != nil {
		p.t.Fatal(m.Method, ": ", result.err)
	}
	return result.value
}

type result[R any] struct {
	value R
	err   error
}

// begin sends a request without waiting for the response.
func begin[P, R any](p *peer, m protocol.Request[P, R], params P) <-chan result[R] {
	results := make(chan result[R], 1)
	go func() {
		value, err := rpc.Call(context.Background(), p.conn, m, params)
		results <- result[R]{value, err}
	}()
	return results
}

func same(t testing.TB, a, b message) {
	t.Helper()
	if !bytes.Equal(a.Params, b.Params) {
		t.Errorf("asked again with %s, want %s", b.Params, a.Params)
	}
}

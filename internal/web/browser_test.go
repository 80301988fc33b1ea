package web

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"followup/internal/protocol"
	"followup/internal/rpctest"
)

// site is a server, with the state of a browser.
type site struct {
	t      *testing.T
	server *Server
	folder string
	client *http.Client
	log    *observer.ObservedLogs
	logged chan struct{} // a token while there may be a new line
	stop   context.CancelFunc
	ended  chan error

	origin, secret string
}

// serveSite serves on a free port, until the test ends.
func serveSite(t *testing.T, change func(*Options)) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	core, log := observer.New(zap.DebugLevel)
	logged := make(chan struct{}, 1)
	logger := zap.New(core, zap.Hooks(func(zapcore.Entry) error {
		select {
		case logged <- struct{}{}:
		default:
		}
		return nil
	}))
	folder := t.TempDir()
	o := Options{
		Listener: listener, StorageFolder: folder, Log: logger,
		Sidecar: func(ctx context.Context, in io.ReadCloser, out io.Writer) { rpctest.Serve(ctx, t, folder, in, out) },
	}
	if change != nil {
		change(&o)
	}
	served, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &site{
		t: t, server: served, folder: o.StorageFolder, client: &http.Client{}, log: log, logged: logged, stop: stop, ended: make(chan error, 1),
	}
	_, s.secret, _ = strings.Cut(served.URL(), "#")
	s.origin = "http://" + listener.Addr().String()
	go func() { s.ended <- served.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-s.ended; err != nil {
			t.Error(err)
		}
		s.client.CloseIdleConnections()
	})
	return s
}

// reply is a response.
type reply struct {
	status  int
	header  http.Header
	cookies []*http.Cookie
	body    string
}

// send sends a request like the site's own page. If change is not nil, it may alter the request.
func (s *site) send(method, path, body string, change func(*http.Request)) reply {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.origin+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Origin", s.origin)
	if change != nil {
		change(r)
	}
	response, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, response.Cookies(), string(text)}
}

// login exchanges the secret.
func (s *site) login() (cookie *http.Cookie, path string) {
	s.t.Helper()
	response := s.send(http.MethodPost, "/login", s.secret, nil)
	var answer struct {
		Path string `json:"path"`
	}
	if err := json.Unmarshal([]byte(response.body), &answer); err != nil || response.status != http.StatusOK || len(response.cookies) != 1 {
		s.t.Fatalf("%+v, %v", response, err)
	}
	return response.cookies[0], answer.Path
}

// untilLogged blocks until count log lines have a message.
func (s *site) untilLogged(message string, count int) {
	s.t.Helper()
	for s.log.FilterMessage(message).Len() < count {
		select {
		case <-s.logged:
		case <-s.t.Context().Done():
			s.t.Fatalf("the log does not have %q %d times", message, count)
		}
	}
}

// refusals counts the log's lines about rejected requests.
func (s *site) refusals() int { return s.log.FilterMessage("refused").Len() }

// tab is an open page.
type tab struct {
	t    *testing.T
	conn *websocket.Conn
	last int
	// queued are notifications that arrived while the page waited for a response.
	queued []message
}

// message is a message to a page.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *jsonrpc2.Error `json:"error"`
}

// open opens a page.
func (s *site) open(cookie *http.Cookie, path string) *tab {
	s.t.Helper()
	return s.openAs("", s.origin, cookie, path)
}

// openAs opens a page by an origin and a Host header. If host is empty, it is the server's own.
func (s *site) openAs(host, origin string, cookie *http.Cookie, path string) *tab {
	s.t.Helper()
	header := http.Header{"Origin": {origin}, "Cookie": {cookie.Name + "=" + cookie.Value}, "Accept-Language": {"de, fr;q=0.9"}}
	options := &websocket.DialOptions{HTTPClient: s.client, HTTPHeader: header, Host: host}
	conn, _, err := websocket.Dial(s.t.Context(), s.origin+path, options) //nolint:bodyclose // the library has read it
	if err != nil {
		s.t.Fatal(err)
	}
	conn.SetReadLimit(-1)
	s.t.Cleanup(func() { _ = conn.CloseNow() })
	return &tab{t: s.t, conn: conn}
}

func (p *tab) write(body string) {
	p.t.Helper()
	if err := p.conn.Write(p.t.Context(), websocket.MessageText, []byte(body)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *tab) read() (m message) {
	p.t.Helper()
	_, body, err := p.conn.Read(p.t.Context())
	if err == nil {
		err = json.Unmarshal(body, &m)
	}
	if err != nil {
		p.t.Fatalf("%v: %s", err, body)
	}
	return m
}

// ask sends a request and waits for its answer.
func ask[P, R any](p *tab, m protocol.Request[P, R], params P) (result R, failed *jsonrpc2.Error) {
	p.t.Helper()
	p.last++
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.last, "method": m.Method, "params": params})
	if err != nil {
		p.t.Fatal(err)
	}
	p.write(string(body))
	want, _ := json.Marshal(p.last)
	for {
		got := p.read()
		switch {
		case got.Method != "":
			p.queued = append(p.queued, got)
		case string(got.ID) != string(want):
			p.t.Fatalf("an answer to %s", got.ID)
		case got.Error != nil:
			return result, got.Error
		default:
			if err := json.Unmarshal(got.Result, &result); err != nil {
				p.t.Fatal(err)
			}
			return result, nil
		}
	}
}

// untilItem blocks until the page gets a question in a state.
func (p *tab) untilItem(id string, state protocol.ItemState) protocol.InboxItem {
	p.t.Helper()
	for {
		var m message
		if len(p.queued) > 0 {
			m, p.queued = p.queued[0], p.queued[1:]
		} else {
			m = p.read()
		}
		if m.Method != protocol.InboxDidChange.Method {
			continue
		}
		var change protocol.InboxChange
		if err := json.Unmarshal(m.Params, &change); err != nil {
			p.t.Fatal(err)
		}
		for _, item := range change.Items {
			if item.QuestionID == id && item.State == state {
				return item
			}
		}
	}
}

// recorded returns the response for a file.
func recorded(path string, from fs.FS) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	serve(w, httptest.NewRequest(http.MethodGet, path, nil), from)
	return w
}

package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coder/websocket"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// A question from the editor is answered in the browser. The editor shows the answer, and the history has it.
func TestQuestionIsAnsweredInTheBrowser(t *testing.T) {
	s := serveSite(t, nil)
	e := rpctest.ConnectTo(t, s.folder, nil)
	page := s.open(s.login())
	if inbox, failed := ask(page, protocol.InboxSubscribe, protocol.None{}); failed != nil || inbox.Storage == nil || !inbox.Storage.Saved {
		t.Fatalf("got %+v, %v", inbox, failed)
	}
	id, answered := e.Ask(e.Session("s"), `{"question":"Which *port*?","follow_up":[{"text":"8080"},{"text":"3000"}]}`)
	if item := page.untilItem(id, protocol.ItemPending); item.Rendered == nil || len(item.Payload.Suggest) != 2 {
		t.Errorf("got %+v", item)
	}
	first := 0
	taken, failed := ask(page, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceClicked, Suggestion: &first})
	if failed != nil || !taken.Accepted {
		t.Errorf("got %+v, %v", taken, failed)
	}
	if got := <-answered; got.Err != nil || got.Answer.Text != "<answer>\n8080\n</answer>" {
		t.Errorf("the agent got %+v", got)
	}
	e.UntilState(id, protocol.ItemClosed)
	again, failed := ask(page, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "9"})
	if failed != nil || again.Accepted || again.Outcome.Text != "8080" {
		t.Errorf("got %+v, %v", again, failed)
	}
	if entry, failed := ask(page, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id}); failed != nil || entry.Outcome.Text != "8080" {
		t.Errorf("got %+v, %v", entry, failed)
	}
}

// A draft from one page appears in the editor and on the next page.
func TestDraftIsShared(t *testing.T) {
	s := serveSite(t, nil)
	e := rpctest.ConnectTo(t, s.folder, nil)
	id, _ := e.Ask(e.Session("s"), `{"question":"Which port?"}`)
	e.UntilState(id, protocol.ItemPending)
	cookie, path := s.login()
	page := s.open(cookie, path)
	if _, failed := ask(page, protocol.InboxSubscribe, protocol.None{}); failed != nil {
		t.Fatal(failed)
	}
	if _, failed := ask(page, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{Text: "80", ChangedAt: 1}}); failed != nil {
		t.Fatal(failed)
	}
	e.Until(func() bool { return e.Items[id].Draft != nil && e.Items[id].Draft.Text == "80" })
	_ = page.conn.Close(websocket.StatusNormalClosure, "")
	inbox, failed := ask(s.open(cookie, path), protocol.InboxSubscribe, protocol.None{})
	if failed != nil || len(inbox.Items) != 1 || inbox.Items[0].Draft == nil || inbox.Items[0].Draft.Text != "80" {
		t.Errorf("got %+v, %v", inbox, failed)
	}
}

// For other processes, a browser counts as showing the inbox while its page is visible.
func TestBrowserShowsTheInbox(t *testing.T) {
	s := serveSite(t, nil)
	agent := rpctest.StartIn(t, s.folder, nil)
	rpctest.Call(agent, protocol.Initialize, protocol.InitializeParams{
		InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version, StorageFolder: s.folder},
	})
	until := func(shown bool) {
		t.Helper()
		waits.Until(t, fmt.Sprint("an inbox is shown: ", shown), func() bool { // reported asynchronously
			return rpctest.Call(agent, protocol.InboxStatus, protocol.None{}).Shown == shown
		})
	}
	until(false)
	cookie, path := s.login()
	page, hidden := s.open(cookie, path), s.open(cookie, path)
	hidden.write(`{"jsonrpc":"2.0","method":"inbox/didShow","params":{"shown":false}}`)
	for _, each := range []*tab{page, hidden} {
		if _, failed := ask(each, protocol.InboxSubscribe, protocol.None{}); failed != nil {
			t.Fatal(failed)
		}
	}
	until(true)
	page.write(`{"jsonrpc":"2.0","method":"inbox/didShow","params":{"shown":false}}`)
	until(false)
	page.write(`{"jsonrpc":"2.0","method":"inbox/didShow","params":{"shown":true}}`)
	until(true)
	_ = page.conn.CloseNow() // as when the tab is closed
	until(false)
}

// A request that is not from the page is rejected with a status and logged, and the secret stays valid.
func TestRefusals(t *testing.T) {
	s := serveSite(t, nil)
	host := func(host string) func(*http.Request) {
		return func(r *http.Request) { r.Host = host; r.Header.Set("Origin", "http://"+host) }
	}
	origin := func(origins ...string) func(*http.Request) {
		return func(r *http.Request) { r.Header["Origin"] = origins }
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(s.origin, "http://"), ":")
	upgrade := func(origins ...string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header["Origin"] = origins
			r.Header.Set("Connection", "Upgrade")
			r.Header.Set("Upgrade", "websocket")
		}
	}
	tests := []struct {
		name, method, path, body string
		change                   func(*http.Request)
		status                   int
	}{
		{"a name rebound to this machine", "GET", "/", "", host("evil.example:" + port), 421},
		{"a name without a port", "GET", "/", "", host("evil.example"), 421},
		{"another port", "GET", "/", "", host("127.0.0.1:1"), 421},
		{"no port", "GET", "/", "", host("127.0.0.1"), 421},
		{"that name, with the secret", "POST", "/login", s.secret, host("evil.example:" + port), 421},
		{"another site's page", "GET", "/", "", origin("https://evil.example"), 403},
		{"a page on another port", "POST", "/login", s.secret, origin("http://127.0.0.1:1"), 403},
		{"a page by another name of this machine", "POST", "/login", s.secret, origin("http://localhost:" + port), 403},
		{"a file", "POST", "/login", s.secret, origin("null"), 403},
		{"an extension", "POST", "/login", s.secret, origin("chrome-extension://" + strings.TrimPrefix(s.origin, "http://")), 403},
		{"no origin", "POST", "/login", s.secret, origin(), 403},
		{"two origins", "POST", "/login", s.secret, origin(s.origin, "https://evil.example"), 403},
		{"a socket without an origin", "GET", s.server.path + "/socket", "", upgrade(), 403},
		{"a socket from another origin", "GET", s.server.path + "/socket", "", upgrade("http://127.0.0.1:1"), 403},
		{"an invented cookie", "GET", s.server.path + "/socket", "", func(r *http.Request) {
			upgrade(s.origin)(r)
			r.AddCookie(&http.Cookie{Name: cookieName, Value: rand.Text()})
		}, 401},
		{"an empty cookie", "GET", s.server.path + "/socket", "", func(r *http.Request) {
			upgrade(s.origin)(r)
			r.Header.Set("Cookie", cookieName+"=")
		}, 401},
		{"a wrong secret", "POST", "/login", rand.Text(), nil, 401},
		{"no secret", "POST", "/login", "", nil, 401},
		{"a secret with a suffix", "POST", "/login", s.secret + " ", nil, 401},
		{"an oversized secret", "POST", "/login", strings.Repeat("x", maxSecret+1), nil, 413},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := s.refusals()
			response := s.send(test.method, test.path, test.body, test.change)
			if response.status != test.status || len(response.cookies) > 0 || response.header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("got %d, %v", response.status, response.header)
			}
			if s.refusals() != before+1 {
				t.Error("the refusal was not logged")
			}
		})
	}
	before := s.refusals()
	response := s.send("GET", s.server.path+"/socket", "", upgrade(s.origin))
	if response.status != http.StatusUnauthorized || s.refusals() != before || s.log.FilterMessage("a page without a cookie has to log in").Len() != 1 {
		t.Errorf("a socket without a cookie: %d, %v", response.status, s.log.All())
	}
	cookie, path := s.login()
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != s.server.path || !strings.HasPrefix(path, cookie.Path) {
		t.Errorf("got %v", cookie)
	}
	for _, origins := range [][]string{nil, {"http://127.0.0.1:1"}, {"https://evil.example"}, {"null"}} {
		before := s.refusals()
		response := s.send("GET", path, "", func(r *http.Request) {
			upgrade(origins...)(r)
			r.Header["Upgrade"] = []string{"", "websocket"}
			r.Header.Set("Sec-WebSocket-Version", "13")
			r.Header.Set("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==")
			r.AddCookie(cookie)
		})
		if response.status != http.StatusForbidden || s.refusals() != before+1 {
			t.Errorf("a socket with the cookie, from %v: %d", origins, response.status)
		}
	}
	before = s.refusals()
	if response := s.send("POST", "/login", s.secret, nil); response.status != http.StatusGone || len(response.cookies) > 0 || s.refusals() != before+1 {
		t.Errorf("a second login: %d", response.status)
	}
	if inbox, failed := ask(s.open(cookie, path), protocol.InboxSubscribe, protocol.None{}); failed != nil {
		t.Errorf("got %+v, %v", inbox, failed)
	}
	for _, line := range s.log.All() {
		for _, field := range line.Context {
			if strings.Contains(field.String, s.secret) || strings.Contains(field.String, cookie.Value) {
				t.Errorf("the log has a secret: %+v", line)
			}
		}
	}
}

// If an editor forwards the port, the page is only served at the editor's address, and the cookie is bound to the page's folder there.
func TestForwardedAddress(t *testing.T) {
	const outside = "https://name-7.forwarded.example"
	tests := []struct {
		name, host, origin string
		status             int
	}{
		{"the host that the browser sees", "name-7.forwarded.example", outside, 200},
		{"the host that the forwarder uses", "", outside, 200},
		{"another host of the forwarder", "name-8.forwarded.example", "https://name-8.forwarded.example", 421},
		{"a page on another host of the forwarder", "", "https://name-8.forwarded.example", 403},
		{"an unencrypted page on the host", "", "http://name-7.forwarded.example", 403},
		{"an unencrypted page on the host, by its name", "name-7.forwarded.example", "http://name-7.forwarded.example", 403},
		{"a page on another port of the host", "name-7.forwarded.example", outside + ":8", 403},
		{"another port of the host", "name-7.forwarded.example:8", outside + ":8", 421},
		{"a local page on another port", "", "http://127.0.0.1:1", 403},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serveSite(t, func(o *Options) { o.Names = []string{outside + "/ports/7/"} })
			if at := s.server.URL(); !strings.HasPrefix(at, outside+"/ports/7/#") {
				t.Fatalf("got %s", at)
			}
			response := s.send("POST", "/login", s.secret, func(r *http.Request) {
				if test.host != "" {
					r.Host = test.host
				}
				r.Header.Set("Origin", test.origin)
			})
			if response.status != test.status {
				t.Fatalf("got %d: %s", response.status, response.body)
			}
			if test.status != http.StatusOK {
				if len(response.cookies) > 0 || s.refusals() != 1 {
					t.Errorf("got %v, %d refusals", response.cookies, s.refusals())
				}
				return
			}
			want := "/ports/7" + s.server.path
			if cookie := response.cookies[0]; cookie.Path != want || !cookie.Secure || !strings.Contains(response.body, want+"/socket") {
				t.Errorf("got %v, %s", cookie, response.body)
			}
			// The proxy strips its folder.
			page := s.openAs(test.host, test.origin, response.cookies[0], s.server.path+"/socket")
			if _, failed := ask(page, protocol.InboxSubscribe, protocol.None{}); failed != nil {
				t.Error(failed)
			}
		})
	}
}

// everybody admits every visitor.
type everybody struct{}

func (everybody) Login(_, _ string) (Cookie, *Refusal) {
	return Cookie{Value: "v", MaxAge: time.Hour}, nil
}

func (everybody) Enter(string, Visitor) (Visit, *Refusal) {
	return Visit{}, &Refusal{Status: http.StatusTeapot}
}

// If the page is encrypted, unencrypted pages are rejected, and browsers only send the cookie encrypted.
func TestEncryptedPages(t *testing.T) {
	const hub, seconds = "hub.example", "max-age=31536000"
	tests := []struct {
		name         string
		tls          bool
		names        []string
		door         Door
		host, origin string
		status       int
		cookie, path string
		strict       string
		socket       string
	}{
		{"a hub", true, []string{hub}, everybody{}, hub, "https://" + hub, 200, "__Host-followup", "/", seconds, "/page/socket"},
		{"a hub's page without encryption", true, []string{hub}, everybody{}, hub, "http://" + hub, 403, "", "", seconds, ""},
		{"a hub on this machine", true, []string{"localhost"}, everybody{}, "localhost", "https://localhost", 200, "__Host-followup", "/", "", "/page/socket"},
		{"behind a TLS proxy", false, []string{"https://" + hub}, everybody{}, hub, "https://" + hub, 200, "__Host-followup", "/", seconds, "/page/socket"},
		{"behind a TLS proxy, unencrypted", false, []string{"https://" + hub}, everybody{}, hub, "http://" + hub, 403, "", "", seconds, ""},
		{
			"behind a TLS proxy, in a folder", false, []string{"https://" + hub + "/a"}, everybody{}, hub, "https://" + hub, 200,
			"__Secure-followup", "/a/page", seconds, "/a/page/socket",
		},
		{"behind an optional TLS proxy", false, []string{hub}, everybody{}, hub, "https://" + hub, 200, "__Host-followup", "/", "", "/page/socket"},
		{"behind an optional TLS proxy, unencrypted", false, []string{hub}, everybody{}, hub, "http://" + hub, 200, "followup", "/page", "", "/page/socket"},
		{"with TLS, behind an unencrypted proxy", true, []string{"http://" + hub}, everybody{}, hub, "http://" + hub, 200, "followup", "/page", "", "/page/socket"},
		{"one user's page", true, []string{hub}, nil, hub, "https://" + hub, 200, "__Secure-followup", "/page", "", "/page/socket"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := Options{Listener: bound{at: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7443}}, Names: test.names, Door: test.door, Path: "/page", Log: zap.NewNop()}
			if test.tls {
				o.TLS = &tls.Config{MinVersion: tls.VersionTLS13}
			}
			s, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequest(http.MethodPost, "/login", strings.NewReader(s.secret))
			r.Host = test.host
			r.Header.Set("Origin", test.origin)
			w := httptest.NewRecorder()
			s.handler().ServeHTTP(w, r)
			response := w.Result() //nolint:bodyclose // it is in memory
			if got := response.Header.Get("Strict-Transport-Security"); response.StatusCode != test.status || got != test.strict {
				t.Errorf("got %d, %q", response.StatusCode, got)
			}
			var name, path string
			for _, cookie := range response.Cookies() {
				name, path = cookie.Name, cookie.Path
				if cookie.Secure != strings.HasPrefix(name, "__") {
					t.Errorf("got %v", cookie)
				}
			}
			if body := w.Body.String(); name != test.cookie || path != test.path || test.status == http.StatusOK && !strings.Contains(body, `"`+test.socket+`"`) {
				t.Errorf("got %q for %q, %s", name, path, body)
			}
		})
	}
}

// Five wrong secrets are answered at once, and then one every 12 s. The right one never waits.
func TestWrongSecretsSlowDown(t *testing.T) {
	var now atomic.Int64
	s := serveSite(t, func(o *Options) { o.Now = func() time.Time { return time.Unix(now.Load(), 0) } })
	status := func(secret string) int { return s.send("POST", "/login", secret, nil).status }
	for range wrongSecrets {
		if got := status("wrong"); got != http.StatusUnauthorized {
			t.Errorf("got %d", got)
		}
	}
	response := s.send("POST", "/login", "wrong", nil)
	if response.status != http.StatusTooManyRequests || response.header.Get("Retry-After") != "12" {
		t.Errorf("got %d, %v", response.status, response.header)
	}
	now.Add(11)
	if got := status("wrong"); got != http.StatusTooManyRequests {
		t.Errorf("after 11 s: got %d", got)
	}
	now.Add(1)
	if got := status("wrong"); got != http.StatusUnauthorized {
		t.Errorf("after 12 s: got %d", got)
	}
	if got := status("wrong"); got != http.StatusTooManyRequests {
		t.Errorf("after another wrong one: got %d", got)
	}
	s.login()
}

// An overlong method name from a page is truncated.
func TestLongNameIsTruncated(t *testing.T) {
	s := serveSite(t, nil)
	page := s.open(s.login())
	_, failed := ask(page, protocol.Request[protocol.None, protocol.None]{Method: strings.Repeat("x", 150)}, protocol.None{})
	want := strings.Repeat("x", maxName) + " is not a method of the interface"
	if failed == nil || failed.Message != want {
		t.Errorf("got %v", failed)
	}
	if logged := s.log.FilterMessage("refused").All(); len(logged) != 1 || logged[0].ContextMap()["reason"] != failed.Error() {
		t.Errorf("got %+v", logged)
	}
}

// Only the interface's methods pass, however they are spelled. The page stays connected.
func TestOnlyTheInterfacesMethodsPass(t *testing.T) {
	s := serveSite(t, nil)
	page := s.open(s.login())
	for _, method := range []string{
		"initialize", "shutdown", "session/open", "session/get", "session/close", "question/ask", "question/await", "question/withdraw", "question/confirm",
		"stream/end", "history/export", "history/import", "history/findLogs", "history/countLogs", "history/configure", "no/such", "",
	} {
		before := s.refusals()
		_, failed := ask(page, protocol.Request[protocol.None, protocol.None]{Method: method}, protocol.None{})
		if failed == nil || failed.Code != jsonrpc2.CodeMethodNotFound || s.refusals() != before+1 {
			t.Errorf("%s: %v", method, failed)
		}
	}
	dropped := []string{
		`{"jsonrpc":"2.0","method":"exit"}`, `{"jsonrpc":"2.0","method":"stream/append","params":{}}`, `{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"verbose"}}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}`,
	}
	answered := []string{
		`{"jsonrpc":"2.0","id":"x","method":"history/list","method":"session/open"}`, `{"jsonrpc":"2.0","id":"x","m\u0065thod":"session/open","params":{}}`,
		`{"jsonrpc":"2.0","id":"followup web","method":"history/list","params":{}}`, `{"jsonrpc":"2.0","id":{},"method":"history/list"}`,
		`[{"jsonrpc":"2.0","id":"x","method":"history/list"}]`, `{"jsonrpc":"2.0","id":"x"`, ``, "Content-Length: 2\r\n\r\n{}",
	}
	before := s.refusals()
	for _, body := range dropped {
		page.write(body)
	}
	for _, body := range answered {
		page.write(body)
		if got := page.read(); got.Error == nil || len(got.ID) > 0 && string(got.ID) != `"x"` && string(got.ID) != `"followup web"` && string(got.ID) != "null" {
			t.Errorf("%s is answered with %+v", body, got)
		}
	}
	if got := s.refusals() - before; got != len(dropped)+len(answered) {
		t.Errorf("%d refusals, want %d", got, len(dropped)+len(answered))
	}
	if _, failed := ask(page, protocol.InboxSubscribe, protocol.None{}); failed != nil {
		t.Error(failed)
	}
}

// A binary or oversized message ends its page, but no other, with the close code of RFC 6455.
func TestRejectedFrames(t *testing.T) {
	const limit = 100_000
	s := serveSite(t, func(o *Options) { o.MaxMessage = limit })
	cookie, path := s.login()
	other := s.open(cookie, path)
	tests := []struct {
		name string
		kind websocket.MessageType
		body string
		want websocket.StatusCode
	}{
		{"too long", websocket.MessageText, strings.Repeat("x", limit+1), websocket.StatusMessageTooBig},
		{"bytes", websocket.MessageBinary, "{}", websocket.StatusUnsupportedData},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := s.refusals()
			page := s.open(cookie, path)
			// The server stops reading early, so the write may fail.
			go func() { _ = page.conn.Write(t.Context(), test.kind, []byte(test.body)) }()
			_, _, err := page.conn.Read(t.Context())
			if got := websocket.CloseStatus(err); got != test.want {
				t.Errorf("got %v (%v)", got, err)
			}
			s.untilLogged("refused", before+1)
		})
	}
	other.write(`{"jsonrpc":"2.0","method":"exit","params":"` + strings.Repeat("x", limit-100) + `"}`)
	if _, failed := ask(other, protocol.InboxSubscribe, protocol.None{}); failed != nil {
		t.Error(failed)
	}
}

// flood returns a sidecar that sends more than a connection's buffers hold, and then reports that it has.
func flood(flooded chan<- struct{}) func(context.Context, io.ReadCloser, io.Writer) {
	return func(_ context.Context, in io.ReadCloser, out io.Writer) {
		go func() { _, _ = io.Copy(io.Discard, in) }()
		long := []byte(`{"jsonrpc":"2.0","method":"inbox/didChange","params":{"x":"` + strings.Repeat("x", 1<<20) + `"}}`)
		for range 32 {
			if rpc.WriteFrame(out, long) != nil {
				break
			}
		}
		flooded <- struct{}{}
	}
}

// A browser that stops reading loses its page. Neither its sidecar nor other clients wait for it.
func TestBrowserThatStopsReading(t *testing.T) {
	flooded := make(chan struct{}, 1)
	s := serveSite(t, func(o *Options) { o.Sidecar, o.Patience = flood(flooded), 50*time.Millisecond })
	cookie, path := s.login()
	deaf := s.open(cookie, path)
	<-flooded
	s.untilLogged("a page was closed", 1)
	_ = deaf.conn.CloseNow()
}

// A browser that disappears in the middle of a message loses its page.
func TestBrowserLostAmidAMessage(t *testing.T) {
	s := serveSite(t, func(o *Options) { o.Patience = 50 * time.Millisecond })
	page := s.open(s.login())
	begun, err := page.conn.Writer(t.Context(), websocket.MessageText)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := begun.Write(make([]byte, 3*piece/2)); err != nil {
		t.Fatal(err)
	}
	s.untilLogged("a page was closed", 1)
	_ = page.conn.CloseNow()
}

// The editor and other pages do not wait for a page that stops reading, even before it is closed.
func TestStalledPageBlocksNobody(t *testing.T) {
	flooded := make(chan struct{}, 1)
	var pages atomic.Int32
	s := serveSite(t, func(o *Options) {
		inner := o.Sidecar
		o.Patience, o.Sidecar = time.Hour, func(ctx context.Context, in io.ReadCloser, out io.Writer) {
			if pages.Add(1) == 1 {
				flood(flooded)(ctx, in, out)
			} else {
				inner(ctx, in, out)
			}
		}
	})
	e := rpctest.ConnectTo(t, s.folder, nil)
	cookie, path := s.login()
	deaf := s.open(cookie, path)
	deaf.read() // the flood has begun
	page := s.open(cookie, path)
	if _, failed := ask(page, protocol.InboxSubscribe, protocol.None{}); failed != nil {
		t.Fatal(failed)
	}
	id, answered := e.Ask(e.Session("s"), `{"question":"Which port?"}`)
	page.untilItem(id, protocol.ItemPending)
	taken, failed := ask(page, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "8080"})
	if failed != nil || !taken.Accepted || (<-answered).Err != nil {
		t.Errorf("got %+v, %v", taken, failed)
	}
	if len(flooded) > 0 || s.log.FilterMessage("a page was closed").Len() > 0 {
		t.Error("the stalled page has read, or was closed")
	}
	_ = deaf.conn.CloseNow()
}

// A page is notified regularly while the connection works.
func TestPageGetsAlive(t *testing.T) {
	s := serveSite(t, func(o *Options) { o.Patience = 50 * time.Millisecond })
	page := s.open(s.login())
	for range 2 {
		if got := page.read(); got.Method != "web/alive" || got.ID != nil {
			t.Errorf("got %+v", got)
		}
	}
}

// When the server stops, it notifies every page, and every sidecar ends.
func TestStop(t *testing.T) {
	var running atomic.Int32
	s := serveSite(t, func(o *Options) {
		inner := o.Sidecar
		o.Sidecar = func(ctx context.Context, in io.ReadCloser, out io.Writer) {
			running.Add(1)
			defer running.Add(-1)
			inner(ctx, in, out)
		}
	})
	cookie, path := s.login()
	pages := []*tab{s.open(cookie, path), s.open(cookie, path)}
	for _, page := range pages {
		if _, failed := ask(page, protocol.InboxSubscribe, protocol.None{}); failed != nil {
			t.Fatal(failed)
		}
	}
	s.stop()
	for _, page := range pages {
		if _, _, err := page.conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Errorf("got %v", err)
		}
	}
	err := <-s.ended
	if err != nil || running.Load() != 0 {
		t.Errorf("got %v, %d sidecars are running", err, running.Load())
	}
	s.ended <- nil
	if _, err := net.Dial("tcp", strings.TrimPrefix(s.origin, "http://")); err == nil {
		t.Error("the listener is still open")
	}
}

// Pages beyond MaxPages are rejected. Closing a page makes room.
func TestTooManyPages(t *testing.T) {
	s := serveSite(t, func(o *Options) {
		o.Sidecar = func(_ context.Context, in io.ReadCloser, _ io.Writer) { _, _ = io.Copy(io.Discard, in) }
	})
	cookie, path := s.login()
	var pages []*tab
	for range maxPages {
		pages = append(pages, s.open(cookie, path))
	}
	status := func() int {
		return s.send("GET", path, "", func(r *http.Request) { r.AddCookie(cookie) }).status
	}
	if got := status(); got != http.StatusServiceUnavailable {
		t.Errorf("got %d", got)
	}
	_ = pages[0].conn.Close(websocket.StatusNormalClosure, "")
	s.untilLogged("a page disconnected", 1)
	for status() == http.StatusServiceUnavailable { // until the closed page's sidecar ends
	}
	s.open(cookie, path)
}

// The server serves the page's files and no others, with a policy that permits only these.
func TestFiles(t *testing.T) {
	s := serveSite(t, nil)
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Referrer-Policy": "no-referrer", "Cache-Control": "no-", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := s.send("GET", "/", "", func(r *http.Request) { r.Header.Del("Origin") }).header.Get(name); !strings.Contains(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	from := fstest.MapFS{
		"index.html": {Data: []byte("<!DOCTYPE html>")}, "page.js": {Data: []byte("1")}, ".gitignore": {Data: []byte("*")}, "sub/x.js": {Data: []byte("2")},
	}
	tests := []struct {
		path   string
		status int
		body   string
	}{
		{"/", 200, "<!DOCTYPE html>"}, {"/index.html", 200, "<!DOCTYPE html>"}, {"/page.js", 200, "1"}, {"/sub/x.js", 200, "2"},
		{"/.gitignore", 404, ""}, {"/sub", 404, ""}, {"/sub/", 404, ""}, {"/no.js", 404, ""}, {"/../web.go", 404, ""}, {"/..%2fweb.go", 404, ""},
	}
	for _, test := range tests {
		got := recorded(test.path, from)
		if got.Code != test.status || test.status == 200 && got.Body.String() != test.body {
			t.Errorf("%s: %d, %q", test.path, got.Code, got.Body)
		}
	}
	if got := recorded("/", fstest.MapFS{".gitignore": {}}).Body.String(); got != unbuilt || strings.Count(unbuilt, "\n") != 1 {
		t.Errorf("got %q", got)
	}
}

// The page's files have the types that browsers require, even if the system's table is wrong.
func TestMediaTypes(t *testing.T) {
	if err := mime.AddExtensionType(".css", "text/plain"); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mime.AddExtensionType(".css", "text/css") }()
	files, err := fs.Glob(builtIn(), "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, "page.css") {
		got := recorded("/"+name, fstest.MapFS{"index.html": {}, name: {Data: []byte("x")}})
		isFile := path.Ext(name) != "" && !strings.HasPrefix(name, ".")
		if kind := got.Header().Get("Content-Type"); isFile && (got.Code != http.StatusOK || strings.HasPrefix(kind, "text/plain")) {
			t.Errorf("%s: %d, %q", name, got.Code, kind)
		}
	}
}

// Files are compressed. A browser that has a file gets 304.
func TestFilesAreCompressedAndCached(t *testing.T) {
	from := fstest.MapFS{"index.html": {Data: []byte("<!DOCTYPE html>")}, "page.js": {Data: bytes.Repeat([]byte("let x; "), 1000)}}
	get := func(header, value string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/page.js", http.NoBody)
		r.Header.Set("Accept-Encoding", "gzip, br")
		r.Header.Set(header, value)
		w := httptest.NewRecorder()
		serve(w, r, from)
		return w
	}
	first := get("Accept", "*/*")
	zipped, err := gzip.NewReader(first.Body)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(zipped); err != nil || len(body) != 7000 || first.Header().Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("%d bytes of %q, %v", len(body), first.Header(), err)
	}
	again := get("If-None-Match", first.Header().Get("ETag"))
	if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("%d, %d bytes", again.Code, again.Body.Len())
	}
	plain := recorded("/page.js", from)
	if plain.Header().Get("Content-Encoding") != "" || plain.Header().Get("ETag") == first.Header().Get("ETag") || plain.Body.Len() != 7000 {
		t.Errorf("%v, %d bytes", plain.Header(), plain.Body.Len())
	}
}

// An admitted browser reconnects after a restart, by its own key and at the same port. The key expires, and the file
// only has its hash.
func TestDevices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder", "web.json")
	now := time.Unix(1_700_000_000, 0)
	start := func() (*secretDoor, string) {
		devices := OpenDevices(path)
		listener, err := devices.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = listener.Close() }()
		clock := func() time.Time { return now }
		return &secretDoor{secret: rand.Text(), wrong: NewWrong(100, clock), devices: devices, now: clock}, listener.Addr().String()
	}
	first, address := start()
	login, refusal := first.Login(first.secret, "")
	if refusal != nil || login.Device == "" {
		t.Fatalf("%+v, %+v", login, refusal)
	}
	if _, refusal := first.Login(first.secret, ""); refusal == nil {
		t.Error("the secret was accepted twice")
	}
	if body, err := os.ReadFile(path); err != nil || strings.Contains(string(body), login.Device) {
		t.Errorf("the file has the key: %s, %v", body, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	second, again := start()
	if again != address {
		t.Errorf("listens at %s, then at %s", address, again)
	}
	relogin, refusal := second.Login(login.Device, "")
	if refusal != nil {
		t.Fatal(refusal)
	}
	if _, refusal := second.Enter(relogin.Value, Page); refusal != nil {
		t.Error(refusal)
	}
	if _, refusal := second.Enter(login.Value, Page); refusal == nil {
		t.Error("a cookie of the first server was accepted")
	}
	for _, wrong := range []string{"", "x", hashOf(login.Device), relogin.Value} {
		if _, refusal := second.Login(wrong, ""); refusal == nil || refusal.Status != http.StatusUnauthorized {
			t.Errorf("%q: %+v", wrong, refusal)
		}
	}
	// The browser opens a used link, one of an earlier start, and the new one: nothing is refused, and it stays one browser.
	for _, link := range []string{first.secret, second.secret, second.secret} {
		if again, refusal := second.Login(link, login.Device); refusal != nil || again.Device != "" {
			t.Errorf("%+v, %+v", again, refusal)
		}
	}
	if _, refusal := second.Login(second.secret, "x"); refusal == nil || refusal.Status != http.StatusGone {
		t.Errorf("another browser: %+v", refusal)
	}
	if kept := len(second.devices.kept.Devices); kept != 1 {
		t.Errorf("%d devices are stored", kept)
	}
	now = now.Add(deviceTime + time.Second)
	if _, refusal := second.Login(login.Device, ""); refusal == nil {
		t.Error("an expired key was accepted")
	}
	for range maxDevices {
		if _, err := second.devices.add(now); err != nil {
			t.Fatal(err)
		}
	}
	if kept := len(OpenDevices(path).kept.Devices); kept != maxDevices {
		t.Errorf("%d devices are stored", kept)
	}
}

func TestPreferred(t *testing.T) {
	for header, want := range map[string]string{
		"": "en", "fr": "fr", "de, pt;q=0.9, fr;q=0.8": "pt-BR", "zh-Hans-CN,en": "zh-CN", "tlh": "en", "fr;q=x": "en", "en-GB, fr": "en",
	} {
		if got := preferred(header); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

func TestTexts(t *testing.T) {
	s := &Server{options: Options{Files: fstest.MapFS{"l10n/fr.json": {Data: []byte(`{"Send":"Envoyer"}`)}}}}
	for header, want := range map[string]string{
		"fr-CA, en": `{"hub":false,"locale":"fr","texts":{"Send":"Envoyer"}}`, "en, fr": `{"hub":false,"locale":"en","texts":null}`, "pt": `{"hub":false,"locale":"pt-BR","texts":null}`,
	} {
		r := httptest.NewRequest(http.MethodGet, "/l10n/texts", http.NoBody)
		r.Header.Set("Accept-Language", header)
		w := httptest.NewRecorder()
		s.texts(w, r)
		if got := strings.TrimSpace(w.Body.String()); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

func TestIsLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:0": true, "[::1]:80": true, "localhost:8080": true, "127.9.9.9:1": true, "0.0.0.0:1": false, ":8080": false, "[::]:1": false,
		"192.168.1.2:1": false, "localhost.evil.example:1": false, "localhost": false, "": false,
	} {
		if got := IsLoopback(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

// bound is a listener with a given address.
type bound struct {
	net.Listener
	at net.Addr
}

func (b bound) Addr() net.Addr { return b.at }

func TestHosts(t *testing.T) {
	tests := []struct {
		ip    string
		port  int
		names []string
		url   string
		takes []string
		not   []string
	}{
		{"127.0.0.1", 7, nil, "http://127.0.0.1:7/#", []string{"127.0.0.1:7", "localhost:7"}, []string{"127.0.0.1", "[::1]:7", "127.0.0.2:7"}},
		{"::1", 7, nil, "http://[::1]:7/#", []string{"[::1]:7", "localhost:7"}, []string{"127.0.0.1:7"}},
		{"192.0.2.1", 80, nil, "http://192.0.2.1/#", []string{"192.0.2.1", "192.0.2.1:80"}, []string{"localhost"}},
		{"192.0.2.1", 7, []string{"Laptop.example"}, "http://Laptop.example:7/#", []string{"laptop.example", "laptop.example:7", "192.0.2.1:7"}, []string{"laptop.example:8"}},
		{"127.0.0.1", 7, []string{"https://x.example/"}, "https://x.example/#", []string{"x.example", "x.example:443", "127.0.0.1:7"}, []string{"x.example:7", "https://x.example"}},
		{"127.0.0.1", 7, []string{"https://X.example:8443"}, "https://X.example:8443/#", []string{"x.example:8443"}, []string{"x.example", "x.example:7", "x.example:443"}},
		{"127.0.0.1", 7, []string{"http://127.0.0.1:8/proxy/7/"}, "http://127.0.0.1:8/proxy/7/#", []string{"127.0.0.1:8", "127.0.0.1:7"}, []string{"127.0.0.1", "127.0.0.1:9", "localhost:8"}},
		{"127.0.0.1", 7, []string{"x.example:8443"}, "http://x.example:8443/#", []string{"x.example", "x.example:8443"}, []string{"x.example:7"}},
		{"::1", 7, []string{"2001:db8::1"}, "http://[2001:db8::1]:7/#", []string{"[2001:db8::1]:7", "[2001:db8::1]"}, nil},
		{"0.0.0.0", 7, nil, "", []string{"127.0.0.1:7", "localhost:7"}, []string{"0.0.0.0:7", "evil.example:7"}},
	}
	for _, test := range tests {
		s, err := New(Options{Listener: bound{at: &net.TCPAddr{IP: net.ParseIP(test.ip), Port: test.port}}, Names: test.names, Log: zap.NewNop()})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(s.URL(), test.url) {
			t.Errorf("%s: %s", test.ip, s.URL())
		}
		for _, host := range test.takes {
			if s.hosts[host] == "" {
				t.Errorf("%s does not accept %s", test.ip, host)
			}
		}
		for _, host := range test.not {
			if s.hosts[host] != "" {
				t.Errorf("%s accepts %s", test.ip, host)
			}
		}
	}
	for _, name := range []string{"ftp://x.example", "https://", "https://x.example/a b", "https://x.example/../a", "https://x.example/;a", "https://x.example//a", "https://me@x.example", "https://x.example?q", "x y", "a/b", ""} {
		if _, err := New(Options{Listener: bound{at: &net.TCPAddr{IP: net.IPv6loopback, Port: 7}}, Names: []string{name}, Log: zap.NewNop()}); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
	for folder, taken := range map[string]bool{"b": false, "": false, "a": true} {
		names := []string{"https://x.example/a/", "https://X.example:443/" + folder, "https://y.example/b"}
		if _, err := New(Options{Listener: bound{at: &net.TCPAddr{IP: net.IPv6loopback, Port: 7}}, Names: names, Log: zap.NewNop()}); (err == nil) != taken {
			t.Errorf("%q, with another folder of the same origin: %v", folder, err)
		}
	}
	if _, err := New(Options{Listener: bound{at: &net.UnixAddr{Name: "x"}}, Log: zap.NewNop()}); err == nil {
		t.Error("a listener without a port is accepted")
	}
}

// Each start has new secrets.
func TestSecretsAreNew(t *testing.T) {
	seen := map[string]bool{}
	for range 3 {
		core, _ := observer.New(zap.DebugLevel)
		s, err := New(Options{Listener: bound{at: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}}, Log: zap.New(core)})
		if err != nil {
			t.Fatal(err)
		}
		for _, each := range []string{s.secret, s.path} {
			if seen[each] || len(each) < 26 {
				t.Errorf("%q", each)
			}
			seen[each] = true
		}
	}
}

// If its sidecar cannot start, a page is closed.
func TestSidecarFailsToStart(t *testing.T) {
	for name, sidecar := range map[string]func(context.Context, io.ReadCloser, io.Writer){
		"ends": func(context.Context, io.ReadCloser, io.Writer) {},
		"refuses": func(_ context.Context, in io.ReadCloser, out io.Writer) {
			r := bufio.NewReader(in)
			if _, err := rpc.ReadFrame(r); err == nil {
				_ = rpc.WriteFrame(out, []byte(`{"id":`+handshake+`,"error":{"code":-32090,"message":"no"}}`))
			}
			_, _ = io.Copy(io.Discard, r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serveSite(t, func(o *Options) { o.Sidecar = sidecar })
			page := s.open(s.login())
			_, _, err := page.conn.Read(t.Context())
			if websocket.CloseStatus(err) != websocket.StatusInternalError {
				t.Errorf("got %v", err)
			}
			s.untilLogged("a page was closed", 1)
		})
	}
}

// A request that waits when the server ends is answered.
func TestWaitingRequestIsAnsweredAtTheEnd(t *testing.T) {
	waits := make(chan struct{})
	s := serveSite(t, func(o *Options) {
		o.Handlers = map[string]http.HandlerFunc{"GET /wait": func(w http.ResponseWriter, r *http.Request) {
			close(waits)
			<-r.Context().Done()
			w.WriteHeader(http.StatusServiceUnavailable)
		}}
	})
	go func() {
		<-waits
		s.stop()
	}()
	if got := s.send(http.MethodGet, "/wait", "", nil); got.status != http.StatusServiceUnavailable {
		t.Errorf("got %+v", got)
	}
}

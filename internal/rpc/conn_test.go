package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"followup/internal/bounded"
	"followup/internal/protocol"
)

type text struct {
	Text string `json:"text"`
}

var (
	echo   = protocol.Request[text, text]{Method: "test/echo"}
	crash  = protocol.Request[text, text]{Method: "test/crash"}
	plain  = protocol.Request[text, text]{Method: "test/plain"}
	wait   = protocol.Request[text, text]{Method: "test/wait"}
	note   = protocol.Notification[text]{Method: "test/note"}
	growth = protocol.Notification[text]{Method: "test/growth"}
)

// peer is the other end of a connection, which reads and writes raw messages.
type peer struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
	c   *Conn
}

func connect(t *testing.T, r *Router) *peer {
	t.Helper()
	return connectWith(t, r, Options{})
}

func connectWith(t *testing.T, r *Router, o Options) *peer {
	t.Helper()
	fromPeer, in := io.Pipe()
	out, toPeer := io.Pipe()
	p := &peer{t: t, in: in, out: bufio.NewReader(out)}
	o.In, o.Out, o.Log = fromPeer, toPeer, zap.NewNop()
	p.c = Dial(context.Background(), r, o)
	t.Cleanup(func() {
		_ = in.Close()
		_ = out.Close()
		<-p.c.Done()
		<-p.c.Flushed()
	})
	return p
}

func (p *peer) send(bodies ...string) {
	p.t.Helper()
	for _, body := range bodies {
		if _, err := p.in.Write(frame([]byte(body))); err != nil {
			p.t.Fatal(err)
		}
	}
}

// read returns the next message without the version.
func (p *peer) read() string {
	p.t.Helper()
	body, err := ReadFrame(p.out)
	if err != nil {
		p.t.Fatal(err)
	}
	var message map[string]any
	if err := json.Unmarshal(body, &message); err != nil {
		p.t.Fatal(err)
	}
	delete(message, "jsonrpc")
	sorted, _ := json.Marshal(message)
	return string(sorted)
}

func (p *peer) want(want ...string) {
	p.t.Helper()
	for _, w := range want {
		if got := p.read(); !strings.Contains(got, w) {
			p.t.Errorf("got %s\nwant %s in it", got, w)
		}
	}
}

func testRouter() *Router {
	r := &Router{}
	On(r, echo, func(_ context.Context, p text) (text, error) { return p, nil })
	On(r, crash, func(_ context.Context, p text) (text, error) { panic(p.Text) })
	On(r, plain, func(_ context.Context, p text) (text, error) {
		return text{}, fmt.Errorf("wrapped: %w", Errorf(-7, "seven %s", p.Text))
	})
	OnWaiting(r, wait, func(ctx context.Context, p text) (text, error) {
		if p.Text == "crash" {
			panic("later")
		}
		<-ctx.Done()
		return text{}, context.Cause(ctx)
	})
	OnNotification(r, note, func(context.Context, text) error { panic("a note") })
	return r
}

func request(id int, method, value string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"text":%q}}`, id, method, value)
}

// TestMessagesAreNotHTML checks that < takes one byte and not the six of an escape.
func TestMessagesAreNotHTML(t *testing.T) {
	p := connect(t, testRouter())
	p.send(request(1, "test/echo", "<a> & b"))
	Notify(p.c, growth, text{"<a> & b"})
	for range 2 {
		body, err := ReadFrame(p.out)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(body), `"<a> & b"`) {
			t.Errorf("got %s", body)
		}
	}
}

func TestMalformedMessagesGetErrors(t *testing.T) {
	p := connect(t, testRouter())
	tests := []struct{ send, want string }{
		{`{"jsonrpc":"2.0",`, `"error":{"code":-32700,"message":"the message is not JSON"},"id":null`},
		{`[]`, `"error":{"code":-32600,"message":"the message is not an object; batches are not supported"},"id":null`},
		{`[{"jsonrpc":"2.0","id":1,"method":"test/echo"}]`, `"id":null`},
		{`17`, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":5}`, `"id":5`},
		{`{"jsonrpc":"2.0","id":"five","method":7}`, `"id":"five"`},
		{`{"jsonrpc":"2.0","id":{},"method":"test/echo"}`, `"id":null`},
		{request(1, "test/none", ""), `"error":{"code":-32601,"message":"there is no method \"test/none\""},"id":1`},
		{`{"jsonrpc":"2.0","id":2,"method":"test/echo","params":{"text":7}}`, `"code":-32602`},
		{`{"jsonrpc":"2.0","id":3,"method":"test/echo","params":"x"}`, `"code":-32602`},
		{`{"jsonrpc":"2.0","id":4,"method":"test/echo"}`, `{"id":4,"result":{"text":""}}`},
		{`{"jsonrpc":"2.0","id":4,"method":"test/echo","params":null}`, `{"id":4,"result":{"text":""}}`},
		{`{"jsonrpc":"2.0","id":5,"meth\u006fd":"test/echo","params":{"text":"odd"}}`, `{"id":5,"result":{"text":"odd"}}`},
		{request(6, "test/plain", "x"), `"error":{"code":-7,"message":"seven x"},"id":6`},
		{request(7, "test/crash", "ouch"), `"error":{"code":-32603,"message":"internal error in test/crash; the log has the details"},"id":7`},
		{request(8, "test/wait", "crash"), `"code":-32603`},
	}
	for _, test := range tests {
		p.send(test.send)
		p.want(test.want)
	}
	p.send(`{"jsonrpc":"2.0","method":"test/note","params":{}}`, `{"jsonrpc":"2.0","method":"test/unknown"}`, `{"jsonrpc":"2.0","id":99,"result":{}}`)
	p.send(request(9, "test/echo", "still here"))
	p.want(`{"id":9,"result":{"text":"still here"}}`)
}

func TestBrokenFramingIsTheCause(t *testing.T) {
	p := connect(t, testRouter())
	if _, err := io.WriteString(p.in, "Content-Length: many\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-p.c.Done()
	if err := p.c.Err(); !errors.Is(err, errFraming) {
		t.Errorf("got %v, want %v", err, errFraming)
	}
}

// Neither a response nor the log repeats long texts of a message. A long id is not repeated at all.
func TestLongTextsAreNotRepeated(t *testing.T) {
	core, seen := observer.New(zap.DebugLevel)
	p := connectWith(t, testRouter(), Options{})
	p.c.log = bounded.Log(zap.New(core))
	long := strings.Repeat("x", 1<<20)
	for _, test := range []struct{ send, want string }{
		{request(1, "test/"+long, ""), `"error":{"code":-32600,"message":"the method's name is longer than 200 bytes"},"id":1`},
		{`{"jsonrpc":"2.0","id":"` + long + `","method":"test/echo"}`, `"error":{"code":-32600,"message":"the id is longer than 1024 bytes"},"id":null`},
		{`{"jsonrpc":"2.0","id":` + strings.Repeat("7", 1<<20) + `,"method":"test/echo"}`, `"id":null`},
		{request(2, "test/plain", long), `"code":-7`},
		{`{"jsonrpc":"2.0","id":3,"method":"test/echo","params":{"text":` + strings.Repeat("7", 1<<20) + `}}`, `"code":-32602`},
	} {
		p.send(test.send)
		got := p.read()
		if !strings.Contains(got, test.want) || len(got) > 2000 {
			t.Errorf("%.50s: got %d bytes: %.200s", test.send, len(got), got)
		}
	}
	for _, line := range seen.All() {
		if text := fmt.Sprint(line.Message, line.ContextMap()); len(text) > 2000 {
			t.Errorf("logged %d bytes: %.200s", len(text), text)
		}
	}
}

func TestCleanEndHasNoCause(t *testing.T) {
	p := connect(t, testRouter())
	_ = p.in.Close()
	<-p.c.Done()
	if err := p.c.Err(); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestCancelRequest(t *testing.T) {
	p := connect(t, testRouter())
	p.send(request(1, "test/wait", ""), request(1, "test/wait", "twice"))
	p.want(`"error":{"code":-32600,"message":"a request with the id 1 is already pending"},"id":1`)
	p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":77}}`, `{"jsonrpc":"2.0","method":"$/cancelRequest"}`)
	p.send(request(-5, "test/wait", ""), `{"jsonrpc":"2.0","id":"\u0061","method":"test/wait"}`)
	p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":-5}}`)
	p.want(`"code":-32800,"message":"the request was cancelled"},"id":-5`)
	p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a"}}`)
	p.want(`"id":"a"`)
	p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
	p.want(`"error":{"code":-32800,"message":"the request was cancelled"},"id":1`)
}

// A peer that does not read delays neither reading nor handlers, and gets all changes in one message.
// The end of a connection cancels no request: its peer gets no response, and may repeat the request over another connection.
func TestEndOfAConnectionIsNotACancel(t *testing.T) {
	r := &Router{}
	const requests = 100
	handling := make(chan struct{}, requests)
	OnWaiting(r, wait, func(ctx context.Context, _ text) (text, error) {
		handling <- struct{}{}
		<-ctx.Done()
		return text{}, context.Cause(ctx)
	})
	in, toIt := io.Pipe()
	defer func() { _ = toIt.Close() }()
	var got bytes.Buffer
	ctx, end := context.WithCancel(t.Context())
	c := Dial(ctx, r, Options{In: in, Out: &got, Log: zap.NewNop()})
	for id := range requests {
		if _, err := toIt.Write(frame([]byte(request(id, "test/wait", "")))); err != nil {
			t.Fatal(err)
		}
		<-handling
	}
	end()
	<-c.Done()
	<-c.Flushed()
	if got.Len() > 0 {
		t.Errorf("got %s", &got)
	}
}

func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const messages = 10_000
		var built, count atomic.Int64
		r := testRouter()
		var p *peer
		OnNotification(r, growth, func(context.Context, text) error {
			count.Add(1)
			NotifyLater(p.c, growth, "", func() (text, bool) {
				built.Add(1)
				return text{fmt.Sprint(count.Load())}, true
			})
			return nil
		})
		p = connect(t, r)
		for range messages {
			p.send(`{"jsonrpc":"2.0","method":"test/growth","params":{}}`)
		}
		synctest.Wait() // every message is handled although nothing has been read
		if count.Load() != messages {
			t.Fatalf("%d of %d messages were handled", count.Load(), messages)
		}
		p.send(request(1, "test/echo", "end"))
		last := ""
		for {
			got := p.read()
			if strings.Contains(got, `"id":1`) {
				break
			}
			last = got
		}
		if want := fmt.Sprintf(`{"method":"test/growth","params":{"text":"%d"}}`, messages); last != want {
			t.Errorf("the last message is %s, want %s", last, want)
		}
		if built.Load() > 2 {
			t.Errorf("%d notifications were built while nobody read; changes must be merged", built.Load())
		}
	})
}

func TestErrorsGetTheirCodes(t *testing.T) {
	tests := []struct {
		err  error
		code int64
	}{
		{errors.New("plain"), jsonrpc2.CodeInternalError},
		{fmt.Errorf("wrapped: %w", Errorf(protocol.CodeUnknown, "x")), protocol.CodeUnknown},
		{ErrCancelled, protocol.CodeCancelled},
		{fmt.Errorf("wrapped: %w", context.Canceled), protocol.CodeCancelled},
	}
	for _, test := range tests {
		if got := toWire(test.err).Code; got != test.code {
			t.Errorf("%v: got %d, want %d", test.err, got, test.code)
		}
	}
}

// A token is never logged, even while tracing is on.
func TestTraceHasNoToken(t *testing.T) {
	core, logged := observer.New(zap.InfoLevel)
	tracer := NewTracer(zap.New(core))
	for _, level := range []lsp.Trace{"messages", "verbose"} {
		tracer.Set(level)
		tracer.Trace("received", []byte(`{"jsonrpc":"2.0","id":1,"method":"hub/connect","params":{"url":"https://hub.example","token":"followup_A"}}`))
		tracer.Trace("received", []byte(`{"jsonrpc":"2.0","id":2,"method":"test/echo","params":{"text":"words"}}`))
	}
	all := fmt.Sprint(logged.AllUntimed())
	if strings.Contains(all, "followup_A") || strings.Count(all, "hub/connect") != 2 {
		t.Errorf("logged: %s", all)
	}
	if !strings.Contains(fmt.Sprintf("%s", logged.AllUntimed()[3].ContextMap()["message"]), "words") {
		t.Errorf("other messages are not logged completely: %s", all)
	}
}

// The requests of a peer that does not read stay unread beyond MaxQueued, until it reads.
func TestBackpressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const messages, most = 1000, 10_000
		var handled atomic.Int64
		r := &Router{}
		On(r, echo, func(_ context.Context, p text) (text, error) { handled.Add(1); return p, nil })
		p := connectWith(t, r, Options{MaxQueued: most})
		long := strings.Repeat("x", 1000)
		go func() {
			for id := range messages {
				p.send(request(id, "test/echo", long))
			}
		}()
		synctest.Wait()
		if got := handled.Load(); got > most/1000+2 {
			t.Errorf("%d answers of 1000 bytes wait to be read", got)
		}
		for id := range messages {
			p.want(fmt.Sprintf(`"id":%d,`, id))
		}
	})
}

// All connections share the slots. A request that does not wait needs none, and one that waits frees its slot afterwards.
func TestSlots(t *testing.T) {
	slots := make(chan struct{}, 2)
	a, b := connectWith(t, testRouter(), Options{Slots: slots}), connectWith(t, testRouter(), Options{Slots: slots})
	a.send(request(1, "test/wait", ""), request(2, "test/wait", ""), request(3, "test/wait", ""))
	a.want(`"code":-32094`)
	b.send(request(1, "test/wait", ""), request(2, "test/echo", "hi"))
	b.want(`"code":-32094`, `"hi"`)
	a.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
	a.want(`"id":1`)
	b.send(request(3, "test/wait", ""), request(4, "test/wait", ""))
	b.want(`"id":4`)
	if got := len(slots); got != 2 {
		t.Errorf("%d are pending", got)
	}
}

package relay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// crashing is a link to another end that crashes on one text, and answers the ends of streams.
type crashing struct {
	got     chan string // the methods that it got
	answers chan []byte
	dead    chan struct{}
	die     func() // closes dead, once
}

func (c *crashing) Read(ctx context.Context) ([]byte, error) {
	select {
	case body := <-c.answers:
		return body, nil
	case <-c.dead:
		return nil, errors.New("it died")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *crashing) Write(_ context.Context, body []byte) error {
	var message struct {
		ID     json.RawMessage
		Method string
		Params struct{ New bool }
	}
	if err := json.Unmarshal(body, &message); err != nil {
		return err
	}
	if message.Params.New {
		message.Method += " new"
	}
	c.got <- message.Method
	if strings.Contains(string(body), "deadly") {
		c.die()
		return errors.New("it died")
	}
	if message.ID != nil && !strings.Contains(string(body), "silent") {
		c.answers <- fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"calls":[],"consecutiveMistakes":0}}`, message.ID)
	}
	return nil
}

func (c *crashing) Watch(ctx context.Context) { <-ctx.Done() }
func (c *crashing) Finish()                   {}
func (c *crashing) Close()                    { c.die() }
func (c *crashing) CloseNow()                 { c.die() }

// peer talks through a relay to other ends that crash on one text.
type peer struct {
	t     *testing.T
	got   chan string // the methods that the other ends got, and "link" for each link
	links int
	write func(body string)
	read  func() string
	end   func()
}

func newPeer(t *testing.T, steady time.Duration) *peer {
	p := &peer{t: t, got: make(chan string, 100)}
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		ended <- Serve(ctx, Options{
			In: in, Out: out, Log: zap.NewNop(),
			Dial: func(context.Context, protocol.InitializeParams) (Link, *Failure) {
				p.links++
				p.got <- "link"
				dead := make(chan struct{})
				return &crashing{p.got, make(chan []byte, 10), dead, sync.OnceFunc(func() { close(dead) })}, nil
			},
			Broken: func(error) *Failure { return &Failure{AtOnce: true} },
			Greet: func(p protocol.InitializeParams) (protocol.InitializeResult, protocol.InitializeParams, error) {
				return protocol.InitializeResult{}, p, nil
			},
			Words: func(err error) string { return err.Error() },
			First: time.Millisecond, Last: time.Millisecond, Steady: steady, RefusedPause: time.Hour,
		})
	}()
	p.write = func(body string) {
		if err := rpc.WriteFrame(send, []byte(body)); err != nil {
			t.Error(err)
		}
	}
	from := bufio.NewReader(receive)
	p.read = func() string {
		body, err := rpc.ReadFrame(from)
		if err != nil {
			t.Error(err)
		}
		return string(body)
	}
	p.end = func() {
		cancel()
		if err := waits.For(t, ended); err != nil {
			t.Error(err)
		}
	}
	p.write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	p.read()
	return p
}

func (p *peer) append(stream, text string, offset int) {
	p.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"stream/append","params":{"session":"s","streamId":%q,"offset":%d,"text":%q}}`, stream, offset, text))
}

func (p *peer) endStream(id int, stream string) string {
	p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"stream/end","params":{"session":"s","streamId":%q,"reason":"complete"}}`, id, stream))
	return p.read()
}

// kill sends a stream that crashes the other end, until the relay gives it up.
func (p *peer) kill(t *testing.T, stream string) {
	p.append(stream, "deadly", 0)
	for count := 0; count <= maxBroken; {
		if waits.For(t, p.got) == "link" {
			count++
		}
	}
}

// A stream that crashes each process that reads it is given up. Its end reports that, and later streams work.
func TestDeadlyStream(t *testing.T) {
	p := newPeer(t, time.Hour)
	p.kill(t, "bad")
	p.append("bad", "more", 6)
	if end := p.endStream(2, "bad"); !strings.Contains(end, `"truncated":true`) {
		t.Errorf("got %s", end)
	}
	if end := p.endStream(3, "new"); strings.Contains(end, "truncated") {
		t.Errorf("got %s", end)
	}
	p.end()
	if p.links != maxBroken+1 {
		t.Errorf("there were %d links", p.links)
	}
}

// A stream of another session is not given up, even if it has the id of a deadly one.
func TestDeadlyStreamOfAnotherSession(t *testing.T) {
	p := newPeer(t, time.Hour)
	p.kill(t, "1")
	p.write(`{"jsonrpc":"2.0","method":"stream/append","params":{"session":"other","streamId":"1","offset":0,"text":"good"}}`)
	p.write(`{"jsonrpc":"2.0","id":2,"method":"stream/end","params":{"session":"other","streamId":"1","reason":"complete"}}`)
	if end := p.read(); strings.Contains(end, "truncated") {
		t.Errorf("got %s", end)
	}
	if end := p.endStream(3, "1"); !strings.Contains(end, `"truncated":true`) {
		t.Errorf("got %s", end)
	}
	p.end()
}

// A stream that is sent together with a deadly one is not given up.
func TestStreamTogetherWithADeadlyOne(t *testing.T) {
	p := newPeer(t, 200*time.Millisecond)
	p.append("good", "text", 0)
	waits.Until(t, "it is sent", func() bool { return waits.For(t, p.got) == "stream/append" })
	p.append("bad", "deadly", 0)
	p.append("good", "more", 4)
	if end := p.endStream(2, "bad"); !strings.Contains(end, `"truncated":true`) {
		t.Errorf("got %s", end)
	}
	if end := p.endStream(3, "good"); strings.Contains(end, "truncated") {
		t.Errorf("got %s", end)
	}
	p.end()
}

// A question that an earlier link got is no longer new: the other end must look it up.
func TestRepeatedQuestionIsNotNew(t *testing.T) {
	p := newPeer(t, time.Hour)
	p.write(`{"jsonrpc":"2.0","id":2,"method":"question/ask","params":{"session":"silent","questionId":"a","input":{"a":"<b>"},"new":true}}`)
	waits.Until(t, "it is sent", func() bool { return waits.For(t, p.got) == "question/ask new" })
	p.append("bad", "deadly", 0)
	var asked []string
	for count := 0; count < maxBroken; {
		switch method := waits.For(t, p.got); {
		case method == "link":
			count++
		case strings.HasPrefix(method, "question/ask"):
			asked = append(asked, method)
		}
	}
	for _, method := range asked {
		if method != "question/ask" {
			t.Errorf("repeated as %q", method)
		}
	}
	if len(asked) == 0 {
		t.Error("it was not repeated")
	}
	p.end()
}

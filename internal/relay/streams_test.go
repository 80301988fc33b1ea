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

// crashing is a link to another end that dies of one text, and answers the ends of streams.
type crashing struct {
	got     chan string // the methods that it was sent
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
	}
	if err := json.Unmarshal(body, &message); err != nil {
		return err
	}
	c.got <- message.Method
	if strings.Contains(string(body), "deadly") {
		c.die()
		return errors.New("it died")
	}
	if message.ID != nil {
		c.answers <- fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"calls":[],"consecutiveMistakes":0}}`, message.ID)
	}
	return nil
}

func (c *crashing) Watch(ctx context.Context) { <-ctx.Done() }
func (c *crashing) Finish()                   {}
func (c *crashing) Close()                    { c.die() }
func (c *crashing) CloseNow()                 { c.die() }

// A stream that kills each process that reads it is not sent for ever. Its end says so, and later streams go on.
func TestDeadlyStream(t *testing.T) {
	got := make(chan string, 100)
	links := 0
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		ended <- Serve(ctx, Options{
			In: in, Out: out, Log: zap.NewNop(),
			Dial: func(context.Context, protocol.InitializeParams) (Link, *Failure) {
				links++
				got <- "link"
				dead := make(chan struct{})
				return &crashing{got, make(chan []byte, 10), dead, sync.OnceFunc(func() { close(dead) })}, nil
			},
			Broken: func(error) *Failure { return &Failure{AtOnce: true} },
			Greet: func(p protocol.InitializeParams) (protocol.InitializeResult, protocol.InitializeParams, error) {
				return protocol.InitializeResult{}, p, nil
			},
			Words: func(err error) string { return err.Error() },
			First: time.Millisecond, Last: time.Millisecond, Steady: time.Hour, RefusedPause: time.Hour,
		})
	}()
	write := func(body string) {
		if err := rpc.WriteFrame(send, []byte(body)); err != nil {
			t.Error(err)
		}
	}
	from := bufio.NewReader(receive)
	read := func() string {
		body, err := rpc.ReadFrame(from)
		if err != nil {
			t.Error(err)
		}
		return string(body)
	}
	write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	read()
	write(`{"jsonrpc":"2.0","method":"stream/append","params":{"session":"s","streamId":"bad","text":"deadly"}}`)
	for count := 0; count <= maxBroken; {
		if waits.For(t, got) == "link" {
			count++
		}
	}
	write(`{"jsonrpc":"2.0","method":"stream/append","params":{"session":"s","streamId":"bad","offset":6,"text":"more"}}`)
	write(`{"jsonrpc":"2.0","id":2,"method":"stream/end","params":{"session":"s","streamId":"bad","reason":"complete"}}`)
	if end := read(); !strings.Contains(end, `"truncated":true`) {
		t.Errorf("got %s", end)
	}
	write(`{"jsonrpc":"2.0","id":3,"method":"stream/end","params":{"session":"s","streamId":"new","reason":"complete"}}`)
	if end := read(); strings.Contains(end, "truncated") {
		t.Errorf("got %s", end)
	}
	cancel()
	if err := waits.For(t, ended); err != nil {
		t.Error(err)
	}
	if links != maxBroken+1 {
		t.Errorf("there were %d links", links)
	}
}

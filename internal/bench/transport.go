package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/google/uuid"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/server"
)

// echo is the least that a JSON-RPC conversation costs: the library alone, on both sides of a pipe in memory.
type echo struct{ client, server *jsonrpc2.Conn }

func startEcho() echo {
	here, there := net.Pipe()
	answer := jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
		return r.Params, nil
	})
	nothing := jsonrpc2.HandlerWithError(func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) { return nil, nil })
	ctx := context.Background()
	return echo{
		client: jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(here, jsonrpc2.VSCodeObjectCodec{}), nothing),
		server: jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(there, jsonrpc2.VSCodeObjectCodec{}), answer),
	}
}

func (e echo) call(params any) {
	var result any
	check(e.client.Call(context.Background(), "echo", params, &result))
}

func (e echo) close() {
	_ = e.client.Close()
	_ = e.server.Close()
}

// sidecar is the real server behind a pipe in memory, with a subscribed interface.
type sidecar struct {
	conn    *rpc.Conn
	session string
	pending chan string // ids of questions that became pending
	served  chan int
	hangUp  io.Closer
}

func startSidecar() *sidecar {
	toServer, fromEditor := io.Pipe()
	toEditor, fromServer := io.Pipe()
	s := &sidecar{pending: make(chan string, 1024), served: make(chan int, 1), hangUp: fromEditor}
	go func() {
		s.served <- server.Serve(context.Background(), server.Options{
			In: toServer, Out: fromServer, Log: zap.NewNop(), Version: "bench", NewID: newID,
		})
		_ = fromServer.Close()
	}()
	router := &rpc.Router{}
	rpc.OnNotification(router, protocol.InboxDidChange, func(_ context.Context, p protocol.InboxChange) error {
		for _, item := range p.Items {
			if item.State == protocol.ItemPending {
				s.pending <- item.QuestionID
			}
		}
		return nil
	})
	rpc.OnNotification(router, protocol.StreamDidPassText, func(context.Context, protocol.StreamDidPassTextParams) error { return nil })
	s.conn = rpc.Dial(context.Background(), router, rpc.Options{In: toEditor, Out: fromEditor, Log: zap.NewNop()})
	call(s, protocol.Initialize, protocol.InitializeParams{InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version}})
	call(s, protocol.InboxSubscribe, protocol.None{})
	s.newSession()
	return s
}

// newSession goes on in a fresh session, so that no turn pays for what an earlier one left behind.
func (s *sidecar) newSession() {
	s.session = call(s, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "bench", Key: newID()}).Session
}

func (s *sidecar) close() {
	_ = s.hangUp.Close()
	<-s.served
}

func call[P, R any](s *sidecar, m protocol.Request[P, R], params P) R {
	result, err := rpc.Call(context.Background(), s.conn, m, params)
	check(err)
	return result
}

// askOnce asks a question, waits until the interface shows it, clicks, and waits for the agent's answer.
func (s *sidecar) askOnce() {
	id, first := newID(), 0
	answered := make(chan error, 1)
	go func() {
		_, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAsk, protocol.AskParams{
			Session: s.session, QuestionID: id, Tool: "ask_followup_question",
			Input: []byte(`{"question":"Which port?","follow_up":[{"text":"8080"},{"text":"3000"}]}`),
		})
		answered <- err
	}()
	call(s, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: <-s.pending, Provenance: protocol.ProvenanceClicked, Suggestion: &first,
	})
	check(<-answered)
}

// stream sends one call of about size bytes in pieces of 16, and ends the stream.
func (s *sidecar) stream(size int) {
	id := newID()
	text := callOf(size)
	for len(text) > 0 {
		n := min(16, len(text))
		rpc.Notify(s.conn, protocol.StreamAppend, protocol.StreamAppendParams{Session: s.session, StreamID: id, Text: text[:n]})
		text = text[n:]
	}
	call(s, protocol.StreamEnd, protocol.StreamEndParams{Session: s.session, StreamID: id, Reason: protocol.StreamAborted})
}

// callOf writes a call of about size bytes, most of them in the question. It is all ASCII, so it may be cut anywhere.
func callOf(size int) string {
	return "<ask_followup_question><question>" + strings.Repeat("Why not take the longer way round? ", size/35) +
		"</question><follow_up><suggest>Yes</suggest><suggest>No</suggest></follow_up></ask_followup_question>"
}

func askAndAnswer() contest {
	e, s := startEcho(), startSidecar()
	const times = 300
	return contest{
		about: fmt.Sprintf("a question asked, shown, clicked and answered, %d times; the measure: as many pairs of bare echoes", times),
		contenders: []contender{
			{"jsonrpc2 alone, two echoes", func() {
				for range times {
					e.call(callOf(100))
					e.call("8080")
				}
			}},
			{"followup", func() {
				s.newSession()
				for range times {
					s.askOnce()
				}
			}},
		},
		end: func() { e.close(); s.close() },
	}
}

func streamAgainstEcho() contest {
	e, s := startEcho(), startSidecar()
	const size = 90 << 10
	return contest{
		about: "a question of 90 KB streamed in 16-byte messages to a subscribed interface; the measure: as many bare notifications",
		contenders: []contender{
			{"jsonrpc2 alone", func() {
				text := callOf(size)
				for len(text) > 0 {
					n := min(16, len(text))
					check(e.client.Notify(context.Background(), "echo", protocol.StreamAppendParams{Session: s.session, StreamID: s.session, Text: text[:n]}))
					text = text[n:]
				}
				e.call("end")
			}},
			{"followup", func() { s.newSession(); s.stream(size) }},
		},
		end: func() { e.close(); s.close() },
	}
}

func streamIsLinear() contest {
	s := startSidecar()
	const size = 9 << 10
	return contest{
		about: "the cost of a streamed byte as a question grows; the measure: ten questions of 9 KB",
		contenders: []contender{
			{"ten of 9 KB", func() {
				s.newSession()
				for range 10 {
					s.stream(size)
				}
			}},
			{"one of 90 KB", func() { s.newSession(); s.stream(10 * size) }},
		},
		end: s.close,
	}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

func check(err error) {
	if err != nil {
		panic(err)
	}
}

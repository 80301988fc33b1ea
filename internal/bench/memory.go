package main

import (
	"context"
	"io"
	"net"
	"os"
	"os/exec"

	"github.com/google/uuid"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/persistence"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/server"
	"followup/internal/store/sqlite"
)

// echo is the minimum of a JSON-RPC conversation: only the library, on both sides of an in-memory pipe.
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

// sidecar is the real server behind an in-memory pipe, with a subscribed interface.
type sidecar struct {
	conn    *rpc.Conn
	session string
	pending chan string // ids of questions that became pending
	served  chan struct{}
	hangUp  io.Closer
}

func startSidecar() *sidecar { return startSidecarIn("", sqlite.Open) }

// startSidecarIn is startSidecar with a storage folder, whose store open opens.
func startSidecarIn(folder string, open persistence.Open) *sidecar {
	toServer, fromEditor := io.Pipe()
	toEditor, fromServer := io.Pipe()
	s := newSidecar(toEditor, fromEditor)
	h := server.NewHost(server.Options{Log: zap.NewNop(), Version: "bench", NewID: newID, OpenStore: open})
	h.Keep(folder)
	go func() {
		defer close(s.served)
		h.ServeClient(context.Background(), toServer, fromServer)
		h.Close()
		_ = fromServer.Close()
	}()
	s.greet(folder)
	return s
}

// startClient runs "followup serve" of a program, with a storage folder.
func startClient(program, folder string) *sidecar {
	process := exec.Command(program, "serve", "--log-level", "error")
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	check(err)
	out, err := process.StdoutPipe()
	check(err)
	check(process.Start())
	s := newSidecar(out, in)
	go func() {
		defer close(s.served)
		_ = process.Wait() // the sidecar was not shut down
	}()
	s.greet(folder)
	return s
}

func newSidecar(in io.ReadCloser, out io.WriteCloser) *sidecar {
	s := &sidecar{pending: make(chan string, 1024), served: make(chan struct{}), hangUp: out}
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
	s.conn = rpc.Dial(context.Background(), router, rpc.Options{In: in, Out: out, Log: zap.NewNop()})
	return s
}

func (s *sidecar) greet(folder string) {
	call(s, protocol.Initialize, protocol.InitializeParams{InitializationOptions: protocol.InitializationOptions{
		ProtocolVersion: protocol.Version, StorageFolder: folder,
	}})
	call(s, protocol.InboxSubscribe, protocol.None{})
	s.newSession()
}

// newSession switches to a new session, so that no turn pays for an earlier one.
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
			Session: s.session, QuestionID: id, Tool: tool,
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
	offset := 0
	eachChunk(callOf(size), func(piece string) {
		rpc.Notify(s.conn, protocol.StreamAppend, protocol.StreamAppendParams{Session: s.session, StreamID: id, Offset: offset, Text: piece})
		offset += len(piece)
	})
	call(s, protocol.StreamEnd, protocol.StreamEndParams{Session: s.session, StreamID: id, Reason: protocol.StreamAborted})
}

// askTimes is the number of questions per turn.
const askTimes = 300

var askAndAnswer = compare(
	"a question asked, shown, clicked and answered, 300 times; the measure: as many pairs of bare echoes",
	func() contest {
		e, s := startEcho(), startSidecar()
		return contest{
			contenders: []contender{
				{name: "jsonrpc2 alone, two echoes", turn: passed(func() {
					for range askTimes {
						e.call(callOf(400))
						e.call("8080")
					}
				})},
				{name: "followup", turn: passed(func() {
					s.newSession()
					for range askTimes {
						s.askOnce()
					}
				})},
			},
			end: func() { e.close(); s.close() },
		}
	})

var streamAgainstEcho = compare(
	"a question of 90 KB streamed in 16-byte messages to a subscribed interface; the measure: as many bare notifications",
	func() contest {
		e, s := startEcho(), startSidecar()
		const size = 90 << 10
		return contest{
			contenders: []contender{
				{name: "jsonrpc2 alone", turn: passed(func() {
					eachChunk(callOf(size), func(piece string) {
						check(e.client.Notify(context.Background(), "echo",
							protocol.StreamAppendParams{Session: s.session, StreamID: s.session, Text: piece}))
					})
					e.call("end")
				})},
				{name: "followup", turn: passed(func() { s.newSession(); s.stream(size) })},
			},
			end: func() { e.close(); s.close() },
		}
	})

var streamIsLinear = compare(
	"the cost of a streamed byte as a question grows; the measure: ten questions of 9 KB",
	func() contest {
		s := startSidecar()
		const size = 9 << 10
		return contest{
			contenders: []contender{
				{name: "ten of 9 KB", turn: passed(func() {
					s.newSession()
					for range 10 {
						s.stream(size)
					}
				})},
				{name: "one of 90 KB", turn: passed(func() { s.newSession(); s.stream(10 * size) })},
			},
			end: s.close,
		}
	})

func newID() string { return uuid.Must(uuid.NewV7()).String() }

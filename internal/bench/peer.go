package main

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// A peer is an interface or an agent, connected to a sidecar or to a hub.
type peer struct {
	*process // a sidecar's, if the peer started it
	conn     *rpc.Conn
	session  string
	// pending are the ids of questions that the subscribed interface may answer, each once.
	pending chan string
}

// dial connects a peer to a sidecar with a storage folder.
func dial(in io.ReadCloser, out io.WriteCloser, folder string) *peer {
	p := &peer{pending: make(chan string, 1<<12)}
	router := &rpc.Router{}
	var known sync.Map
	rpc.OnNotification(router, protocol.InboxDidChange, func(_ context.Context, change protocol.InboxChange) error {
		for _, item := range change.Items {
			if item.State != protocol.ItemPending {
				continue
			}
			if _, again := known.LoadOrStore(item.QuestionID, true); !again { // an item is sent again when it changes
				p.pending <- item.QuestionID
			}
		}
		return nil
	})
	rpc.OnNotification(router, protocol.StreamDidPassText, func(context.Context, protocol.StreamDidPassTextParams) error { return nil })
	p.conn = rpc.Dial(context.Background(), router, rpc.Options{In: in, Out: out, Log: zap.NewNop()})
	call(p, protocol.Initialize, protocol.InitializeParams{InitializationOptions: protocol.InitializationOptions{
		ProtocolVersion: protocol.Version, StorageFolder: folder,
	}})
	return p
}

// startServe starts followup serve with a storage folder.
func startServe(program, folder string) *peer {
	started := start(program, "serve", "--log-level", "error")
	p := dial(started.out, started.in, folder)
	p.process = started
	return p
}

// end shuts down the sidecar of startServe.
func (p *peer) end() {
	call(p, protocol.Shutdown, protocol.None{})
	rpc.Notify(p.conn, protocol.Exit, protocol.None{})
	check(p.cmd.Wait())
}

func call[P, R any](p *peer, m protocol.Request[P, R], params P) R {
	result, err := rpc.Call(context.Background(), p.conn, m, params)
	check(err)
	return result
}

// subscribe makes the peer an interface. The sidecar answers when its store is open.
func (p *peer) subscribe() []protocol.InboxItem {
	return call(p, protocol.InboxSubscribe, protocol.None{}).Items
}

// newSession switches to a new session, so that no turn pays for an earlier one.
func (p *peer) newSession() {
	p.session = call(p, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "bench", Key: newID()}).Session
}

// ask asks a question. answered receives once it is answered.
func (p *peer) ask(to string) (id string, answered <-chan error) {
	id = newID()
	params := protocol.AskParams{
		Session: p.session, QuestionID: id, Tool: tool, Envelope: protocol.Envelope{To: to},
		Input: []byte(`{"question":"Which port?","follow_up":[{"text":"8080"},{"text":"3000"}]}`),
	}
	replied := make(chan error, 1)
	go func() {
		_, err := rpc.Call(context.Background(), p.conn, protocol.QuestionAsk, params)
		replied <- err
	}()
	return id, replied
}

// see waits until a question may be answered.
func (p *peer) see(id string) {
	for <-p.pending != id {
	}
}

func (p *peer) click(id string) {
	first := 0
	params := protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceClicked, Suggestion: &first}
	if !call(p, protocol.QuestionAnswer, params).Accepted {
		check(errors.New("somebody else answered"))
	}
}

// exchange makes the agent ask and the person answer, and waits until the agent has the answer.
func exchange(agent, person *peer, to string) {
	id, answered := agent.ask(to)
	person.see(id)
	person.click(id)
	check(<-answered)
}

// stream sends one call of about size bytes in pieces, and ends the stream.
func (p *peer) stream(size int) {
	id := newID()
	offset := 0
	eachChunk(callOf(size), func(piece string) {
		rpc.Notify(p.conn, protocol.StreamAppend, protocol.StreamAppendParams{Session: p.session, StreamID: id, Offset: offset, Text: piece})
		offset += len(piece)
	})
	call(p, protocol.StreamEnd, protocol.StreamEndParams{Session: p.session, StreamID: id, Reason: protocol.StreamAborted})
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

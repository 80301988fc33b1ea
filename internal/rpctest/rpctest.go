// Package rpctest is an editor for tests: the other side of a connection, in memory. Only tests import it.
package rpctest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap/zaptest"

	"followup/internal/protocol"
	"followup/internal/relay"
	"followup/internal/rpc"
	"followup/internal/server"
	"followup/internal/waits"
)

// Editor is a connected editor.
type Editor struct {
	t      testing.TB
	Conn   *rpc.Conn
	served chan struct{} // closed when the host has ended the connection
	hangUp func()

	mu      sync.Mutex
	changed chan struct{} // closed and replaced with every notification
	Items   map[string]protocol.InboxItem
	Removed []string
	Storage protocol.Storage  // the last one received
	Hub     protocol.HubState // the last one received
	Passed  map[string]string // returned text outside calls, by stream
	Notices []protocol.Notice // in order
	// Waiting is the last one received; Reveals and Wide are all in order.
	Waiting protocol.Waiting
	Reveals []string
	Wide    []protocol.InboxEntry
	Ended   []string // ended notifications, in order
	// Outside are the desktop notifications, in order.
	Outside []relay.OutsideParams
	sent    int               // the number of items received
	images  map[string]string // images of drafts by hash
	// ImagesSent is the number of images received with their data.
	ImagesSent int

	lastID   int
	requests map[string][]jsonrpc2.ID // sent with their own ids, by method
}

// Start connects to a host that saves nothing, without a handshake. It ends with the test.
func Start(t testing.TB, change func(*server.Options)) *Editor {
	t.Helper()
	return StartIn(t, "", change)
}

// StartIn is Start for the host of a folder. Only the first editor's options are used.
func StartIn(t testing.TB, folder string, change func(*server.Options)) *Editor {
	t.Helper()
	h, leave := hostOf(t, folder, change)
	return dial(t, h, leave)
}

// Over returns an editor, or another program that speaks the protocol, at the end of two pipes. At the end of the test it closes
// out.
func Over(t testing.TB, in io.ReadCloser, out io.WriteCloser) *Editor {
	t.Helper()
	e := &Editor{
		t: t, changed: make(chan struct{}),
		Items: map[string]protocol.InboxItem{}, images: map[string]string{}, Passed: map[string]string{},
		requests: map[string][]jsonrpc2.ID{},
	}
	e.hangUp = func() { _ = out.Close() }
	router := &rpc.Router{}
	rpc.OnNotification(router, protocol.InboxDidChange, e.inboxDidChange)
	rpc.OnNotification(router, protocol.NoticeDidChange, e.noticeDidChange)
	rpc.OnNotification(router, protocol.StreamDidPassText, e.streamDidPassText)
	rpc.OnNotification(router, relay.Outside, func(_ context.Context, p relay.OutsideParams) error {
		e.note(func() { e.Outside = append(e.Outside, p) })
		return nil
	})
	e.Conn = rpc.Dial(context.Background(), router, rpc.Options{In: in, Out: out, Log: zaptest.NewLogger(t)})
	t.Cleanup(func() {
		e.hangUp()
		waits.For(t, e.Conn.Done())
	})
	return e
}

// Connect is Start with the handshake and the subscription.
func Connect(t testing.TB, change func(*server.Options)) *Editor {
	t.Helper()
	return ConnectTo(t, "", change)
}

// ConnectTo is Connect to the host of a folder, which several editors may share, like windows.
func ConnectTo(t testing.TB, folder string, change func(*server.Options)) *Editor {
	t.Helper()
	e := StartIn(t, folder, change)
	e.greet(protocol.InitializationOptions{StorageFolder: folder})
	e.Subscribe()
	return e
}

// greet performs the handshake.
func (e *Editor) greet(options protocol.InitializationOptions) {
	e.t.Helper()
	options.ProtocolVersion = protocol.Version
	Call(e, protocol.Initialize, protocol.InitializeParams{InitializationOptions: options})
}

// UntilShown blocks until the host of a folder reports that an inbox is shown.
func UntilShown(t testing.TB, folder string) {
	t.Helper()
	probe := StartIn(t, folder, nil)
	defer probe.HangUp()
	probe.greet(protocol.InitializationOptions{StorageFolder: folder})
	waits.Until(t, "an inbox is shown", func() bool { return Call(probe, protocol.InboxStatus, protocol.None{}).Shown })
}

// Subscribe subscribes to the inbox, after the handshake.
func (e *Editor) Subscribe() {
	e.t.Helper()
	rpc.Notify(e.Conn, protocol.Initialized, protocol.None{})
	inbox := Call(e, protocol.InboxSubscribe, protocol.None{})
	e.note(func() { e.apply(protocol.InboxChange{Items: inbox.Items, Storage: inbox.Storage, Hub: inbox.Hub}) })
}

// Leave ends the connection and waits until the host has ended it. The last editor to leave a folder ends its host.
func (e *Editor) Leave() {
	e.t.Helper()
	e.HangUp()
	waits.For(e.t, e.served)
}

// Served returns a channel that closes when the host has ended the connection.
func (e *Editor) Served() <-chan struct{} { return e.served }

// HangUp closes the editor's half of the connection, like an editor that is lost.
func (e *Editor) HangUp() { e.hangUp() }

// Call sends a request that must succeed.
func Call[P, R any](e *Editor, m protocol.Request[P, R], params P) R {
	e.t.Helper()
	result, err := call(e, m, params)
	if err != nil {
		e.t.Fatalf("%s: %v", m.Method, err)
	}
	return result
}

// Code sends a request and returns the error code of the response; 0 for a result.
func Code[P, R any](e *Editor, m protocol.Request[P, R], params P) int64 {
	e.t.Helper()
	_, err := call(e, m, params)
	return ErrorCode(err)
}

func call[P, R any](e *Editor, m protocol.Request[P, R], params P) (R, error) {
	ctx, cancel := context.WithTimeout(context.Background(), waits.Patience)
	defer cancel()
	return rpc.Call(ctx, e.Conn, m, params)
}

// ErrorCode returns the code of an error from the peer; 0 for nil.
func ErrorCode(err error) int64 {
	var wire *jsonrpc2.Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wire):
		return wire.Code
	default:
		return -1
	}
}

// Session opens a session of the agent "Test".
func (e *Editor) Session(key string) string {
	e.t.Helper()
	return Call(e, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: key}).Session
}

// NewID returns an id for a question or a stream.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// Ask asks a question and returns its id and, later, its answer.
func (e *Editor) Ask(session, input string) (string, <-chan Reply) {
	id := NewID()
	return id, e.AskWith(protocol.AskParams{Session: session, QuestionID: id, Tool: "ask_followup_question", Input: []byte(input), New: true})
}

// Reply is the response to a waiting request.
type Reply struct {
	Answer protocol.Answer
	Err    error
}

// AskAs is Ask with a given id, which may have been asked before.
func (e *Editor) AskAs(session, id, input string) <-chan Reply {
	return e.AskWith(protocol.AskParams{Session: session, QuestionID: id, Tool: "ask_followup_question", Input: []byte(input)})
}

// AskWith is Ask with all params given.
func (e *Editor) AskWith(params protocol.AskParams) <-chan Reply {
	replies := make(chan Reply, 1)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lastID++
	request := jsonrpc2.ID{Str: fmt.Sprint("ask-", e.lastID), IsString: true}
	e.requests[protocol.QuestionAsk.Method] = append(e.requests[protocol.QuestionAsk.Method], request)
	wait := rpc.Send(e.Conn, request, protocol.QuestionAsk, params) // sent here to keep the order of questions
	go func() {
		answer, err := wait()
		replies <- Reply{answer, err}
	}()
	return replies
}

// Until waits until the condition holds, checking it at every notification. The test fails if it never does.
func (e *Editor) Until(condition func() bool) {
	e.t.Helper()
	if !e.UntilAny(condition) {
		e.t.Fatal("the condition is not met, and no more notifications arrive")
	}
}

// UntilAny is Until for other goroutines: it returns false if the condition is not met in time, or before the connection ends.
func (e *Editor) UntilAny(condition func() bool) bool {
	for {
		e.mu.Lock()
		met, changed := condition(), e.changed
		e.mu.Unlock()
		if met {
			return true
		}
		select {
		case <-changed:
		case <-e.Conn.Done():
			return false
		case <-time.After(waits.Patience):
			return false
		}
	}
}

// UntilState waits until a question is in a state, and returns its item.
func (e *Editor) UntilState(id string, state protocol.ItemState) protocol.InboxItem {
	e.t.Helper()
	e.Until(func() bool { return e.Items[id].State == state })
	return e.Item(id)
}

// Item returns a question as it was last received; the zero item if it was not.
func (e *Editor) Item(id string) protocol.InboxItem {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.Items[id]
}

func (e *Editor) note(change func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change()
	close(e.changed)
	e.changed = make(chan struct{})
}

// put records an item, and completes the images of its draft with data that was sent before.
func (e *Editor) put(item protocol.InboxItem) {
	if item.Draft != nil {
		for i := range item.Draft.Images {
			image := &item.Draft.Images[i]
			if image.Data == "" {
				image.Data = e.images[image.Hash]
			} else {
				e.ImagesSent++
			}
			e.images[image.Hash] = image.Data
		}
	}
	e.Items[item.QuestionID] = item
}

func (e *Editor) inboxDidChange(_ context.Context, p protocol.InboxChange) error {
	e.note(func() {
		e.sent += len(p.Items)
		e.apply(p)
	})
	return nil
}

// apply applies a change like an interface.
func (e *Editor) apply(p protocol.InboxChange) {
	for _, id := range p.Removed {
		delete(e.Items, id)
		e.Removed = append(e.Removed, id)
	}
	for _, item := range p.Items {
		e.put(item)
	}
	for _, grown := range p.Grown {
		item := e.Items[grown.QuestionID]
		item.Payload.Question += grown.Text
		item.Payload.Suggest = append(item.Payload.Suggest, grown.Suggest...)
		e.Items[grown.QuestionID] = item
	}
	if p.Storage != nil {
		e.Storage = *p.Storage
	}
	if p.Hub != nil {
		e.Hub = *p.Hub
	}
}

func (e *Editor) noticeDidChange(_ context.Context, p protocol.NoticeChange) error {
	e.note(func() {
		e.Notices, e.Ended = append(e.Notices, p.Notices...), append(e.Ended, p.Ended...)
		e.Reveals, e.Wide = append(e.Reveals, p.Reveals...), append(e.Wide, p.Wide...)
		if p.Waiting != nil {
			e.Waiting = *p.Waiting
		}
	})
	return nil
}

func (e *Editor) streamDidPassText(_ context.Context, p protocol.StreamDidPassTextParams) error {
	e.note(func() { e.Passed[p.StreamID] = e.Passed[p.StreamID][:p.Offset] + p.Text })
	return nil
}

// Append sends the next piece of a stream's text, and advances the offset of the stream's params.
func (e *Editor) Append(stream *protocol.StreamAppendParams, text string) {
	stream.Text = text
	rpc.Notify(e.Conn, protocol.StreamAppend, *stream)
	stream.Offset += len(text)
}

// ItemsSent returns how many whole items the server has sent.
func (e *Editor) ItemsSent() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sent
}

// Cancel cancels the requests of a method that were sent through AskAs.
func (e *Editor) Cancel(method string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, id := range e.requests[method] {
		rpc.Notify(e.Conn, protocol.CancelRequest, protocol.CancelParams{ID: lsp.ID(id)})
	}
	delete(e.requests, method)
}

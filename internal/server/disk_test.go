package server_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"followup/internal/protocol"
	"followup/internal/relay"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/waits"
)

func onDisk(d *rpctest.Disk) func(*server.Options) {
	return func(o *server.Options) { o.OpenStore = d.Open }
}

// While a transaction waits for the disk, the host still handles messages. Those of the same session get their response after
// the write, all others at once. Changes that are not durable yet are not published.
func TestNothingWaitsForTheDisk(t *testing.T) {
	t.Parallel()
	disk := rpctest.NewDisk()
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	session, other := e.Session("s"), e.Session("t")
	first, reply := e.Ask(session, `{"question":"First?"}`)
	e.UntilState(first, protocol.ItemPending)
	second, _ := e.Ask(session, `{"question":"Second?"}`)
	e.UntilState(second, protocol.ItemQueued)
	release := disk.Hold()
	for len(disk.Commits()) > 0 {
		<-disk.Commits()
	}
	answered := make(chan protocol.CloseResult, 2)
	for range 2 { // the second click waits too
		go func() { answered <- rpctest.Call(e, protocol.QuestionAnswer, typed(first, "yes")) }()
	}
	waits.For(t, disk.Commits())
	for range 100 { // of each kind: none of them waits for the other session's write
		rpctest.Call(e, protocol.SessionGet, protocol.SessionParams{Session: other})
		rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})
	}
	stream := rpctest.NewID()
	rpc.Notify(e.Conn, protocol.StreamAppend, protocol.StreamAppendParams{Session: other, StreamID: stream, Text: "<ask_followup_question><question>Grow"})
	e.Until(func() bool {
		for _, item := range e.Items {
			if item.StreamID == stream && item.Payload.Question == "Grow" {
				return true
			}
		}
		return false
	})
	select {
	case got := <-answered:
		t.Errorf("acknowledged before it was written: %+v", got)
	case got := <-reply:
		t.Errorf("sent before it was written: %+v", got)
	default:
	}
	if a, b := e.UntilState(first, protocol.ItemPending), e.UntilState(second, protocol.ItemQueued); a.Outcome != nil || b.Outcome != nil {
		t.Errorf("shown before it was written: %+v, %+v", a, b)
	}
	release()
	if one, two := waits.For(t, answered), waits.For(t, answered); !one.Accepted || !two.Accepted || one.Outcome.Text != "yes" || two.Outcome.Text != "yes" {
		t.Errorf("got %+v and %+v", one, two)
	}
	if got := waits.For(t, reply); got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("the agent got %+v", got)
	}
	e.UntilState(second, protocol.ItemPending)
}

// Outcomes that arrive during a write are written together, with one flush.
func TestOutcomesAreJoined(t *testing.T) {
	t.Parallel()
	const sessions, each = 10, 10
	disk := rpctest.NewDisk()
	var closed atomic.Int32
	e := rpctest.ConnectTo(t, t.TempDir(), func(o *server.Options) {
		onDisk(disk)(o)
		o.Log = o.Log.WithOptions(zap.Hooks(func(entry zapcore.Entry) error {
			if entry.Message == "closed" {
				closed.Add(1)
			}
			return nil
		}))
	})
	var ids []string
	for n := range sessions {
		session := e.Session(fmt.Sprint(n))
		for range each {
			id, _ := e.Ask(session, `{"question":"Q?"}`)
			ids = append(ids, id)
		}
	}
	e.Until(func() bool { return len(e.Items) == len(ids) })
	release := disk.Hold()
	before := disk.Count("Commit")
	results := make(chan protocol.CloseResult, len(ids))
	for _, id := range ids {
		go func() {
			results <- rpctest.Call(e, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: id})
		}()
	}
	for closed.Load() < int32(len(ids)) { // all close although none is written yet
		rpctest.Call(e, protocol.HistoryFacets, protocol.None{})
	}
	release()
	for range ids {
		if got := waits.For(t, results); !got.Accepted {
			t.Errorf("got %+v", got)
		}
	}
	if commits := disk.Count("Commit") - before; commits > 5 {
		t.Errorf("%d outcomes took %d flushes", len(ids), commits)
	}
}

// A slow write is reported as not saved, and work continues in memory. The changes are saved once the disk responds.
func TestSlowDisk(t *testing.T) {
	t.Parallel()
	folder, disk := t.TempDir(), rpctest.NewDisk()
	e := rpctest.ConnectTo(t, folder, func(o *server.Options) {
		onDisk(disk)(o)
		o.Slow = 50 * time.Millisecond
	})
	session := e.Session("s")
	first, reply := e.Ask(session, `{"question":"First?"}`)
	e.UntilState(first, protocol.ItemPending)
	release := disk.Hold()
	rpctest.Call(e, protocol.QuestionAnswer, typed(first, "one")) // in memory, after a while
	if got := waits.For(t, reply); got.Answer.Text != "<answer>\none\n</answer>" {
		t.Errorf("the agent got %+v", got)
	}
	e.Until(func() bool { return !e.Storage.Saved && strings.Contains(e.Storage.Problem, "has not responded") })
	second, reply := e.Ask(session, `{"question":"Second?"}`)
	e.UntilState(second, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionAnswer, typed(second, "two"))
	waits.For(t, reply)
	release()
	e.Until(func() bool { return e.Storage.Saved })
	e.Leave()
	again := rpctest.ConnectTo(t, folder, nil)
	if got := texts(rpctest.Call(again, protocol.HistoryList, protocol.HistoryListParams{})); len(got) != 2 || got[0] != "two" || got[1] != "one" {
		t.Errorf("after a restart: %q", got)
	}
}

// The process exits even if the disk never responds.
func TestExitWithAStuckDisk(t *testing.T) {
	t.Parallel()
	disk := rpctest.NewDisk()
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	release := disk.Hold()
	defer func() { // background work must not outlive the test and its folder
		release()
		<-disk.Closed()
	}()
	go func() { // it gets no response
		_, _ = rpc.Call(context.Background(), e.Conn, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: "s"})
	}()
	waits.For(t, disk.Commits())
	rpctest.Call(e, protocol.Shutdown, protocol.None{})
	rpc.Notify(e.Conn, protocol.Exit, protocol.None{})
	waits.For(t, e.Served())
}

// If a question cannot be looked up, the request fails and does not ask it again. A retry finds the answered question.
func TestFailedLookup(t *testing.T) {
	t.Parallel()
	disk := rpctest.NewDisk()
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	session := e.Session("s")
	id := answered(t, e, session, "Q?", "yes")
	disk.Fail("Question", func() error { return fmt.Errorf("%w: bad sector", store.ErrUnavailable) })
	if got := waits.For(t, e.AskAs(session, id, `{"question":"Q?"}`)); rpctest.ErrorCode(got.Err) != protocol.CodeRefused || !strings.Contains(got.Err.Error(), "bad sector") {
		t.Errorf("got %+v", got)
	}
	if code := rpctest.Code(e, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id}); code != protocol.CodeRefused {
		t.Errorf("got code %d", code)
	}
	disk.Fail("Question", nil)
	if got := waits.For(t, e.AskAs(session, id, `{"question":"Q?"}`)); got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}
}

// While a question is looked up, messages for its session wait their turn, and other sessions do not.
func TestTurns(t *testing.T) {
	t.Parallel()
	disk := rpctest.NewDisk()
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	session, other := e.Session("s"), e.Session("t")
	looking, seen := make(chan struct{}), make(chan struct{}, 16)
	disk.Fail("Question", func() error {
		seen <- struct{}{}
		<-looking
		return nil
	})
	first, _ := e.Ask(session, `{"question":"First?"}`)
	waits.For(t, seen)
	stream := rpctest.NewID()
	rpc.Notify(e.Conn, protocol.StreamAppend, protocol.StreamAppendParams{
		Session: session, StreamID: stream, Text: "<ask_followup_question><question>Second?</question></ask_followup_question>",
	})
	dismissed := make(chan protocol.CloseResult, 1)
	go func() {
		dismissed <- rpctest.Call(e, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: first})
	}()
	rpctest.Call(e, protocol.SessionGet, protocol.SessionParams{Session: other})
	close(looking)
	if got := waits.For(t, dismissed); !got.Accepted {
		t.Errorf("got %+v", got)
	}
	result := rpctest.Call(e, protocol.StreamEnd, protocol.StreamEndParams{Session: session, StreamID: stream, Reason: protocol.StreamComplete})
	second := e.UntilState(result.Calls[0].QuestionID, protocol.ItemPending)
	if e.UntilState(first, protocol.ItemClosed).Order >= second.Order {
		t.Error("the question that arrived first was asked second")
	}
}

// A decision on a request for permission is announced only once it is durable, however long that takes: the agent would act on it, and
// after a crash the user could decide otherwise. Answers to questions do not wait.
func TestDecisionIsDurableFirst(t *testing.T) {
	t.Parallel()
	disk := rpctest.NewDisk()
	e := rpctest.ConnectTo(t, t.TempDir(), func(o *server.Options) {
		onDisk(disk)(o)
		o.Slow = time.Millisecond
	})
	session, other := e.Session("s"), e.Session("t")
	asks := protocol.AskParams{Session: session, QuestionID: rpctest.NewID(), Tool: "request_approval", Input: []byte(approval), New: true}
	reply := e.AskWith(asks)
	open, answer := e.Ask(other, `{"question":"Q?"}`)
	for _, id := range []string{asks.QuestionID, open} {
		e.UntilState(id, protocol.ItemPending)
	}
	e.Until(func() bool { return e.Storage.Saved })
	release := disk.Hold()
	defer release()
	decided, withdrawn := make(chan protocol.CloseResult, 3), make(chan protocol.CloseResult, 1)
	for range 3 { // the repeated clicks wait too
		go func() {
			decided <- rpctest.Call(e, protocol.QuestionDecide, protocol.DecideParams{QuestionID: asks.QuestionID, Option: "deny"})
		}()
	}
	e.Until(func() bool { return !e.Storage.Saved })
	go func() {
		withdrawn <- rpctest.Call(e, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: asks.QuestionID})
	}()
	if result := rpctest.Call(e, protocol.QuestionAnswer, typed(open, "yes")); !result.Accepted {
		t.Errorf("got %+v", result)
	}
	waits.For(t, answer)
	if state := rpctest.Call(e, protocol.SessionGet, protocol.SessionParams{Session: session}); state.Conversation[0].Outcome != nil {
		t.Errorf("the session says %+v", state.Conversation[0])
	}
	select {
	case got := <-decided:
		t.Errorf("acknowledged before it was durable: %+v", got)
	case got := <-reply:
		t.Errorf("sent before it was durable: %+v", got)
	case got := <-withdrawn:
		t.Errorf("reported before it was durable: %+v", got)
	default:
	}
	if item := e.Item(asks.QuestionID); item.Outcome != nil {
		t.Errorf("shown before it was durable: %+v", item)
	}
	release()
	for range 3 {
		if result := waits.For(t, decided); !result.Accepted || result.Outcome.Outcome != protocol.OutcomeDenied {
			t.Errorf("got %+v", result)
		}
	}
	if result := waits.For(t, withdrawn); result.Accepted {
		t.Errorf("got %+v", result)
	}
	if got := waits.For(t, reply); got.Answer.Outcome != protocol.OutcomeDenied {
		t.Errorf("the agent got %+v", got)
	}
	e.UntilState(asks.QuestionID, protocol.ItemClosed)
	e.Until(func() bool { return e.Storage.Saved })
}

// One client's reads of the history are bounded, so that the others' questions do not queue behind them.
func TestReadsDoNotQueueBeforeTheWork(t *testing.T) {
	t.Parallel()
	disk, reading := rpctest.NewDisk(), make(chan struct{})
	disk.Fail("History", func() error {
		<-reading
		return nil
	})
	h := rpctest.NewHost(t, t.TempDir(), onDisk(disk))
	reader, window := h.Connect(protocol.InitializationOptions{}), h.Connect(protocol.InitializationOptions{})
	t.Cleanup(sync.OnceFunc(func() { close(reading) }))
	for n := range 2000 {
		rpc.Send(reader.Conn, jsonrpc2.ID{Str: fmt.Sprint("list ", n), IsString: true}, protocol.HistoryList, protocol.HistoryListParams{})
	}
	rpctest.Call(reader, relay.Ping, protocol.None{}) // the host has begun all of them
	waits.Until(t, "some are running", func() bool { return disk.Count("History") > 0 })
	for n := range 20 { // enough for any that does not wait
		id, reply := window.Ask(window.Session(fmt.Sprint(n)), `{"question":"Q?"}`)
		window.UntilState(id, protocol.ItemPending)
		rpctest.Call(window, protocol.QuestionAnswer, typed(id, "yes"))
		waits.For(t, reply)
	}
	if running := disk.Count("History"); running > 4 {
		t.Errorf("%d reads run at once", running)
	}
}

// A ticket for a late answer means that the question is asked. So it waits until that is durable.
func TestTicketOfADurableQuestion(t *testing.T) {
	t.Parallel()
	disk := rpctest.NewDisk()
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	session := e.Session("s")
	for len(disk.Commits()) > 0 {
		<-disk.Commits()
	}
	release := disk.Hold()
	ticket := e.AskWith(protocol.AskParams{
		Session: session, QuestionID: rpctest.NewID(), Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`), Deadline: 1, New: true,
	})
	waits.For(t, disk.Commits())
	other := e.AskWith(protocol.AskParams{Session: session, Tool: "ask_followup_question", Input: []byte(`{"await":"unknown"}`), QuestionID: rpctest.NewID()})
	waits.For(t, other) // later than the deadline
	for range 100 {
		rpctest.Call(e, relay.Ping, protocol.None{})
	}
	select {
	case got := <-ticket:
		t.Errorf("returned before the question was durable: %+v", got)
	default:
	}
	release()
	if got := waits.For(t, ticket); got.Answer.Outcome != protocol.OutcomeWaiting {
		t.Errorf("got %+v", got)
	}
}

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/persistence"
	"followup/internal/protocol"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/store/sqlite"
)

var sidecarBenchmarks = []benchmark{
	{"a question asked, shown, clicked and answered; the measure: a pair of bare echoes", func(t *table) {
		echo, s := t.startEcho(), t.startHost("", sqlite.Open)
		t.measure("jsonrpc2 alone, two echoes", timed(func() {
			check(echo.Call(context.Background(), "echo", callOf(400), new(any)))
			check(echo.Call(context.Background(), "echo", "8080", new(any)))
		}))
		t.row("followup", "", timed(func() { exchange(s, s, "") }))
		t.alternate(300, s.newSession)
	}},
	{"a question of 90 KB streamed in 16-byte messages to a subscribed interface; the measure: as many bare notifications", func(t *table) {
		echo, s := t.startEcho(), t.startHost("", sqlite.Open)
		t.measure("jsonrpc2 alone", timed(func() {
			eachChunk(callOf(90<<10), func(piece string) {
				check(echo.Notify(context.Background(), "echo", protocol.StreamAppendParams{Session: s.session, StreamID: s.session, Text: piece}))
			})
			check(echo.Call(context.Background(), "echo", "end", new(any)))
		}))
		t.row("followup", "", timed(func() { s.stream(90 << 10) }))
		t.alternate(1, s.newSession)
	}},
	{"the cost of a streamed byte as a question grows; the measure: ten questions of 9 KB", func(t *table) {
		s := t.startHost("", sqlite.Open)
		t.measure("ten of 9 KB", timed(func() {
			for range 10 {
				s.stream(9 << 10)
			}
		}))
		t.row("one of 90 KB", "", timed(func() { s.stream(90 << 10) }))
		t.alternate(1, s.newSession)
	}},
	{"a request that does not need the disk, while questions are asked and answered; the measure: the same while nothing is written. " +
		"Then the flushes of 100 simultaneous outcomes in 10 sessions, on the real disk", measureBesideDisk},
}

// startEcho returns a client of the minimum of a JSON-RPC conversation: only the library, on both sides of an in-memory pipe.
func (t *table) startEcho() *jsonrpc2.Conn {
	here, there := net.Pipe()
	connect := func(end net.Conn) *jsonrpc2.Conn {
		echo := jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) { return r.Params, nil })
		conn := jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(end, jsonrpc2.VSCodeObjectCodec{}), echo)
		t.cleanup(func() { _ = conn.Close() })
		return conn
	}
	connect(there)
	return connect(here)
}

// startHost starts the real server behind an in-memory pipe, and returns a subscribed interface with a session.
func (t *table) startHost(folder string, open persistence.Open) *peer {
	toServer, fromEditor := io.Pipe()
	toEditor, fromServer := io.Pipe()
	h := server.NewHost(server.Options{Log: zap.NewNop(), Version: "bench", NewID: newID, OpenStore: open})
	h.Keep(folder)
	served := make(chan struct{})
	go func() {
		defer close(served)
		h.Serve(context.Background(), toServer, fromServer, nil)
		h.Close()
		_ = fromServer.Close()
	}()
	t.cleanup(func() {
		_ = fromEditor.Close()
		<-served
	})
	p := dial(toEditor, fromEditor, folder)
	p.subscribe()
	p.newSession()
	return p
}

// countingStore counts transactions, and delays each.
type countingStore struct {
	store.Store
	commits *atomic.Int64
	delay   time.Duration
}

func (s countingStore) Commit(ctx context.Context, changes []store.Change) ([]store.Result, error) {
	s.commits.Add(1)
	time.Sleep(s.delay)
	return s.Store.Commit(ctx, changes)
}

func measureBesideDisk(t *table) {
	var commits atomic.Int64
	on := func(delay time.Duration) *peer {
		return t.startHost(t.folder(""), func(ctx context.Context, folder string, o store.Options) (store.Store, store.Report, error) {
			opened, report, err := sqlite.Open(ctx, folder, o)
			return countingStore{opened, &commits, delay}, report, err
		})
	}
	const flush = 40 * time.Millisecond
	slow, fast := on(flush), on(0)
	another := protocol.SessionParams{Session: slow.session} // than that of the questions
	request := timed(func() { call(slow, protocol.SessionGet, another) })
	quiet := t.measure("nothing to write", nil)
	beside := t.row(fmt.Sprintf("while questions are asked and answered on a disk of %v a flush", flush), "at most 2", nil)
	flushes := t.figure("100 simultaneous outcomes in 10 sessions", "at most 5", "flushes")
	for range t.turns {
		slow.newSession()
		for range 2000 {
			quiet.samples = append(quiet.samples, request())
		}
		writing, done := context.WithCancel(context.Background())
		go func() {
			defer done()
			for range 5 {
				exchange(slow, slow, "")
			}
		}()
		for writing.Err() == nil {
			beside.samples = append(beside.samples, request())
		}

		var ids []string
		for i := range 100 {
			if i%10 == 0 {
				fast.newSession()
			}
			id, _ := fast.ask("")
			ids = append(ids, id)
		}
		for len(fast.subscribe()) < len(ids) { // until all are asked
		}
		before := commits.Load()
		var all sync.WaitGroup
		for _, id := range ids {
			all.Go(func() { call(fast, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: id}) })
		}
		all.Wait()
		flushes.samples = append(flushes.samples, float64(commits.Load()-before))
		for len(fast.pending) > 0 { // these are not answered
			<-fast.pending
		}
	}
}

var nodeBenchmarks = []benchmark{
	{"a question of 90 KB from Node until it is parsed, appended in 16-byte pieces; the measure: joined by the extension", func(t *table) {
		n := t.startScript(nil, "editor", "./cmd/followup", "./internal/bench/echo")
		n.load("call", callOf(90<<10))
		t.measure("joined", n.run("joined", "call", 10))
		t.row("one message for each piece", "at least 40", n.run("single", "call", 1))
		t.row("joined, one piece in each turn of the event loop", "", n.run("joined, paced", "call", 2))
		t.row("one message for each, one in each turn of the event loop", "", n.run("single, paced", "call", 1))
		t.alternate(1, nil)
	}},
	{"round trips from Node to Go and back, all on one processor if taskset is installed; the measure: framing by hand in Go", func(t *table) {
		var before []string
		if taskset, err := exec.LookPath("taskset"); err == nil {
			before = []string{taskset, "-c", "0"}
		}
		n := t.startScript(before, "editor", "./cmd/followup", "./internal/bench/echo")
		t.measure("framing by hand", n.run("echo", "", 50))
		t.row("followup serve, a relay before its host", "", n.run("sidecar", "", 50))
		t.alternate(20, nil) // many short samples reduce the effect of other load
	}},
	{"the page in Chromium as followup web serves it, a call of 2 KB from another process; the measure: one frame", func(t *table) {
		command("node", "extension/build.mjs", "--only", "browser") // it is built into the sidecar
		n := t.startScript(nil, "page", "./cmd/followup")
		n.load("call", callOf(2<<10))
		t.measure("one frame", n.run("frame", "call", 1))
		t.row("from a call's last byte to clickable buttons, p50", "", n.run("p50", "call", 20))
		t.row("the same, p95", "", n.run("p95", "call", 20))
		t.row("a page's load to its first card, of one", "", n.run("load 1", "call", 1))
		t.row("the same, of 1,000 open questions", "", n.run("load 1000", "call", 1))
		t.row("from a key to its text, with one card, p50", "", n.run("key 1", "call", 20))
		t.row("the same, with 1,000 open questions", "", n.run("key 1000", "call", 20))
		t.row("a click on an answer to the closed card, of one, p50", "", n.run("answer 1", "call", 5))
		t.row("the same, of 1,000 open questions", "", n.run("answer 1000", "call", 5))
		t.alternate(1, nil)
	}},
}

package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"followup/internal/keeper"
)

var programBenchmarks = []benchmark{
	{"the store: followup serve on a large store, from its start to initialize answered; the measure: a Go program that says hello, to its end", measureStartup},
	{"another process: from a click in one to the tool result at an MCP client of another; the measure: one outcome's commit", measureWaking},
	{fmt.Sprintf("%d idle clients of one keeper, each a followup serve", crowd), measureCrowd},
}

func measureStartup(t *table) {
	dir, folder := t.largeStore(*entries), t.folder("")
	followup, hello := build(folder, "./cmd/followup", packaged), build(folder, "./internal/bench/hello", "")
	from := func(storage string) func() float64 {
		return func() float64 {
			began := time.Now()
			p := startServe(followup, storage)
			took := time.Since(began).Seconds()
			p.end()
			return took
		}
	}
	t.measure("hello", timed(func() { check(exec.Command(hello).Run()) }))
	t.row("initialize without a store", "", from(""))
	t.row(fmt.Sprintf("initialize with %d questions of history", *entries), "at most 3.5", from(dir))
	t.alternate(10, nil)
	p := startServe(followup, dir)
	t.figure("resident when it was answered", "", "B", memory(p.pid(), "Rss")...)
	p.subscribe()
	time.Sleep(calm)
	t.figure("resident when the store is open and it is idle", "", "B", memory(p.pid(), "Rss")...)
	t.figure("of that, without the pages of the program's file, which its processes share", "at most 10 MiB", "B", memory(p.pid(), "Anonymous")...)
	p.end()
}

// readFor is how long a question is shown before it is clicked, since nobody clicks at once.
const readFor = 50 * time.Millisecond

func measureWaking(t *table) {
	dir := t.folder("")
	program, folder := build(dir, "./cmd/followup", packaged), filepath.Join(dir, "asked")
	person := startServe(program, folder)
	t.cleanup(person.end)
	person.subscribe()
	mcpClient := func() (*process, *mcp.ClientSession) {
		p := start(program, "mcp", "--storage", folder)
		session, err := mcp.NewClient(&mcp.Implementation{Name: "bench"}, nil).Connect(context.Background(), &mcp.IOTransport{Reader: p.out, Writer: p.in}, nil)
		check(err)
		t.cleanup(func() {
			check(session.Close())
			check(p.cmd.Wait())
		})
		return p, session
	}
	agent, session := mcpClient()
	bare := newAnswers(t.openStore(filepath.Join(dir, "committed")))
	commit := timed(bare.next)
	t.measure("one commit", func() float64 {
		time.Sleep(readFor)
		return commit()
	})
	saved := t.row("a click, until it is durable", "", nil)
	t.row("a click, until the tool result", "under 10 ms", func() float64 {
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{
				"question": "Which port?", "follow_up": []map[string]string{{"text": "8080"}, {"text": "3000"}},
			}})
			check(err)
			if result.IsError {
				check(fmt.Errorf("the client got %v", result.Content))
			}
		}()
		id := <-person.pending
		time.Sleep(readFor)
		began := time.Now()
		person.click(id)
		saved.samples = append(saved.samples, time.Since(began).Seconds())
		<-answered
		return time.Since(began).Seconds()
	})
	t.alternate(30, func() { bare.ask(30) })
	mcpClient() // the two share the program's text
	t.figure(fmt.Sprintf("a second, idle process, over %s", *watched), "under 0.2 %", "% of a core", idleShares([]int{agent.pid()})[0]...)
	t.figure("its private memory", "at most 14 MiB", "B", memory(agent.pid(), private...)...)
	t.figure("resident, with the program's text, which all processes share", "", "B", memory(agent.pid(), "Rss")...)
}

// crowd is how many clients are connected to one keeper.
const crowd = 60

func measureCrowd(t *table) {
	dir := t.folder("")
	program, folder := build(dir, "./cmd/followup", packaged), filepath.Join(dir, "storage")
	var clients []int
	for range crowd {
		p := startServe(program, folder)
		t.cleanup(p.end)
		p.subscribe()
		clients = append(clients, p.pid())
	}
	info, err := keeper.ReadInfo(folder)
	check(err)
	shares := idleShares(append(clients, info.PID), []int{info.PID})
	t.figure(fmt.Sprintf("all of them and the keeper, over %s", *watched), "at most 1 %", "% of a core", shares[0]...)
	t.figure("of which the keeper", "", "% of a core", shares[1]...)
	t.figure("the private memory of a client", "at most 10 MiB", "B", memory(clients[0], private...)...)
	t.figure("the private memory of the keeper", "", "B", memory(info.PID, private...)...)
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

const (
	// startsInTurn is how often each program is started per turn.
	startsInTurn = 10
	// calm is how long a sidecar may finish its background work after it starts.
	calm = 2 * time.Second
)

var storeStartup = part{
	"the store: followup serve on a large store, from its start to initialize answered; the measure: a Go program that says hello, to its end",
	printStartup,
}

func printStartup(w io.Writer, turns int) {
	dir := largeStore()
	programs, err := os.MkdirTemp("", "followup-bench-")
	check(err)
	buildPackaged(filepath.Join(programs, "followup"))
	command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(programs, "hello"), "./internal/bench/hello")
	var answered, rested, own []float64 // MiB
	start := func(folder string) func() time.Duration {
		return func() (took time.Duration) {
			for n := range startsInTurn {
				p := startServe(filepath.Join(programs, "followup"), folder)
				took += p.answered
				if folder != "" && n == 0 {
					answered = append(answered, p.memory("VmRSS"))
					p.waitForStore()
					time.Sleep(calm)
					rested, own = append(rested, p.memory("VmRSS")), append(own, p.memory("RssAnon"))
				}
				p.end()
			}
			return took
		}
	}
	contest{contenders: []contender{
		{name: "hello", turn: passed(func() {
			for range startsInTurn {
				check(exec.Command(filepath.Join(programs, "hello")).Run())
			}
		})},
		{name: "initialize without a store", turn: start("")},
		{name: fmt.Sprintf("initialize with %d questions of history", *entries), turn: start(dir), target: "at most 3.5"},
	}}.print(w, turns)
	fmt.Fprintf(w, "  resident when it was answered\t%s\t\n", mebibytes(answered))
	fmt.Fprintf(w, "  resident when the store is open and it has come to rest\t%s\t\n", mebibytes(rested))
	fmt.Fprintf(w, "  of that, what is no page of the program's file, which its processes share\t%s\tat most 10 MiB\n", mebibytes(own))
	check(os.RemoveAll(programs))
}

func mebibytes(samples []float64) string {
	if slices.Contains(samples, 0) {
		return "not available on this system"
	}
	return fmt.Sprintf("%.1f MiB", middle(samples))
}

// served is a sidecar as a process.
type served struct {
	process  *exec.Cmd
	conn     *rpc.Conn
	answered time.Duration // from the start on
}

func startServe(program, folder string) *served {
	s := &served{process: exec.Command(program, "serve")}
	s.process.Env = append(os.Environ(), "FOLLOWUP_KEEPER_LINGER=1s") // its folder's keeper ends soon after the benchmark
	in, err := s.process.StdinPipe()
	check(err)
	out, err := s.process.StdoutPipe()
	check(err)
	began := time.Now()
	check(s.process.Start())
	router := &rpc.Router{}
	rpc.OnNotification(router, protocol.InboxDidChange, func(context.Context, protocol.InboxChange) error { return nil })
	s.conn = rpc.Dial(context.Background(), router, rpc.Options{In: out, Out: in, Log: zap.NewNop()})
	callServed(s, protocol.Initialize, protocol.InitializeParams{
		InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version, StorageFolder: folder},
	})
	s.answered = time.Since(began)
	return s
}

func callServed[P, R any](s *served, m protocol.Request[P, R], params P) {
	_, err := rpc.Call(context.Background(), s.conn, m, params)
	check(err)
}

// waitForStore blocks until the sidecar shows the content of its store.
func (s *served) waitForStore() { callServed(s, protocol.InboxSubscribe, protocol.None{}) }

func (s *served) end() {
	callServed(s, protocol.Shutdown, protocol.None{})
	rpc.Notify(s.conn, protocol.Exit, protocol.None{})
	check(s.process.Wait())
}

// memory returns the process's memory of a kind in MiB; 0 if the system does not have Linux's proc files.
// https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
func (s *served) memory(kind string) float64 {
	status, err := os.Open(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if errors.Is(err, os.ErrNotExist) && runtime.GOOS != "linux" {
		return 0
	}
	check(err)
	defer func() { _ = status.Close() }() // only read
	lines := bufio.NewScanner(status)
	for lines.Scan() {
		if size, found := strings.CutPrefix(lines.Text(), kind+":"); found {
			var kib float64
			_, err := fmt.Sscan(size, &kib)
			check(err)
			return kib / 1024
		}
	}
	check(lines.Err())
	return 0
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"followup/internal/protocol"
	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// idle is how long a second process is observed.
var idle = flag.Duration("idle", time.Minute, "how long a second process is watched that has nothing to do")

// clicks is the number of clicked questions.
const clicks = 200

// readFor is how long a question is shown before it is clicked, since nobody clicks at once.
const readFor = 50 * time.Millisecond

var inAnotherProcess = part{
	"another process: from a click in one to the tool result at an MCP client of another; the measure: one outcome's commit",
	printWaking,
}

func printWaking(w io.Writer, _ int) {
	dir, err := os.MkdirTemp("", "followup-bench-")
	check(err)
	program := filepath.Join(dir, "followup")
	buildPackaged(program)
	floor := committed(filepath.Join(dir, "committed"))
	folder := filepath.Join(dir, "asked")
	s := startClient(program, folder)
	m := startMCP(program, folder)
	var kept, times []time.Duration
	asked := map[string]bool{}
	for n := range clicks {
		m.ask(n)
		first, id := 0, <-s.pending
		for asked[id] { // sent again, such as for its owner
			id = <-s.pending
		}
		asked[id] = true
		time.Sleep(readFor)
		began := time.Now()
		call(s, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceClicked, Suggestion: &first})
		kept = append(kept, time.Since(began))
		m.answer()
		times = append(times, time.Since(began))
	}
	slices.Sort(kept)
	slices.Sort(times)
	fmt.Fprintln(w, "  \tp50\tp99\tp50 by the measure\tp99 by the measure\tto reach\t")
	at := func(of []time.Duration, part float64) time.Duration { return of[int(float64(len(of)-1)*part)] }
	row := func(name string, of []time.Duration, target string) {
		fmt.Fprintf(w, "  %s\t%.1f ms\t%.1f ms\t%.2f×\t%.2f×\t%s\t\n", name, at(of, 0.5).Seconds()*1e3, at(of, 0.99).Seconds()*1e3,
			at(of, 0.5).Seconds()/at(floor, 0.5).Seconds(), at(of, 0.99).Seconds()/at(floor, 0.99).Seconds(), target)
	}
	row("one commit", floor, "")
	row("a click, to the tool result", times, "under 10 ms")
	row("of which until it is on the disk", kept, "")
	other := startMCP(program, folder) // the two share the program's text
	time.Sleep(calm)
	before := m.spent()
	time.Sleep(*idle)
	if spent := m.spent(); before > 0 {
		fmt.Fprintf(w, "  a second process with nothing to do, over %s\t%.3f %% of a core\tunder 0.2 %%\t\n", *idle, 100*(spent-before).Seconds()/idle.Seconds())
		fmt.Fprintf(w, "  what it holds alone in memory\t%.1f MiB\tat most 14 MiB\t\n", m.memory("Private_Dirty:", "Private_Clean:"))
		fmt.Fprintf(w, "  resident, with the program's text, which all processes share\t%.1f MiB\t\t\n", m.memory("Rss:"))
	}
	other.end()
	m.end()
	s.close()
	check(os.RemoveAll(dir))
}

// committed returns the sorted durations of commits of one outcome.
func committed(dir string) (times []time.Duration) {
	in, _, err := sqlite.Open(context.Background(), dir, store.Options{})
	check(err)
	answers := newAnswers(in)
	answers.ask(clicks)
	for range clicks {
		time.Sleep(readFor)
		began := time.Now()
		answers.next()
		times = append(times, time.Since(began))
	}
	check(in.Close())
	return slices.Sorted(slices.Values(times))
}

// mcpClient is a client of followup mcp in another process.
type mcpClient struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func startMCP(program, folder string) *mcpClient {
	m := &mcpClient{process: exec.Command(program, "mcp", "--storage", folder)}
	m.process.Stderr = os.Stderr
	var err error
	m.in, err = m.process.StdinPipe()
	check(err)
	out, err := m.process.StdoutPipe()
	check(err)
	m.out = bufio.NewReader(out)
	check(m.process.Start())
	m.send(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`)
	m.answer()
	m.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return m
}

func (m *mcpClient) send(line string) {
	_, err := io.WriteString(m.in, line+"\n")
	check(err)
}

func (m *mcpClient) ask(n int) {
	m.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"ask_followup_question","arguments":`+
		`{"question":"Which port for service %d?","follow_up":[{"text":"8080"},{"text":"3000"}]}}}`, n, n))
}

// answer reads the next response, which must not be an error.
func (m *mcpClient) answer() {
	var line []byte
	var answer struct {
		ID     json.RawMessage
		Error  json.RawMessage
		Result struct{ IsError bool }
	}
	for answer.ID == nil { // skip notifications
		var err error
		line, err = m.out.ReadBytes('\n')
		check(err)
		check(json.Unmarshal(line, &answer))
	}
	if answer.Error != nil || answer.Result.IsError {
		check(fmt.Errorf("the client got %s", line))
	}
}

func (m *mcpClient) spent() time.Duration { return spentBy(m.process.Process.Pid) }

// spentBy returns the processor time of a process; 0 if the system does not provide it.
func spentBy(process int) (spent time.Duration) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", process))
	for _, thread := range threads {
		stat, err := os.ReadFile(thread)
		if err != nil {
			continue // it has ended
		}
		var ns int64
		if _, err := fmt.Sscan(string(stat), &ns); err == nil { // the first field: https://docs.kernel.org/scheduler/sched-stats.html
			spent += time.Duration(ns)
		}
	}
	return spent
}

// memory returns the sum of lines of /proc/PID/smaps_rollup in MiB.
func (m *mcpClient) memory(names ...string) float64 { return memoryOf(m.process.Process.Pid, names...) }

// memoryOf is memory for a process id.
func memoryOf(process int, names ...string) (sum float64) {
	rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", process))
	check(err)
	for line := range strings.Lines(string(rollup)) {
		if fields := strings.Fields(line); len(fields) > 1 && slices.Contains(names, fields[0]) {
			n, err := strconv.Atoi(fields[1])
			check(err)
			sum += float64(n) / 1024
		}
	}
	return sum
}

func (m *mcpClient) end() {
	check(m.in.Close())
	check(m.process.Wait())
}

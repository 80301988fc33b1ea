package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// watched is how long idle processes are watched.
var watched = flag.Duration("idle", time.Minute, "how long to watch idle processes")

// calm is how long a process has for background work after its start.
const calm = 2 * time.Second

// command runs a command, and prints its output if it fails.
func command(name string, args ...string) {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		_, _ = os.Stderr.Write(out)
	}
	check(err)
}

// packaged are the tags of the program as extension/scripts/package/sidecar.mjs builds it.
const packaged = "nopostgres,nohub,nethttpomithttp2"

// build builds a program into a folder and returns its path.
func build(folder, program, tags string) string {
	check(os.Setenv("CGO_ENABLED", "0")) // as in the Makefile
	command("go", "build", "-tags", tags, "-trimpath", "-ldflags", "-s -w", "-o", folder+string(filepath.Separator), program)
	return filepath.Join(folder, filepath.Base(program))
}

// A process is a program under test.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.ReadCloser
}

func start(program string, args ...string) *process {
	p := &process{cmd: exec.Command(program, args...)}
	p.cmd.Stderr = os.Stderr
	p.cmd.Env = append(os.Environ(), "FOLLOWUP_KEEPER_LINGER=1s") // its folder's keeper ends soon after the benchmark
	var err error
	p.in, err = p.cmd.StdinPipe()
	check(err)
	p.out, err = p.cmd.StdoutPipe()
	check(err)
	check(p.cmd.Start())
	return p
}

// end closes the input of a process and waits for its end.
func (p *process) end() {
	check(p.in.Close())
	check(p.cmd.Wait())
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// private are the fields of a process's memory that it shares with no other process.
var private = []string{"Private_Dirty", "Private_Clean"}

// memory returns the sum of fields of /proc/PID/smaps_rollup in bytes; nil where the system has no such file.
func memory(pid int, fields ...string) []float64 {
	rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return nil
	}
	sum := 0.0
	for _, field := range fields {
		_, rest, _ := strings.Cut(string(rollup), "\n"+field+":")
		var kib float64
		_, err := fmt.Sscan(rest, &kib)
		check(err)
		sum += kib * 1024
	}
	return []float64{sum}
}

// processor returns the seconds of processor time of processes; 0 if the system does not provide it.
func processor(pids ...int) (seconds float64) {
	for _, pid := range pids {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
		for _, thread := range threads {
			stat, err := os.ReadFile(thread)
			if err != nil {
				continue // it has ended
			}
			var ns int64
			if _, err := fmt.Sscan(string(stat), &ns); err == nil { // the first field: https://docs.kernel.org/scheduler/sched-stats.html
				seconds += float64(ns) / 1e9
			}
		}
	}
	return seconds
}

// idleShares returns how many percent of a core groups of processes use while nothing happens; nil where that is unknown.
func idleShares(groups ...[]int) [][]float64 {
	time.Sleep(calm)
	before := make([]float64, len(groups))
	for i, pids := range groups {
		before[i] = processor(pids...)
	}
	time.Sleep(*watched)
	shares := make([][]float64, len(groups))
	for i, pids := range groups {
		if before[i] > 0 {
			shares[i] = []float64{100 * (processor(pids...) - before[i]) / watched.Seconds()}
		}
	}
	return shares
}

// node is a Node process that runs one order at a time and measures it itself, which excludes its start and the communication.
type node struct {
	orders  *json.Encoder
	answers *json.Decoder
}

// startNode starts a script, which ends with the table.
func (t *table) startNode(command ...string) *node {
	p := start(command[0], command[1:]...)
	t.cleanup(p.end)
	return &node{json.NewEncoder(p.in), json.NewDecoder(bufio.NewReader(p.out))}
}

// load sends the process a text and its name.
func (n *node) load(name, text string) {
	check(n.orders.Encode(map[string]any{"name": name, "text": text}))
}

// run returns a function that takes a sample: the seconds to run something on a text so many times.
func (n *node) run(what, text string, times int) func() float64 {
	return func() float64 {
		check(n.orders.Encode(map[string]any{"name": text, "run": what, "times": times}))
		var answer struct {
			Nanoseconds float64 `json:"ns"`
			Error       string  `json:"error"`
		}
		check(n.answers.Decode(&answer))
		if answer.Error != "" {
			check(errors.New(what + ": " + answer.Error))
		}
		return answer.Nanoseconds / 1e9
	}
}

// startScript builds programs and the TypeScript that talks to them, and starts it with their paths, after a command if any.
func (t *table) startScript(before []string, script string, programs ...string) *node {
	folder := t.folder("")
	bundle := filepath.Join(folder, script+".cjs")
	command("npx", "--no-install", "esbuild", "internal/bench/"+script+"/main.ts", "--bundle", "--platform=node",
		"--log-level=warning", "--alias:vscode=./extension/test/unit/fake/vscode.ts", "--outfile="+bundle)
	args := append(before, "node", bundle)
	for _, program := range programs {
		args = append(args, build(folder, program, ""))
	}
	return t.startNode(args...)
}

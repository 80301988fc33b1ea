package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// startEditor builds the sidecar, the echo and the editor's end, and starts the last, prefixed by a command if any. It returns a
// function that ends all of them.
func startEditor(before ...string) (*node, func()) {
	return startEnd(before, "editor", "./cmd/followup", "./internal/bench/echo")
}

// startEnd builds programs and a Node script that talks to them, and starts the script with their paths, prefixed by a command if
// any. It returns a function that ends it and removes all files.
func startEnd(before []string, script string, programs ...string) (*node, func()) {
	if _, err := os.Stat(filepath.Join("node_modules", ".package-lock.json")); err != nil {
		check(errors.New("what the extension needs is not installed: run make bench, or npm ci, in the project's root"))
	}
	folder, err := os.MkdirTemp("", "followup-bench-")
	check(err)
	command("go", append([]string{"build", "-o", folder + string(filepath.Separator)}, programs...)...)
	bundle := filepath.Join(folder, script+".cjs")
	command("npx", "--no-install", "esbuild", "internal/bench/"+script+"/main.ts", "--bundle", "--platform=node",
		"--log-level=warning", "--alias:vscode=./extension/test/unit/fake/vscode.ts", "--outfile="+bundle)
	args := append(before, "node", bundle)
	for _, program := range programs {
		name := filepath.Join(folder, filepath.Base(program))
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		args = append(args, name)
	}
	n := startNode(args...)
	return n, func() {
		n.close()
		check(os.RemoveAll(folder))
	}
}

// command runs a command, and prints its output if it fails.
func command(name string, args ...string) {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		_, _ = os.Stderr.Write(out)
	}
	check(err)
}

var fromNode = compare(
	"a question of 90 KB from Node to what was read of it, appended in 16-byte pieces; the measure: with the extension's joiner",
	func() contest {
		n, end := startEditor()
		n.load("call", callOf(90<<10))
		turn := func(name string, times int) func() time.Duration {
			return func() time.Duration { return n.turn(name, "call", times) }
		}
		return contest{
			contenders: []contender{
				{name: "joined", turn: turn("joined", 10)},
				{name: "one message for each piece", turn: turn("single", 1), target: "at least 40"},
				{name: "joined, one piece in each turn of the event loop", turn: turn("joined, paced", 2)},
				{name: "one message for each, one in each turn of the event loop", turn: turn("single, paced", 1)},
			},
			end: end,
		}
	})

// trips is the number of round trips per turn. Many short turns reduce the effect of other load.
const trips = 50

var roundTrip = compare(
	"round trips from Node to Go and back, all on one processor where taskset is there; the measure: framing by hand in Go",
	func() contest {
		var before []string
		if taskset, err := exec.LookPath("taskset"); err == nil {
			before = []string{taskset, "-c", "0"}
		}
		n, end := startEditor(before...)
		turn := func(name string) func() time.Duration {
			return func() time.Duration { return n.turn(name, "", trips) }
		}
		return contest{
			contenders: []contender{
				{name: "framing by hand", turn: turn("echo")},
				{name: "followup serve", turn: turn("sidecar"), target: "at most 1.1"},
			},
			often: 20,
			end:   end,
		}
	})

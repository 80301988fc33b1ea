package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const peersFolder = "internal/bench/peers"

// peers is the Node process in which the readers from the npm registry run. It does one turn at a time and says itself how
// long that took, so that neither its start nor the way to it is measured.
type peers struct {
	in      io.Closer
	orders  *json.Encoder
	answers *json.Decoder
	process *exec.Cmd
}

// order is one line to the process: a text to keep by its name, or a turn.
type order struct {
	Name  string `json:"name"` // of the text
	Text  string `json:"text,omitempty"`
	Run   string `json:"run,omitempty"` // the contender
	Times int    `json:"times,omitempty"`
}

// answer is what the process says of a turn.
type answer struct {
	Nanoseconds int64  `json:"ns"`
	Error       string `json:"error"`
}

func startPeers() *peers {
	if _, err := os.Stat(filepath.Join(peersFolder, "node_modules", ".package-lock.json")); err != nil {
		check(errors.New("the readers from the npm registry are not installed: run make bench in the project's root, or npm ci in " + peersFolder))
	}
	p := &peers{process: exec.Command("node", filepath.Join(peersFolder, "main.mjs"), clock)}
	p.process.Stderr = os.Stderr
	in, err := p.process.StdinPipe()
	check(err)
	out, err := p.process.StdoutPipe()
	check(err)
	check(p.process.Start())
	p.in, p.orders, p.answers = in, json.NewEncoder(in), json.NewDecoder(bufio.NewReader(out))
	return p
}

// load gives the process a text.
func (p *peers) load(name, text string) {
	check(p.orders.Encode(order{Name: name, Text: text}))
}

// turn lets a contender read the text of that name some times.
func (p *peers) turn(contender, name string, times int) time.Duration {
	check(p.orders.Encode(order{Name: name, Run: contender, Times: times}))
	var a answer
	check(p.answers.Decode(&a))
	if a.Error != "" {
		check(fmt.Errorf("%s at %s: %s", contender, name, a.Error))
	}
	return time.Duration(a.Nanoseconds)
}

func (p *peers) close() {
	check(p.in.Close())
	check(p.process.Wait())
}

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// node is a Node process with contenders. It runs one turn at a time and measures it itself, which excludes its start and the
// communication.
type node struct {
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

// answer is the process's response to a turn.
type answer struct {
	Nanoseconds int64  `json:"ns"`
	Error       string `json:"error"`
}

func startNode(command ...string) *node {
	n := &node{process: exec.Command(command[0], command[1:]...)}
	n.process.Stderr = os.Stderr
	in, err := n.process.StdinPipe()
	check(err)
	out, err := n.process.StdoutPipe()
	check(err)
	check(n.process.Start())
	n.in, n.orders, n.answers = in, json.NewEncoder(in), json.NewDecoder(bufio.NewReader(out))
	return n
}

// load sends the process a text.
func (n *node) load(name, text string) {
	check(n.orders.Encode(order{Name: name, Text: text}))
}

// turn runs a contender on the named text several times.
func (n *node) turn(contender, name string, times int) time.Duration {
	check(n.orders.Encode(order{Name: name, Run: contender, Times: times}))
	var a answer
	check(n.answers.Decode(&a))
	if a.Error != "" {
		check(fmt.Errorf("%s: %s", contender, a.Error))
	}
	return time.Duration(a.Nanoseconds)
}

func (n *node) close() {
	check(n.in.Close())
	check(n.process.Wait())
}

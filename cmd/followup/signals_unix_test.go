//go:build unix

package main

import (
	"net/http"
	"os/exec"
	"syscall"
	"testing"

	"followup/internal/waits"
)

// ignoring has a shell start a command that ignores a signal from its beginning, as nohup does.
func ignoring(signal string, command *exec.Cmd) {
	command.Args = append([]string{"sh", "-c", `trap "" ` + signal + `; exec "$@"`, "sh"}, command.Args...)
	command.Path = "/bin/sh"
}

// A signal that the MCP server was started to ignore does not end it.
func TestMCPWithoutHangup(t *testing.T) {
	p := newMCP(t, storageDir(t))
	ignoring("HUP", p.command)
	p.start()
	for range 100 { // what ends is still alive for some of them
		p.send(`{"id":1,"method":"ping"}`)
		p.receive()
		if err := p.command.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	p.end()
}

// A signal that the page's server was started to ignore does not end it; others do.
func TestWebWithoutInterrupt(t *testing.T) {
	web := exec.Command(binary, "web", "--json", "--storage", storageDir(t))
	ignoring("INT", web)
	origin, _, log := serves(t, web)
	for range 100 { // what ends still serves some of them
		if err := web.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		response, err := http.Get(origin) //nolint:noctx // on loopback
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	}
	if err := web.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := waits.Ended(t, web); err != nil {
		t.Errorf("it ended with %v: %s", err, log)
	}
}

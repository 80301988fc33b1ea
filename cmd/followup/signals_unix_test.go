//go:build unix

package main

import (
	"net/http"
	"os/exec"
	"syscall"
	"testing"

	"followup/internal/waits"
)

// ignoring makes a command run in a shell that ignores a signal, like nohup.
func ignoring(signal string, command *exec.Cmd) {
	command.Args = append([]string{"sh", "-c", `trap "" ` + signal + `; exec "$@"`, "sh"}, command.Args...)
	command.Path = "/bin/sh"
}

// The MCP server ignores a signal that it was started to ignore.
func TestMCPWithoutHangup(t *testing.T) {
	t.Parallel()
	p := newMCP(t, storageDir(t))
	ignoring("HUP", p.command)
	p.start()
	for range 100 { // an exiting process still responds to some of them
		p.send(`{"id":1,"method":"ping"}`)
		p.receive()
		if err := p.command.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	p.end()
}

// The page's server ignores a signal that it was started to ignore, but not other signals.
func TestWebWithoutInterrupt(t *testing.T) {
	t.Parallel()
	web := exec.Command(binary, "web", "--json", "--storage", storageDir(t))
	ignoring("INT", web)
	origin, _, log := serves(t, web)
	for range 100 { // an exiting server still responds to some of them
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

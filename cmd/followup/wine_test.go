//go:build wine && linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// wine runs the program for Windows. Its processes have no sockets between them, so each one keeps the store itself.
type wine struct {
	t       *testing.T
	program string // a script that runs the program
	storage string // the folder as the program spells it
	env     []string
}

func startWine(t *testing.T) *wine {
	t.Helper()
	folder := t.TempDir()
	prefix := storageDir(t)
	w := &wine{t: t, program: filepath.Join(folder, "followup"), storage: "Z:" + storageDir(t)}
	w.env = []string{"WINEPREFIX=" + prefix, "WINEDEBUG=-all", "XDG_RUNTIME_DIR=" + prefix, "FOLLOWUP_STORAGE=" + w.storage}
	for _, variable := range w.env {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	program := w.program + ".exe"
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	script := fmt.Sprintf("#!/bin/sh\nexec wine '%s' \"$@\"\n", program)
	if err := os.WriteFile(w.program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if out, status := w.run("version"); status != 0 {
		t.Fatalf("wine cannot run a Go program; one from 2024 or newer can: %s", out)
	}
	return w
}

// run runs a command to its end, and returns its output and exit status.
func (w *wine) run(args ...string) (out string, status int) {
	w.t.Helper()
	command := exec.Command(w.program, args...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Start(); err != nil {
		w.t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := waits.Ended(w.t, command); err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	w.t.Logf("%s\n%s", args, stderr.String())
	return stdout.String(), command.ProcessState.ExitCode()
}

// Processes, one after the other, ask a question, answer it in a terminal, collect the answer, and find it from an editor and an agent.
func TestWine(t *testing.T) {
	t.Parallel()
	w := startWine(t)
	if _, status := w.run("ask", "Deploy?", "--suggest", "Yes", "--suggest", "No", "--timeout", "1s", "--keep"); status != exitTimedOut {
		t.Fatalf("asking ended with %d", status)
	}
	out, _ := w.run("inbox")
	id, _, _ := strings.Cut(out, " ")
	if !strings.Contains(out, "Deploy?") {
		t.Fatalf("the inbox is %q", out)
	}
	terminal := commandOnTerminal(t, w.storage, w.env, exec.Command(w.program, "answer", "--plain"))
	terminal.until("Number, own words, or ?:")
	waits.Until(t, "wine's terminal is in raw mode", func() bool {
		mode, err := unix.IoctlGetTermios(int(terminal.file.Fd()), unix.TCGETS)
		return err == nil && mode.Iflag&unix.ICRNL == 0
	})
	terminal.typed("1\r")
	terminal.until("Sent.")
	terminal.until("No question is open")
	terminal.typed("/quit\r")
	if status := terminal.ended(); status != 0 {
		t.Errorf("answering ended with %d", status)
	}
	if out, status := w.run("ask", "--await", id); status != 0 || strings.TrimSpace(out) != "Yes" {
		t.Errorf("collecting printed %q and ended with %d", out, status)
	}
	agent := newMCP(t, w.storage)
	agent.command.Path = w.program
	agent.command.Env = append(agent.command.Env, w.env...)
	agent.start()
	agent.send(`{"id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"R","version":"1"}}}`)
	_ = agent.receive()
	agent.send(`{"method":"notifications/initialized"}`)
	agent.send(`{"id":2,"method":"tools/call","params":{"name":"ask_followup_question","arguments":{"await":"` + id + `"}}}`)
	if got := agent.receive(); !strings.Contains(got, `\nYes\n`) {
		t.Errorf("an agent got %s", got)
	}
	agent.end()
	s := startSidecarOf(t, w.program, w.storage)
	item, err := rpc.Call(t.Context(), s.conn, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id})
	if err != nil || item.Outcome.Text != "Yes" || !item.Collected {
		t.Errorf("an editor finds %+v, %v", item, err)
	}
	answers := s.asks(t, firstID, `{"question":"Again?"}`)
	answer := protocol.AnswerParams{QuestionID: firstID, Provenance: protocol.ProvenanceTyped, Text: "no"}
	if _, err := rpc.Call(t.Context(), s.conn, protocol.QuestionAnswer, answer); err != nil {
		t.Error(err)
	}
	if got := waits.For(t, answers); got.Text != "<answer>\nno\n</answer>" {
		t.Errorf("an agent got %+v", got)
	}
}

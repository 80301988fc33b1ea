//go:build unix

package main

import (
	"bytes"
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// whichForClaude is a question from Claude Code.
const whichForClaude = `{"session_id":"s","hook_event_name":"PermissionRequest","tool_name":"AskUserQuestion","tool_input":{"questions":[` +
	`{"question":"Which?","header":"H","options":[{"label":"A"},{"label":"B"}]}]}}`

// The first signal withdraws the question. If that has to wait, the second signal ends the hook at once.
func TestSecondSignalEndsHook(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	command := exec.Command(binary, "hook", "claude-code")
	command.Env = []string{"HOME=" + storageDir(t), "FOLLOWUP_STORAGE=" + storage}
	command.Stdin = strings.NewReader(whichForClaude)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	endsWith(t, command)
	onlyPending(t, editor)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(storage, "inbox.db")+"?_pragma=busy_timeout(60000)")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = command.Wait() // a signal
	}()
	waits.Until(t, "a second signal has ended it", func() bool { // the hook decides which signal is the second
		_ = command.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
			return true
		default:
			return false
		}
	})
	if status := command.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("it ended with status %d", status.ExitStatus())
	}
}

// The hook notices that its agent has exited, even if a shell between the two is still running.
func TestHookEndsWithItsReader(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(binary, "hook", "claude-code")
	command.Env = []string{"HOME=" + storageDir(t), "FOLLOWUP_STORAGE=" + storage}
	command.Stdin = strings.NewReader(whichForClaude)
	command.Stdout = writer
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	endsWith(t, command)
	_ = writer.Close()
	item := onlyPending(t, editor)
	_ = reader.Close()
	if err := waits.Ended(t, command); err != nil {
		t.Error(err)
	}
	editor.untilTrue(func() bool { return editor.items[item.QuestionID].State == protocol.ItemClosed })
	if outcome := editor.items[item.QuestionID].Outcome; outcome.Outcome != protocol.OutcomeDisconnected || outcome.Elsewhere {
		t.Errorf("it ended as %+v", outcome)
	}
}

// A signal that the hook was started to ignore, as by nohup, does not end it.
func TestHookUnderNohup(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	command := exec.Command("sh", "-c", `trap "" HUP; exec "$0" hook claude-code`, binary)
	command.Env = []string{"HOME=" + storageDir(t), "PATH=" + os.Getenv("PATH"), "FOLLOWUP_STORAGE=" + storage}
	command.Stdin = strings.NewReader(whichForClaude)
	var said bytes.Buffer
	command.Stdout = &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	endsWith(t, command)
	item := onlyPending(t, editor)
	if err := command.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	answer := protocol.AnswerParams{QuestionID: item.QuestionID, Picks: []protocol.Pick{{Options: []int{0}}}}
	if _, err := rpc.Call(t.Context(), editor.conn, protocol.QuestionAnswer, answer); err != nil {
		t.Error(err)
	}
	if err := waits.Ended(t, command); err != nil || !strings.Contains(said.String(), `"Which?":"A"`) {
		t.Errorf("%v; it printed %q", err, said.String())
	}
}

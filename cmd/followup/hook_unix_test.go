//go:build unix

package main

import (
	"database/sql"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"followup/internal/rpctest"
)

// The first signal takes the question back. Where that has to wait, the second one ends the hook at once.
func TestSecondSignalEndsHook(t *testing.T) {
	storage := t.TempDir()
	editor := startSidecar(t, storage)
	rpctest.UntilShown(t, storage)
	command := exec.Command(binary, "hook", "claude-code")
	command.Env = []string{"HOME=" + t.TempDir(), "FOLLOWUP_STORAGE=" + storage}
	command.Stdin = strings.NewReader(whichForClaude)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	endsWith(t, command)
	onlyPending(t, editor)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(storage, "followup.db")+"?_pragma=busy_timeout(60000)")
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
	for again := time.NewTicker(10 * time.Millisecond); ; { // which of them is the second is the hook's to say
		_ = command.Process.Signal(syscall.SIGTERM)
		select {
		case <-again.C:
			continue
		case <-ended:
			again.Stop()
		}
		break
	}
	if status := command.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("it ended with status %d", status.ExitStatus())
	}
}

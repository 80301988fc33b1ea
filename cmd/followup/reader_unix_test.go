//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"followup/internal/protocol"
)

// When the reader of its output has exited, a script's question is withdrawn.
func TestAskEndsWithItsReader(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	reads, writes, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	asks := newAsk(t, storage, "", "Still there?", "-s", "yes")
	asks.command.Stdout = writes
	asks.start()
	_ = writes.Close()
	item := onlyPending(t, editor)
	_ = reads.Close()
	if got := asks.ended(); got != 141 {
		t.Errorf("status %d; stderr %s", got, asks.stderr.String())
	}
	editor.untilTrue(func() bool { return editor.items[item.QuestionID].State == protocol.ItemClosed })
}

// ask ignores signals that it was started to ignore, as by nohup.
func TestAskWithoutHangup(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	asks := newAsk(t, storage, "", "Still there?", "-s", "yes")
	shell := exec.Command("sh", append([]string{"-c", `trap "" HUP; exec "$@"`, "sh"}, asks.command.Args...)...)
	shell.Dir, shell.Env, shell.Stdout, shell.Stderr = asks.command.Dir, asks.command.Env, &asks.stdout, &asks.stderr
	asks.command = shell
	asks.start()
	onlyPending(t, editor)
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		if err := asks.command.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	if got := asks.ended(); got != 143 {
		t.Errorf("status %d; stderr %s", got, asks.stderr.String())
	}
}

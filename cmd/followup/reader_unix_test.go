//go:build unix

package main

import (
	"os"
	"testing"

	"followup/internal/protocol"
)

// A script that has ended leaves no question open.
func TestAskEndsWithItsReader(t *testing.T) {
	storage := t.TempDir()
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
		t.Errorf("status %d; it tells %s", got, asks.stderr.String())
	}
	editor.untilTrue(func() bool { return editor.items[item.QuestionID].State == protocol.ItemClosed })
}

package rpc

import (
	"context"
	"errors"
	"io"
	"testing"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/waits"
)

// A connection whose peer does not read ends when its backlog exceeds the limit, and frees it.
func TestPeerThatDoesNotReadIsDisconnected(t *testing.T) {
	in, hangUp := io.Pipe()
	defer func() { _ = hangUp.Close() }()
	unread, out := io.Pipe()
	c := Dial(context.Background(), &Router{}, Options{In: in, Out: out, Log: zap.NewNop(), MaxBacklog: 1 << 16})
	piece := protocol.StreamDidPassTextParams{Text: string(make([]byte, 1<<12))}
	sent := 0
	for ended := false; !ended; sent++ {
		Notify(c, protocol.StreamDidPassText, piece)
		select {
		case <-c.Ended():
			ended = true
		default:
		}
		if waiting := queued(c.out); waiting > 1<<17 {
			t.Fatalf("after %d messages %d bytes wait", sent, waiting)
		}
	}
	_ = unread.Close()
	waits.For(t, c.Flushed())
	if !errors.Is(c.Err(), errBacklog) {
		t.Errorf("it ended because of %v", c.Err())
	}
}

func queued(w *Writer) (bytes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.queue {
		bytes += m.size
	}
	return bytes
}

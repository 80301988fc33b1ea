package web

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"followup/internal/protocol"
)

// slowDoor is a door with a pace.
type slowDoor struct {
	Door
	pace       func(context.Context) error
	maxMessage int64
}

func (d slowDoor) Enter(shown string, by Visitor) (Visit, *Refusal) {
	visit, refusal := d.Door.Enter(shown, by)
	visit.Pace, visit.MaxMessage = d.pace, d.maxMessage
	return visit, refusal
}

// openSlowly opens a page that is read at a pace.
func openSlowly(t *testing.T, patience time.Duration, maxMessage int64, pace func(context.Context) error) *tab {
	t.Helper()
	const secret = "open sesame"
	s := serveSite(t, func(o *Options) {
		o.Patience = patience
		o.Door = slowDoor{&secretDoor{secret: secret, sidecar: o.Sidecar, wrong: NewWrong(wrongSecrets, nil)}, pace, maxMessage}
	})
	s.secret = secret
	return s.open(s.login())
}

// A browser whose messages have to wait does not count as gone, though its answers to pings are queued behind them.
func TestWhoWaitsForThePaceIsThere(t *testing.T) {
	read := make(chan struct{})
	page := openSlowly(t, 300*time.Millisecond, 0, func(ctx context.Context) error {
		select {
		case <-read:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
	page.write(`{"jsonrpc":"2.0","id":1,"method":"inbox/status","params":{}}`)
	if got := page.read(); got.Method != "web/alive" {
		t.Fatalf("got %+v", got)
	}
	close(read)
	for page.read().ID == nil {
		continue
	}
}

// A long message is asked for piece by piece, and is whole in the end; one that is too long for the visit ends it.
func TestLongMessagesAreReadInPieces(t *testing.T) {
	asked := make(chan struct{}, 99)
	pace := func(context.Context) error {
		asked <- struct{}{}
		return nil
	}
	page := openSlowly(t, time.Minute, 1<<20, pace)
	if _, failed := ask(page, protocol.HistorySearch, protocol.HistorySearchParams{Text: strings.Repeat("x", 3*piece)}); failed != nil {
		t.Error(failed)
	}
	if got := len(asked); got != 4 {
		t.Errorf("asked %d times", got)
	}
	go func() { _ = page.conn.Write(t.Context(), websocket.MessageText, []byte(strings.Repeat(" ", 1<<20+1))) }()
	_, _, err := page.conn.Read(t.Context())
	if got := websocket.CloseStatus(err); got != websocket.StatusMessageTooBig {
		t.Errorf("closed with %d, %v", got, err)
	}
}

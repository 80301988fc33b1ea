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

// A throttled browser counts as alive, although its pongs are queued behind its messages.
func TestThrottledBrowserIsAlive(t *testing.T) {
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

// The pace applies to each piece of a long message, which arrives complete. A message beyond the visit's maximum ends the visit.
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
		t.Errorf("the pace was asked %d times, want 4", got)
	}
	go func() { _ = page.conn.Write(t.Context(), websocket.MessageText, []byte(strings.Repeat(" ", 1<<20+1))) }()
	_, _, err := page.conn.Read(t.Context())
	if got := websocket.CloseStatus(err); got != websocket.StatusMessageTooBig {
		t.Errorf("closed with %d, %v", got, err)
	}
}

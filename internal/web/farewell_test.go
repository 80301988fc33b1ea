package web

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"
	"go.uber.org/zap"
)

// fleeting admits everyone, and ends the visit at the first byte.
type fleeting struct{ Door }

var goodbye = &Farewell{Code: 4321, Reason: "goodbye"}

func (fleeting) Enter(string, Visitor) (Visit, *Refusal) {
	over, end := context.WithCancelCause(context.Background())
	return Visit{Over: over, Sidecar: func(_ context.Context, in io.ReadCloser, _ io.Writer) {
		_, _ = in.Read(make([]byte, 1))
		end(goodbye)
	}}, nil
}

// A visitor whose visit ends gets the reason, even while its message is being forwarded.
func TestFarewellAmidAMessage(t *testing.T) {
	s := &Server{
		options: Options{MaxMessage: 1 << 20, MaxPages: 99, Patience: patience}, log: zap.NewNop(), door: fleeting{}, ended: t.Context(),
	}
	served := httptest.NewServer(http.HandlerFunc(s.rpc))
	defer served.Close()
	for range 200 {
		conn, _, err := websocket.Dial(t.Context(), served.URL, nil) //nolint:bodyclose // the library has read it
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.Write(t.Context(), websocket.MessageText, []byte(`{"jsonrpc":"2.0","method":"initialized"}`))
		if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != goodbye.Code {
			t.Fatalf("got %v", err)
		}
		_ = conn.CloseNow()
	}
}

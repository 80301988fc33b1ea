package hub

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/coder/websocket"
	"go.uber.org/zap"

	"followup/internal/rpc"
	"followup/internal/web"
)

// relay serves a visit at the hub that has the store, with the visitor's own token, until its input or ctx ends, or the other hub ends it.
// A visitor whose hub has lost the other one connects again.
func (h *Hub) relay(ctx context.Context, in io.ReadCloser, out io.Writer, address, token string, end context.CancelCauseFunc) {
	conn, answer, err := websocket.Dial(ctx, strings.TrimSuffix(address, "/")+"/rpc", &websocket.DialOptions{ //nolint:bodyclose // the library has read it
		HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		status := 0
		if answer != nil {
			status = answer.StatusCode
		}
		h.log.Warn("the hub that has the store cannot be reached", zap.String("address", address), zap.Int("status", status), zap.Error(err))
		end(farewell(websocket.StatusGoingAway))
		return
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(-1) // it has checked what it sends
	go func() {
		from := bufio.NewReader(in)
		for {
			body, err := rpc.ReadFrame(from)
			if err == nil {
				err = conn.Write(ctx, websocket.MessageText, body)
			}
			if err != nil {
				_ = conn.Close(websocket.StatusNormalClosure, "")
				return
			}
		}
	}()
	for {
		_, body, err := conn.Read(ctx)
		if err == nil {
			err = rpc.WriteFrame(out, body)
		}
		if err != nil {
			end(farewell(websocket.CloseStatus(err)))
			return
		}
	}
}

// farewell is what a visitor is told whose relay has ended with a code.
func farewell(code websocket.StatusCode) *web.Farewell {
	for _, own := range []*web.Farewell{revoked, changed} {
		if code == own.Code {
			return own
		}
	}
	return &web.Farewell{Code: websocket.StatusGoingAway, Reason: "the hub that has the store has ended"}
}

package hub

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/zap"

	"followup/internal/rpc"
	"followup/internal/web"
)

// relayPatience is how long another hub may take to respond.
const relayPatience = 3 * time.Second

// relay connects a visit to the hub that keeps its team, with the visitor's own token, until its input or ctx ends, or
// the other hub closes the connection. If the other hub is lost, the visitor reconnects.
func (h *Hub) relay(ctx context.Context, in io.ReadCloser, out io.Writer, address, token string, end context.CancelCauseFunc) {
	dialing, dialed := context.WithTimeout(ctx, relayPatience)
	conn, answer, err := websocket.Dial(dialing, strings.TrimSuffix(address, "/")+"/rpc", &websocket.DialOptions{ //nolint:bodyclose // the library has read it
		HTTPClient: h.peers, HTTPHeader: http.Header{"Authorization": {"Bearer " + token}, web.RelayHeader: {"1"}}, CompressionMode: websocket.CompressionDisabled,
	})
	dialed()
	if err != nil {
		status := 0
		if answer != nil {
			status = answer.StatusCode
		} else if ctx.Err() == nil {
			h.misses(address)
		}
		h.log.Warn("the hub that keeps the team refused the relay", zap.String("address", address), zap.Int("status", status), zap.Error(err))
		end(farewell(websocket.StatusGoingAway))
		return
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(-1) // the other hub limits its messages
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

// farewell converts the close code of a relay for its visitor.
func farewell(code websocket.StatusCode) *web.Farewell {
	for _, own := range []*web.Farewell{revoked, changed} {
		if code == own.Code {
			return own
		}
	}
	return &web.Farewell{Code: websocket.StatusGoingAway, Reason: "the hub that keeps the team has ended"}
}

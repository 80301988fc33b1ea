package rpc

import (
	"encoding/json"
	"sync/atomic"

	"github.com/sourcegraph/go-lsp"
	"go.uber.org/zap"

	"followup/internal/protocol"
)

// A Tracer logs the messages of a connection while it is on. It is safe for concurrent use.
type Tracer struct {
	log   *zap.Logger
	level atomic.Value // of lsp.Trace
}

// NewTracer returns a tracer that is off.
func NewTracer(log *zap.Logger) *Tracer { return &Tracer{log: log} }

// Set turns the tracer on ("messages", "verbose") or off.
func (t *Tracer) Set(level lsp.Trace) { t.level.Store(level) }

// Trace logs one message, but omits the content of one that contains a token. direction is "sent" or "received". The log level is
// info, since the user has turned tracing on.
func (t *Tracer) Trace(direction string, body []byte) {
	level, _ := t.level.Load().(lsp.Trace)
	if level != "messages" && level != "verbose" {
		return
	}
	var message struct {
		Method string          `json:"method"`
		ID     json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(body, &message)
	if level == "verbose" && message.Method != protocol.HubConnect.Method {
		t.log.Info(direction, zap.ByteString("message", body))
	} else {
		t.log.Info(direction, zap.String("method", message.Method), zap.ByteString("id", message.ID), zap.Int("bytes", len(body)))
	}
}

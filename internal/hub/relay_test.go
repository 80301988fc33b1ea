package hub

import (
	"bytes"
	"context"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"
	"go.uber.org/zap"

	"followup/internal/hubclient"
)

// Hubs trust the configured root certificates.
func TestRelayTrustsRoots(t *testing.T) {
	t.Parallel()
	other := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" {
			return
		}
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return // the client does not trust the certificate
		}
		_ = conn.Write(r.Context(), websocket.MessageText, []byte(`{}`))
		_ = conn.Close(websocket.StatusNormalClosure, "")
	}))
	defer other.Close()
	roots := x509.NewCertPool()
	roots.AddCert(other.Certificate())
	if _, err := hubclient.HTTPClient(nil).Get(other.URL); err == nil { //nolint:bodyclose,noctx // there is no answer
		t.Error("a certificate outside the system's roots is trusted")
	}
	h := &Hub{ctx: t.Context(), log: zap.NewNop(), peers: hubclient.HTTPClient(roots)}
	if !h.reaches(other.URL, "/healthz") {
		t.Error("the other hub is not reached")
	}
	ctx, end := context.WithCancelCause(t.Context())
	var out bytes.Buffer
	in, input := io.Pipe()
	h.relay(ctx, in, &out, other.URL, "token", end)
	_ = input.Close()
	if out.Len() == 0 {
		t.Errorf("nothing was relayed: %v", context.Cause(ctx))
	}
}

package mcp

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// away is a connection to a hub that completes the handshake and then never responds.
func away(t *testing.T, log *zap.Logger) *rpc.Conn {
	t.Helper()
	in, toThere := io.Pipe()
	fromThere, out := io.Pipe()
	there := &rpc.Router{}
	rpc.On(there, protocol.Initialize, func(context.Context, protocol.InitializeParams) (protocol.InitializeResult, error) {
		return protocol.InitializeResult{ProtocolVersion: protocol.Version}, nil
	})
	rpc.OnNotification(there, protocol.Initialized, func(context.Context, protocol.None) error { return nil })
	rpc.OnWaiting(there, protocol.SessionOpen, func(ctx context.Context, _ protocol.SessionOpenParams) (protocol.SessionOpenResult, error) {
		<-ctx.Done()
		return protocol.SessionOpenResult{}, ctx.Err()
	})
	hub := rpc.Dial(context.Background(), there, rpc.Options{In: in, Out: out, Log: log})
	t.Cleanup(func() {
		_ = toThere.Close()
		waits.For(t, hub.Done())
	})
	return rpc.Dial(context.Background(), &rpc.Router{}, rpc.Options{In: fromThere, Out: toThere, Log: log})
}

// If the hub does not respond before the time limit, the model gets instructions to continue, before its client gives up.
func TestUnresponsiveHub(t *testing.T) {
	t.Parallel()
	soon := time.Millisecond
	a := start(t, starting{
		client: sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			t.Error("the client's user is asked a team's question")
			return &sdk.ElicitResult{Action: "decline"}, nil
		}},
		change: func(o *Options) { o.Sidecar, o.Hub, o.Limit = away(t, o.Log), &Hub{Machine: "m"}, &soon },
	})
	for _, test := range []struct {
		input, says string
		failed      bool
	}{
		{`{"question":"Deploy?","follow_up":[]}`, "Call the tool again with the same arguments", true},
		{`{"await":"019a9c00-0000-7000-8000-000000000001"}`, "019a9c00-0000-7000-8000-000000000001", false},
	} {
		got := waits.For(t, a.call(t.Context(), "ask_followup_question", test.input))
		if got.err != nil {
			t.Fatal(got.err)
		}
		text, _ := got.result.Content[0].(*sdk.TextContent)
		if got.result.IsError != test.failed || text == nil || !strings.Contains(text.Text, test.says) {
			t.Errorf("%s: got %+v", test.input, got.result)
		}
	}
}

// At a hub, the same process id on two machines means two conversations.
func TestConversationsOfMachines(t *testing.T) {
	t.Parallel()
	key := func(hub *Hub) string {
		s := &Server{options: Options{Folder: "/w", Parent: 7, Hub: hub, Env: func(string) string { return "" }}}
		return s.key(&sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{}})
	}
	if a, b, own := key(&Hub{Machine: "a"}), key(&Hub{Machine: "b"}), key(nil); a == b || own == a || own != "mcp /w process 7" {
		t.Errorf("%q, %q, %q", a, b, own)
	}
}

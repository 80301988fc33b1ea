package server_test

import (
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
)

// InboxStatus reports to a client whether anybody can see its questions.
func TestClientsKnowWhetherAnInboxIsShown(t *testing.T) {
	t.Parallel()
	h := rpctest.NewHost(t, t.TempDir(), nil)
	agent, window := h.Dial(noOptions), h.Dial(noOptions)
	shown := func(when string, want bool) {
		t.Helper()
		rpctest.Call(window, protocol.InboxStatus, protocol.None{}) // handled after the window's earlier messages
		if is := rpctest.Call(agent, protocol.InboxStatus, protocol.None{}).Shown; is != want {
			t.Errorf("%s: %v", when, is)
		}
	}
	shown("not subscribed", false)
	window.Subscribe()
	shown("subscribed", true)
	rpc.Notify(window.Conn, protocol.InboxDidShow, protocol.InboxDidShowParams{Shown: false})
	shown("hidden", false)
	rpc.Notify(window.Conn, protocol.InboxDidShow, protocol.InboxDidShowParams{Shown: true})
	shown("seen again", true)
	window.Leave()
	if rpctest.Call(agent, protocol.InboxStatus, protocol.None{}).Shown {
		t.Error("shown by a client that has disconnected")
	}
}

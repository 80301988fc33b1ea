package server_test

import (
	"testing"

	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// A client that stops waiting for another client's question does not withdraw it.
func TestCancelInAnotherWindow(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a, b := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
	id, reply := a.Ask(a.Session("s"), `{"question":"Q?"}`)
	a.UntilState(id, protocol.ItemPending)
	b.UntilState(id, protocol.ItemPending)
	request := jsonrpc2.ID{Str: "theirs", IsString: true}
	theirs := make(chan error, 1)
	session := b.Session("s")
	go func() {
		_, err := rpc.Send(b.Conn, request, protocol.QuestionAsk, ask(session, id, `{"question":"Q?"}`, 0))()
		theirs <- err
	}()
	for waiting := true; waiting; { // a cancellation that arrives before its request has no effect
		rpc.Notify(b.Conn, protocol.CancelRequest, protocol.CancelParams{ID: lsp.ID(request)})
		rpctest.Call(b, protocol.SessionGet, protocol.SessionParams{Session: session})
		select {
		case err := <-theirs:
			if waiting = false; rpctest.ErrorCode(err) != protocol.CodeCancelled {
				t.Errorf("got %v", err)
			}
		default:
		}
	}
	if result := rpctest.Call(a, protocol.QuestionAnswer, typed(id, "yes")); !result.Accepted {
		t.Errorf("got %+v", result)
	}
	if got := waits.For(t, reply); got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}
}

// A question that two clients ask is withdrawn only when both have cancelled.
func TestCancelWhileAnotherWindowWaits(t *testing.T) {
	t.Parallel()
	for _, answers := range []bool{true, false} {
		folder := t.TempDir()
		a, b := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
		id, ours := a.Ask(a.Session("s"), `{"question":"Q?"}`)
		a.UntilState(id, protocol.ItemPending)
		b.UntilState(id, protocol.ItemPending)
		session := b.Session("s")
		b.AskAs(session, rpctest.NewID(), `{"question":"Behind it?"}`)
		theirs := b.AskAs(session, id, `{"question":"Q?"}`)
		marker := b.AskAs(session, rpctest.NewID(), `{}`) // handled in turn, after the other request
		waits.For(t, marker)
		a.Cancel(protocol.QuestionAsk.Method)
		if got := waits.For(t, ours); rpctest.ErrorCode(got.Err) != protocol.CodeCancelled {
			t.Errorf("got %+v", got)
		}
		if answers {
			if result := rpctest.Call(a, protocol.QuestionAnswer, typed(id, "yes")); !result.Accepted {
				t.Errorf("got %+v", result)
			}
			if got := waits.For(t, theirs); got.Answer.Text != "<answer>\nyes\n</answer>" {
				t.Errorf("got %+v", got)
			}
			continue
		}
		b.Cancel(protocol.QuestionAsk.Method)
		if got := waits.For(t, theirs); rpctest.ErrorCode(got.Err) != protocol.CodeCancelled {
			t.Errorf("got %+v", got)
		}
		for _, e := range []*rpctest.Editor{a, b} {
			if item := e.UntilState(id, protocol.ItemClosed); item.Outcome.Outcome != protocol.OutcomeWithdrawn {
				t.Errorf("got %+v", item.Outcome)
			}
		}
	}
}

package server_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// What another process writes costs what was written: one draft is one row, and its images are read once.
func TestForeignDraft(t *testing.T) {
	folder, disk := t.TempDir(), rpctest.NewDisk()
	a := rpctest.ConnectTo(t, folder, onDisk(disk))
	b := rpctest.ConnectTo(t, folder, nil)
	session := b.Session("s")
	var id string
	for range 20 {
		id, _ = b.Ask(session, `{"question":"Q?"}`)
	}
	a.Until(func() bool { return len(a.Items) == 20 })
	open, questions := disk.Count("OpenQuestions"), disk.Count("Question")
	for n := range 5 {
		text := strings.Repeat("x", n+1)
		rpctest.Call(b, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{
			Text: text, ChangedAt: int64(n + 1), Images: []protocol.DraftImage{gif},
		}})
		a.Until(func() bool { return a.Items[id].Draft != nil && a.Items[id].Draft.Text == text })
	}
	var draft *protocol.Draft
	a.Until(func() bool { draft = a.Items[id].Draft; return draft != nil })
	if len(draft.Images) != 1 || draft.Images[0] != gif {
		t.Errorf("got %+v", draft)
	}
	if again := disk.Count("OpenQuestions") - open + disk.Count("Question") - questions; again != 0 {
		t.Errorf("five drafts of one question had others read again, %d times", again)
	}
	if images := disk.Count("Image"); images != 1 {
		t.Errorf("one image was read %d times", images)
	}
}

// A process that gives up waiting for a question of another one's, which lives, does not take it back.
func TestCancelInAnotherWindow(t *testing.T) {
	folder := t.TempDir()
	a, b := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
	id, reply := a.Ask(a.Session("s"), `{"question":"Q?"}`)
	a.UntilState(id, protocol.ItemPending)
	b.UntilState(id, protocol.ItemPending)
	request := jsonrpc2.ID{Str: "theirs", IsString: true}
	theirs := make(chan error, 1)
	session := b.Session("s")
	go func() {
		_, err := rpc.CallAs(context.Background(), b.Conn, request, protocol.QuestionAsk, ask(session, id, `{"question":"Q?"}`, 0))
		theirs <- err
	}()
	for waiting := true; waiting; { // a cancellation that comes before its request does nothing
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

// Nor does the one that has asked it, while somebody waits for it in another process; when nobody does any more, it is withdrawn.
func TestCancelWhileAnotherWindowWaits(t *testing.T) {
	for _, answers := range []bool{true, false} {
		folder, disk := t.TempDir(), rpctest.NewDisk()
		a, b := rpctest.ConnectTo(t, folder, shortLease), rpctest.ConnectTo(t, folder, onDisk(disk))
		id, ours := a.Ask(a.Session("s"), `{"question":"Q?"}`)
		a.UntilState(id, protocol.ItemPending)
		b.UntilState(id, protocol.ItemPending)
		theirs := b.AskAs(b.Session("s"), id, `{"question":"Q?"}`)
		waits.Until(t, "the store is told who waits", func() bool {
			rpctest.Call(b, protocol.HistoryFacets, protocol.None{})
			return disk.Count("Await") > 0
		})
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

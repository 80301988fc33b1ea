package server_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/waits"
)

// When the process that asked them exits, a bound session's questions are closed, pending and queued. Other sessions' stay.
func TestBoundQuestionsEndWithTheirProcess(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a, b := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
	bound := true
	session := rpctest.Call(a, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: "bound", Bound: &bound}).Session
	first, _ := a.Ask(session, `{"question":"First?"}`)
	b.UntilState(first, protocol.ItemPending)
	second, _ := a.Ask(session, `{"question":"Second?"}`)
	other, _ := a.Ask(a.Session("other"), `{"question":"Other?"}`)
	b.UntilState(second, protocol.ItemQueued)
	b.UntilState(other, protocol.ItemPending)
	a.Leave()
	for _, id := range []string{first, second} {
		if item := b.UntilState(id, protocol.ItemClosed); item.Outcome.Outcome != protocol.OutcomeDisconnected || item.Outcome.Elsewhere {
			t.Errorf("it ended as %+v", item.Outcome)
		}
	}
	b.Until(func() bool { return b.Items[other].Orphaned })
	if state := b.Item(other).State; state != protocol.ItemPending {
		t.Errorf("the other question is %s", state)
	}
}

// After the host restarts, a bound session's questions are closed unless their client reconnects in time.
func TestBoundQuestionsOfALostClient(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	bound := true
	before := rpctest.ConnectTo(t, folder, nil)
	session := rpctest.Call(before, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: "bound", Bound: &bound}).Session
	before.Leave()
	id := rpctest.NewID()
	leaveOpen(t, folder, session, id)

	patient := rpctest.ConnectTo(t, folder, func(o *server.Options) { o.Grace = time.Hour })
	if item := patient.UntilState(id, protocol.ItemPending); !item.Orphaned {
		t.Errorf("got %+v", item)
	}
	patient.Leave()
	e := rpctest.ConnectTo(t, folder, shortGrace)
	waits.Until(t, "it has ended", func() bool {
		return rpctest.Code(e, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id}) == 0
	})
	if answer := rpctest.Call(e, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: id}); answer.Outcome != protocol.OutcomeDisconnected {
		t.Errorf("waiting for it gives %+v", answer)
	}
	entry := rpctest.Call(e, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id})
	if entry.Outcome.Outcome != protocol.OutcomeDisconnected {
		t.Errorf("it ended as %+v", entry.Outcome)
	}
}

// A bound question survives if its client reconnects in time.
func TestBoundQuestionsOfAClientThatIsBack(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	bound := true
	before := rpctest.ConnectTo(t, folder, nil)
	session := rpctest.Call(before, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: "bound", Bound: &bound}).Session
	before.Leave()
	kept, lost := rpctest.NewID(), rpctest.NewID()
	leaveOpen(t, folder, session, kept)
	other := rpctest.NewID()
	leaveOpen(t, folder, other, lost)

	e := rpctest.ConnectTo(t, folder, func(o *server.Options) { o.Grace = time.Second })
	e.Session("bound")
	reply := e.AskAs(session, kept, `{"question":"Q?"}`)
	e.Until(func() bool { return e.Items[kept].State == protocol.ItemPending && !e.Items[kept].Orphaned })
	rpctest.Call(e, protocol.QuestionAnswer, typed(kept, "yes"))
	if got := waits.For(t, reply); got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}
	if item := e.UntilState(lost, protocol.ItemPending); !item.Orphaned { // its session is not bound
		t.Errorf("got %+v", item)
	}
}

// All clients learn that the user answered elsewhere, and the answer is saved.
func TestHandledElsewhere(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a, b := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
	id, reply := a.Ask(a.Session("s"), `{"question":"Q?"}`)
	b.UntilState(id, protocol.ItemPending)
	result := rpctest.Call(a, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: id, Elsewhere: true, Text: "what was said there"})
	if !result.Accepted || !result.Outcome.Elsewhere {
		t.Errorf("got %+v", result)
	}
	if item := b.UntilState(id, protocol.ItemClosed); !item.Outcome.Elsewhere || item.Outcome.Text != "what was said there" {
		t.Errorf("the other window shows %+v", item.Outcome)
	}
	if got := waits.For(t, reply); rpctest.ErrorCode(got.Err) != protocol.CodeCancelled {
		t.Errorf("the asker got %+v", got)
	}
	entry := rpctest.Call(b, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id})
	if entry.Outcome.Outcome != protocol.OutcomeWithdrawn || !entry.Outcome.Elsewhere || entry.Outcome.Text != "what was said there" {
		t.Errorf("the history has %+v", entry.Outcome)
	}
	found := rpctest.Call(b, protocol.HistorySearch, protocol.HistorySearchParams{Text: "said"})
	if len(found.Entries) != 1 {
		t.Errorf("the search finds %+v", found.Entries)
	}
	if late := rpctest.Call(b, protocol.QuestionAnswer, typed(id, "late")); late.Accepted || !late.Outcome.Elsewhere {
		t.Errorf("a late answer: %+v", late)
	}
}

// An answer from the agent's own dialog is recorded if it answers the questions; anything else is ignored.
func TestAnsweredElsewhere(t *testing.T) {
	t.Parallel()
	a := rpctest.ConnectTo(t, t.TempDir(), nil)
	session := a.Session("s")
	const input = `{"questions":[{"question":"Which?","header":"H","multiSelect":true,"options":[{"label":"A","description":""},{"label":"B","description":""}]}]}`
	for name, test := range map[string]struct{ picks, want []protocol.Pick }{
		"picks":            {[]protocol.Pick{{Options: []int{1}, Other: "mine"}}, []protocol.Pick{{Options: []int{1}, Other: "mine"}}},
		"no such option":   {[]protocol.Pick{{Options: []int{7}}}, nil},
		"no such question": {[]protocol.Pick{{}, {Options: []int{0}}}, nil},
		"nothing":          {nil, nil},
	} {
		id := rpctest.NewID()
		a.AskWith(protocol.AskParams{Session: session, QuestionID: id, Tool: "AskUserQuestion", Input: []byte(input)})
		a.UntilState(id, protocol.ItemPending)
		rpctest.Call(a, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: id, Elsewhere: true, Picks: test.picks})
		outcome := a.UntilState(id, protocol.ItemClosed).Outcome
		if diff := cmp.Diff(test.want, outcome.Picks); diff != "" || !outcome.Elsewhere {
			t.Errorf("%s: %+v (-want +got):\n%s", name, outcome, diff)
		}
	}
}

package server_test

import (
	"fmt"
	"strings"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

func ask(session, id, input string, deadline int) protocol.AskParams {
	return protocol.AskParams{Session: session, QuestionID: id, Tool: "ask_followup_question", Input: []byte(input), Deadline: deadline}
}

// After its deadline a caller gets a ticket: the question stays open, and the answer can be collected with the ticket's id.
func TestTicket(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"", t.TempDir()} {
		t.Run(fmt.Sprintf("stored %v", folder != ""), func(t *testing.T) {
			e := rpctest.ConnectTo(t, folder, nil)
			session, id := e.Session("s"), rpctest.NewID()
			got := waits.For(t, e.AskWith(ask(session, id, `{"question":"Q?"}`, 1)))
			if got.Answer.Outcome != protocol.OutcomeWaiting || got.Answer.QuestionID != id || got.Answer.Error != nil {
				t.Fatalf("got %+v", got)
			}
			input := fmt.Sprintf(`{"await": %q}`, id)
			if !strings.Contains(got.Answer.Text, input) {
				t.Errorf("the ticket does not say how to collect: %s", got.Answer.Text)
			}
			e.UntilState(id, protocol.ItemPending)
			if again := waits.For(t, e.AskWith(ask(session, rpctest.NewID(), input, 1))); again.Answer.Outcome != protocol.OutcomeWaiting || again.Answer.QuestionID != id {
				t.Errorf("unanswered, but got %+v", again)
			}
			collecting := e.AskWith(ask(session, rpctest.NewID(), input, 0))
			rpctest.Call(e, protocol.QuestionAnswer, typed(id, "late"))
			if got := <-collecting; got.Answer.Text != "<answer>\nlate\n</answer>" || got.Answer.QuestionID != id {
				t.Errorf("got %+v", got)
			}
			// It can be collected again, also by another conversation, under any agent's name, and with string arguments.
			other := rpctest.Call(e, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Another", Key: "s"}).Session
			for _, session := range []string{e.Session("t"), other} {
				for _, input := range []string{input, fmt.Sprintf("%q", input)} {
					if got := waits.For(t, e.AskWith(ask(session, rpctest.NewID(), input, 0))); got.Answer.Text != "<answer>\nlate\n</answer>" {
						t.Errorf("%s: got %+v", input, got)
					}
				}
			}
			for _, named := range []struct{ session, id string }{{session, rpctest.NewID()}, {session, "what was it?"}} {
				got := waits.For(t, e.AskWith(ask(named.session, rpctest.NewID(), fmt.Sprintf(`{"await": %q}`, named.id), 0)))
				if got.Answer.Outcome != protocol.OutcomeInvalid || got.Answer.Error.Code != "unknown_question" || !strings.Contains(got.Answer.Text, named.id) {
					t.Errorf("%v: got %+v", named, got)
				}
			}
			if state := rpctest.Call(e, protocol.SessionGet, protocol.SessionParams{Session: session}); state.ConsecutiveMistakes != 0 || len(state.Conversation) != 1 {
				t.Errorf("collecting counted as a call: %+v", state)
			}
		})
	}
}

// Only an object with the single key "await" collects. With any other key it is a call, and an invalid one counts.
func TestAwaitIsStrict(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	session := e.Session("s")
	for _, input := range []string{`{"await":"x","question":" "}`, `{"await":7}`, `{"AWAIT":"x"}`, `["await"]`} {
		if got := waits.For(t, e.AskWith(ask(session, rpctest.NewID(), input, 0))); got.Answer.Error == nil || got.Answer.Error.Code == "unknown_question" {
			t.Errorf("%s: got %+v", input, got)
		}
		rpctest.Call(e, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: "s", MistakeLimit: new(int)})
	}
	if code := rpctest.Code(e, protocol.QuestionAsk, ask(session, rpctest.NewID(), `{}`, -1)); code != -32602 {
		t.Errorf("a negative deadline: got code %d", code)
	}
}

// An answer given after a restart can be collected.
func TestLateAnswerIsCollectedAfterARestart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a := rpctest.ConnectTo(t, folder, nil)
	id := rpctest.NewID()
	if got := <-a.AskWith(ask(a.Session("s"), id, `{"question":"Q?"}`, 1)); got.Answer.Outcome != protocol.OutcomeWaiting {
		t.Fatalf("got %+v", got)
	}
	a.Leave()
	b := rpctest.ConnectTo(t, folder, nil)
	b.UntilState(id, protocol.ItemPending)
	rpctest.Call(b, protocol.QuestionAnswer, typed(id, "late"))
	if entry := rpctest.Call(b, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id}); entry.Collected {
		t.Error("collected before anybody asked")
	}
	b.Leave()
	c := rpctest.ConnectTo(t, folder, nil)
	if got := <-c.AskWith(ask(c.Session("s"), rpctest.NewID(), fmt.Sprintf(`{"await":%q}`, id), 0)); got.Answer.Text != "<answer>\nlate\n</answer>" {
		t.Errorf("got %+v", got)
	}
	c.Leave()
	d := rpctest.ConnectTo(t, folder, nil)
	if entry := rpctest.Call(d, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id}); !entry.Collected {
		t.Error("not marked as collected")
	}
}

// If another session collects an answer, it is still uncollected for the asker. When that asks the same again, it gets the answer.
func TestAnotherCollects(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	id := rpctest.NewID()
	if got := waits.For(t, e.AskWith(ask(e.Session("s"), id, `{"question":"Q?"}`, 1))); got.Answer.Outcome != protocol.OutcomeWaiting {
		t.Fatalf("got %+v", got)
	}
	rpctest.Call(e, protocol.QuestionAnswer, typed(id, "late"))
	for _, by := range []struct {
		session string
		own     bool
	}{{"another", false}, {"s", true}} {
		if got := waits.For(t, e.AskWith(ask(e.Session(by.session), rpctest.NewID(), fmt.Sprintf(`{"await":%q}`, id), 0))); got.Answer.Text != "<answer>\nlate\n</answer>" {
			t.Errorf("%s: got %+v", by.session, got)
		}
		state := rpctest.Call(e, protocol.SessionGet, protocol.SessionParams{Session: e.Session("s")})
		if len(state.Conversation) != 1 || state.Conversation[0].Collected != by.own {
			t.Errorf("%s: got %+v", by.session, state.Conversation)
		}
	}
}

// A session may be reopened in another language while a ticket is being written.
func TestSessionIsReopenedDuringATicket(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	session := e.Session("s")
	const asked = 20
	tickets := make(chan rpctest.Reply, asked)
	for n := range asked {
		came := e.AskWith(ask(session, rpctest.NewID(), `{"question":"Q?"}`, n+1))
		go func() { tickets <- <-came }()
	}
	for came := 0; came < asked; {
		rpctest.Call(e, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: "s", Locale: "fr"})
		select {
		case got := <-tickets:
			if got.Err != nil || got.Answer.Outcome != protocol.OutcomeWaiting {
				t.Errorf("got %+v", got)
			}
			came++
		default:
		}
	}
}

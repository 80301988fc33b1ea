package main

import (
	"context"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// A window is killed with one question open and another one queued. The second window answers, the next queued question becomes
// pending there, and the agent gets its answers from that window when it reconnects.
func TestAnotherWindowGoesOn(t *testing.T) { anotherWindowGoesOn(t, storageDir(t)) }

func anotherWindowGoesOn(t *testing.T, storage string) {
	killed, other := startSidecar(t, storage), startSidecar(t, storage)
	const first, second = "019a9c00-0000-7000-8000-000000000001", "019a9c00-0000-7000-8000-000000000002"
	ask := func(s *sidecar, id string) <-chan protocol.Answer {
		opened, err := rpc.Call(context.Background(), s.conn, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: "s"})
		if err != nil {
			t.Fatal(err)
		}
		answers := make(chan protocol.Answer, 1)
		go func() {
			answer, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAsk, protocol.AskParams{
				Session: opened.Session, QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`),
			})
			if err == nil { // the first window's requests are lost with it
				answers <- answer
			}
		}()
		return answers
	}
	ask(killed, first)
	killed.untilPending(first)
	ask(killed, second)
	other.untilTrue(func() bool { return other.items[second].State == protocol.ItemQueued })
	killed.disconnect()
	answer := func(id string) {
		t.Helper()
		result, err := rpc.Call(context.Background(), other.conn, protocol.QuestionAnswer, protocol.AnswerParams{
			QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: id,
		})
		if err != nil || !result.Accepted {
			t.Errorf("%+v, %v", result, err)
		}
	}
	answer(first)
	other.untilPending(second)
	other.untilTrue(func() bool { return other.items[second].Orphaned })
	if got := <-ask(other, first); got.Text != "<answer>\n"+first+"\n</answer>" {
		t.Errorf("the kept answer: %+v", got)
	}
	waiting := ask(other, second)
	other.untilTrue(func() bool { return !other.items[second].Orphaned })
	answer(second)
	if got := <-waiting; got.Text != "<answer>\n"+second+"\n</answer>" {
		t.Errorf("got %+v", got)
	}
}

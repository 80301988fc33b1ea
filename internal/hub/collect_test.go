package hub

import (
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// An agent that returns for an answer gets it, even if the addressee has left the hub meanwhile.
func TestAnswerOfARevokedPerson(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, ann := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false)
	s := serve(t, storage, nil)
	agent, hers := s.connect(ci), s.watch(ann)
	id := rpctest.NewID()
	ask := func(p *program) <-chan rpctest.Reply {
		return p.AskWith(protocol.AskParams{
			Session: p.Session("s"), QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`), Envelope: protocol.Envelope{To: "Ann"},
		})
	}
	answer := ask(agent)
	hers.UntilState(id, protocol.ItemPending)
	rpctest.Call(hers.Editor, protocol.QuestionAnswer, typed(id, "yes"))
	_ = waits.For(t, answer)
	if err := Revoke(t.Context(), accounts, DefaultTeam, "Ann", false); err != nil {
		t.Fatal(err)
	}
	_ = waits.For(t, hers.closed)
	if got := waits.For(t, ask(s.connect(ci))); got.Err != nil || got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}
}

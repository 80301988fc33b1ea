package hub

import (
	"sync"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// Only a group's people see its question. Two of them answer concurrently: one wins, and the other and the history get that answer.
func TestQuestionForAGroup(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci := invited(t, accounts, "ci", true)
	people := map[string]string{}
	for name, groups := range map[string][]string{"Ann": {"on call"}, "Bob": {"on call", "ops"}, "Zoë": {"ops"}} {
		people[name] = invited(t, accounts, name, false, groups...)
	}
	one, two := serve(t, storage, nil), serve(t, storage, nil)
	agent, ann, bob, zoe := one.connect(ci), one.watch(people["Ann"]), two.watch(people["Bob"]), two.watch(people["Zoë"])
	if got := agent.result.Hub; got == nil || *got != (protocol.Hub{Name: "Test", Account: "ci", Role: protocol.RoleAgent}) {
		t.Errorf("got %+v", got)
	}
	session := agent.Session("s")
	ask := func(to string) (string, <-chan rpctest.Reply) {
		id := rpctest.NewID()
		return id, agent.AskWith(protocol.AskParams{
			Session: session, QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Which?","follow_up":["A"]}`), Envelope: protocol.Envelope{To: to},
		})
	}
	id, answer := ask("on call")
	for _, p := range []*program{ann, bob} {
		if item := p.UntilState(id, protocol.ItemPending); item.To != "on call" || item.Agent != "Test · ci" {
			t.Errorf("got %+v", item)
		}
	}
	var first []string
	var mu sync.Mutex
	var both sync.WaitGroup
	outcomes := map[string]protocol.ItemOutcome{}
	for name, p := range map[string]*program{"Ann": ann, "Bob": bob} {
		both.Add(1)
		go func() {
			defer both.Done()
			result, err := rpc.Call(t.Context(), p.Conn, protocol.QuestionAnswer, typed(id, "of "+name))
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if outcomes[name] = result.Outcome; result.Accepted {
				first = append(first, name)
			}
		}()
	}
	both.Wait()
	if len(first) != 1 {
		t.Fatalf("the accepted answers are %q, want one", first)
	}
	for name, outcome := range outcomes {
		if outcome.AnsweredBy != first[0] || outcome.Text != "of "+first[0] {
			t.Errorf("%s got %+v, want the answer of %q", name, outcome, first)
		}
	}
	if got := waits.For(t, answer); got.Err != nil || got.Answer.Text != "<answer>\nof "+first[0]+"\n</answer>" {
		t.Errorf("the agent got %+v", got)
	}
	for _, p := range []*program{ann, bob} {
		if item := p.UntilState(id, protocol.ItemClosed); item.Outcome.AnsweredBy != first[0] {
			t.Errorf("got %+v", item.Outcome)
		}
	}
	// Then everyone gets a question, so she would have got the other one before.
	open, _ := ask("")
	zoe.UntilState(open, protocol.ItemPending)
	if item := zoe.Item(id); item.QuestionID != "" {
		t.Errorf("she sees %+v", item)
	}
	for name, p := range map[string]*program{"Ann": ann, "Zoë": zoe} {
		page := rpctest.Call(p.Editor, protocol.HistoryList, protocol.HistoryListParams{})
		text := rpctest.Call(p.Editor, protocol.HistoryText, protocol.HistoryTextParams{Format: protocol.HistoryMarkdown, QuestionIDs: []string{id}})
		if name == "Zoë" {
			if len(page.Entries) > 0 || text.Count > 0 || rpctest.Code(p.Editor, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id}) != protocol.CodeRefused {
				t.Errorf("she reads %+v, %+v", page, text)
			}
			for _, err := range []error{
				failure(p, protocol.QuestionAnswer, typed(id, "x")), failure(p, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id}),
				failure(p, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id}),
			} {
				if rpctest.ErrorCode(err) != protocol.CodeUnknown {
					t.Errorf("she got %v", err)
				}
			}
			continue
		}
		entry := rpctest.Call(p.Editor, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id})
		if len(page.Entries) != 1 || text.Count != 1 || entry.To != "on call" || entry.Outcome.AnsweredBy != first[0] {
			t.Errorf("%s reads %+v, %+v", name, page, entry)
		}
	}
}

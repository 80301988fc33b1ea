package server_test

import (
	"encoding/json"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// A plan is shown with the session's previous plan, however old, and with the changes since.
func TestPreviousPlan(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	e := rpctest.ConnectTo(t, storage, nil)
	ask := func(key, text string) protocol.InboxItem {
		t.Helper()
		input, _ := json.Marshal(map[string]any{
			"title": "ExitPlanMode", "subject": map[string]string{"kind": "plan", "text": text},
			"options": []map[string]string{{"id": "y", "kind": "once"}, {"id": "n", "kind": "deny"}},
		})
		id := rpctest.NewID()
		answer := e.AskWith(protocol.AskParams{
			Session: e.Session(key), QuestionID: id, Tool: "request_approval", Input: input,
			Envelope: protocol.Envelope{PreviousPlan: text}, // claims that nothing has changed
		})
		item := e.UntilState(id, protocol.ItemPending)
		rpctest.Call(e, protocol.QuestionDecide, protocol.DecideParams{QuestionID: id, Option: "n"})
		waits.For(t, answer)
		return item
	}
	check := func(item protocol.InboxItem, previous string, changes int) {
		t.Helper()
		if item.PreviousPlan != previous || len(item.Rendered.Changes) != changes {
			t.Errorf("got %q and %v, want %q and %d nodes", item.PreviousPlan, item.Rendered.Changes, previous, changes)
		}
	}
	check(ask("s", "# One\n\nlook"), "", 0)
	check(ask("other", "# Other"), "", 0)
	e.Leave()
	e = rpctest.ConnectTo(t, storage, nil)
	second := ask("s", "# One\n\nlook again")
	check(second, "# One\n\nlook", 3)
	if entry := rpctest.Call(e, protocol.HistoryGet, protocol.QuestionParams{QuestionID: second.QuestionID}); len(entry.Rendered.Changes) != 3 {
		t.Errorf("the history has %v", entry.Rendered.Changes)
	}
	check(ask("s", "# One\n\nlook again"), "# One\n\nlook again", 0)
}

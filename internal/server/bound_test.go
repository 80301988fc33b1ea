package server_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
)

// A question of a bound session ends with the process that asked it, and the next of its queue with it; one of another session stays.
func TestBoundQuestionsEndWithTheirProcess(t *testing.T) {
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
		if item := b.UntilState(id, protocol.ItemClosed); item.Outcome.Outcome != protocol.OutcomeWithdrawn || item.Outcome.Elsewhere {
			t.Errorf("it ended as %+v", item.Outcome)
		}
	}
	b.Until(func() bool { return b.Items[other].Orphaned })
	if state := b.Item(other).State; state != protocol.ItemPending {
		t.Errorf("the other question is %s", state)
	}
}

// leaveBehind asks a question of a bound session as a process whose lease ran out an hour ago.
func leaveBehind(t *testing.T, folder string) (dead store.Store, id string) {
	t.Helper()
	dead, _, err := sqlite.Open(t.Context(), folder, store.Options{
		Owner: "dead", Lease: time.Millisecond, Now: func() time.Time { return time.Now().Add(-time.Hour) },
	})
	if err != nil {
		t.Fatal(err)
	}
	id = rpctest.NewID()
	session := rpctest.NewID()
	change := store.Change{
		Sessions: []store.Session{{ID: session, Agent: "Test", Key: "s", Locale: "en", Limit: 3, Options: json.RawMessage(`{"bound":true}`)}},
		Questions: []store.Question{{
			ID: id, Session: session, Tool: "ask_followup_question", State: store.Pending, AskedAt: time.Now(), Agent: "Test",
			Text: "Q?", Call: json.RawMessage(`{"payload":{"question":"Q?","suggest":[]}}`),
		}},
	}
	if results, err := dead.Commit(t.Context(), []store.Change{change}); err != nil || results[0].Err != nil {
		t.Fatal(err, results)
	}
	return dead, id
}

// One whose process was not heard of for long ends, but not at once: the computer may have been asleep.
func TestBoundQuestionsOfASilentProcess(t *testing.T) {
	folder := t.TempDir()
	silent, id := leaveBehind(t, folder)
	patient := rpctest.ConnectTo(t, folder, func(o *server.Options) { o.Lease = time.Hour })
	if item := patient.UntilState(id, protocol.ItemPending); !item.Orphaned {
		t.Errorf("got %+v", item)
	}
	rpctest.ConnectTo(t, folder, shortLease)
	if item := patient.UntilState(id, protocol.ItemClosed); item.Outcome.Outcome != protocol.OutcomeWithdrawn {
		t.Errorf("it ended as %+v", item.Outcome)
	}
	if err := silent.Close(); err != nil {
		t.Error(err)
	}
}

// One that was left behind when no other process ran ends when the next one opens the store.
func TestBoundQuestionsLeftBehind(t *testing.T) {
	folder := t.TempDir()
	dead, id := leaveBehind(t, folder)
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	e := rpctest.ConnectTo(t, folder, nil)
	if code := rpctest.Code(e, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: id}); code != protocol.CodeCancelled {
		t.Errorf("waiting for it gives %d", code)
	}
	entry := rpctest.Call(e, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id})
	if entry.Outcome.Outcome != protocol.OutcomeWithdrawn {
		t.Errorf("it ended as %+v", entry.Outcome)
	}
}

// Where the user has seen to a question is told to everybody, and kept.
func TestSeenToElsewhere(t *testing.T) {
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

// What was answered in the agent's own dialog is noted where it answers the questions; anything else tells nothing.
func TestAnsweredElsewhere(t *testing.T) {
	a := rpctest.ConnectTo(t, t.TempDir(), nil)
	session := a.Session("s")
	const input = `{"questions":[{"question":"Which?","header":"H","multiSelect":true,"options":[{"label":"A","description":""},{"label":"B","description":""}]}]}`
	for name, test := range map[string]struct{ told, want []protocol.Pick }{
		"picks":            {[]protocol.Pick{{Options: []int{1}, Other: "mine"}}, []protocol.Pick{{Options: []int{1}, Other: "mine"}}},
		"no such option":   {[]protocol.Pick{{Options: []int{7}}}, nil},
		"no such question": {[]protocol.Pick{{}, {Options: []int{0}}}, nil},
		"nothing":          {nil, nil},
	} {
		id := rpctest.NewID()
		a.AskWith(protocol.AskParams{Session: session, QuestionID: id, Tool: "AskUserQuestion", Input: []byte(input)})
		a.UntilState(id, protocol.ItemPending)
		rpctest.Call(a, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: id, Elsewhere: true, Picks: test.told})
		outcome := a.UntilState(id, protocol.ItemClosed).Outcome
		if diff := cmp.Diff(test.want, outcome.Picks); diff != "" || !outcome.Elsewhere {
			t.Errorf("%s: %+v (-want +got):\n%s", name, outcome, diff)
		}
	}
}

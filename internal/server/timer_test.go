package server_test

import (
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
)

// hour is a time that does not pass during a test.
var hour = protocol.TimerConfigureParams{After: 3_600_000}

// All windows share a question's clock: a touch in one stops it in all.
func TestWindowsShareAClock(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a, b := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
	for _, e := range []*rpctest.Editor{a, b} {
		rpctest.Call(e, protocol.TimerConfigure, hour)
	}
	runs := func(e *rpctest.Editor, id string) {
		t.Helper()
		e.Until(func() bool { return e.Items[id].Timer != nil })
	}
	stands := func(e *rpctest.Editor, id string) {
		t.Helper()
		e.Until(func() bool { return e.Items[id].State == protocol.ItemPending && e.Items[id].Timer == nil })
	}
	session := a.Session("s")
	first, _ := a.Ask(session, `{"question":"First?","follow_up":["A","B"]}`)
	runs(a, first)
	second, _ := a.Ask(session, `{"question":"Second?","follow_up":["A","B"]}`)
	a.UntilState(second, protocol.ItemQueued)
	runs(b, first)
	if left := b.Item(first).Timer.Left; left <= 0 || left > int64(hour.After) {
		t.Errorf("left: %d ms", left)
	}
	rpctest.Call(b, protocol.QuestionTouch, protocol.QuestionParams{QuestionID: first})
	stands(b, first)
	stands(a, first)
	rpctest.Call(b, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: first})
	runs(a, second)
	runs(b, second)

	// Starting a draft is a touch.
	rpctest.Call(a, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: second, Draft: protocol.Draft{Text: "x", ChangedAt: 1}})
	stands(b, second)

	// When the user disables timed choices, running clocks stop.
	third, _ := a.Ask(a.Session("t"), `{"question":"Third?","follow_up":["A"]}`)
	runs(a, third)
	runs(b, third)
	rpctest.Call(a, protocol.TimerConfigure, protocol.TimerConfigureParams{})
	stands(a, third)
	stands(b, third)
}

// The clock also runs for a question of a process without timed choices, if another window enables them.
func TestClockOfAnotherProcessesQuestion(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	window, agent := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
	rpctest.Call(window, protocol.TimerConfigure, hour)
	id, _ := agent.Ask(agent.Session("s"), `{"question":"Q?","follow_up":["A","B"]}`)
	for _, e := range []*rpctest.Editor{window, agent} {
		e.Until(func() bool { return e.Items[id].Timer != nil })
	}
}

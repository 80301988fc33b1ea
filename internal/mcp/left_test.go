package mcp

import (
	"context"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
)

// When the user cancels a call, its question can still be answered, and the agent's next question can be answered at once.
func TestCancelledCallDoesNotBlock(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	a := start(t, starting{folder: folder})
	ctx, cancel := context.WithCancel(t.Context())
	came := a.call(ctx, followup, `{"question":"First?"}`)
	first := pending(e, "First?").QuestionID
	cancel()
	<-came
	e.Until(func() bool { return e.Items[first].Orphaned && e.Items[first].State == protocol.ItemPending })

	next := a.call(t.Context(), followup, `{"question":"Second?"}`)
	typed(e, pending(e, "Second?").QuestionID, "two")
	if text := a.text(<-next); text != "<answer>\ntwo\n</answer>" {
		t.Errorf("the second call got %q", text)
	}
	typed(e, first, "one")
	e.UntilState(first, protocol.ItemClosed)
	if text := a.text(<-a.call(t.Context(), followup, `{"question":"First?"}`)); text != "<answer>\none\n</answer>" {
		t.Errorf("the repeated first call got %q", text)
	}
}

// An agent that is killed and resumed has a new session, but gets the answer to the question that it asked before.
func TestRestartedAgentRejoins(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(e *rpctest.Editor, id string, again func() <-chan response) <-chan response{
		"answered before it asks again": func(e *rpctest.Editor, id string, again func() <-chan response) <-chan response {
			typed(e, id, "mine")
			e.UntilState(id, protocol.ItemClosed)
			return again()
		},
		"answered while it waits again": func(e *rpctest.Editor, id string, again func() <-chan response) <-chan response {
			came := again()
			e.Until(func() bool { return !e.Items[id].Orphaned })
			typed(e, id, "mine")
			return came
		},
	} {
		t.Run(name, func(t *testing.T) {
			const input = `{"question":"Which port?","follow_up":["8080"]}`
			folder := t.TempDir()
			e := rpctest.ConnectTo(t, folder, nil)
			conversation := func(name string) starting {
				return starting{folder: folder, change: func(o *Options) { o.Env = func(string) string { return name } }}
			}
			first := start(t, conversation("one"))
			lost := first.call(t.Context(), followup, input)
			id := pending(e, "Which port?").QuestionID
			first.end()
			<-lost
			e.Until(func() bool { return e.Items[id].Orphaned })

			second := start(t, conversation("two"))
			again := func() <-chan response { return second.call(t.Context(), followup, input) }
			if text := second.text(<-answer(e, id, again)); text != "<answer>\nmine\n</answer>" {
				t.Errorf("it got %q", text)
			}
			again() // its answer was collected, so this asks a new question
			if fresh := pending(e, "Which port?"); fresh.QuestionID == id || fresh.Session == e.Items[id].Session {
				t.Errorf("the second question is %+v", fresh)
			}
		})
	}
}

// A question of another agent or another folder is not rejoined, nor one whose agent still waits for it.
func TestOthersDoNotRejoin(t *testing.T) {
	t.Parallel()
	const input = `{"question":"Which port?"}`
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	first := start(t, starting{folder: folder, change: func(o *Options) { o.Env = func(string) string { return "one" } }})
	first.call(t.Context(), followup, input)
	id := pending(e, "Which port?").QuestionID
	beside := start(t, starting{folder: folder, change: func(o *Options) { o.Env = func(string) string { return "two" } }})
	beside.call(t.Context(), followup, input)
	e.Until(func() bool { return len(e.Items) == 2 })
	first.end()
	e.Until(func() bool { return e.Items[id].Orphaned })
	elsewhere := start(t, starting{folder: folder, change: func(o *Options) {
		o.Folder, o.Env = "/elsewhere", func(string) string { return "three" }
	}})
	elsewhere.call(t.Context(), followup, input)
	e.Until(func() bool { return len(e.Items) == 3 })
	other := start(t, starting{name: "other", folder: folder, change: func(o *Options) { o.Env = func(string) string { return "four" } }})
	other.call(t.Context(), followup, `{"question":"Which port?","follow_up":["x"]}`)
	e.Until(func() bool { return len(e.Items) == 4 })
	if !e.Items[id].Orphaned {
		t.Error("another one rejoined")
	}
}

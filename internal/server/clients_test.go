package server_test

import (
	"context"
	"testing"
	"time"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/waits"
)

var noOptions protocol.InitializationOptions

// Every client shows a call while it is still arriving.
func TestStreamIsVisibleInEveryClient(t *testing.T) {
	t.Parallel()
	h := rpctest.NewHost(t, t.TempDir(), nil)
	a, b := h.Connect(noOptions), h.Connect(noOptions)
	stream := protocol.StreamAppendParams{Session: a.Session("s"), StreamID: rpctest.NewID()}
	a.Append(&stream, "Hello <ask_followup_question><question>Gr")
	shows := func(e *rpctest.Editor, text string) func() bool {
		return func() bool {
			for _, item := range e.Items {
				if item.StreamID == stream.StreamID && item.Payload.Question == text {
					return true
				}
			}
			return false
		}
	}
	b.Until(shows(b, "Gr"))
	a.Append(&stream, "ow")
	b.Until(shows(b, "Grow"))
	a.Until(func() bool { return a.Passed[stream.StreamID] != "" })
	if b.Passed[stream.StreamID] != "" {
		t.Error("text was passed to a client that did not send the stream")
	}
	rpctest.Call(a, protocol.StreamEnd, protocol.StreamEndParams{Session: stream.Session, StreamID: stream.StreamID, Reason: protocol.StreamAborted})
	b.Until(func() bool { return len(b.Items) == 0 })
}

// When a client disconnects, its half-read call is dropped. Complete calls stay, and another connection can send the stream again.
func TestStreamOfADisconnectedClient(t *testing.T) {
	t.Parallel()
	h := rpctest.NewHost(t, t.TempDir(), nil)
	a, b := h.Connect(noOptions), h.Connect(noOptions)
	stream := protocol.StreamParams{Session: a.Session("s"), StreamID: rpctest.NewID()}
	text := twoCalls + "<ask_followup_question><question>Half"
	rpc.Notify(a.Conn, protocol.StreamAppend, protocol.StreamAppendParams{Session: stream.Session, StreamID: stream.StreamID, Text: text})
	whole := func() (ids []string) {
		for id, item := range b.Items {
			if item.State == protocol.ItemPending || item.State == protocol.ItemQueued {
				ids = append(ids, id)
			}
		}
		return ids
	}
	b.Until(func() bool { return len(b.Items) == 3 })
	a.HangUp()
	b.Until(func() bool { return len(b.Items) == 2 && len(whole()) == 2 })
	b.Until(func() bool { return b.Items[whole()[0]].Orphaned && b.Items[whole()[1]].Orphaned })
	asked := whole()

	again := h.Connect(noOptions)
	again.Session("s")
	rpc.Notify(again.Conn, protocol.StreamResume, stream)
	give(again, stream)
	found := foundIn(rpctest.Call(again, protocol.StreamEnd, end(stream, protocol.StreamComplete)))
	if len(found) != 2 || len(asked) != 2 || (found[0] != asked[0] && found[0] != asked[1]) || found[0] == found[1] {
		t.Errorf("found %q, asked were %q", found, asked)
	}
}

// A question does not end as not shown while another client shows it.
func TestAnotherClientSeesTheQuestion(t *testing.T) {
	t.Parallel()
	soon := 1
	h := rpctest.NewHost(t, t.TempDir(), nil)
	web := h.Connect(noOptions)
	asking := h.Dial(protocol.InitializationOptions{NotShownAfter: &soon})
	id, reply := asking.Ask(asking.Session("s"), `{"question":"Q?"}`)
	web.UntilState(id, protocol.ItemPending)
	rpctest.Call(web, protocol.QuestionAnswer, typed(id, "seen"))
	if got := waits.For(t, reply); got.Answer.Outcome != protocol.OutcomeAnswered {
		t.Errorf("got %+v", got)
	}
	web.Leave()
	if _, reply := asking.Ask(asking.Session("s"), `{"question":"Q?"}`); waits.For(t, reply).Answer.Outcome != protocol.OutcomeNotShown {
		t.Error("without an interface, the client's own time limit applies")
	}
}

// While the disk stalls, two clients send opposite answers. Both get the same outcome, and so do the agent and the history.
func TestOppositeAnswersWhileTheDiskStalls(t *testing.T) {
	t.Parallel()
	disk := rpctest.NewDisk()
	h := rpctest.NewHost(t, t.TempDir(), func(o *server.Options) { o.OpenStore, o.Slow = disk.Open, 20*time.Millisecond })
	a, b := h.Connect(noOptions), h.Connect(noOptions)
	id, reply := a.Ask(a.Session("s"), `{"question":"Q?"}`)
	a.UntilState(id, protocol.ItemPending)
	b.UntilState(id, protocol.ItemPending)
	release := disk.Hold()
	results := make(chan protocol.CloseResult, 2)
	for text, e := range map[string]*rpctest.Editor{"yes": a, "no": b} {
		go func() {
			result, err := rpc.Call(context.Background(), e.Conn, protocol.QuestionAnswer, typed(id, text))
			if err != nil {
				t.Error(err)
			}
			results <- result
		}()
	}
	one, other := waits.For(t, results), waits.For(t, results)
	if one.Accepted == other.Accepted || one.Outcome.Text != other.Outcome.Text {
		t.Errorf("the clients got %+v and %+v", one, other)
	}
	got := waits.For(t, reply)
	if got.Answer.Text != "<answer>\n"+one.Outcome.Text+"\n</answer>" {
		t.Errorf("the agent got %+v, the users %q", got, one.Outcome.Text)
	}
	release()
	a.Until(func() bool { return a.Storage.Saved })
	entry := rpctest.Call(b, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id})
	if entry.Outcome.Text != one.Outcome.Text {
		t.Errorf("the history has %+v", entry.Outcome)
	}
}

// When a client disconnects, its questions stay open, and it owns them again after it reconnects. Those of bound sessions end.
func TestClientDisconnects(t *testing.T) {
	t.Parallel()
	h := rpctest.NewHost(t, t.TempDir(), nil)
	window, agent := h.Connect(noOptions), h.Dial(noOptions)
	bound := true
	session := agent.Session("s")
	hooked := rpctest.Call(agent, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Hook", Key: "k", Bound: &bound}).Session
	id, _ := agent.Ask(session, `{"question":"Stays?"}`)
	ends, _ := agent.Ask(hooked, `{"question":"Ends?"}`)
	window.UntilState(id, protocol.ItemPending)
	window.UntilState(ends, protocol.ItemPending)
	agent.HangUp()
	window.Until(func() bool { return window.Items[id].Orphaned })
	window.UntilState(ends, protocol.ItemClosed)

	back := h.Dial(noOptions)
	reply := back.AskAs(back.Session("s"), id, `{"question":"Stays?"}`)
	window.Until(func() bool { return !window.Items[id].Orphaned })
	rpctest.Call(window, protocol.QuestionAnswer, typed(id, "yes"))
	if got := waits.For(t, reply); got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}
}

// Each client's sessions get its own language and folders, whichever client connected last.
func TestSessionsBeginWithTheirClientsLanguage(t *testing.T) {
	t.Parallel()
	h := rpctest.NewHost(t, t.TempDir(), nil)
	french := h.Connect(protocol.InitializationOptions{Locale: "fr", WorkspaceFolders: []protocol.WorkspaceFolder{{URI: "file:///fr", Name: "fr"}}})
	h.Connect(protocol.InitializationOptions{Locale: "pt-BR"})
	id, reply := french.Ask(french.Session("s"), `{"question":"Q?"}`)
	if item := french.UntilState(id, protocol.ItemPending); len(item.Workspaces) != 1 || item.Workspaces[0].Name != "fr" {
		t.Errorf("shown with %+v", item.Workspaces)
	}
	rpctest.Call(french, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
	alone := rpctest.Connect(t, nil)
	other, english := alone.Ask(alone.Session("s"), `{"question":"Q?"}`)
	alone.UntilState(other, protocol.ItemPending)
	rpctest.Call(alone, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: other})
	if got := waits.For(t, reply).Answer.Text; got == waits.For(t, english).Answer.Text {
		t.Errorf("the agent got %q", got)
	}
}

// A client's draft is sent to the other clients, but not back to that client.
func TestDraftIsSharedByClients(t *testing.T) {
	t.Parallel()
	h := rpctest.NewHost(t, t.TempDir(), nil)
	a, b := h.Connect(noOptions), h.Connect(noOptions)
	id, _ := a.Ask(a.Session("s"), `{"question":"Q?"}`)
	a.UntilState(id, protocol.ItemPending)
	b.UntilState(id, protocol.ItemPending)
	before := a.ItemsSent()
	rpctest.Call(a, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{Text: "half", ChangedAt: 1}})
	b.Until(func() bool { return b.Items[id].Draft != nil && b.Items[id].Draft.Text == "half" })
	if a.ItemsSent() != before {
		t.Errorf("the client that saved it was sent %+v after %d", a.Item(id), before)
	}
}

// A client saves a draft and leaves before it is on disk. The other clients show it once it is.
func TestDraftOfAClientThatHasLeft(t *testing.T) {
	t.Parallel()
	disk := rpctest.NewDisk()
	h := rpctest.NewHost(t, t.TempDir(), onDisk(disk))
	a, b := h.Connect(noOptions), h.Connect(noOptions)
	id, _ := b.Ask(b.Session("s"), `{"question":"Q?"}`)
	a.UntilState(id, protocol.ItemPending)
	b.UntilState(id, protocol.ItemPending)
	release := disk.Hold()
	for len(disk.Commits()) > 0 {
		<-disk.Commits()
	}
	go func() {
		_, _ = rpc.Call(context.Background(), a.Conn, protocol.QuestionSaveDraft, protocol.SaveDraftParams{
			QuestionID: id, Draft: protocol.Draft{Text: "half", ChangedAt: 1},
		})
	}()
	waits.For(t, disk.Commits())
	a.HangUp()
	waits.For(t, a.Served())
	release()
	b.Until(func() bool { return b.Items[id].Draft != nil && b.Items[id].Draft.Text == "half" })
}

// Two sessions use the same id for a stream: ending one stream does not end the other, even across clients.
func TestStreamsOfTwoSessionsWithOneID(t *testing.T) {
	t.Parallel()
	h := rpctest.NewHost(t, t.TempDir(), nil)
	a, b := h.Connect(noOptions), h.Connect(noOptions)
	one := protocol.StreamAppendParams{Session: a.Session("one"), StreamID: rpctest.NewID()}
	two := protocol.StreamAppendParams{Session: a.Session("two"), StreamID: one.StreamID}
	three := protocol.StreamAppendParams{Session: b.Session("three"), StreamID: one.StreamID}
	a.Append(&one, "<ask_followup_question><question>O")
	a.Append(&two, "<ask_followup_question><question>Two?</question></ask_followup_question>")
	b.Append(&three, "<ask_followup_question><question>Three?</question></ask_followup_question>")
	for e, stream := range map[*rpctest.Editor]protocol.StreamAppendParams{a: two, b: three} {
		ended := rpctest.Call(e, protocol.StreamEnd, protocol.StreamEndParams{Session: stream.Session, StreamID: stream.StreamID, Reason: protocol.StreamComplete})
		if len(ended.Calls) != 1 || ended.Calls[0].Status != protocol.CallValid {
			t.Errorf("got %+v", ended)
		}
	}
	a.Append(&one, "ne?</question></ask_followup_question>")
	ended := rpctest.Call(a, protocol.StreamEnd, protocol.StreamEndParams{Session: one.Session, StreamID: one.StreamID, Reason: protocol.StreamComplete})
	if len(ended.Calls) != 1 || ended.Calls[0].Status != protocol.CallValid || ended.Calls[0].Payload.Question != "One?" {
		t.Errorf("got %+v", ended)
	}
}

package server_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
)

// shortGrace ends the bound questions of clients that do not reconnect at once.
func shortGrace(o *server.Options) { o.Grace = time.Millisecond }

func typed(id, text string) protocol.AnswerParams {
	return protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: text}
}

// A question of one window is answered in another. Its agent gets the answer, and the next queued question becomes pending.
func TestAnsweredInAnotherWindow(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a, b := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
	session := rpctest.Call(a, protocol.SessionOpen, protocol.SessionOpenParams{
		Agent: "Test", Key: "s", WorkspaceFolders: []protocol.WorkspaceFolder{{URI: "file:///w", Name: "w"}},
	}).Session
	first, firstReply := a.Ask(session, `{"question":"First?","follow_up":["A","B"]}`)
	a.UntilState(first, protocol.ItemPending)
	second, secondReply := a.Ask(session, `{"question":"Second?"}`)
	item := b.UntilState(first, protocol.ItemPending)
	b.UntilState(second, protocol.ItemQueued)
	if item.Payload.Question != "First?" || len(item.Payload.Suggest) != 2 || item.Orphaned || item.Agent != "Test" {
		t.Errorf("the other window sees %+v", item)
	}
	if diff := cmp.Diff([]protocol.WorkspaceFolder{{URI: "file:///w", Name: "w"}}, item.Workspaces); diff != "" {
		t.Errorf("workspaces (-want +got):\n%s", diff)
	}
	result := rpctest.Call(b, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: first, Provenance: protocol.ProvenanceClicked, Suggestion: index(1)})
	if !result.Accepted {
		t.Error("not accepted")
	}
	if reply := waits.For(t, firstReply); reply.Answer.Text != "<answer>\nB\n</answer>" {
		t.Errorf("the agent got %+v", reply)
	}
	if closed := a.UntilState(first, protocol.ItemClosed); closed.Outcome.Text != "B" || closed.Outcome.Provenance != protocol.ProvenanceClicked {
		t.Errorf("its window shows %+v", closed.Outcome)
	}
	a.UntilState(second, protocol.ItemPending)
	b.UntilState(second, protocol.ItemPending)
	rpctest.Call(b, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: second})
	if reply := waits.For(t, secondReply); reply.Answer.Outcome != protocol.OutcomeDismissed {
		t.Errorf("the agent got %+v", reply)
	}
}

// A client that lost the response to an answer sends it again, and it is accepted again. A different answer is not.
func TestAnswerSentAgain(t *testing.T) {
	t.Parallel()
	const followup, questions = "ask_followup_question", "AskUserQuestion"
	type send func(e *rpctest.Editor, id string) protocol.CloseResult
	answer := func(p protocol.AnswerParams) send {
		return func(e *rpctest.Editor, id string) protocol.CloseResult {
			p.QuestionID = id
			return rpctest.Call(e, protocol.QuestionAnswer, p)
		}
	}
	text := func(text string) send {
		return answer(protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: text})
	}
	click := func(at int) send {
		return answer(protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: index(at)})
	}
	choose := func(note string) send {
		return answer(protocol.AnswerParams{Provenance: protocol.ProvenanceChosen, Suggestion: index(0), Text: note})
	}
	image := func(data string) send {
		return answer(protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: "see", Images: []protocol.Image{{MimeType: "image/gif", Data: data}}})
	}
	pick := func(at int) send { return answer(protocol.AnswerParams{Picks: []protocol.Pick{{Options: []int{at}}}}) }
	dismiss := func(e *rpctest.Editor, id string) protocol.CloseResult {
		return rpctest.Call(e, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
	}
	reply := func(text string) send {
		return func(e *rpctest.Editor, id string) protocol.CloseResult {
			return rpctest.Call(e, protocol.QuestionReply, protocol.ReplyParams{QuestionID: id, Text: text})
		}
	}
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	again := rpctest.ConnectTo(t, folder, nil)
	for _, test := range []struct {
		name, tool   string
		first, other send
	}{
		{"typed", followup, text("yes"), text("no")},
		{"clicked", followup, click(0), click(1)},
		{"chosen with a note", followup, choose("soon"), choose("late")},
		{"with an image", followup, image("R0lGODlh"), image("R0lGODdh")},
		{"picked", questions, pick(0), pick(1)},
		{"replied", questions, reply("why?"), reply("how?")},
		{"replied in place of an answer", questions, reply("why?"), pick(0)},
		{"dismissed", followup, dismiss, text("")},
		{"answered, not dismissed", followup, text("yes"), dismiss},
	} {
		t.Run(test.name, func(t *testing.T) {
			input := `{"question":"Q?","follow_up":["80","81"]}`
			if test.tool == questions {
				input = `{"questions":[{"question":"Q?","header":"H","options":[{"label":"a","description":"A"},{"label":"b","description":"B"}]}]}`
			}
			id := rpctest.NewID()
			asked := e.AskWith(protocol.AskParams{Session: e.Session(test.name), QuestionID: id, Tool: test.tool, Input: []byte(input)})
			e.UntilState(id, protocol.ItemPending)
			first := test.first(e, id)
			waits.For(t, asked)
			if repeated := test.first(again, id); !first.Accepted || !repeated.Accepted || repeated.Outcome.At != first.Outcome.At {
				t.Errorf("got %+v, then %+v", first, repeated)
			}
			if other := test.other(again, id); other.Accepted || other.Outcome.At != first.Outcome.At {
				t.Errorf("another one: %+v", other)
			}
		})
	}
}

// Both users click at once: one wins, and the other learns whose answer was accepted.
func TestBothClick(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a, b := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
	session := a.Session("s")
	for range 20 {
		id, reply := a.Ask(session, `{"question":"Q?"}`)
		a.UntilState(id, protocol.ItemPending)
		b.UntilState(id, protocol.ItemPending)
		results := make(chan protocol.CloseResult, 2)
		for _, e := range []*rpctest.Editor{a, b} {
			go func() {
				result, err := rpc.Call(context.Background(), e.Conn, protocol.QuestionAnswer, typed(id, map[bool]string{true: "a", false: "b"}[e == a]))
				if err != nil {
					t.Error(err)
				}
				results <- result
			}()
		}
		one, other := waits.For(t, results), waits.For(t, results)
		if one.Accepted == other.Accepted {
			t.Fatalf("accepted: %v and %v", one.Accepted, other.Accepted)
		}
		if one.Outcome.Text != other.Outcome.Text || one.Outcome.At != other.Outcome.At {
			t.Fatalf("the windows got %+v and %+v", one.Outcome, other.Outcome)
		}
		if got := waits.For(t, reply); got.Answer.Text != "<answer>\n"+one.Outcome.Text+"\n</answer>" {
			t.Fatalf("the agent got %+v, the users %q", got, one.Outcome.Text)
		}
		if shown := b.UntilState(id, protocol.ItemClosed); shown.Outcome.Text != one.Outcome.Text {
			t.Fatalf("the other window shows %+v", shown.Outcome)
		}
	}
}

// leaveOpen writes what a killed host leaves behind: a session with open questions.
func leaveOpen(t *testing.T, folder, session string, ids ...string) {
	t.Helper()
	dead, _, err := sqlite.Open(context.Background(), folder, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var change store.Change
	if _, err := dead.Session(t.Context(), session); errors.Is(err, store.ErrNotFound) {
		change.Sessions = []store.Session{{ID: session, Document: []byte(`{"agent":"Test","key":"s","locale":"en","limit":3}`)}}
	}
	for i, id := range ids {
		state := store.Queued
		if i == 0 {
			state = store.Pending
		}
		change.Questions = append(change.Questions, store.Question{
			ID: id, Session: session, Tool: "ask_followup_question", State: state, AskedAt: time.Now(), Agent: "Test",
			Call: []byte(`{"payload":{"question":"Q?","suggest":[]}}`), Text: "Q?",
		})
	}
	if results, err := dead.Commit(context.Background(), []store.Change{change}); err != nil || results[0].Err != nil {
		t.Fatal(err, results)
	}
	if err := dead.Close(); err != nil {
		t.Error(err)
	}
}

// The host is killed. After its restart, open questions can be answered and are orphaned until an agent returns. The queue
// continues, and an agent that asks again gets the answer.
func TestKilledWindow(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	before := rpctest.ConnectTo(t, folder, nil)
	session := before.Session("s")
	before.Leave()
	first, second, third := rpctest.NewID(), rpctest.NewID(), rpctest.NewID()
	leaveOpen(t, folder, session, first, second, third)
	b := rpctest.ConnectTo(t, folder, nil)
	b.UntilState(first, protocol.ItemPending)
	rpctest.Call(b, protocol.QuestionAnswer, typed(first, "one"))
	b.UntilState(second, protocol.ItemPending) // the queue continues without a waiting agent
	b.Until(func() bool { return b.Items[second].Orphaned && b.Items[third].Orphaned })

	b.Session("s")
	reply := b.AskAs(session, second, `{"question":"Q?"}`) // the agent returns and asks again
	b.Until(func() bool { return !b.Items[second].Orphaned })
	rpctest.Call(b, protocol.QuestionAnswer, typed(second, "two"))
	if got := waits.For(t, reply); got.Answer.Text != "<answer>\ntwo\n</answer>" {
		t.Errorf("got %+v", got)
	}
	if got := waits.For(t, b.AskAs(session, first, `{"question":"Q?"}`)); got.Answer.Text != "<answer>\none\n</answer>" {
		t.Errorf("the kept answer: got %+v", got)
	}
	b.UntilState(third, protocol.ItemPending)
}

// The windows are closed and opened again. Questions, their order, the mistake count, options, drafts and answers are unchanged.
func TestRestart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a := rpctest.ConnectTo(t, folder, nil)
	limit := 2
	open := protocol.SessionOpenParams{Agent: "Test", Key: "s", Locale: "fr", ResultTag: protocol.ResultTagUserMessage, MistakeLimit: &limit}
	session := rpctest.Call(a, protocol.SessionOpen, open).Session
	first, _ := a.Ask(session, `{"question":"First?"}`)
	a.UntilState(first, protocol.ItemPending)
	second, _ := a.Ask(session, `{"question":"Second?"}`)
	a.UntilState(second, protocol.ItemQueued)
	bad, reply := a.Ask(session, `{}`)
	if got := waits.For(t, reply); got.Answer.Outcome != protocol.OutcomeInvalid {
		t.Fatalf("got %+v", got)
	}
	draft := protocol.Draft{Text: "half", ChangedAt: 7, Images: []protocol.DraftImage{gif}}
	rpctest.Call(a, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: first, Draft: draft})
	a.Leave()

	b := rpctest.ConnectTo(t, folder, nil)
	item := b.UntilState(first, protocol.ItemPending)
	if diff := cmp.Diff(&draft, item.Draft); diff != "" {
		t.Errorf("the draft (-want +got):\n%s", diff)
	}
	if !item.Orphaned || !b.UntilState(second, protocol.ItemQueued).Orphaned {
		t.Error("no agent waits, but the question is not orphaned")
	}
	if again := b.Session("s"); again != session {
		t.Errorf("the session is %s, was %s", again, session)
	}
	state := rpctest.Call(b, protocol.SessionGet, protocol.SessionParams{Session: session})
	var ids []string
	for _, item := range state.Conversation {
		ids = append(ids, item.QuestionID)
	}
	if diff := cmp.Diff([]string{first, second, bad}, ids); diff != "" || state.ConsecutiveMistakes != 1 {
		t.Errorf("the conversation, %d mistakes (-want +got):\n%s", state.ConsecutiveMistakes, diff)
	}
	rpctest.Call(b, protocol.QuestionAnswer, typed(first, "voilà"))
	got, err := rpc.Call(context.Background(), b.Conn, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: first})
	if err != nil || got.Text != "<user_message>\nvoilà\n</user_message>" {
		t.Errorf("got %+v, %v", got, err)
	}
	if item := b.UntilState(second, protocol.ItemPending); item.Draft != nil {
		t.Errorf("a draft of another question: %+v", item.Draft)
	}
	_, reply = b.Ask(session, `{}`) // the second mistake in a row: the user is asked for guidance
	var guidance string
	b.Until(func() bool {
		for id, item := range b.Items {
			if item.Guidance != nil {
				guidance = id
			}
		}
		return guidance != ""
	})
	b.Leave()

	c := rpctest.ConnectTo(t, folder, nil)
	if got := waits.For(t, reply); got.Err == nil {
		t.Errorf("the lost connection answered: %+v", got)
	}
	if item := c.UntilState(guidance, protocol.ItemPending); item.Guidance.ConsecutiveMistakes != 2 {
		t.Errorf("after the restart, guidance is %+v", item.Guidance)
	}
	c.Session("s")
	var held string
	for _, item := range rpctest.Call(c, protocol.SessionGet, protocol.SessionParams{Session: session}).Conversation {
		if item.State == protocol.ItemHeld {
			held = item.QuestionID
		}
	}
	waiting := c.AskAs(session, held, `{}`)
	rpctest.Call(c, protocol.QuestionAnswer, typed(guidance, "ask plainly"))
	if got := waits.For(t, waiting); got.Answer.Error == nil || got.Answer.Error.Code != "missing_parameter" ||
		got.Answer.Text != got.Answer.Error.Message+"\n\n<user_message>\nask plainly\n</user_message>" {
		t.Errorf("got %+v", got)
	}
	if state := rpctest.Call(c, protocol.SessionGet, protocol.SessionParams{Session: session}); state.ConsecutiveMistakes != 0 {
		t.Errorf("%d mistakes after guidance", state.ConsecutiveMistakes)
	}
}

// The user deletes everything during a conversation: the next question is saved together with its session.
func TestSessionIsWrittenAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	session := rpctest.Call(e, protocol.SessionOpen, protocol.SessionOpenParams{
		Agent: "Test", Key: "s", WorkspaceFolders: []protocol.WorkspaceFolder{{URI: "file:///w", Name: "w"}},
	}).Session
	first, reply := e.Ask(session, `{"question":"First?"}`)
	e.UntilState(first, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionAnswer, typed(first, "yes"))
	waits.For(t, reply)
	later := time.Duration(0)
	cleaner, _, err := sqlite.Open(t.Context(), folder, store.Options{Monotonic: func() time.Time { return time.Now().Add(later) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cleaner.Close() })
	if _, err := cleaner.Delete(t.Context(), "1", store.Selection{}); err != nil {
		t.Fatal(err)
	}
	later = store.Undo + time.Second
	if _, err := cleaner.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := cleaner.Session(t.Context(), session); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("the session was not removed: %v", err)
	}
	id, _ := e.Ask(session, `{"question":"Second?"}`)
	e.UntilState(id, protocol.ItemPending)
	var q store.Question
	waits.Until(t, "the question is in the store", func() (is bool) {
		var err error
		q, err = cleaner.Question(t.Context(), id)
		return err == nil
	})
	if row, err := cleaner.Session(t.Context(), q.Session); err != nil || !strings.Contains(string(row.Document), `"key":"s","folders":`) {
		t.Errorf("%+v, %v", row, err)
	}
}

package server_test

import (
	"slices"
	"testing"

	"github.com/sourcegraph/go-lsp"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
)

// attend reports the workspace folders of an editor's window.
func attend(e *rpctest.Editor, uris ...string) {
	open := []protocol.WorkspaceFolder{}
	for _, uri := range uris {
		open = append(open, protocol.WorkspaceFolder{URI: lsp.DocumentURI(uri)})
	}
	rpc.Notify(e.Conn, protocol.NoticeAttend, protocol.NoticeAttendParams{CanNotify: true, Focused: true, Visible: true, WorkspaceFolders: open})
}

// sessionAbout opens a session for a folder.
func sessionAbout(e *rpctest.Editor, uri string) string {
	return rpctest.Call(e, protocol.SessionOpen, protocol.SessionOpenParams{
		Agent: "Test", Key: uri, WorkspaceFolders: []protocol.WorkspaceFolder{{URI: lsp.DocumentURI(uri)}},
	}).Session
}

const previews = `{"questions":[{"question":"Which **layout**?","header":"L","options":[
	{"label":"A","description":"","preview":"x"},{"label":"B","description":""}]}]}`

// A window counts its own questions, and follows its folders. If it has none, it offers other windows' questions.
func TestWhatWaitsInAWindow(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	waits := func(count int, answerable bool) {
		t.Helper()
		e.Until(func() bool { return e.Waiting == protocol.Waiting{Count: count, Answerable: answerable} })
	}
	answerable := func() (titles []string) {
		for _, one := range rpctest.Call(e, protocol.InboxList, protocol.None{}).Questions {
			if one.Answerable {
				titles = append(titles, one.Title)
			}
		}
		return titles
	}
	attend(e, "file:///here")
	there := sessionAbout(e, "file:///there")
	e.Ask(there, `{"question":"There?"}`)
	waits(0, true)
	if got := answerable(); !slices.Equal(got, []string{"There?"}) {
		t.Errorf("without others, answerable are %q", got)
	}
	e.Ask(e.Session("anywhere"), `{"question":"**Anywhere**?"}`)
	waits(1, true)
	here := sessionAbout(e, "file:///here")
	first, _ := e.Ask(here, `{"question":"Here?"}`)
	second, _ := e.Ask(here, `{"question":"And then?"}`)
	waits(3, true)
	if got := answerable(); !slices.Equal(got, []string{"Anywhere?", "Here?"}) {
		t.Errorf("answerable are %q", got)
	}
	if all := rpctest.Call(e, protocol.InboxList, protocol.None{}).Questions; len(all) != 4 || all[3].QuestionID != second || all[3].Agent != "Test" {
		t.Errorf("the list is %+v", all)
	}
	attend(e, "file:///here", "file:///there")
	waits(4, true)
	for _, id := range []string{first, second} {
		rpctest.Call(e, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
	}
	waits(2, true)
	e.Subscribe() // another page of the same window
	attend(e)
	waits(0, true)
	for _, one := range rpctest.Call(e, protocol.InboxList, protocol.None{}).Questions {
		rpctest.Call(e, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: one.QuestionID})
	}
	waits(0, false)
}

// The page opens by itself for this window's questions outside conversations, once they are pending. Only new ones open it wide.
func TestWhatAppearsByItself(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	ask := func(e *rpctest.Editor, session, input string, how protocol.Envelope) string {
		id := rpctest.NewID()
		e.AskWith(protocol.AskParams{Envelope: how, Session: session, QuestionID: id, Tool: "AskUserQuestion", Input: []byte(input)})
		e.Until(func() bool { return e.Items[id].QuestionID == id })
		return id
	}
	agent := rpctest.ConnectTo(t, folder, nil)
	old := ask(agent, agent.Session("old"), previews, protocol.Envelope{})
	agent.UntilState(old, protocol.ItemPending)

	e := rpctest.ConnectTo(t, folder, nil)
	attend(e, "file:///here")
	ask(agent, sessionAbout(agent, "file:///there"), previews, protocol.Envelope{})
	e.Subscribe() // after attend, as the editor does
	here := sessionAbout(agent, "file:///here")
	first := ask(agent, here, previews, protocol.Envelope{InConversation: true})
	second := ask(agent, here, previews, protocol.Envelope{})
	e.UntilState(second, protocol.ItemQueued)
	rpctest.Call(e, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: first})
	e.Until(func() bool { return len(e.Wide) > 1 && e.Wide[len(e.Wide)-1].QuestionID == second })
	e.Until(func() bool { // holds the lock
		if reveals := slices.Compact(e.Reveals); !slices.Equal(reveals, []string{old, second}) {
			t.Errorf("the page appears for %v, not %v", reveals, []string{old, second})
		}
		if wide := e.Wide[0]; wide.QuestionID != first || wide.Title != "Which layout?" || wide.Agent != "Test" {
			t.Errorf("%+v opens wide", wide)
		}
		return true
	})
}

// A peer that is not an editor's window gets notices only.
func TestWaitingIsForWindows(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	rpc.Notify(e.Conn, protocol.NoticeAttend, protocol.NoticeAttendParams{CanNotify: true, Focused: true})
	e.Ask(e.Session("s"), `{"question":"Which port?"}`)
	e.Until(func() bool { return len(e.Notices) == 1 })
	if e.Waiting.Count > 0 || len(e.Reveals) > 0 {
		t.Errorf("got %+v, %v", e.Waiting, e.Reveals)
	}
}

package server_test

import (
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/waits"
)

// desktop notes what it was told, in order.
type desktop struct{ told chan string }

func (d desktop) Notify(title, text string) error {
	d.told <- title + ": " + text
	return nil
}

func (d desktop) Chime() error {
	d.told <- "chime"
	return nil
}

// Two windows, one notice: which of them tells is agreed in the store. It goes when the question is answered in either.
func TestOneNoticeOverAllWindows(t *testing.T) {
	folder := t.TempDir()
	windows := []*rpctest.Editor{rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)}
	for _, e := range windows {
		rpc.Notify(e.Conn, protocol.NoticeAttend, protocol.NoticeAttendParams{Tells: true, Focused: true})
	}
	count := func(id string) (told, ended int) {
		for _, e := range windows {
			e.Until(func() bool { // holds the lock
				for _, n := range e.Told {
					if n.QuestionID == id {
						told++
					}
				}
				for _, over := range e.Ended {
					if over == id {
						ended++
					}
				}
				return true
			})
		}
		return told, ended
	}
	session := windows[0].Session("s")
	for range 2 {
		id, reply := windows[0].Ask(session, `{"question":"Which port?","follow_up":["80","81"]}`)
		for _, e := range windows {
			e.UntilState(id, protocol.ItemPending)
		}
		waits.Until(t, "it is told", func() bool { told, _ := count(id); return told > 0 })
		rpctest.Call(windows[1], protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceClicked, Suggestion: index(0)})
		waits.For(t, reply)
		waits.Until(t, "it is told no longer", func() bool { _, ended := count(id); return ended > 0 })
		if told, ended := count(id); told != 1 || ended != 1 {
			t.Errorf("told %d times, ended %d times", told, ended)
		}
	}
}

func TestDesktopTellsInTheBackground(t *testing.T) {
	d := desktop{make(chan string, 9)}
	e := rpctest.Connect(t, func(o *server.Options) { o.Desktop = d })
	rpc.Notify(e.Conn, protocol.NoticeConfigure, protocol.NoticeConfigureParams{Desktop: true})
	rpc.Notify(e.Conn, protocol.NoticeAttend, protocol.NoticeAttendParams{Tells: true})
	e.Ask(e.Session("s"), `{"question":"Which port?"}`)
	if got := waits.For(t, d.told); got != "Test asks you: Which port?" {
		t.Errorf("told %q", got)
	}
	rpc.Notify(e.Conn, protocol.NoticeConfigure, protocol.NoticeConfigureParams{Sound: true})
	e.Ask(e.Session("t"), `{"question":"Which host?"}`)
	if got := waits.For(t, d.told); got != "chime" {
		t.Errorf("told %q", got)
	}
	if len(e.Told) > 0 {
		t.Errorf("the window was told %+v", e.Told)
	}
}

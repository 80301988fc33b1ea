package server_test

import (
	"testing"

	"followup/internal/protocol"
	"followup/internal/relay"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// With two windows, one of them notifies. The notice disappears when the question is answered in either.
func TestOneNoticeOverAllWindows(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	windows := []*rpctest.Editor{rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)}
	for _, e := range windows {
		rpc.Notify(e.Conn, protocol.NoticeAttend, protocol.NoticeAttendParams{CanNotify: true, Focused: true})
	}
	count := func(id string) (shown, ended int) {
		for _, e := range windows {
			e.Until(func() bool { // holds the lock
				for _, n := range e.Notices {
					if n.QuestionID == id {
						shown++
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
		return shown, ended
	}
	session := windows[0].Session("s")
	for range 2 {
		id, reply := windows[0].Ask(session, `{"question":"Which port?","follow_up":["80","81"]}`)
		for _, e := range windows {
			e.UntilState(id, protocol.ItemPending)
		}
		waits.Until(t, "the notification", func() bool { shown, _ := count(id); return shown > 0 })
		rpctest.Call(windows[1], protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceClicked, Suggestion: index(0)})
		waits.For(t, reply)
		waits.Until(t, "the notification's end", func() bool { _, ended := count(id); return ended > 0 })
		if shown, ended := count(id); shown != 1 || ended != 1 {
			t.Errorf("shown %d times, ended %d times", shown, ended)
		}
	}
}

// A window in the background has its client show a desktop notification.
func TestDesktopNotifiesInTheBackground(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	rpc.Notify(e.Conn, protocol.NoticeConfigure, protocol.NoticeConfigureParams{Desktop: true})
	rpc.Notify(e.Conn, protocol.NoticeAttend, protocol.NoticeAttendParams{CanNotify: true})
	e.Ask(e.Session("s"), `{"question":"Which port?"}`)
	e.Until(func() bool { return len(e.Outside) == 1 })
	want := relay.OutsideParams{Title: "Test asks you", Text: "Which port?", Show: true}
	if e.Outside[0] != want {
		t.Errorf("got %+v", e.Outside[0])
	}
	rpc.Notify(e.Conn, protocol.NoticeConfigure, protocol.NoticeConfigureParams{Sound: true})
	e.Ask(e.Session("t"), `{"question":"Which host?"}`)
	e.Until(func() bool { return len(e.Outside) == 2 })
	if got := e.Outside[1]; got.Show || !got.Sound {
		t.Errorf("got %+v", got)
	}
	if len(e.Notices) > 0 {
		t.Errorf("the window got %+v", e.Notices)
	}
}

// A question that was queued before a window opened is new to the user when it becomes pending.
func TestNoticeOfAQueuedQuestion(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a := rpctest.ConnectTo(t, folder, nil)
	session := a.Session("s")
	first, _ := a.Ask(session, `{"question":"First?"}`)
	a.UntilState(first, protocol.ItemPending)
	second, _ := a.Ask(session, `{"question":"Second?"}`)
	a.UntilState(second, protocol.ItemQueued)
	b := rpctest.ConnectTo(t, folder, nil)
	b.UntilState(second, protocol.ItemQueued)
	rpc.Notify(b.Conn, protocol.NoticeAttend, protocol.NoticeAttendParams{CanNotify: true, Focused: true})
	rpctest.Call(b, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: first})
	b.Until(func() bool { return len(b.Notices) > 0 })
	if id := b.Notices[0].QuestionID; id != second {
		t.Errorf("got %s, not %s", id, second)
	}
}

// A new sidecar removes the notifications that a window still shows from an earlier one; those of closed questions at once.
func TestNoticeOfAnEarlierSidecar(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	id, _ := e.Ask(e.Session("s"), `{"question":"Which port?"}`)
	e.UntilState(id, protocol.ItemPending)
	rpc.Notify(e.Conn, protocol.NoticeAttend, protocol.NoticeAttendParams{CanNotify: true, Shown: []string{id, "gone"}})
	e.Until(func() bool { return len(e.Ended) == 1 })
	rpctest.Call(e, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
	e.Until(func() bool { return len(e.Ended) == 2 })
	if e.Ended[0] != "gone" || e.Ended[1] != id {
		t.Errorf("ended %v", e.Ended)
	}
}

package server

import (
	"context"
	"slices"
	"time"

	"followup/internal/locale"
	"followup/internal/notice"
	"followup/internal/protocol"
	"followup/internal/relay"
	"followup/internal/rpc"
)

// notice receives a question in its new state, with the time of the change. It is called under the registry's lock.
func (s *Server) notice(item protocol.InboxItem, since time.Time) {
	switch {
	case item.State != protocol.ItemPending:
		s.desk.Closed(item.QuestionID)
	case !since.Before(s.desk.Opened()): // the user sees older ones when the window opens
		s.desk.Asked(s.noticeOf(item), workspacesOf(item))
	}
	s.arrived(item, since)
	s.wakeNotice()
}

func (s *Server) wakeNotice() { rpc.NotifyLater(s.conn, protocol.NoticeDidChange, "", s.nextNotice) }

func (s *Server) noticeOf(item protocol.InboxItem) protocol.Notice {
	key := locale.Key("{0} asks you")
	if item.Guidance != nil {
		key = "{0} needs your help"
	}
	return notice.Of(item, s.locale().Text(key, item.Agent))
}

// workspacesOf returns a question's folders. A hub's question has none here, since its folders are on another machine.
func workspacesOf(item protocol.InboxItem) []protocol.WorkspaceFolder {
	if item.Hub != "" {
		return nil
	}
	return item.Workspaces
}

// notifyOutside asks a client to show a desktop notification.
func (s *Server) notifyOutside(n protocol.Notice, how notice.Settings) {
	rpc.Notify(s.conn, relay.Outside, relay.OutsideParams{Title: n.Title, Text: n.Text, Show: how.Desktop, Sound: how.Sound})
}

func (s *Server) noticeAttend(_ context.Context, p protocol.NoticeAttendParams) error {
	w := notice.Window{Notifies: p.CanNotify, Focused: p.Focused, Visible: p.Visible, Questions: p.Questions}
	s.registry.View(func() {
		if p.WorkspaceFolders != nil && s.guest == nil {
			s.folders = p.WorkspaceFolders
			if s.window == nil {
				s.window = &window{}
			}
		}
		w.Folders = s.folders
	})
	s.desk.Attend(w)
	s.wakeNotice()
	for _, id := range p.Shown { // by an earlier connection
		s.registry.View(func() {
			if item, found := s.inbox.Item(id); found && item.State == protocol.ItemPending {
				s.desk.Resume(s.noticeOf(item), workspacesOf(item))
			} else {
				s.desk.End(id)
			}
		})
	}
	return nil
}

func (s *Server) noticeConfigure(_ context.Context, p protocol.NoticeConfigureParams) error {
	s.desk.Configure(notice.Settings(p))
	return nil
}

// window is what an editor's window shows outside its page. The registry's lock guards it.
type window struct {
	sent *protocol.Waiting // nil if none was
	next protocol.NoticeChange
}

// isHere reports whether a question with these folders belongs to this window: it has one of them open, or the question has none,
// as at a hub.
func (s *Server) isHere(of []protocol.WorkspaceFolder) bool {
	return len(of) == 0 || notice.Overlap(of, s.folders)
}

// arrived receives a new or changed open question. The caller holds the registry's lock.
func (s *Server) arrived(item protocol.InboxItem, since time.Time) {
	pending := item.State == protocol.ItemPending
	if s.window == nil || !pending && item.State != protocol.ItemStreaming || !s.isHere(workspacesOf(item)) {
		return
	}
	if next := &s.window.next; !item.InConversation { // if the conversation does not show it, a notification does
		next.Reveals = append(next.Reveals, item.QuestionID)
	}
	// Questions older than the window are opened only by the user.
	if pending && !since.Before(s.desk.Opened()) && hasPreview(item) {
		s.window.next.Wide = append(s.window.next.Wide, entryOf(item))
	}
}

// nextNotice returns what the peer must show and remove now; false if there is nothing.
func (s *Server) nextNotice() (change protocol.NoticeChange, any bool) {
	change, any = s.desk.Next()
	s.registry.View(func() {
		w := s.window
		if w == nil {
			return
		}
		var now protocol.Waiting
		s.inbox.EachOpen(func(state protocol.ItemState, of []protocol.WorkspaceFolder) {
			if state != protocol.ItemStreaming && s.isHere(of) {
				now.Count++
			}
			now.Answerable = now.Answerable || state == protocol.ItemPending
		})
		if w.sent == nil || *w.sent != now {
			w.sent, change.Waiting = &now, &now
		}
		change.Reveals, change.Wide = w.next.Reveals, w.next.Wide
		w.next = protocol.NoticeChange{}
	})
	return change, any || change.Waiting != nil || len(change.Reveals)+len(change.Wide) > 0
}

func hasPreview(item protocol.InboxItem) bool {
	q := item.Payload.Questionnaire
	return q != nil && slices.ContainsFunc(q.Questions, func(one protocol.Question) bool {
		return slices.ContainsFunc(one.Options, func(option protocol.Option) bool { return option.Preview != "" })
	})
}

package server

import (
	"context"
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
		s.desk.Asked(s.noticeOf(item), foldersOf(item))
	}
	s.arrived(item, since)
	s.wakeNotice()
}

func (s *Server) wakeNotice() { rpc.NotifyLater(s.conn, protocol.NoticeDidChange, "", s.nextNotice) }

func (s *Server) noticeOf(item protocol.InboxItem) protocol.Notice {
	speak, key := s.registry.Locale, locale.Key("{0} asks you")
	if s.guest == nil {
		speak = s.defaults.locale
	}
	if item.Guidance != nil {
		key = "{0} needs your help"
	}
	return notice.Of(item, speak.Text(key, item.Agent))
}

// foldersOf returns the addresses of a question's folders.
func foldersOf(item protocol.InboxItem) []string { return folders(workspacesOf(item)) }

// workspacesOf returns a question's folders. A hub's question has none here, since its folders are on another machine.
func workspacesOf(item protocol.InboxItem) []protocol.WorkspaceFolder {
	if item.Hub != "" {
		return nil
	}
	return item.Workspaces
}

func folders(of []protocol.WorkspaceFolder) []string {
	uris := make([]string, len(of))
	for i, folder := range of {
		uris[i] = string(folder.URI)
	}
	return uris
}

func (s *Server) newDesk() *notice.Desk {
	return s.board.Open(s.account(), s.wakeNotice, s.notifyOutside)
}

// notifyOutside asks a client to show a desktop notification.
func (s *Server) notifyOutside(n protocol.Notice, how notice.Settings) {
	rpc.Notify(s.conn, relay.Outside, relay.OutsideParams{Title: n.Title, Text: n.Text, Show: how.Desktop, Sound: how.Sound})
}

func (s *Server) noticeAttend(_ context.Context, p protocol.NoticeAttendParams) error {
	w := notice.Window{Notifies: p.CanNotify, Focused: p.Focused, Visible: p.Visible, Questions: p.Questions}
	s.registry.View(func() {
		if p.WorkspaceFolders != nil && s.guest == nil {
			s.defaults.folders = p.WorkspaceFolders
			if s.window == nil {
				s.window = &window{}
			}
		}
		w.Folders = folders(s.defaults.folders)
	})
	s.desk.Attend(w)
	s.wakeNotice()
	for _, id := range p.Shown { // by an earlier connection
		s.registry.View(func() {
			if item, found := s.inbox.Item(id); found && item.State == protocol.ItemPending {
				s.desk.Resume(s.noticeOf(item), foldersOf(item))
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

package server

import (
	"context"
	"time"

	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/notice"
	"followup/internal/protocol"
	"followup/internal/relay"
	"followup/internal/rpc"
)

// notice has the desk know how it stands with a record, which the interface was told of in a state before. It is called under the
// registry's lock.
func (s *Server) notice(r *conversation.Record, before protocol.ItemState) {
	if r.State != protocol.ItemPending {
		s.desk.Over(r.ID)
		return
	}
	since := r.AskedAt
	if before == protocol.ItemQueued || before == protocol.ItemStreaming {
		since = time.Now() // however long it has waited for its turn
	}
	s.desk.Asked(s.noticeOf(r), folders(r.Conversation.Folders), since)
}

func (s *Server) noticeOf(r *conversation.Record) protocol.Notice {
	guidance := r.Guidance != nil
	return notice.Of(r.ID, s.noticeTitle(r.Conversation.Agent, guidance), *r.Payload(), guidance)
}

// adopt has the desk end what the window still tells of since a process before this one.
func (s *Server) adopt(ids []string) {
	for _, id := range ids {
		r := s.record(id)
		s.registry.View(func() {
			if r == nil || r.State != protocol.ItemPending {
				s.desk.End(id)
				return
			}
			s.desk.Adopt(s.noticeOf(r), folders(r.Conversation.Folders))
		})
	}
}

// hubNotice has the desk know how it stands with a question of the hub's. It is called under the registry's lock.
func (s *Server) hubNotice(item protocol.InboxItem) {
	if item.State != protocol.ItemPending {
		s.desk.Over(item.QuestionID)
		return
	}
	guidance := item.Guidance != nil
	title := s.noticeTitle(item.Agent, guidance)
	// When it was asked is by another machine's clock, and its folders are that one's.
	s.desk.Asked(notice.Of(item.QuestionID, title, item.Payload, guidance), nil, time.Now())
}

func (s *Server) noticeTitle(agent string, guidance bool) string {
	speak := s.registry.Locale
	if s.guest == nil {
		speak = s.defaults.locale
	}
	if guidance {
		return speak.Text(locale.NoticeGuidance, agent)
	}
	return speak.Text(locale.NoticeQuestion, agent)
}

func folders(of []protocol.WorkspaceFolder) []string {
	uris := make([]string, len(of))
	for i, folder := range of {
		uris[i] = string(folder.URI)
	}
	return uris
}

func (s *Server) newDesk() *notice.Desk {
	tell := func() { rpc.NotifyLater(s.conn, protocol.NoticeDidChange, "", s.desk.Next) }
	return s.board.Open(s.account(), tell, s.tellOutside)
}

// tellOutside has a client notify the user on its desktop.
func (s *Server) tellOutside(n protocol.Notice, how notice.Settings) {
	rpc.Notify(s.conn, relay.Outside, relay.OutsideParams{Title: n.Title, Text: n.Text, Show: how.Desktop, Sound: how.Sound})
}

func (s *Server) noticeAttend(_ context.Context, p protocol.NoticeAttendParams) error {
	w := notice.Window{Tells: p.Tells, Focused: p.Focused, Visible: p.Visible, Questions: p.Questions}
	s.mu.Lock()
	w.Folders = folders(s.folders)
	s.mu.Unlock()
	s.desk.Attend(w)
	s.adopt(p.Telling)
	return nil
}

func (s *Server) noticeConfigure(_ context.Context, p protocol.NoticeConfigureParams) error {
	s.desk.Configure(notice.Settings(p))
	return nil
}

package server

import (
	"context"
	"time"

	"go.uber.org/zap"

	"followup/internal/conversation"
	"followup/internal/inbox"
	"followup/internal/locale"
	"followup/internal/notice"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// audience is the inbox, and who tells the user of what they do not see in it.
type audience struct {
	*inbox.Inbox
	desk     *notice.Desk
	registry *conversation.Registry
}

func (a audience) Changed(r *conversation.Record) {
	a.Inbox.Changed(r)
	if r.State == protocol.ItemPending {
		a.desk.Asked(a.notice(r), folders(r.Conversation.Folders), r.AskedAt)
		return
	}
	a.desk.Over(r.ID)
}

func (a audience) notice(r *conversation.Record) protocol.Notice {
	title := locale.NoticeQuestion
	if r.Guidance != nil {
		title = locale.NoticeGuidance
	}
	return notice.Of(r.ID, a.registry.Locale.Text(title, r.Conversation.Agent), *r.Payload(), r.Guidance != nil)
}

func folders(of []protocol.WorkspaceFolder) []string {
	uris := make([]string, len(of))
	for i, folder := range of {
		uris[i] = string(folder.URI)
	}
	return uris
}

func (s *Server) newDesk() *notice.Desk {
	return notice.New(notice.Options{
		Claim: s.keeper.Claim, Unclaim: s.keeper.Unclaim,
		Tell:    func() { rpc.NotifyLater(s.conn, protocol.NoticeDidChange, "", s.desk.Next) },
		Desktop: s.tellOutside,
		After: func(in time.Duration, run func()) func() {
			timer := s.background.After(in, "notice", run)
			return func() { timer.Stop() }
		},
		Go:    func(run func()) { s.background.Go("notice", run) },
		Now:   time.Now,
		Retry: s.keeper.Lease(),
	})
}

// tellOutside tells of a question by the desktop. That there is none is no error.
func (s *Server) tellOutside(n protocol.Notice, how notice.Settings) {
	if s.options.Desktop == nil {
		return
	}
	if how.Sound {
		s.background.Go("chime", func() {
			if err := s.options.Desktop.Chime(); err != nil {
				s.log.Debug("no sound could be played", zap.Error(err))
			}
		})
	}
	if how.Desktop {
		if err := s.options.Desktop.Notify(n.Title, n.Text); err != nil {
			s.log.Debug("the desktop could not tell of a question", zap.Error(err))
		}
	}
}

func (s *Server) noticeAttend(_ context.Context, p protocol.NoticeAttendParams) error {
	w := notice.Window{Tells: p.Tells, Focused: p.Focused, Visible: p.Visible}
	s.registry.View(func() { w.Folders = folders(s.registry.Folders) })
	s.desk.Attend(w)
	return nil
}

func (s *Server) noticeConfigure(_ context.Context, p protocol.NoticeConfigureParams) error {
	s.desk.Configure(notice.Settings(p))
	return nil
}

package server

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

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
	if s.shared {
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
	return notice.New(notice.Options{
		Claim: s.claim, Claimed: s.isClaimed, Unclaim: s.unclaim,
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

// claims are who of a process's connections has the right to tell of a question; a process may have several pages of one person's.
type claims struct {
	mu sync.Mutex
	by map[string]*Server
}

// claim gives this connection alone the right to tell its user of a question. At a hub, where a question may be for several people, it is
// one for each of them.
func (s *Server) claim(id string) bool {
	id = s.claimed(id)
	s.claims.mu.Lock()
	by := s.claims.by[id]
	if by == nil {
		s.claims.by[id] = s
	}
	s.claims.mu.Unlock()
	switch {
	case by == s:
		return true
	case by != nil:
		return false
	case s.keeper.Claim(id):
		return true
	}
	s.claims.forget(s, id)
	return false
}

// isClaimed tells whether another connection has the right to tell this one's user of a question.
func (s *Server) isClaimed(id string) bool {
	id = s.claimed(id)
	s.claims.mu.Lock()
	by := s.claims.by[id]
	s.claims.mu.Unlock()
	return by != nil && by != s || s.keeper.Claimed(id)
}

func (s *Server) unclaim(ids []string) {
	for i := range ids {
		ids[i] = s.claimed(ids[i])
		s.claims.forget(s, ids[i])
	}
	s.keeper.Unclaim(ids)
}

func (s *Server) claimed(id string) string {
	if s.guest == nil {
		return id
	}
	return id + "/" + s.guest.Hub.Account
}

func (c *claims) forget(s *Server, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by[id] == s {
		delete(c.by, id)
	}
}

// unclaimAll gives up what a connection that has ended had claimed.
func (s *Server) unclaimAll() {
	var ids []string
	s.claims.mu.Lock()
	for id, by := range s.claims.by {
		if by == s {
			ids = append(ids, id)
			delete(s.claims.by, id)
		}
	}
	s.claims.mu.Unlock()
	if (s.guest != nil || s.shared) && len(ids) > 0 { // otherwise all of the process ends
		s.keeper.Unclaim(ids)
	}
}

// tellOutside tells of a question by the desktop. That there is none is no error.
func (s *Server) tellOutside(n protocol.Notice, how notice.Settings) {
	if s.client.Relayed {
		rpc.Notify(s.conn, relay.Outside, relay.OutsideParams{Title: n.Title, Text: n.Text, Show: how.Desktop, Sound: how.Sound})
		return
	}
	desktop := s.client.Desktop
	if desktop == nil {
		return
	}
	if how.Sound {
		s.background.Go("chime", func() {
			if err := desktop.Chime(); err != nil {
				s.log.Debug("no sound could be played", zap.Error(err))
			}
		})
	}
	if how.Desktop {
		if err := desktop.Notify(n.Title, n.Text); err != nil {
			s.log.Debug("the desktop could not tell of a question", zap.Error(err))
		}
	}
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

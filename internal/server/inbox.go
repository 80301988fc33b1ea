package server

import (
	"context"
	"slices"

	"followup/internal/notice"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) inboxSubscribe(ctx context.Context, _ protocol.None) (rpc.Late[protocol.Inbox], error) {
	return func() protocol.Inbox {
		snapshot := s.inbox.Subscribe()
		s.registry.View(s.showAtHub)
		return snapshot
	}, s.ready(ctx)
}

func (s *Server) inboxDidShow(_ context.Context, p protocol.InboxDidShowParams) error {
	s.registry.View(func() {
		s.hides = !p.Shown
		s.showAtHub()
	})
	return nil
}

// showAtHub reports to the hub whether any window shows its questions.
func (s *Server) showAtHub() {
	if s.hub != nil {
		s.hub.show()
	}
}

// shows reports whether the user can see the inbox here. The caller holds the registry's lock.
func (s *Server) shows() bool { return s.inbox.Present() && !s.hides }

func (s *Server) inboxList(context.Context, protocol.None) (protocol.InboxListResult, error) {
	pending := func(item protocol.InboxItem) bool { return item.State == protocol.ItemPending }
	var open []protocol.InboxItem
	var here []bool
	s.registry.View(func() {
		open = s.inbox.Open()
		for _, item := range open {
			here = append(here, pending(item) && s.isHere(workspacesOf(item)))
		}
	})
	others := !slices.Contains(here, true)
	result := protocol.InboxListResult{Questions: []protocol.InboxEntry{}}
	for i, item := range open {
		entry := entryOf(item)
		entry.Answerable = here[i] || others && pending(item)
		result.Questions = append(result.Questions, entry)
	}
	return result, nil
}

func entryOf(item protocol.InboxItem) protocol.InboxEntry {
	return protocol.InboxEntry{QuestionID: item.QuestionID, Agent: item.Agent, Title: notice.Title(item)}
}

func (s *Server) inboxStatus(ctx context.Context, _ protocol.None) (result protocol.InboxStatusResult, err error) {
	if err := s.ready(ctx); err != nil {
		return result, err
	}
	result.Shown = s.shown()
	s.registry.View(func() { result.Storage = s.inboxes.Storage() })
	if s.guest == nil {
		result.NotOpened = s.notOpened.Load()
	}
	return result, nil
}

// shown reports whether any client shows the inbox, or somebody is notified without a client.
func (h *Host) shown() (shown bool) {
	h.registry.View(func() {
		for s := range h.clients {
			shown = shown || s.shows()
		}
	})
	return shown || h.push.Reaches()
}

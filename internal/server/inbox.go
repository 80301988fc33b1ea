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
		s.setView(func(v *view) { v.shows = true })
		return s.inbox.Subscribe()
	}, s.ready(ctx)
}

func (s *Server) inboxDidShow(_ context.Context, p protocol.InboxDidShowParams) error {
	s.setView(func(v *view) { v.hides = !p.Shown })
	return nil
}

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

// view is a connection's state of its inbox.
type view struct{ shows, hides bool }

// setView changes a connection's view. Its last messages may be handled after its end.
func (s *Server) setView(change func(*view)) {
	s.registry.View(func() {
		if v, here := s.views[s]; here {
			change(&v)
			if s.views[s] = v; s.hub != nil {
				s.hub.show()
			}
		}
	})
}

// shown reports whether any client shows the inbox, or somebody is notified without one.
func (h *Host) shown() (shown bool) {
	h.registry.View(func() {
		for _, v := range h.views {
			shown = shown || v.shows && !v.hides
		}
	})
	return shown || h.push.Reaches()
}

package server

import (
	"context"
	"slices"

	"followup/internal/archive"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// inbox is what the subscribed interface has to be told. Changes wait here until the line is free, joined by question, so
// that neither a slow interface nor a long question costs more than what is new.
type inbox struct {
	subscribed bool
	dirty      map[string]*record
	removed    []string
}

// snapshot is the open records, in the order of asking.
func (s *Server) snapshot() []*record {
	var open []*record
	for _, r := range s.records {
		if r.state != protocol.ItemClosed && r.state != protocol.ItemHeld {
			open = append(open, r)
		}
	}
	slices.SortFunc(open, func(a, b *record) int { return a.order - b.order })
	return open
}

func (s *Server) inboxSubscribe(context.Context, protocol.None) (protocol.Inbox, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inbox.subscribed = true
	clear(s.inbox.dirty)
	s.inbox.removed = nil
	snapshot := protocol.Inbox{Items: []protocol.InboxItem{}}
	for _, r := range s.snapshot() {
		if r.notShown != nil {
			r.notShown.Stop()
		}
		snapshot.Items = append(snapshot.Items, s.item(r))
	}
	if s.storage.wanted {
		now := s.storage.told
		snapshot.Storage, s.storage.changed = &now, false
	}
	return snapshot, nil
}

// inboxChanged tells the interface of a record's new state.
func (s *Server) inboxChanged(r *record) {
	r.sent.stale = true
	s.inboxGrew(r)
}

// inboxGrew tells the interface that more of a record has arrived.
func (s *Server) inboxGrew(r *record) {
	if !s.inbox.subscribed {
		return
	}
	s.inbox.dirty[r.id] = r
	s.tellInbox()
}

// inboxRemoved takes a call that never became whole away from the interface.
func (s *Server) inboxRemoved(r *record) {
	delete(s.inbox.dirty, r.id)
	if s.inbox.subscribed && r.sent.item {
		s.inbox.removed = append(s.inbox.removed, r.id)
		s.tellInbox()
	}
}

func (s *Server) tellInbox() {
	rpc.NotifyLater(s.conn, protocol.InboxDidChange, "", s.inboxChange)
}

// inboxChange is made by the connection's writer, when the line is free.
func (s *Server) inboxChange() (protocol.InboxChange, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change := protocol.InboxChange{Removed: s.inbox.removed}
	s.inbox.removed = nil
	var dirty []*record
	for _, r := range s.inbox.dirty {
		dirty = append(dirty, r)
	}
	clear(s.inbox.dirty)
	slices.SortFunc(dirty, func(a, b *record) int { return a.order - b.order })
	for _, r := range dirty {
		if r.sent.stale || !r.sent.item {
			change.Items = append(change.Items, s.item(r))
			continue
		}
		grown := protocol.InboxGrowth{
			QuestionID: r.id,
			Text:       r.partial.question.String()[r.sent.text:],
			Suggest:    suggestions(r.partial.suggest[r.sent.suggest:]),
			Parts:      r.partial.grown(r.sent.parts),
		}
		if grown.Text != "" || len(grown.Suggest)+len(grown.Parts) > 0 {
			r.sent = r.partial.sent()
			change.Grown = append(change.Grown, grown)
		}
	}
	if s.storage.changed {
		now := s.storage.told
		change.Storage, s.storage.changed = &now, false
	}
	return change, len(change.Removed)+len(change.Items)+len(change.Grown) > 0 || change.Storage != nil
}

// item is a record as the interface gets it. The interface knows all of it then.
func (s *Server) item(r *record) protocol.InboxItem {
	r.sent = r.partial.sent()
	item := protocol.InboxItem{
		QuestionID: r.id, Session: r.session.id, Agent: r.session.agent, Tool: r.tool, StreamID: r.streamID,
		State: r.state, Guidance: r.guidance, AskedAt: r.askedAt.UnixMilli(), Order: r.order, Outcome: r.outcome,
		Workspaces: r.session.folders, Orphaned: s.orphaned(r),
	}
	if r.outcome == nil && r.draft != nil && !archive.EmptyDraft(*r.draft) {
		item.Draft = r.draft
	}
	if whole := payload(r); whole != nil {
		item.Payload = *whole
		item.Rendered = r.render()
	} else {
		item.Payload = r.partial.payload(r.tool)
	}
	return item
}

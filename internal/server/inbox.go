package server

import (
	"context"
	"slices"
	"strings"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
)

// inbox is what the subscribed interface has to be told. Changes wait here until the line is free, joined by question, so
// that neither a slow interface nor a long question costs more than what is new.
type inbox struct {
	subscribed bool
	dirty      map[string]*record
	removed    []string
}

// sent is what the interface knows of a record.
type sent struct {
	item    bool // it has been told of it at all
	stale   bool // what it was told, except for growth, has changed
	text    int  // how many bytes of the partial question it has
	suggest int  // how many of the partial suggestions it has
}

// partial is what has been read so far of a call that is still arriving.
type partial struct {
	question strings.Builder
	suggest  []question.Suggestion
}

func (s *Server) inboxSubscribe(context.Context, protocol.None) (protocol.Inbox, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inbox.subscribed = true
	clear(s.inbox.dirty)
	s.inbox.removed = nil
	var open []*record
	for _, r := range s.records {
		if r.state != protocol.ItemClosed && r.state != protocol.ItemHeld {
			open = append(open, r)
			if r.notShown != nil {
				r.notShown.Stop()
			}
		}
	}
	slices.SortFunc(open, func(a, b *record) int { return a.order - b.order })
	snapshot := protocol.Inbox{Items: []protocol.InboxItem{}}
	for _, r := range open {
		snapshot.Items = append(snapshot.Items, r.item())
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
			change.Items = append(change.Items, r.item())
			continue
		}
		grown := protocol.InboxGrowth{
			QuestionID: r.id,
			Text:       r.partial.question.String()[r.sent.text:],
			Suggest:    suggestions(r.partial.suggest[r.sent.suggest:]),
		}
		if grown.Text != "" || len(grown.Suggest) > 0 {
			r.sent.text, r.sent.suggest = r.partial.question.Len(), len(r.partial.suggest)
			change.Grown = append(change.Grown, grown)
		}
	}
	return change, len(change.Removed)+len(change.Items)+len(change.Grown) > 0
}

// item is a record as the interface gets it. The interface knows all of it then.
func (r *record) item() protocol.InboxItem {
	r.sent = sent{item: true, text: r.partial.question.Len(), suggest: len(r.partial.suggest)}
	item := protocol.InboxItem{
		QuestionID: r.id, Session: r.session.id, Agent: r.session.agent, Tool: r.tool, StreamID: r.streamID,
		State: r.state, Guidance: r.guidance, AskedAt: r.askedAt.UnixMilli(), Order: r.order, Outcome: r.outcome,
	}
	if whole := payload(r); whole != nil {
		item.Payload = *whole
	} else {
		item.Payload.Followup = &protocol.Followup{Question: r.partial.question.String(), Suggest: suggestions(r.partial.suggest)}
	}
	return item
}

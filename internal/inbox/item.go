package inbox

import (
	"cmp"
	"slices"
	"time"

	"followup/internal/archive"
	"followup/internal/protocol"
)

// head returns a question's id, its state, and when it was asked by this machine's clock.
func (s source) head() (id string, state protocol.ItemState, asked time.Time) {
	if q := s.hub; q != nil {
		return q.item.QuestionID, q.item.State, q.arrived
	}
	return s.record.ID, s.record.State, s.record.AskedAt
}

// source finds a question by its id. If both have one, it returns the user's own.
func (b *Inbox) source(id string) (s source) {
	if s.record = b.registry.Record(id); s.record == nil {
		s.hub = b.hub.questions[id]
	}
	return s
}

// Item returns a question in memory. The caller holds the lock.
func (b *Inbox) Item(id string) (item protocol.InboxItem, found bool) {
	s := b.source(id)
	if s == (source{}) || !b.sees(s) {
		return item, false
	}
	return b.item(s), true
}

// Open returns the open questions, oldest first. The caller holds the lock.
func (b *Inbox) Open() (items []protocol.InboxItem) {
	for s, e := range b.entries {
		if e.state != protocol.ItemClosed && b.sees(s) {
			items = append(items, b.item(s))
		}
	}
	slices.SortFunc(items, func(x, y protocol.InboxItem) int {
		return cmp.Or(x.Order-y.Order, cmp.Compare(x.QuestionID, y.QuestionID))
	})
	return items
}

// EachOpen calls f with the state and the folders of each open question, in no order. It builds no items, so it is cheap enough for every
// change. A hub's questions have no folders here. The caller holds the lock.
func (b *Inbox) EachOpen(f func(state protocol.ItemState, folders []protocol.WorkspaceFolder)) {
	for s, e := range b.entries {
		if e.state == protocol.ItemClosed || !b.sees(s) {
			continue
		}
		_, state, _ := s.head()
		var folders []protocol.WorkspaceFolder
		if s.record != nil {
			folders = s.record.Conversation.Folders
		}
		f(state, folders)
	}
}

// item returns a question for the interface, with all data of its draft.
func (b *Inbox) item(s source) protocol.InboxItem {
	if s.hub != nil {
		item := s.hub.item
		if item.Draft != nil && archive.EmptyDraft(*item.Draft) {
			item.Draft = nil
		}
		return item
	}
	r, c := s.record, s.record.Conversation
	item := protocol.InboxItem{
		QuestionID: r.ID, Session: c.ID, Agent: c.Agent, Tool: r.Tool, StreamID: r.StreamID,
		State: r.State, Guidance: r.Guidance, AskedAt: r.AskedAt.UnixMilli(), Order: r.Order, Outcome: r.Outcome,
		Workspaces: c.Folders, Orphaned: b.registry.Orphaned(r), Envelope: r.Call.Envelope,
	}
	if r.Due() > 0 {
		item.Timer = &protocol.ItemTimer{Left: r.Left().Milliseconds()}
	}
	if b.ReadOnly != nil && r.Outcome == nil {
		item.ReadOnly = b.ReadOnly(r)
	}
	if r.Outcome == nil && r.Draft != nil && r.Draft.By == b.Account && !archive.EmptyDraft(*r.Draft) {
		item.Draft = r.Draft
	}
	if whole := r.Payload(); whole != nil {
		item.Payload = *whole
		item.Rendered, _ = r.Rendering.Made()
	} else {
		item.Payload = r.Partial.Payload(r.Tool)
	}
	item.Ask = item.Payload.Ask()
	return item
}

// sizeOf returns approximately how many bytes an item has.
func sizeOf(item protocol.InboxItem) int {
	size := 256 + 2*len(item.Context) + 2*len(item.PreviousPlan)
	for _, text := range item.Payload.Texts() {
		size += 2 * len(*text)
	}
	if item.Draft != nil {
		size += len(item.Draft.Text)
		for _, image := range item.Draft.Images {
			size += len(image.Data)
		}
	}
	return size
}

package inbox

import (
	"slices"
	"strings"

	"followup/internal/protocol"
)

// hub is what is open at a team's hub, as the sidecar has been told, and what of it the interface has to be told. The hub's questions are
// records there, and none here.
type hub struct {
	state   *protocol.HubState // nil before one was named
	changed bool               // the interface has not been told of the state
	items   map[string]protocol.InboxItem
	images  map[string]map[string]string // the data of drafts' images, which travels once, by question and hash
	queue   []string                     // ids of those that have to be told, and of some that have gone since
	queued  map[string]bool              // those of the queue that are to be told, and whether they belong to the snapshot
	over    []protocol.InboxItem         // those that have closed
	removed []string
	first   int  // how many of the queued belong to the snapshot
	begun   bool // the hub has told all that was open
}

// SetHub tells where the link to the hub stands. With HubOff nothing is open there. It is called under the lock.
func (b *Inbox) SetHub(now protocol.HubState) {
	if b.hub.state != nil && *b.hub.state == now {
		return
	}
	b.hub.state, b.hub.changed = &now, true
	if now.State == protocol.HubOff {
		for id := range b.hub.items {
			b.hubRemoved(id)
		}
		b.hub.begun = false
		b.hub.items, b.hub.images, b.hub.queue, b.hub.queued, b.hub.first = nil, nil, nil, nil, 0
	}
	b.tellHub()
}

// OfHub tells whether a question is the hub's. Ids at a hub are others' to choose: a question of one's own stays that. It is called under
// the lock.
func (b *Inbox) OfHub(id string) bool {
	_, known := b.hub.items[id]
	return known && !b.own(id)
}

func (b *Inbox) own(id string) bool { return b.registry.Record(id) != nil }

// hubRemoved has it told that a question is not at the hub any more, unless nobody was told of it, or it is one's own by now.
func (b *Inbox) hubRemoved(id string) {
	if b.subscribed && !b.own(id) {
		b.hub.removed = append(b.hub.removed, id)
	}
	b.watchHub(protocol.InboxItem{QuestionID: id, State: protocol.ItemClosed})
}

// FromHub takes what has changed at the hub. What still arrives there comes when it is whole. It is called under the lock.
func (b *Inbox) FromHub(change protocol.InboxChange) {
	h := &b.hub
	if h.items == nil {
		h.items, h.images = map[string]protocol.InboxItem{}, map[string]map[string]string{}
	}
	for _, id := range change.Removed {
		if _, known := h.items[id]; known {
			h.forget(id)
			b.hubRemoved(id)
		}
	}
	for _, item := range change.Items {
		id := item.QuestionID
		before, known := h.items[id]
		item.Hub = h.name()
		switch {
		case b.own(id):
		case item.State == protocol.ItemClosed && known:
			if h.forget(id); b.subscribed {
				h.over = append(h.over, item)
			}
			b.watchHub(item)
		case item.State == protocol.ItemClosed, item.State == protocol.ItemStreaming:
		default:
			if item.Draft != nil {
				item.Draft = h.whole(id, *item.Draft)
			}
			h.items[id] = item
			if _, queued := h.queued[id]; b.subscribed && !queued {
				h.enqueue(id, false)
			}
			if before.State != item.State {
				b.watchHub(item)
			}
		}
	}
	h.begun = h.begun || change.More == 0
	b.tellHub()
}

// watchHub has it known that the state of a question is new. Those of the hub's snapshot are old.
func (b *Inbox) watchHub(item protocol.InboxItem) {
	if b.WatchHub != nil && b.hub.begun {
		b.WatchHub(item)
	}
}

// HubDraft notes what the user has begun for the hub, which may be away. It is called under the lock.
func (b *Inbox) HubDraft(id string, draft protocol.Draft) {
	if b.OfHub(id) {
		item := b.hub.items[id]
		item.Draft = b.hub.whole(id, draft)
		b.hub.items[id] = item
	}
}

func (h *hub) name() string {
	if h.state == nil {
		return ""
	}
	if h.state.Name != "" {
		return h.state.Name
	}
	return h.state.URL
}

func (h *hub) forget(id string) {
	delete(h.items, id)
	delete(h.images, id)
	h.unqueue(id)
}

func (h *hub) enqueue(id string, snapshot bool) {
	if h.queued == nil {
		h.queued = map[string]bool{}
	}
	h.queue, h.queued[id] = append(h.queue, id), snapshot
}

// unqueue has an item not told any more, and tells whether it was to be. The queue is not searched for it.
func (h *hub) unqueue(id string) bool {
	snapshot, queued := h.queued[id]
	if delete(h.queued, id); snapshot {
		h.first--
	}
	return queued
}

// whole is a draft with the data of its images.
func (h *hub) whole(id string, draft protocol.Draft) *protocol.Draft {
	draft.Images = slices.Clone(draft.Images)
	data := map[string]string{}
	for i := range draft.Images {
		image := &draft.Images[i]
		if image.Data == "" {
			image.Data = h.images[id][image.Hash]
		}
		data[image.Hash] = image.Data
	}
	if len(data) > 0 {
		h.images[id] = data
	}
	return &draft
}

// begin has all that is open told anew, but for one's own.
func (h *hub) begin(own func(id string) bool) {
	h.queue, h.queued, h.over, h.removed, h.changed = nil, nil, nil, nil, false
	for id := range h.items {
		if !own(id) {
			h.enqueue(id, true)
		}
	}
	slices.SortFunc(h.queue, func(x, y string) int {
		if by := h.items[x].Order - h.items[y].Order; by != 0 {
			return by
		}
		return strings.Compare(x, y)
	})
	h.first = len(h.queue)
}

// page takes as much of what has to be told as one message tells, beside so many items.
func (h *hub) page(beside int) (items []protocol.InboxItem) {
	taken, size := 0, 0
	room := func() bool { return beside+len(items) < pageItems && size < pageBytes }
	for ; taken < len(h.queue) && room(); taken++ {
		if id := h.queue[taken]; h.unqueue(id) {
			size += sizeOf(h.items[id])
			items = append(items, h.items[id])
		}
	}
	if h.queue = h.queue[taken:]; len(h.queue) == 0 {
		h.queue = nil
	}
	for taken = 0; taken < len(h.over) && room(); taken++ {
		size += sizeOf(h.over[taken])
		items = append(items, h.over[taken])
	}
	if h.over = h.over[taken:]; len(h.over) == 0 {
		h.over = nil
	}
	return items
}

// tellHub has the interface told, if there is one. What is not told now is in its snapshot.
func (b *Inbox) tellHub() {
	if b.subscribed {
		b.tell()
	}
}

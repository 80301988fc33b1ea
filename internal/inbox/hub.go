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
	queue   []string                     // ids of those that have to be told, each once
	over    []protocol.InboxItem         // those that have closed
	removed []string
	first   int  // how many of the queue belong to the snapshot
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
			b.hub.removed = append(b.hub.removed, id)
			b.watchHub(protocol.InboxItem{QuestionID: id, State: protocol.ItemClosed})
		}
		b.hub.begun = false
		b.hub.items, b.hub.images, b.hub.queue, b.hub.first = nil, nil, nil, 0
	}
	b.tellHub()
}

// OfHub tells whether a question is the hub's. It is called under the lock.
func (b *Inbox) OfHub(id string) bool {
	_, known := b.hub.items[id]
	return known
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
			h.removed = append(h.removed, id)
			b.watchHub(protocol.InboxItem{QuestionID: id, State: protocol.ItemClosed})
		}
	}
	for _, item := range change.Items {
		id := item.QuestionID
		before, known := h.items[id]
		item.Hub = h.name()
		switch {
		case item.State == protocol.ItemClosed && known:
			h.forget(id)
			h.over = append(h.over, item)
			b.watchHub(item)
		case item.State == protocol.ItemClosed, item.State == protocol.ItemStreaming:
		default:
			if item.Draft != nil {
				item.Draft = h.whole(id, *item.Draft)
			}
			h.items[id] = item
			if !slices.Contains(h.queue, id) {
				h.queue = append(h.queue, id)
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

// HubDraft notes images that the user has added to a draft for the hub. It is called under the lock.
func (b *Inbox) HubDraft(id string, draft protocol.Draft) {
	if b.OfHub(id) {
		b.hub.whole(id, draft)
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
	if at := slices.Index(h.queue, id); at >= 0 {
		h.queue = slices.Delete(h.queue, at, at+1)
		if at < h.first {
			h.first--
		}
	}
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

// begin has all that is open told anew.
func (h *hub) begin() {
	h.queue, h.over, h.removed, h.changed = nil, nil, nil, false
	for id := range h.items {
		h.queue = append(h.queue, id)
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
	for ; taken < len(h.queue) && beside+taken < pageItems && size < pageBytes; taken++ {
		item := h.items[h.queue[taken]]
		size += sizeOf(item)
		items = append(items, item)
	}
	if h.queue = h.queue[taken:]; len(h.queue) == 0 {
		h.queue = nil
	}
	h.first = max(h.first-taken, 0)
	items = append(items, h.over...)
	h.over = nil
	return items
}

// tellHub has the interface told, if there is one. What is not told now is in its snapshot.
func (b *Inbox) tellHub() {
	if b.subscribed {
		b.tell()
	}
}

package inbox

import (
	"cmp"
	"maps"
	"slices"

	"followup/internal/protocol"
)

// hub is what is open at a team's hub, as the sidecar has been told. The hub's questions are records there, and none here.
type hub struct {
	state   *protocol.HubState // nil before one was named
	changed bool               // the interface has not been told of the state
	items   map[string]*told
	begun   bool // the hub has told all that was open
}

// SetHub tells where the link to the hub stands. With HubOff nothing is open there. It is called under the lock.
func (b *Inbox) SetHub(now protocol.HubState) {
	if b.hub.state != nil && *b.hub.state == now {
		return
	}
	b.hub.state, b.hub.changed = &now, true
	if now.State == protocol.HubOff {
		for id, known := range b.hub.items {
			b.hubRemoved(id, known)
		}
		b.hub.begun = false
	}
	if b.subscribed {
		b.tell()
	}
}

// OfHub reports whether a question is the hub's and has no id of one's own. It is called under the lock.
func (b *Inbox) OfHub(id string) bool { return b.hub.items[id] != nil && !b.own(id) }

func (b *Inbox) own(id string) bool { return b.registry.Record(id) != nil }

// hubRemoved forgets a question that is not at the hub any more.
func (b *Inbox) hubRemoved(id string, known *told) {
	delete(b.hub.items, id)
	known.queued = false
	if known.item && !b.own(id) {
		b.removed = append(b.removed, id)
	}
	b.watchHub(protocol.InboxItem{QuestionID: id, State: protocol.ItemClosed})
}

// FromHub takes what has changed at the hub. What still arrives there comes when it is whole. It is called under the lock.
func (b *Inbox) FromHub(change protocol.InboxChange) {
	for _, id := range change.Removed {
		if known := b.hub.items[id]; known != nil {
			b.hubRemoved(id, known)
		}
	}
	for _, item := range change.Items {
		known := b.hub.items[item.QuestionID]
		if item.State == protocol.ItemStreaming || item.State == protocol.ItemClosed && known == nil || b.own(item.QuestionID) {
			continue
		}
		if known == nil {
			known = &told{}
		}
		if state := b.hub.state; state != nil {
			item.Hub = cmp.Or(state.Name, state.URL)
		}
		before := known.hub.State
		known.replace(item)
		if b.hub.items[item.QuestionID] = known; item.State == protocol.ItemClosed {
			delete(b.hub.items, item.QuestionID)
		}
		if b.subscribed {
			b.enqueue(known)
		}
		if before != item.State {
			b.watchHub(item)
		}
	}
	b.hub.begun = b.hub.begun || change.More == 0
	if b.subscribed {
		b.tell()
	}
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
		item := b.hub.items[id].hub
		item.Draft = &draft
		b.hub.items[id].replace(item)
	}
}

// replace takes a newer version of a hub's question. The data of its draft's images travels once.
func (t *told) replace(item protocol.InboxItem) {
	if was := t.hub.Draft; item.Draft != nil && was != nil {
		draft := *item.Draft
		draft.Images = slices.Clone(draft.Images)
		for i := range draft.Images {
			image := &draft.Images[i]
			for _, has := range was.Images {
				if image.Data == "" && has.Hash == image.Hash {
					image.Data = has.Data
				}
			}
		}
		item.Draft = &draft
	}
	t.hub = item
}

// enqueueHub has all that is open told anew, but for one's own.
func (b *Inbox) enqueueHub() {
	for _, known := range slices.SortedFunc(maps.Values(b.hub.items), func(x, y *told) int {
		return cmp.Or(x.hub.Order-y.hub.Order, cmp.Compare(x.hub.QuestionID, y.hub.QuestionID))
	}) {
		if *known = (told{hub: known.hub}); !b.own(known.hub.QuestionID) {
			b.enqueue(known)
		}
	}
}

package inbox

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"time"

	"followup/internal/protocol"
)

// Hub is the open questions of a team's hub, kept once for all interfaces that show it. The zero value has no hub. The registry's
// lock guards it.
type Hub struct {
	state     *protocol.HubState
	questions map[string]*hubQuestion
	whole     bool     // the snapshot is complete, so further questions are new
	inboxes   []*Inbox // those that show the hub
}

type hubQuestion struct {
	item    protocol.InboxItem
	images  map[string]string // data of drafts' images, by hash; the hub sends it once
	arrived time.Time         // zero if it was in the snapshot
}

// NewHub returns a hub without questions.
func NewHub(now protocol.HubState) *Hub {
	return &Hub{state: &now, questions: map[string]*hubQuestion{}}
}

// State returns the state of the link.
func (h *Hub) State() protocol.HubState { return *h.state }

// SetState sends the state of the link to all interfaces.
func (h *Hub) SetState(now protocol.HubState) {
	if *h.state == now {
		return
	}
	h.state = &now
	for _, b := range h.inboxes {
		b.mark(&b.hubChanged)
	}
}

// Apply applies a snapshot or a change. A question that is still arriving at the hub is added when it is complete.
func (h *Hub) Apply(change protocol.InboxChange) {
	for _, id := range change.Removed {
		if q := h.questions[id]; q != nil {
			delete(h.questions, id)
			for _, b := range h.inboxes {
				b.remove(source{hub: q})
			}
		}
	}
	for _, item := range change.Items {
		q := h.questions[item.QuestionID]
		closed := item.State == protocol.ItemClosed
		reported := item.Outcome != nil && item.Outcome.Effective != "" // by the agent, after the question was closed
		if item.State == protocol.ItemStreaming || closed && q == nil && !reported {
			continue
		}
		if q == nil {
			if q = (&hubQuestion{images: map[string]string{}}); h.whole {
				q.arrived = time.Now() // AskedAt is from another machine's clock
			}
		}
		if h.questions[item.QuestionID] = q; closed {
			delete(h.questions, item.QuestionID)
		}
		item.Hub = cmp.Or(h.state.Name, h.state.URL)
		if item.Draft != nil {
			item.Draft, _ = q.fill(*item.Draft)
		}
		q.item = item
		for _, b := range h.inboxes {
			b.changed(source{hub: q}, true)
		}
	}
	h.whole = h.whole || change.More == 0
}

// fill returns a draft with the data of its images, and reports whether it has all of it.
func (q *hubQuestion) fill(draft protocol.Draft) (_ *protocol.Draft, whole bool) {
	draft.Images = slices.Clone(draft.Images)
	whole = true
	for i := range draft.Images {
		image := &draft.Images[i]
		if image.Data == "" {
			image.Data = q.images[image.Hash]
		} else {
			q.images[image.Hash] = image.Data
		}
		whole = whole && image.Data != ""
	}
	return &draft, whole
}

// SaveDraft sends a draft of one interface to the others. The hub, which may be unreachable, does not send it back.
func (h *Hub) SaveDraft(id string, begun protocol.Draft, from *Inbox) {
	q := h.questions[id]
	if q == nil {
		return
	}
	draft, whole := q.fill(begun)
	from.HasImages(id, draft.Images)
	if was := q.item.Draft; !whole || was != nil && (draft.ChangedAt < was.ChangedAt || reflect.DeepEqual(draft, was)) {
		return
	}
	q.item.Draft = draft
	for _, b := range h.inboxes {
		if b != from {
			b.changed(source{hub: q}, true)
		}
	}
}

// SetHub shows a hub instead of the previous one. The caller holds the lock.
func (b *Inbox) SetHub(h *Hub) {
	was := b.hub
	was.inboxes = slices.DeleteFunc(was.inboxes, func(other *Inbox) bool { return other == b })
	for _, q := range was.questions {
		b.remove(source{hub: q})
	}
	b.hub, h.inboxes = h, append(h.inboxes, b)
	if b.mark(&b.hubChanged); b.subscribed {
		b.enqueueHub()
	}
}

// HasHub reports whether a question belongs to the hub and not to the user's own inbox. The caller holds the lock.
func (b *Inbox) HasHub(id string) bool { return b.source(id).hub != nil }

// enqueueHub queues all questions of the hub.
func (b *Inbox) enqueueHub() {
	for _, q := range slices.SortedFunc(maps.Values(b.hub.questions), func(x, y *hubQuestion) int {
		return cmp.Or(x.item.Order-y.item.Order, cmp.Compare(x.item.QuestionID, y.item.QuestionID))
	}) {
		b.enqueue(source{hub: q}, true)
	}
}

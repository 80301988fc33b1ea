// Package inbox is the inbox as the interface has been told it: what it knows of each question, and what it is told next.
package inbox

import (
	"cmp"
	"slices"

	"followup/internal/archive"
	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/render"
)

// What one message tells at most, so that others come in between: of items, and about of their text and images in bytes.
const (
	pageItems = 100
	pageBytes = 1 << 20
)

// Inbox is what the subscribed interface knows, and the changes it has not been sent. They are joined by question until the line is
// free, so that a slow interface and a long question cost only what is new. The registry's lock guards it.
type Inbox struct {
	// Sees tells whether a record is for whom this inbox is; nil: all are.
	Sees func(*conversation.Record) bool
	// Account is whose drafts are told here, where several people share the process.
	Account string
	// Watch, if not nil, is called with each record that has a new state, and the state that the interface knew, or "".
	Watch func(r *conversation.Record, before protocol.ItemState)
	// WatchHub, if not nil, is called when a hub question becomes pending or disappears, after the hub's snapshot.
	WatchHub func(protocol.InboxItem)

	registry   *conversation.Registry
	tell       func()
	subscribed bool
	told       map[*conversation.Record]*told
	queue      []*told // has to be told, each once
	first      int     // how many of the queue belong to the snapshot
	removed    []string
	storage    *protocol.Storage // nil where nothing is to be kept
	changed    bool              // the interface has not been told of the storage
	hub        hub
}

// told is what the interface knows of a question.
type told struct {
	record *conversation.Record // nil for a question of the hub's
	hub    protocol.InboxItem   // that question
	item   bool                 // it has been told of it at all
	state  protocol.ItemState
	stale  bool // what it was told, except for growth, has changed
	queued bool
	part   conversation.Partial // what it has of a call that is arriving
	images map[string]bool      // the hashes of those of drafts that it has; nil for none
}

// New returns an inbox without subscriber. It calls tell under the lock, which must not block, when Next has something to return.
func New(registry *conversation.Registry, tell func()) *Inbox {
	return &Inbox{registry: registry, tell: tell, told: map[*conversation.Record]*told{}, hub: hub{items: map[string]*told{}}}
}

// Present tells whether an interface has subscribed.
func (b *Inbox) Present() bool { return b.subscribed }

// Storage tells how it stands with keeping things; nil where nothing is to be kept. It is called under the lock.
func (b *Inbox) Storage() *protocol.Storage { return b.storage }

// Subscribe begins anew with the oldest open questions; Next returns the others. It is called when the line is free.
func (b *Inbox) Subscribe() protocol.Inbox {
	snapshot := protocol.Inbox{Items: []protocol.InboxItem{}}
	b.render(func() []*conversation.Record { return b.registry.Shown() })
	b.registry.View(func() {
		b.subscribed = true
		clear(b.told)
		b.queue, b.removed, b.changed = nil, nil, false
		for _, r := range b.registry.Shown() {
			if !b.sees(r) {
				continue
			}
			r.Seen()
			known := b.of(r)
			known.stale, known.state = true, r.State
			b.enqueue(known)
		}
		b.enqueueHub()
		b.first = len(b.queue)
		snapshot.Items = append(snapshot.Items, b.page(nil)...)
		snapshot.More = b.first
		snapshot.Storage = b.Storage()
		snapshot.Hub, b.hub.changed = b.hub.state, false
	})
	return snapshot
}

func (b *Inbox) sees(r *conversation.Record) bool { return b.Sees == nil || b.Sees(r) }

// Changed has the interface told of a record's new state.
func (b *Inbox) Changed(r *conversation.Record) {
	if !b.subscribed || !b.sees(r) {
		return
	}
	known := b.of(r)
	before := known.state
	known.stale, known.state = true, r.State
	b.enqueue(known)
	b.tell()
	if b.Watch != nil {
		b.Watch(r, before)
	}
}

// Grew has the interface told that more of a record has arrived.
func (b *Inbox) Grew(r *conversation.Record) {
	if b.subscribed && b.sees(r) {
		b.enqueue(b.of(r))
		b.tell()
	}
}

// Removed takes a call that never became whole away from the interface.
func (b *Inbox) Removed(r *conversation.Record) {
	known := b.told[r]
	if known == nil {
		return
	}
	delete(b.told, r)
	if known.queued = false; known.item {
		b.removed = append(b.removed, r.ID)
		b.tell()
	}
}

// SetStorage tells how it stands with keeping things. It is called under the lock.
func (b *Inbox) SetStorage(now protocol.Storage) {
	if b.storage != nil && *b.storage == now {
		return
	}
	if b.storage = &now; b.subscribed {
		b.changed = true
		b.tell()
	}
}

// of returns what the interface knows of a record.
func (b *Inbox) of(r *conversation.Record) *told {
	if b.told[r] == nil {
		b.told[r] = &told{record: r}
	}
	return b.told[r]
}

func (b *Inbox) enqueue(known *told) {
	if !known.queued {
		known.queued = true
		b.queue = append(b.queue, known)
	}
}

// Next gives what has to be told now; false when there is nothing.
func (b *Inbox) Next() (protocol.InboxChange, bool) {
	var change protocol.InboxChange
	more := 0
	b.render(func() (all []*conversation.Record) {
		for _, known := range b.queue[:min(len(b.queue), pageItems)] {
			if known.record != nil {
				all = append(all, known.record)
			}
		}
		return all
	})
	b.registry.View(func() {
		more = b.first
		change.Removed, b.removed = b.removed, nil
		change.Items = b.page(&change.Grown)
		change.More = b.first
		if b.changed {
			change.Storage, b.changed = b.storage, false
		}
		if b.hub.changed {
			change.Hub, b.hub.changed = b.hub.state, false
		}
	})
	return change, more+len(change.Removed)+len(change.Items)+len(change.Grown) > 0 || change.Storage != nil || change.Hub != nil
}

// render reads the Markdown of the first of the records, as many as one message tells of, without the lock.
func (b *Inbox) render(records func() []*conversation.Record) {
	var make []func()
	b.registry.View(func() {
		for _, r := range records() {
			if len(make) == pageItems {
				break
			}
			if _, made := r.Rendering.Made(); made || !b.sees(r) {
				continue
			}
			if payload, context := r.Payload(), r.Call.Context; payload != nil {
				make = append(make, func() {
					r.Rendering.Make(func() *protocol.Rendered { return render.Item(payload, context) })
				})
			}
		}
	})
	for _, one := range make {
		one()
	}
}

// page takes what fits one message from the queue, in the order of asking, the hub's last. What may not be told yet comes later.
func (b *Inbox) page(grown *[]protocol.InboxGrowth) []protocol.InboxItem {
	var items []protocol.InboxItem
	taken, size := 0, 0
	for ; taken < len(b.queue) && taken < pageItems && size < pageBytes; taken++ {
		known := b.queue[taken]
		if !known.queued { // removed meanwhile
			continue
		}
		r := known.record
		if r == nil {
			known.queued, known.item = false, true
			size += sizeOf(known.hub)
			items = append(items, known.hub)
			continue
		}
		if _, made := r.Rendering.Made(); !made && r.Payload() != nil {
			break // for the next message, before which it is read
		}
		known.queued = false
		switch {
		case !r.Tellable():
			b.registry.Later(r)
		case known.stale || !known.item:
			item := b.item(r, known)
			size += sizeOf(item)
			items = append(items, item)
		default:
			growth, more := r.Partial.Since(known.part)
			known.part = r.Partial.Snapshot()
			if growth.QuestionID = r.ID; more && grown != nil {
				*grown = append(*grown, growth)
			}
		}
	}
	if b.queue = b.queue[taken:]; len(b.queue) == 0 {
		b.queue = nil // lets go of a long one's memory
	}
	if len(b.queue) > 0 {
		b.tell()
	}
	b.first = max(b.first-taken, 0)
	slices.SortStableFunc(items, func(x, y protocol.InboxItem) int { return cmp.Or(cmp.Compare(x.Hub, y.Hub), x.Order-y.Order) })
	return items
}

// sizeOf is about how long an item is.
func sizeOf(item protocol.InboxItem) int {
	size := 256 + 2*len(item.Context)
	if f := item.Payload.Followup; f != nil {
		size += 2 * len(f.Question)
	}
	if q := item.Payload.Questionnaire; q != nil {
		for _, asked := range q.Questions {
			size += 2 * len(asked.Question)
			for _, option := range asked.Options {
				size += 2 * (len(option.Label) + len(option.Description) + len(option.Preview))
			}
		}
	}
	if item.Draft != nil {
		size += len(item.Draft.Text)
		for _, image := range item.Draft.Images {
			size += len(image.Data)
		}
	}
	return size
}

// HasImages notes images of a draft that the interface has: it is not sent them again. It is called under the lock.
func (b *Inbox) HasImages(r *conversation.Record, images []protocol.DraftImage) {
	if known := b.told[r]; known != nil {
		known.draft(protocol.Draft{Images: images})
	}
}

// draft is a draft without the data of those images that the interface has, which has the others then.
func (t *told) draft(d protocol.Draft) *protocol.Draft {
	d.Images = slices.Clone(d.Images)
	if t.images == nil && len(d.Images) > 0 {
		t.images = map[string]bool{}
	}
	for i := range d.Images {
		image := &d.Images[i]
		if t.images[image.Hash] {
			image.Data = ""
		}
		t.images[image.Hash] = true
	}
	return &d
}

// item is a record as the interface gets it. The interface knows all of it then.
func (b *Inbox) item(r *conversation.Record, known *told) protocol.InboxItem {
	known.item, known.stale, known.part = true, false, r.Partial.Snapshot()
	c := r.Conversation
	item := protocol.InboxItem{
		QuestionID: r.ID, Session: c.ID, Agent: c.Agent, Tool: r.Tool, StreamID: r.StreamID,
		State: r.State, Guidance: r.Guidance, AskedAt: r.AskedAt.UnixMilli(), Order: r.Order, Outcome: r.Outcome,
		Workspaces: c.Folders, Orphaned: b.registry.Orphaned(r), Envelope: protocol.Envelope(r.Call.Envelope),
	}
	if r.Due() > 0 {
		item.Timer = &protocol.ItemTimer{Left: r.Left().Milliseconds()}
	}
	if r.Outcome == nil && r.Draft != nil && r.Draft.By == b.Account && !archive.EmptyDraft(*r.Draft) {
		item.Draft = known.draft(*r.Draft)
	}
	if whole := r.Payload(); whole != nil {
		item.Payload = *whole
		item.Rendered, _ = r.Rendering.Made()
	} else {
		item.Payload = r.Partial.Payload(r.Tool)
	}
	if item.Ask = protocol.AskFollowup; item.Payload.Questionnaire != nil {
		item.Ask = protocol.AskQuestions
	}
	if r.Outcome != nil { // it is not mentioned again
		delete(b.told, r)
	}
	return item
}

// Package inbox tracks what each interface has been sent of the inbox, and what it gets next.
package inbox

import (
	"cmp"
	"slices"
	"time"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/render"
)

// Bounds of one message, so that other messages get a turn: in items, and approximately in bytes of their text and images.
const (
	pageItems = 100
	pageBytes = 1 << 20
)

// Inbox tracks what one interface has been sent, and its next changes. Changes of a question are merged until the line is free, so
// that a slow interface and a long question cost only what is new. The registry's lock guards it.
type Inbox struct {
	// Sees reports whether a record is for this interface. If nil, all are.
	Sees func(*conversation.Record) bool
	// ReadOnly returns who may decide a record if this interface's user may not. If nil, they may decide all.
	ReadOnly func(*conversation.Record) *protocol.ReadOnly
	// Account is the account whose drafts are sent, at a hub.
	Account string
	// Watch, if not nil, is called with each open or changed question of a subscribed interface, and when the question began to wait
	// for the user.
	Watch func(item protocol.InboxItem, since time.Time)

	registry       *conversation.Registry
	wake           func()
	subscribed     bool
	entries        map[source]*entry
	queue          []*entry // changed questions, without duplicates
	first          int      // how many of the queue belong to the snapshot
	removed        []string
	audience       *Inboxes
	storageChanged bool
	hub            *Hub
	hubChanged     bool
}

// source is the origin of a question: a record, or a hub.
type source struct {
	record *conversation.Record
	hub    *hubQuestion
}

// entry is a question as the interface was sent it.
type entry struct {
	source
	sent   bool
	state  protocol.ItemState // the newest, sent or not
	since  time.Time          // when it got that state, from the user's point of view
	stale  bool               // the item has changed, not only grown
	queued bool
	part   conversation.Partial // of an arriving call
	images map[string]bool      // hashes of drafts' images; nil for none
}

// New returns an inbox without subscriber. It calls wake under the lock, which must not block, when Next has something to return.
func New(registry *conversation.Registry, audience *Inboxes, wake func()) *Inbox {
	return &Inbox{registry: registry, audience: audience, wake: wake, entries: map[source]*entry{}, hub: &Hub{}}
}

// Present reports whether an interface has subscribed.
func (b *Inbox) Present() bool { return b.subscribed }

// Subscribe starts again with the oldest open questions; Next returns the others. It is called when the line is free.
func (b *Inbox) Subscribe() protocol.Inbox {
	snapshot := protocol.Inbox{Items: []protocol.InboxItem{}}
	b.render(func() []*conversation.Record { return b.registry.Shown() })
	b.registry.View(func() {
		b.subscribed = true
		clear(b.entries)
		b.queue, b.removed, b.storageChanged, b.hubChanged = nil, nil, false, false
		for _, r := range b.registry.Shown() {
			if b.enqueue(source{record: r}, true) != nil {
				r.Seen()
			}
		}
		b.enqueueHub()
		b.first = len(b.queue)
		snapshot.Items = append(snapshot.Items, b.page(nil)...)
		snapshot.More, snapshot.Storage, snapshot.Hub = b.first, b.audience.storage, b.hub.state
	})
	return snapshot
}

// sees reports whether a question is for this interface. A hub chooses the ids of its questions, so they never hide one of the
// user's own.
func (b *Inbox) sees(s source) bool {
	if s.hub != nil {
		return b.registry.Record(s.hub.item.QuestionID) == nil
	}
	return b.Sees == nil || b.Sees(s.record)
}

// changed sends a question in its new state; if whole is false, only its new part.
func (b *Inbox) changed(s source, whole bool) {
	if b.subscribed && b.enqueue(s, whole) != nil {
		b.wake()
	}
}

// remove removes a question that is no longer open.
func (b *Inbox) remove(s source) {
	e := b.entries[s]
	if e == nil {
		return
	}
	delete(b.entries, s)
	if e.queued = false; !b.sees(s) {
		return
	}
	id, _, _ := s.head()
	if e.sent {
		b.removed = append(b.removed, id)
		b.wake()
	}
	if b.Watch != nil {
		b.Watch(protocol.InboxItem{QuestionID: id, State: protocol.ItemClosed}, time.Time{})
	}
}

// mark records a change of the storage or the hub.
func (b *Inbox) mark(changed *bool) {
	if b.subscribed {
		*changed = true
		b.wake()
	}
}

// enqueue queues a question, the whole of it or its new part. It returns nil if the question is not for this interface.
func (b *Inbox) enqueue(s source, whole bool) *entry {
	if !b.sees(s) {
		return nil
	}
	e := b.entries[s]
	if e == nil {
		e = &entry{source: s}
		b.entries[s] = e
	}
	if _, state, asked := s.head(); whole && e.state != state {
		if e.since = asked; e.state != "" { // not counting the time in the queue
			e.since = time.Now()
		}
		e.state = state
	}
	if e.stale = e.stale || whole; !e.queued {
		e.queued = true
		b.queue = append(b.queue, e)
	}
	if whole && b.Watch != nil {
		b.Watch(b.item(s), e.since)
	}
	return e
}

// Next returns the next change for the interface; false if there is nothing.
func (b *Inbox) Next() (protocol.InboxChange, bool) {
	var change protocol.InboxChange
	more := 0
	b.render(func() (all []*conversation.Record) {
		for _, e := range b.queue[:min(len(b.queue), pageItems)] {
			if e.record != nil {
				all = append(all, e.record)
			}
		}
		return all
	})
	b.registry.View(func() {
		more = b.first
		change.Removed, b.removed = b.removed, nil
		change.Items = b.page(&change.Grown)
		change.More = b.first
		if b.storageChanged {
			change.Storage, b.storageChanged = b.audience.storage, false
		}
		if b.hubChanged {
			change.Hub, b.hubChanged = b.hub.state, false
		}
	})
	return change, more+len(change.Removed)+len(change.Items)+len(change.Grown) > 0 || change.Storage != nil || change.Hub != nil
}

// render parses the Markdown of the first records, as many as fit one message, without the lock.
func (b *Inbox) render(records func() []*conversation.Record) {
	var make []func()
	b.registry.View(func() {
		for _, r := range records() {
			if len(make) == pageItems {
				break
			}
			if _, made := r.Rendering.Made(); made || !b.sees(source{record: r}) {
				continue
			}
			if payload, envelope := r.Payload(), r.Call.Envelope; payload != nil {
				make = append(make, func() {
					r.Rendering.Make(func() *protocol.Rendered { return render.Item(payload, envelope) })
				})
			}
		}
	})
	for _, one := range make {
		one()
	}
}

// page takes as many questions from the queue as fit one message, ordered by Order, with the hub's last. A record that
// is not durable yet follows later.
func (b *Inbox) page(grown *[]protocol.InboxGrowth) []protocol.InboxItem {
	var items []protocol.InboxItem
	taken, size := 0, 0
	for ; taken < len(b.queue) && taken < pageItems && size < pageBytes; taken++ {
		e := b.queue[taken]
		if !e.queued { // removed meanwhile
			continue
		}
		r := e.record
		if r != nil {
			if _, made := r.Rendering.Made(); !made && r.Payload() != nil {
				break // for the next message, after its Markdown is parsed
			}
		}
		e.queued = false
		switch {
		case r != nil && !r.Released():
			b.registry.Show(r)
		case e.stale || !e.sent:
			item := b.send(e)
			size += sizeOf(item)
			items = append(items, item)
		default:
			growth, more := r.Partial.Since(e.part)
			e.part = r.Partial.Snapshot()
			if growth.QuestionID = r.ID; more && grown != nil {
				*grown = append(*grown, growth)
			}
		}
	}
	if b.queue = b.queue[taken:]; len(b.queue) == 0 {
		b.queue = nil // frees the memory of a long one
	}
	if len(b.queue) > 0 {
		b.wake()
	}
	b.first = max(b.first-taken, 0)
	slices.SortStableFunc(items, func(x, y protocol.InboxItem) int { return cmp.Or(cmp.Compare(x.Hub, y.Hub), x.Order-y.Order) })
	return items
}

// send returns a question for the next message. A closed one is not sent again.
func (b *Inbox) send(e *entry) protocol.InboxItem {
	item := b.item(e.source)
	e.sent, e.stale = true, false
	if e.record != nil {
		e.part = e.record.Partial.Snapshot()
	}
	if item.Draft != nil {
		draft := *item.Draft
		draft.Images = e.strip(draft.Images)
		item.Draft = &draft
	}
	if item.State == protocol.ItemClosed {
		delete(b.entries, e.source)
	}
	return item
}

// HasImages records that the interface has images of a draft, so that they are not sent again. The caller holds the lock.
func (b *Inbox) HasImages(id string, images []protocol.DraftImage) {
	if e := b.entries[b.source(id)]; e != nil {
		e.strip(images)
	}
}

// strip returns a draft's images without the data of those that the interface has. It records that the interface has the others
// now.
func (e *entry) strip(images []protocol.DraftImage) []protocol.DraftImage {
	images = slices.Clone(images)
	if e.images == nil && len(images) > 0 {
		e.images = map[string]bool{}
	}
	for i := range images {
		image := &images[i]
		if e.images[image.Hash] {
			image.Data = ""
		}
		e.images[image.Hash] = true
	}
	return images
}

// Inboxes are the inboxes of all connections, as one audience. The registry's lock guards them.
type Inboxes struct {
	// Watch, if not nil, is called with each record in its new state. Reaches reports whether anyone is notified without an inbox.
	Watch   func(*conversation.Record)
	Reaches func() bool

	all     []*Inbox
	storage *protocol.Storage // nil without a store
}

// Add adds an inbox.
func (i *Inboxes) Add(b *Inbox) { i.all = append(i.all, b) }

// Remove removes an inbox.
func (i *Inboxes) Remove(b *Inbox) {
	i.all = slices.DeleteFunc(i.all, func(other *Inbox) bool { return other == b })
}

// Storage returns whether changes are saved; nil without a store.
func (i *Inboxes) Storage() *protocol.Storage { return i.storage }

// SetStorage sends all interfaces whether changes are saved.
func (i *Inboxes) SetStorage(now protocol.Storage) {
	if i.storage != nil && *i.storage == now {
		return
	}
	i.storage = &now
	for _, b := range i.all {
		b.mark(&b.storageChanged)
	}
}

// Present reports whether any interface has subscribed, or anyone is notified without one.
func (i *Inboxes) Present() bool {
	return slices.ContainsFunc(i.all, (*Inbox).Present) || i.Reaches != nil && i.Reaches()
}

// Changed sends all interfaces a record in its new state.
func (i *Inboxes) Changed(r *conversation.Record) { i.ChangedElsewhere(r, nil) }

// ChangedElsewhere is Changed for all but the interface that made the change.
func (i *Inboxes) ChangedElsewhere(r *conversation.Record, but *Inbox) {
	if i.Watch != nil {
		i.Watch(r)
	}
	for _, b := range i.all {
		if b != but {
			b.changed(source{record: r}, true)
		}
	}
}

// Grew sends all interfaces the new part of a record.
func (i *Inboxes) Grew(r *conversation.Record) {
	for _, b := range i.all {
		b.changed(source{record: r}, false)
	}
}

// Removed removes a call that was never completed from all interfaces.
func (i *Inboxes) Removed(r *conversation.Record) {
	for _, b := range i.all {
		b.remove(source{record: r})
	}
}

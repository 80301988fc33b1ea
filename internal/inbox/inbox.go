// Package inbox is the inbox as the interface has been told it: what it knows of each question, and what it is told next.
package inbox

import (
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

// Inbox is what the subscribed interface has been told, and has to be. What has changed waits here until the line is free,
// joined by question, so that neither a slow interface nor a long question costs more than what is new. It is guarded by the
// registry's lock; the registry calls it among its Inboxes.
type Inbox struct {
	// Sees tells whether a record is for whom this inbox is; nil: all are.
	Sees func(*conversation.Record) bool
	// Account is whose drafts are told here, where several people share the process.
	Account string
	// Watch is called with each record whose state is new, and the state that the interface was told of before, empty for none; nil:
	// nobody is.
	Watch func(r *conversation.Record, before protocol.ItemState)
	// WatchHub is called with each of the hub's questions that has become pending, or that has gone, since the hub told what was open; nil:
	// nobody is.
	WatchHub func(protocol.InboxItem)

	registry   *conversation.Registry
	tell       func()
	subscribed bool
	told       map[*conversation.Record]*told
	queue      []*conversation.Record // has to be told of, each once
	first      int                    // how many of the queue belong to the snapshot
	removed    []string
	storage    *protocol.Storage // nil where nothing is to be kept
	changed    bool              // the interface has not been told of the storage
	hub        hub
}

// told is what the interface knows of a record.
type told struct {
	item   bool // it has been told of it at all
	state  protocol.ItemState
	stale  bool // what it was told, except for growth, has changed
	queued bool
	extent conversation.Extent // how much of a call that is arriving it has
	images map[string]bool     // the hashes of those of drafts that it has; nil for none
}

// New makes an inbox that nobody has subscribed to. It calls tell when there is something to tell: Next is to be called when
// the line is free. Tell is called under the lock and must not block.
func New(registry *conversation.Registry, tell func()) *Inbox {
	return &Inbox{registry: registry, tell: tell, told: map[*conversation.Record]*told{}}
}

// Present tells whether an interface has subscribed.
func (b *Inbox) Present() bool { return b.subscribed }

// Storage tells how it stands with keeping things; nil where nothing is to be kept. It is called under the lock.
func (b *Inbox) Storage() *protocol.Storage {
	if b.storage == nil {
		return nil
	}
	now := *b.storage
	return &now
}

// Subscribe begins anew: it gives the oldest open questions, and Next gives the others. It is called when the line is free, so
// that nothing is told ahead of it.
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
			known := b.enqueue(r)
			known.stale, known.state = true, r.State
		}
		b.first = len(b.queue)
		b.hub.begin(b.own)
		snapshot.Items = append(snapshot.Items, b.page(nil)...)
		snapshot.Items = append(snapshot.Items, b.hub.page(len(snapshot.Items))...)
		snapshot.More = b.first + b.hub.first
		snapshot.Storage = b.Storage()
		snapshot.Hub = b.hub.state
		b.tellMore()
	})
	return snapshot
}

func (b *Inbox) sees(r *conversation.Record) bool { return b.Sees == nil || b.Sees(r) }

// Changed has the interface told of a record's new state.
func (b *Inbox) Changed(r *conversation.Record) {
	if !b.subscribed || !b.sees(r) {
		return
	}
	known := b.enqueue(r)
	before := known.state
	known.stale, known.state = true, r.State
	b.tell()
	if b.Watch != nil {
		b.Watch(r, before)
	}
}

// Grew has the interface told that more of a record has arrived.
func (b *Inbox) Grew(r *conversation.Record) {
	if b.subscribed && b.sees(r) {
		b.enqueue(r)
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
	if known.item {
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

func (b *Inbox) enqueue(r *conversation.Record) *told {
	known := b.told[r]
	if known == nil {
		known = &told{}
		b.told[r] = known
	}
	if !known.queued {
		known.queued = true
		b.queue = append(b.queue, r)
	}
	return known
}

// Next gives what has to be told now; false when there is nothing.
func (b *Inbox) Next() (protocol.InboxChange, bool) {
	var change protocol.InboxChange
	b.render(func() []*conversation.Record { return b.queue })
	b.registry.View(func() {
		change.Removed, b.removed = b.removed, nil
		change.Items = b.page(&change.Grown)
		change.Removed, b.hub.removed = append(change.Removed, b.hub.removed...), nil
		change.Items = append(change.Items, b.hub.page(len(change.Items))...)
		change.More = b.first + b.hub.first
		if b.changed {
			now := *b.storage
			change.Storage, b.changed = &now, false
		}
		if b.hub.changed {
			change.Hub, b.hub.changed = b.hub.state, false
		}
		b.tellMore()
	})
	return change, len(change.Removed)+len(change.Items)+len(change.Grown) > 0 || change.Storage != nil || change.Hub != nil
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

func (b *Inbox) tellMore() {
	if len(b.queue)+len(b.hub.queue)+len(b.hub.over) > 0 {
		b.tell()
	}
}

// page takes as many records from the queue as one message tells of, in the order of asking. Those that may not be told as
// they are now come again when they may.
func (b *Inbox) page(grown *[]protocol.InboxGrowth) []protocol.InboxItem {
	var items []protocol.InboxItem
	taken, size := 0, 0
	for ; taken < len(b.queue) && taken < pageItems && size < pageBytes; taken++ {
		r := b.queue[taken]
		known := b.told[r]
		if known == nil { // removed meanwhile
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
			growth, more := r.Partial.Since(known.extent)
			known.extent = r.Partial.Extent()
			if growth.QuestionID = r.ID; more && grown != nil {
				*grown = append(*grown, growth)
			}
		}
	}
	if b.queue = b.queue[taken:]; len(b.queue) == 0 {
		b.queue = nil // lets go of a long one's memory
	}
	b.first = max(b.first-taken, 0)
	slices.SortFunc(items, func(x, y protocol.InboxItem) int { return x.Order - y.Order })
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
	for i := range d.Images {
		image := &d.Images[i]
		switch {
		case t.images[image.Hash]:
			image.Data = ""
		case t.images == nil:
			t.images = map[string]bool{}
			fallthrough
		default:
			t.images[image.Hash] = true
		}
	}
	return &d
}

// item is a record as the interface gets it. The interface knows all of it then.
func (b *Inbox) item(r *conversation.Record, known *told) protocol.InboxItem {
	known.item, known.stale, known.extent = true, false, r.Partial.Extent()
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

// Package terminal is the inbox in a terminal: a screen that shows what is open and has it answered by keys, and the same by lines
// for terminals that cannot show one and for screen readers. It is a peer of a sidecar, and knows of no process. What agents wrote
// is never written to the terminal as it stands: it goes through archive.Plain.
package terminal

import (
	"context"
	"slices"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// inbox is what is open, as the sidecar has told it.
type inbox struct {
	items  map[string]*protocol.InboxItem
	images map[string]string // the data of drafts' images, which travels once, by hash
	saved  *protocol.Storage
}

func newInbox() *inbox {
	return &inbox{items: map[string]*protocol.InboxItem{}, images: map[string]string{}}
}

// begin takes a snapshot, in place of everything.
func (b *inbox) begin(snapshot protocol.Inbox) {
	clear(b.items)
	b.apply(protocol.InboxChange{Items: snapshot.Items, Storage: snapshot.Storage})
}

// apply takes a change, and gives what it has closed.
func (b *inbox) apply(change protocol.InboxChange) (closed []protocol.InboxItem) {
	for _, id := range change.Removed {
		if gone := b.items[id]; gone != nil {
			closed = append(closed, *gone)
			delete(b.items, id)
		}
	}
	for _, item := range change.Items {
		if item.State == protocol.ItemClosed {
			if b.items[item.QuestionID] != nil {
				closed = append(closed, item)
				delete(b.items, item.QuestionID)
			}
			continue
		}
		b.takeImages(&item)
		b.items[item.QuestionID] = &item
	}
	for _, growth := range change.Grown {
		if item := b.items[growth.QuestionID]; item != nil {
			grow(&item.Payload, growth)
		}
	}
	if change.Storage != nil {
		b.saved = change.Storage
	}
	return closed
}

// takeImages keeps the images of an item's draft, and gives it those that came before.
func (b *inbox) takeImages(item *protocol.InboxItem) {
	if item.Draft == nil {
		return
	}
	for i := range item.Draft.Images {
		image := &item.Draft.Images[i]
		if image.Data != "" {
			b.images[image.Hash] = image.Data
		}
		image.Data = b.images[image.Hash]
	}
}

// grow adds what has newly arrived of a question. What it is added to is made anew, since a card may show it.
func grow(p *protocol.Payload, growth protocol.InboxGrowth) {
	if p.Followup != nil {
		grown := *p.Followup
		grown.Question += growth.Text
		grown.Suggest = append(slices.Clip(grown.Suggest), growth.Suggest...)
		p.Followup = &grown
		return
	}
	if p.Questionnaire == nil {
		return
	}
	grown := protocol.Questionnaire{Questions: slices.Clone(p.Questions)}
	for _, part := range growth.Parts {
		for len(grown.Questions) <= part.Index {
			grown.Questions = append(grown.Questions, protocol.Question{})
		}
		q := &grown.Questions[part.Index]
		q.Question += part.Text
		if part.Header != "" {
			q.Header = part.Header
		}
		q.Options = append(slices.Clip(q.Options), part.Options...)
		q.MultiSelect = q.MultiSelect || part.MultiSelect
	}
	p.Questionnaire = &grown
}

// open are the questions in the order of their asking.
func (b *inbox) open() []*protocol.InboxItem {
	var all []*protocol.InboxItem
	for _, item := range b.items {
		all = append(all, item)
	}
	slices.SortFunc(all, func(x, y *protocol.InboxItem) int { return x.Order - y.Order })
	return all
}

// touch tells that the user is at a question, so that no choice is made for them.
func touch(sidecar *rpc.Conn, item *protocol.InboxItem) {
	if item.Timer == nil {
		return
	}
	params := protocol.QuestionParams{QuestionID: item.QuestionID}
	go func() { _, _ = rpc.Call(context.Background(), sidecar, protocol.QuestionTouch, params) }() // an answer tells it, too
}

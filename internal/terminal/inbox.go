// Package terminal shows the inbox in a terminal. One model, of the open questions and the card that is being answered, has two views: a
// screen with keys, and lines for terminals that cannot show one and for screen readers. It is a peer of a sidecar and touches no process.
// Everything that agents wrote goes through archive.Plain, so that it cannot control the terminal.
package terminal

import (
	"maps"
	"slices"

	"followup/internal/protocol"
)

// inbox has the open questions, as the sidecar has sent them.
type inbox struct {
	items  map[string]*protocol.InboxItem
	images map[string]string // the data of drafts' images, which travels once, by hash
	saved  *protocol.Storage
}

func newInbox() *inbox {
	return &inbox{items: map[string]*protocol.InboxItem{}, images: map[string]string{}}
}

// begin replaces everything by a snapshot.
func (b *inbox) begin(snapshot protocol.Inbox) {
	clear(b.items)
	b.apply(protocol.InboxChange{Items: snapshot.Items, Storage: snapshot.Storage})
}

// apply applies a change, and returns the questions that it closes.
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

// takeImages keeps the images of an item's draft, and adds the data of those that came before.
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

// grow adds the newest part of a streaming question. It copies what it changes, since a card may show it.
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

// open returns the questions in the order in which they were asked.
func (b *inbox) open() []*protocol.InboxItem {
	return slices.SortedFunc(maps.Values(b.items), func(x, y *protocol.InboxItem) int { return x.Order - y.Order })
}

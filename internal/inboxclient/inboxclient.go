// Package inboxclient is the client's side of the inbox: it subscribes, and mirrors the open questions from the changes that the
// sidecar sends.
package inboxclient

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Inbox mirrors the open questions.
type Inbox struct {
	// Items are the open questions, by id.
	Items map[string]*protocol.InboxItem
	// Storage is nil until the sidecar has sent it.
	Storage *protocol.Storage
	// Changes receives what changes after the snapshot. Apply applies it.
	Changes chan protocol.InboxChange

	images map[string]string // the data of drafts' images, which travels once, by hash
	ended  context.Context   // the subscription's; before that, one that has ended
}

// New returns an empty inbox that receives the router's changes.
func New(router *rpc.Router) *Inbox {
	ended, end := context.WithCancel(context.Background())
	end()
	b := &Inbox{
		Items: map[string]*protocol.InboxItem{}, Changes: make(chan protocol.InboxChange), images: map[string]string{}, ended: ended,
	}
	rpc.OnNotification(router, protocol.InboxDidChange, func(ctx context.Context, change protocol.InboxChange) error {
		select {
		case b.Changes <- change:
		case <-b.ended.Done():
		case <-ctx.Done():
		}
		return nil
	})
	return b
}

// Subscribe returns the snapshot as a change. Later ones are received until ctx ends, and then dropped.
func (b *Inbox) Subscribe(ctx context.Context, sidecar *rpc.Conn) (protocol.InboxChange, error) {
	b.ended = ctx
	snapshot, err := rpc.Call(ctx, sidecar, protocol.InboxSubscribe, protocol.None{})
	if err != nil {
		return protocol.InboxChange{}, cmp.Or(context.Cause(ctx), err)
	}
	return protocol.InboxChange{Items: snapshot.Items, More: snapshot.More, Storage: snapshot.Storage, Hub: snapshot.Hub}, nil
}

// Apply applies a change.
func (b *Inbox) Apply(change protocol.InboxChange) {
	for _, id := range change.Removed {
		delete(b.Items, id)
	}
	for _, item := range change.Items {
		if item.State == protocol.ItemClosed {
			delete(b.Items, item.QuestionID)
			continue
		}
		b.takeImages(item.Draft)
		b.Items[item.QuestionID] = &item
	}
	for _, growth := range change.Grown {
		if item := b.Items[growth.QuestionID]; item != nil {
			grow(&item.Payload, growth)
		}
	}
	if change.Storage != nil {
		b.Storage = change.Storage
	}
}

// takeImages keeps the images of a draft, and adds the data of those that came before.
func (b *Inbox) takeImages(draft *protocol.Draft) {
	if draft == nil {
		return
	}
	for i := range draft.Images {
		image := &draft.Images[i]
		if image.Data != "" {
			b.images[image.Hash] = image.Data
		}
		image.Data = b.images[image.Hash]
	}
}

// grow adds the newest part of a streaming question.
func grow(p *protocol.Payload, growth protocol.InboxGrowth) {
	switch {
	case p.Followup != nil:
		p.Question += growth.Text
		p.Suggest = append(p.Suggest, growth.Suggest...)
	case p.Questionnaire != nil:
		for _, part := range growth.Parts {
			for len(p.Questions) <= part.Index {
				p.Questions = append(p.Questions, protocol.Question{})
			}
			q := &p.Questions[part.Index]
			q.Question += part.Text
			q.Header = cmp.Or(part.Header, q.Header)
			q.Options = append(q.Options, part.Options...)
			q.MultiSelect = q.MultiSelect || part.MultiSelect
		}
	}
}

// Open returns the open questions in the order in which they were asked.
func (b *Inbox) Open() []*protocol.InboxItem {
	return slices.SortedFunc(maps.Values(b.Items), func(x, y *protocol.InboxItem) int { return cmp.Compare(x.Order, y.Order) })
}

package inbox

import (
	"slices"

	"followup/internal/conversation"
	"followup/internal/protocol"
)

// Inboxes are the inboxes of all connections, as one audience. The registry's lock guards them.
type Inboxes struct {
	// Watch, if not nil, is called with each record in its new state, and Reaches reports whether somebody without an inbox is notified.
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

// Present reports whether any interface has subscribed, or somebody is notified without one.
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
			b.Changed(r)
		}
	}
}

// Grew sends all interfaces the new part of a record.
func (i *Inboxes) Grew(r *conversation.Record) {
	for _, b := range i.all {
		b.Grew(r)
	}
}

// Removed removes a call that was never completed from all interfaces.
func (i *Inboxes) Removed(r *conversation.Record) {
	for _, b := range i.all {
		b.Removed(r)
	}
}

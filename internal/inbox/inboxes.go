package inbox

import (
	"slices"

	"followup/internal/conversation"
	"followup/internal/protocol"
)

// Inboxes are those of all connections, as one audience. Every method is called under the registry's lock.
type Inboxes struct {
	all     []*Inbox
	storage *protocol.Storage
}

// Add adds one, which knows how it stands with keeping things then.
func (i *Inboxes) Add(one *Inbox) {
	i.all = append(i.all, one)
	if i.storage != nil {
		one.SetStorage(*i.storage)
	}
}

// Remove takes one away.
func (i *Inboxes) Remove(one *Inbox) {
	i.all = slices.DeleteFunc(i.all, func(other *Inbox) bool { return other == one })
}

// SetStorage tells all how it stands with keeping things.
func (i *Inboxes) SetStorage(now protocol.Storage) {
	i.storage = &now
	for _, one := range i.all {
		one.SetStorage(now)
	}
}

// Present tells whether an interface has subscribed to any.
func (i *Inboxes) Present() bool { return slices.ContainsFunc(i.all, (*Inbox).Present) }

// Changed has all interfaces told of a record's new state.
func (i *Inboxes) Changed(r *conversation.Record) { i.ChangedElsewhere(r, nil) }

// ChangedElsewhere has all interfaces but one told of a record's new state, which that one has made.
func (i *Inboxes) ChangedElsewhere(r *conversation.Record, but *Inbox) {
	for _, one := range i.all {
		if one != but {
			one.Changed(r)
		}
	}
}

// Grew has all interfaces told that more of a record has arrived.
func (i *Inboxes) Grew(r *conversation.Record) {
	for _, one := range i.all {
		one.Grew(r)
	}
}

// Removed takes a call that never became whole away from all interfaces.
func (i *Inboxes) Removed(r *conversation.Record) {
	for _, one := range i.all {
		one.Removed(r)
	}
}

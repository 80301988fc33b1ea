// Package persistence writes the conversations to a store and reads back what has left memory. Changes that arrive while one transaction is
// written go into the next one. Nothing here waits for the disk while it holds the registry's lock.
package persistence

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

	"followup/internal/background"
	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/store"
)

// DefaultGrace is how long the questions of a bound session wait for their client after a restart.
const DefaultGrace = 10 * time.Second

// slowAfter is how long a change may wait for the disk before the work continues in memory.
const slowAfter = 2 * time.Second

// Options configure a Persister.
type Options struct {
	// Log must not be nil.
	Log        *zap.Logger
	Background *background.Group
	Open       Open
	// Grace is how long questions of a bound session wait for their client after the store was opened. Zero means DefaultGrace.
	Grace time.Duration
	// Report is called under the registry's lock whenever the state of the storage changes.
	Report func(protocol.Storage)
	// Address is where other processes on the same store find this one; see store.Options.
	Address string
	// Strict acknowledges nothing before it is durable, and leaves reconnecting to the store. Otherwise the work continues in memory.
	Strict bool
	// Now is the time of day. If nil, it is the system's.
	Now func() time.Time
	// Slow overrides slowAfter. Zero means 2 s.
	Slow time.Duration
	// Deliver calls the address of a closed question. It blocks until the receiver has accepted the outcome, delivery is given up,
	// or ctx ends, and reports whether it was accepted. If nil, nothing is delivered.
	Deliver func(ctx context.Context, to store.Callback, closed store.Question) (taken bool)
}

// Open opens the store in a folder.
type Open func(ctx context.Context, folder string, o store.Options) (store.Store, store.Report, error)

// Persister persists a registry after Start. Its lock guards the fields below registry.
type Persister struct {
	options  Options
	log      *zap.Logger
	registry *conversation.Registry

	folder    string
	store     store.Store        // nil before it is open, and while it cannot be opened
	keptBy    string             // the address of the process that has replaced this one
	lose      context.CancelFunc // causes the store to be reopened
	opening   chan struct{}      // closed when the store is open, or could not be opened in time; nil if it is not being opened
	health    health
	unsaved   map[*conversation.Conversation]map[*conversation.Record]bool
	writing   map[*conversation.Conversation]*entry // in the running transaction
	collected []string                              // questions whose collected answer was not saved yet
	oddRows   map[string]bool                       // questions with unreadable rows that were reported to the user

	retention store.Retention
	retainNow chan struct{}
	proof     proof         // only for retain
	wake      chan struct{} // there is something to write
	due       chan struct{} // there may be something to deliver

	begin  func()        // starts opening the store, once
	opened chan struct{} // the channel of the first opening
	stop   context.CancelFunc
	ended  chan struct{} // closed when nothing uses the store any more

	committing sync.Mutex // held by the running transaction
}

// New returns the persister of a registry.
func New(registry *conversation.Registry, o Options) *Persister {
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
	if o.Slow <= 0 {
		o.Slow = slowAfter
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	registry.Remember = true
	return &Persister{
		options: o, log: o.Log, registry: registry,
		unsaved: map[*conversation.Conversation]map[*conversation.Record]bool{},
		writing: map[*conversation.Conversation]*entry{}, oddRows: map[string]bool{},
		retainNow: make(chan struct{}, 1), wake: make(chan struct{}, 1), due: make(chan struct{}, 1),
	}
}

// Persist queues the changes of a section. While nothing can be written, it releases them at once.
func (p *Persister) Persist(s conversation.Section) {
	if p.folder == "" {
		for _, c := range s.Conversations {
			p.registry.Release(c, s.At)
		}
		return
	}
	for _, r := range s.Records {
		if r.Whole() && !r.Durable {
			p.unsavedOf(r.Conversation)[r] = true
		}
	}
	for _, c := range s.Conversations {
		p.unsavedOf(c)
		if p.health.failing && !p.options.Strict {
			p.registry.Release(c, s.At)
		}
	}
	for _, r := range s.Collected {
		if r.Durable {
			p.collected = append(p.collected, r.ID)
		}
	}
	if len(p.unsaved) > 0 {
		signal(p.wake)
	}
}

// unsavedOf returns the set of a conversation's unsaved records.
func (p *Persister) unsavedOf(c *conversation.Conversation) map[*conversation.Record]bool {
	if p.unsaved[c] == nil {
		p.unsaved[c] = map[*conversation.Record]bool{}
	}
	return p.unsaved[c]
}

// Has reports whether the store has a conversation as it is in memory.
func (p *Persister) Has(c *conversation.Conversation) bool {
	return p.store != nil && p.unsaved[c] == nil && p.writing[c] == nil
}

// KeptBy returns the address of the process that has replaced this one, or "" if none has or its address is unknown.
func (p *Persister) KeptBy() (address string) {
	p.registry.View(func() { address = p.keptBy })
	return address
}

// Opened reports whether the store is open.
func (p *Persister) Opened() (is bool) {
	p.registry.View(func() { is = p.store != nil })
	return is
}

// signal wakes the receiver of a channel with a buffer of one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Store returns the store, or nil, and the problem with saving in the user's language. It waits while a lost store is opened again.
func (p *Persister) Store(ctx context.Context) (now store.Store, problem string) {
	p.settle(ctx)
	p.registry.View(func() {
		switch now = p.store; {
		case p.folder == "":
			problem = p.registry.Locale.Text("No storage folder was given, so nothing is stored on disk.")
		case p.health.failing:
			problem = p.health.reported.Problem
		}
	})
	return now, problem
}

// Package persistence keeps the conversations: it writes down what they change, takes over what other processes write, holds
// this process's lease, and knows how it stands with the store. Nothing here waits for the disk under the registry's lock.
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

// DefaultLease is how long a process that has died is taken to live.
const DefaultLease = 10 * time.Second

// slowAfter is how long something may wait for the disk, or for another process, before everything goes on in memory.
const slowAfter = 2 * time.Second

// Options are what a keeper runs on.
type Options struct {
	// Log must not be nil.
	Log *zap.Logger
	// Background starts what runs beside.
	Background *background.Group
	// Open opens the store in a folder.
	Open Open
	// Lease is how long a process that has died is taken to live; 0: DefaultLease.
	Lease time.Duration
	// Tell is told how it stands with keeping things, under the lock, whenever that changes.
	Tell func(protocol.Storage)
	// Accounts, where it is not nil, is told of a store whose accounts are to be read: when it was opened, and whenever others have
	// written any.
	Accounts func(store.Store)
	// Strict has nothing told that is not kept, and waits for a store that is not there for as long as it takes: others on the same store
	// would take what they do not see. Otherwise everything goes on in memory then.
	Strict bool
	// Resumed says that the clients of a process that has ended connect to this one and ask again: its bound questions get one lease for
	// that, also if the process gave up its own.
	Resumed bool
	// Slow is how long to wait for the disk before everything goes on in memory; 0: 2 s.
	Slow time.Duration
}

// Open opens the store in a folder.
type Open func(ctx context.Context, folder string, o store.Options) (store.Store, store.Report, error)

// Keeper keeps what the conversations change. Until Start is called, and where it is not, nothing is kept: the registry
// remembers then. What stands below the registry is guarded by its lock.
type Keeper struct {
	options  Options
	log      *zap.Logger
	registry *conversation.Registry

	folder  string
	store   store.Store   // nil while there is none, or it cannot be opened
	opening chan struct{} // closed when a store that was lost has been opened again, or cannot be; nil while none is
	health  health
	rows    map[*conversation.Conversation]store.Session // as they were last written or read
	unsaved map[*conversation.Conversation]*unsaved
	writing map[*conversation.Conversation]*entry // what is being written at the moment
	passed  []string                              // questions whose agents have got their answers, which the store does not know
	telling []string                              // those of them that are being written at the moment
	claimed map[*conversation.Record]bool         // somebody here waits for them, and another process owns them
	again   map[string]bool                       // questions that have to be read again, since they were being written
	silent  map[string]time.Time                  // since when it is known of other processes that their leases have run out
	oddRows map[string]bool                       // questions whose rows could not be read, as the user was told
	awaited []string                              // what the others know that somebody here waits for; of work alone

	views   map[any]view // of the inbox here, by whose they are
	showing store.Store  // the store whose other processes know that one can be seen; of work alone

	retention *store.Retention // nil until the editor has said what is kept
	retainNow chan struct{}
	wake      chan struct{} // there is something to write
	attend    chan struct{} // there is something to look after: claims, opening again

	begin  func()        // starts opening the store, once
	opened chan struct{} // closed when that has come to an end, or takes too long
	ready  func()        // closes it
	stop   context.CancelFunc
	ended  chan struct{} // closed when nothing works on the store any more

	committing sync.Mutex // held by the one transaction that commit writes

	syncing  sync.Mutex
	revision store.Revision // guarded by syncing
}

// New makes the keeper of a registry.
func New(registry *conversation.Registry, o Options) *Keeper {
	if o.Lease <= 0 {
		o.Lease = DefaultLease
	}
	if o.Slow <= 0 {
		o.Slow = slowAfter
	}
	registry.Remember = true
	return &Keeper{
		options: o, log: o.Log, registry: registry,
		rows: map[*conversation.Conversation]store.Session{}, unsaved: map[*conversation.Conversation]*unsaved{},
		writing: map[*conversation.Conversation]*entry{},
		claimed: map[*conversation.Record]bool{}, again: map[string]bool{}, oddRows: map[string]bool{}, views: map[any]view{},
		retainNow: make(chan struct{}, 1), wake: make(chan struct{}, 1), attend: make(chan struct{}, 1),
	}
}

// unsaved is what of a conversation has changed since it was last written. What a failed write leaves goes with the next one.
type unsaved struct {
	records map[*conversation.Record]bool
}

// Keep takes what a section has changed. Where nothing is kept, or it cannot be at the moment, that may be told at once.
func (k *Keeper) Keep(s conversation.Section) {
	if k.folder == "" {
		for _, c := range s.Conversations {
			k.registry.Release(c, s.At)
		}
		return
	}
	for _, r := range s.Records {
		k.mark(r)
	}
	for _, c := range s.Conversations {
		if k.unsaved[c] == nil && k.rowChanged(c) {
			k.unsaved[c] = &unsaved{records: map[*conversation.Record]bool{}}
		}
		if k.health.failing && !k.options.Strict || k.unsaved[c] == nil && k.writing[c] == nil {
			k.registry.Release(c, s.At)
		}
	}
	for _, r := range s.Collected {
		if r.Stored.Ended {
			k.passed = append(k.passed, r.ID)
		}
	}
	for _, r := range s.Claimed {
		if r.Outcome == nil && k.registry.Foreign(r) {
			k.claimed[r] = true
			signal(k.attend)
		}
	}
	if len(k.unsaved) > 0 {
		signal(k.wake)
	}
}

// mark notes that a record is to be written, unless the store has its outcome.
func (k *Keeper) mark(r *conversation.Record) {
	if !r.Whole() || r.Stored.Ended {
		return
	}
	of := k.unsaved[r.Conversation]
	if of == nil {
		of = &unsaved{records: map[*conversation.Record]bool{}}
		k.unsaved[r.Conversation] = of
	}
	of.records[r] = true
}

// busy tells whether a record is to be written, or is being written: the store's is older then.
func (k *Keeper) busy(r *conversation.Record) bool {
	of, now := k.unsaved[r.Conversation], k.writing[r.Conversation]
	return of != nil && of.records[r] || now != nil && now.holds(r)
}

// Has tells whether the store has a conversation as it is.
func (k *Keeper) Has(c *conversation.Conversation) bool {
	return k.store != nil && k.unsaved[c] == nil && k.writing[c] == nil && !k.rowChanged(c)
}

// Forget lets go of a conversation.
func (k *Keeper) Forget(c *conversation.Conversation) { delete(k.rows, c) }

// signal leaves word for whoever waits for it, if there is none yet.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// current gives the store; nil while there is none.
func (k *Keeper) current() (now store.Store) {
	k.registry.View(func() { now = k.store })
	return now
}

// Store gives the store, or nil, and what is wrong with keeping things, in the user's words. While one that was lost is opened
// again, it waits for that.
func (k *Keeper) Store(ctx context.Context) (now store.Store, problem string) {
	k.settle(ctx)
	k.registry.View(func() {
		switch now = k.store; {
		case k.folder == "":
			problem = k.registry.Locale.Text(absent)
		case k.health.failing:
			problem = k.health.told.Problem
		}
	})
	return now, problem
}

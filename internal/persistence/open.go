package persistence

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// OpenAfter is when the store is opened if nothing comes after the handshake. The handshake's answer is out then; the two do
// not get in each other's way.
const OpenAfter = 20 * time.Millisecond

// closeGrace bounds how long the end waits for the disk.
const closeGrace = 1500 * time.Millisecond

// Start schedules the opening of the store in a folder. All turns wait until it is open, or takes too long. Start is called
// once, under the lock.
func (k *Keeper) Start(folder string) {
	ctx, stop := context.WithCancel(context.Background())
	k.folder, k.registry.Remember, k.registry.Owner = folder, false, uuid.NewString()
	k.opened, k.ended, k.stop = make(chan struct{}), make(chan struct{}), stop
	k.ready = sync.OnceFunc(func() { close(k.opened) })
	k.tell(protocol.Storage{Saved: true})
	k.begin = sync.OnceFunc(func() {
		slow := k.options.Background.After(k.options.Slow, "slow opening", func() {
			select {
			case <-k.opened:
			default:
				k.slow()
				k.ready()
			}
		})
		k.options.Background.Go("committer", func() { k.commitLoop(ctx) })
		k.options.Background.Go("storage", func() {
			defer close(k.ended)
			k.options.Background.Do("opening", func() { k.open(ctx) })
			slow.Stop()
			k.ready()
			k.work(ctx)
		})
	})
	k.registry.HoldTurns(k.opened)
	k.options.Background.After(OpenAfter, "opening", k.begin)
}

// Ready starts the opening of the store, if there is one, and gives what is closed when it has come to an end; nil where there is
// nothing to wait for.
func (k *Keeper) Ready() <-chan struct{} {
	var begin func()
	k.registry.View(func() { begin = k.begin })
	if begin == nil {
		return nil
	}
	begin()
	return k.opened
}

// work is what is done beside keeping: it holds the lease, notices what other processes write, tries again what could not be
// opened. It ends with ctx.
func (k *Keeper) work(ctx context.Context) {
	beat := time.NewTicker(k.options.Lease / 3)
	defer beat.Stop()
	var watched store.Store
	leave := func() {}
	defer func() { leave() }()
	for {
		now := k.current()
		if now != watched {
			leave()
			watched, k.awaited = now, nil
			leave = k.workOn(ctx, now)
		}
		onBeat := false
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			onBeat = true
		case <-k.attend:
		}
		reopen := false
		k.registry.View(func() { reopen = k.health.reopen && (now != nil || onBeat) })
		if reopen { // nothing works on what is closed
			leave()
			watched, leave = nil, func() {}
			k.options.Background.Do("opening", func() { k.open(ctx) })
			continue
		}
		k.options.Background.Do("storage", func() { k.lookAfter(ctx, now, onBeat) })
	}
}

// lookAfter is what is done with the store now and then.
func (k *Keeper) lookAfter(ctx context.Context, now store.Store, onBeat bool) {
	if now == nil {
		return
	}
	if onBeat {
		k.beat(ctx, now)
	} else {
		k.sync(ctx, now)
	}
	k.show(ctx, now)
	k.claim(ctx, now)
	k.await(ctx, now, onBeat)
	if onBeat {
		k.abandon(ctx, now)
	}
}

// workOn starts what runs as long as a store is open, and gives what ends it.
func (k *Keeper) workOn(ctx context.Context, in store.Store) (leave func()) {
	if in == nil {
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	for name, run := range map[string]func(){
		"watch": func() {
			err := in.Watch(ctx, watchInterval, func() { k.options.Background.Do("sync", func() { k.sync(ctx, in) }) })
			if err != nil && ctx.Err() == nil {
				k.log.Warn("other processes are only noticed when the lease is renewed", zap.Error(err))
				k.report(in, err)
			}
		},
		"maintenance": func() { in.Maintain(ctx) },
		"retention":   func() { k.retain(ctx, in) },
	} {
		beside.Add(1)
		k.options.Background.Go(name, func() {
			defer beside.Done()
			run()
		})
	}
	return func() {
		stop()
		beside.Wait()
	}
}

// settle waits while a store that was lost is opened again, but not for long.
func (k *Keeper) settle(ctx context.Context) {
	var opening chan struct{}
	k.registry.View(func() { opening = k.opening })
	if opening == nil {
		return
	}
	signal(k.attend)
	select {
	case <-opening:
	case <-ctx.Done():
	case <-time.After(k.options.Slow):
	}
}

// settled ends the waiting for a store that was lost.
func (k *Keeper) settled() {
	k.registry.View(func() {
		if k.opening != nil {
			close(k.opening)
			k.opening = nil
		}
	})
}

// open opens the store and takes up what is in it. One that turned out to be damaged or gone is closed first. Where it cannot be
// opened, everything goes on in memory.
func (k *Keeper) open(ctx context.Context) {
	defer k.settled()
	var former store.Store
	k.registry.View(func() { former, k.store = k.store, nil })
	if former != nil {
		if err := former.Close(); err != nil {
			k.log.Warn("could not close the store that was lost", zap.Error(err))
		}
	}
	opened, report, err := k.options.Open(ctx, k.folder, store.Options{
		Owner: k.registry.Owner, Log: k.log, Lease: k.options.Lease,
	})
	if err == nil {
		if former != nil || report.SetAside != "" {
			k.nothingIsKept()
		}
		if err = k.load(ctx, opened); err != nil {
			err = errors.Join(err, opened.Close())
		}
	}
	var owners map[string]lease
	if err == nil {
		owners = k.owners(ctx, opened)
	}
	k.registry.Enter()
	defer k.registry.Leave()
	if err != nil {
		if ctx.Err() == nil {
			k.problem(nil, err)
		}
		return
	}
	k.store, k.health.reopen = opened, false
	k.log.Info("the store is open")
	if report.SetAside != "" {
		k.health.notice = k.registry.Locale.Text(locale.StorageSetAside, report.SetAside)
	}
	k.everything()
	k.takeOwners(owners)
	if !k.health.failing {
		k.works(opened)
	}
}

// nothingIsKept notes that the store is another one: what is in memory is all there is.
func (k *Keeper) nothingIsKept() {
	k.registry.Enter()
	defer k.registry.Leave()
	k.registry.Records(func(r *conversation.Record) {
		r.Stored = conversation.Stored{Undrafted: r.Draft != nil, GuidedBy: r.Stored.GuidedBy}
	})
	clear(k.rows)
}

// everything has written what the store does not have; that it works is told then.
func (k *Keeper) everything() {
	k.registry.Conversations(func(c *conversation.Conversation) {
		if c.Open {
			k.registry.TouchConversation(c)
		}
	})
	k.registry.Records(func(r *conversation.Record) {
		if !r.Stored.Asked || r.Stored.Undrafted || r.Outcome != nil && !r.Stored.Ended {
			k.registry.Touch(r)
		}
	})
	signal(k.wake)
}

// Close writes what could wait, and closes the store: its questions are nobody's then, and other processes take them. It does
// not wait for long.
func (k *Keeper) Close() {
	var begin func()
	k.registry.View(func() { begin = k.begin })
	if begin == nil {
		return
	}
	closed := make(chan struct{})
	k.options.Background.Go("closing", func() {
		defer close(closed)
		k.stop()
		begin()
		<-k.ended
		k.commit()
		var last store.Store
		k.registry.View(func() { last, k.store = k.store, nil })
		if last == nil {
			return
		}
		if err := last.Close(); err != nil {
			k.log.Error("could not close the store", zap.Error(err))
		}
	})
	select {
	case <-closed:
	case <-time.After(closeGrace):
		k.log.Warn("the end does not wait for the disk any longer")
	}
}

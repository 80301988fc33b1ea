package persistence

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.uber.org/zap"

	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// OpenAfter is when the store is opened if no message follows the handshake, so that the response to the handshake does not wait
// for it.
const OpenAfter = 20 * time.Millisecond

// closeGrace bounds how long Close waits for the disk.
const closeGrace = 1500 * time.Millisecond

// tick is how often the persister retries failed work and checks the store.
const tick = time.Second

// Start schedules the opening of the store in a folder. Turns wait for it for a limited time. It is called once, under the lock.
func (p *Persister) Start(folder string) {
	ctx, stop := context.WithCancel(context.Background())
	p.folder, p.registry.Remember = folder, false
	p.ended, p.stop = make(chan struct{}), stop
	p.report(protocol.Storage{Saved: true})
	p.begin = sync.OnceFunc(func() {
		p.options.Background.Go("committer", func() { p.commitLoop(ctx) })
		p.options.Background.Go("storage", func() {
			defer close(p.ended)
			p.run(ctx)
		})
	})
	p.hold()
	p.opened = p.opening
	p.registry.HoldTurns(p.opened)
	p.options.Background.After(OpenAfter, "opening", p.begin)
}

// hold makes look-ups wait until the store is open, for a limited time. It is called under the lock.
func (p *Persister) hold() {
	if p.opening != nil {
		return
	}
	opening := make(chan struct{})
	p.opening = opening
	p.options.Background.After(p.options.Slow, "slow opening", func() {
		p.registry.Enter()
		defer p.registry.Leave()
		if p.opening != opening {
			return
		}
		if !p.health.failing {
			p.fail(protocol.Storage{Problem: p.registry.Locale.Text(storageSlow)}, errSlow)
		}
		p.settled()
	})
}

// settled ends the wait for the store. It is called under the lock.
func (p *Persister) settled() {
	if p.opening != nil {
		close(p.opening)
		p.opening = nil
	}
}

// Ready starts opening the store, if there is one. It returns a channel that closes when the store is open, cannot be opened, or
// takes too long. Nil means no waiting.
func (p *Persister) Ready() <-chan struct{} {
	var begin func()
	p.registry.View(func() { begin = p.begin })
	if begin == nil {
		return nil
	}
	begin()
	return p.opened
}

// settle waits for a limited time while the store is being opened.
func (p *Persister) settle(ctx context.Context) {
	var opening chan struct{}
	p.registry.View(func() { opening = p.opening })
	if opening != nil {
		select {
		case <-opening:
		case <-ctx.Done():
		}
	}
}

// run opens the store, and reopens it whenever it is lost, until ctx ends.
func (p *Persister) run(ctx context.Context) {
	every := time.NewTicker(tick)
	defer every.Stop()
	for {
		working, lose := context.WithCancel(ctx)
		p.options.Background.Do("opening", func() { p.open(ctx, lose) })
		var in store.Store
		again := every.C
		p.registry.View(func() {
			if in = p.store; !p.health.reopen {
				again = nil // a newer version's store is left alone
			}
		})
		if in != nil {
			p.options.Background.Do("storage", func() { p.lookAfter(working, in, every.C) })
		}
		if lose(); in != nil && ctx.Err() == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-again:
		}
	}
}

// lookAfter does the background work of a store until ctx ends. Its pings detect a lost store while nothing is written.
func (p *Persister) lookAfter(ctx context.Context, in store.Store, every <-chan time.Time) {
	working, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	defer beside.Wait() // before the store is closed
	defer stop()
	beside.Go(func() { p.options.Background.Do("maintenance", func() { in.Maintain(working) }) })
	beside.Go(func() { p.options.Background.Do("callbacks", func() { p.deliver(working, in) }) })
	beside.Go(func() { p.options.Background.Do("retention", func() { p.retain(working, in) }) })
	for {
		select {
		case <-ctx.Done():
			return
		case <-every:
			ping, cancel := context.WithTimeout(ctx, p.options.Slow)
			p.Lost(ping, in, in.Ping(ping))
			cancel()
		}
	}
}

const storageSetAside locale.Key = "Followup could not use its store: it was damaged, or an earlier build made it. The file was kept as " +
	"{0}, and a new store was started."

// open closes a lost store, reopens it and loads it. It may be another store or an older copy, so everything in memory is written.
// lose is called when it is lost again.
func (p *Persister) open(ctx context.Context, lose context.CancelFunc) {
	defer p.registry.View(p.settled)
	var former store.Store
	check := false
	p.registry.View(func() { former, check, p.store = p.store, p.health.damaged, nil })
	if former != nil {
		if err := former.Close(); err != nil {
			p.log.Warn("could not close the lost store", zap.Error(err))
		}
	}
	var loaded map[*conversation.Record]bool
	opened, report, err := p.options.Open(ctx, p.folder, store.Options{Log: p.log, Exclusive: true, Check: check, Address: p.options.Address})
	if err == nil {
		if loaded, err = p.load(ctx, opened); err != nil {
			err = errors.Join(err, opened.Close())
		}
	}
	other := &store.HeldError{}
	errors.As(err, &other)
	p.registry.Enter()
	defer p.registry.Leave()
	p.keptBy = other.Address
	p.health.cannot = err
	if err != nil {
		if ctx.Err() == nil {
			p.problem(nil, err)
		}
		return
	}
	p.store, p.lose, p.health.reopen, p.health.damaged = opened, lose, false, false
	p.log.Info("the store is open")
	if report.SetAside != "" {
		p.health.notice = p.registry.Locale.Text(storageSetAside, report.SetAside)
	}
	p.writeAllBut(loaded)
	if !p.health.failing {
		p.works(opened)
	}
	p.options.Background.After(p.options.Grace, "bound questions", func() {
		p.registry.Enter()
		defer p.registry.Leave()
		p.registry.EndBound()
	})
}

// writeAllBut marks all open questions, and those whose outcome is not durable, as unsaved, except those just loaded.
func (p *Persister) writeAllBut(loaded map[*conversation.Record]bool) {
	for c := range p.registry.Conversations() {
		if c.Open {
			p.unsavedOf(c)
		}
	}
	for r := range p.registry.Records() {
		if r.Whole() && !r.Durable && !loaded[r] {
			p.unsavedOf(r.Conversation)[r] = true
		}
	}
	signal(p.wake)
}

// Close writes pending changes and closes the store, within a limited time.
func (p *Persister) Close() {
	var begin func()
	p.registry.View(func() { begin = p.begin })
	if begin == nil {
		return
	}
	closed := make(chan struct{})
	p.options.Background.Go("closing", func() {
		defer close(closed)
		p.stop()
		begin()
		<-p.ended
		p.commit()
		var last store.Store
		p.registry.View(func() { last, p.store = p.store, nil })
		if last == nil {
			return
		}
		if err := last.Close(); err != nil {
			p.log.Error("could not close the store", zap.Error(err))
		}
	})
	select {
	case <-closed:
	case <-time.After(closeGrace):
		p.log.Warn("ending without waiting for the disk")
	}
}

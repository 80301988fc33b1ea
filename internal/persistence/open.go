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

// OpenAfter is when the store is opened if no message follows the handshake, so that the handshake's answer does not wait for it.
const OpenAfter = 20 * time.Millisecond

// closeGrace bounds how long Close waits for the disk.
const closeGrace = 1500 * time.Millisecond

// tick is how often the persister retries what failed, and looks whether the store is still there.
const tick = time.Second

// Start schedules the opening of the store in a folder. All turns wait until it is open, or takes too long. Start is called once, under the
// lock.
func (p *Persister) Start(folder string) {
	ctx, stop := context.WithCancel(context.Background())
	p.folder, p.registry.Remember = folder, false
	p.opened, p.ended, p.stop = make(chan struct{}), make(chan struct{}), stop
	p.ready = sync.OnceFunc(func() { close(p.opened) })
	p.report(protocol.Storage{Saved: true})
	p.begin = sync.OnceFunc(func() {
		slow := p.options.Background.After(p.options.Slow, "slow opening", func() {
			select {
			case <-p.opened:
			default:
				p.slow()
				p.ready()
			}
		})
		p.options.Background.Go("committer", func() { p.commitLoop(ctx) })
		p.options.Background.Go("storage", func() {
			defer close(p.ended)
			p.options.Background.Do("opening", func() { p.open(ctx) })
			slow.Stop()
			p.ready()
			p.work(ctx)
		})
	})
	p.registry.HoldTurns(p.opened)
	p.options.Background.After(OpenAfter, "opening", p.begin)
}

// Ready starts the opening of the store, if there is one, and returns a channel that is closed once it has ended. Nil means no waiting.
func (p *Persister) Ready() <-chan struct{} {
	var begin func()
	p.registry.View(func() { begin = p.begin })
	if begin == nil {
		return nil
	}
	begin()
	return p.opened
}

// work looks after the open store, and opens a lost one again, until ctx ends.
func (p *Persister) work(ctx context.Context) {
	every := time.NewTicker(tick)
	defer every.Stop()
	leave := p.workOn(ctx, p.current())
	defer func() { leave() }()
	for {
		attended := false
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		case <-p.attend:
			attended = true
		}
		var now store.Store
		reopen := false
		p.registry.View(func() { now, reopen = p.store, p.health.reopen })
		switch {
		case reopen && (now != nil || !attended):
			leave() // before the store is closed
			p.options.Background.Do("opening", func() { p.open(ctx) })
			leave = p.workOn(ctx, p.current())
		case now != nil:
			p.options.Background.Do("storage", func() { p.lookAfter(ctx, now) })
		}
	}
}

// lookAfter finds out whether the store is still there, also while nothing is written.
func (p *Persister) lookAfter(ctx context.Context, now store.Store) {
	ctx, cancel := context.WithTimeout(ctx, p.options.Slow)
	defer cancel()
	p.Lost(ctx, now, now.Ping(ctx))
}

// workOn starts the background work of an open store, and returns a function that ends it.
func (p *Persister) workOn(ctx context.Context, in store.Store) (leave func()) {
	if in == nil {
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	for name, run := range map[string]func(){
		"maintenance": func() { in.Maintain(ctx) },
		"retention":   func() { p.retain(ctx, in) },
	} {
		beside.Add(1)
		p.options.Background.Go(name, func() {
			defer beside.Done()
			run()
		})
	}
	return func() {
		stop()
		beside.Wait()
	}
}

// settle waits while a lost store is opened again, but not for long.
func (p *Persister) settle(ctx context.Context) {
	var opening chan struct{}
	p.registry.View(func() { opening = p.opening })
	if opening == nil {
		return
	}
	signal(p.attend)
	select {
	case <-opening:
	case <-ctx.Done():
	case <-time.After(p.options.Slow):
	}
}

// settled ends the waiting for a lost store.
func (p *Persister) settled() {
	p.registry.View(func() {
		if p.opening != nil {
			close(p.opening)
			p.opening = nil
		}
	})
}

// open opens the store and loads what is open in it. It closes a lost one first. The store may be another one than before, or an older
// copy: nothing is remembered of what it had, and everything in memory is written to it.
func (p *Persister) open(ctx context.Context) {
	defer p.settled()
	var former store.Store
	p.registry.View(func() { former, p.store = p.store, nil })
	if former != nil {
		if err := former.Close(); err != nil {
			p.log.Warn("could not close the lost store", zap.Error(err))
		}
	}
	var loaded map[*conversation.Record]bool
	opened, report, err := p.options.Open(ctx, p.folder, store.Options{Log: p.log, Exclusive: true, Address: p.options.Address})
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
	if err != nil {
		if ctx.Err() == nil {
			p.problem(nil, err)
		}
		return
	}
	p.store, p.health.reopen = opened, false
	p.log.Info("the store is open")
	if report.SetAside != "" {
		p.health.notice = p.registry.Locale.Text(locale.StorageSetAside, report.SetAside)
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

// writeAllBut has everything in memory written that is open, or whose outcome is not durable, except what has just been loaded.
func (p *Persister) writeAllBut(loaded map[*conversation.Record]bool) {
	p.registry.Conversations(func(c *conversation.Conversation) {
		if c.Open && p.rowChanged(c) {
			p.unsavedOf(c)
		}
	})
	p.registry.Records(func(r *conversation.Record) {
		if r.Whole() && !r.Durable && !loaded[r] {
			p.unsavedOf(r.Conversation)[r] = true
		}
	})
	signal(p.wake)
}

// Close writes what is left, and closes the store. It does not wait for long.
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
		p.log.Warn("the end does not wait for the disk any longer")
	}
}

package relay

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// keep makes a link, and another one when that breaks, until the relay ends.
func (r *relay) keep() {
	defer close(r.kept)
	worked := false // what has worked is not wrong because of what stands in between now
	for {
		r.now(Status{Phase: Dialing, Away: r.status.Away})
		link, failed := r.Dial(r.ctx, r.hello)
		if failed == nil {
			worked = true
			began := time.Now()
			failed = r.live(link)
			steady := time.Since(began) > r.Steady
			r.blame()
			if steady {
				r.pauses.Reset()
			} else { // an other end that ends each link is not asked without any pause
				failed.AtOnce = false
			}
		}
		if r.ctx.Err() != nil {
			return
		}
		if failed.Final && (!worked || r.Doubtful == nil || !r.Doubtful(failed.Why)) {
			r.refused(failed)
		} else {
			r.away(failed)
		}
	}
}

// refused answers those who wait, and waits until the peer asks again.
func (r *relay) refused(failed *Failure) {
	words := r.Words(failed.Why)
	r.Log.Warn("the other end is not asked any more", zap.String("reason", words))
	for len(r.asked) > 0 { // those who have asked are answered now
		<-r.asked
	}
	r.now(Status{Phase: Refused, Away: words})
	r.mu.Lock()
	for _, e := range r.entries {
		if e.id != "" && e.own == nil {
			r.refuse(json.RawMessage(e.id), rpc.Errorf(protocol.CodeRefused, "%s", words))
		}
	}
	r.entries, r.at = nil, 0
	clear(r.byID)
	clear(r.streams)
	r.mu.Unlock()
	signal(r.sent)
	r.pause(r.RefusedPause, r.asked)
}

// away waits until the next attempt.
func (r *relay) away(failed *Failure) {
	words := ""
	if failed.Why != nil {
		words = r.Words(failed.Why)
	}
	pause := max(r.pauses.NextBackOff(), failed.After)
	if failed.AtOnce {
		pause = 0
	}
	r.Log.Info("there is no link", zap.String("reason", words), zap.Duration("again", pause))
	r.now(Status{Phase: Waiting, Away: words})
	r.mu.Lock()                                 // behind the new state, by which take refuses what comes from now on
	for _, e := range slices.Clone(r.entries) { // whoever has cancelled does not wait for the next link
		if e.of != nil {
			r.abandon(e.of)
		} else if e.id != "" && e.own == nil && e.sent == 0 && r.RefuseAway != nil {
			if why := r.RefuseAway(e.method); why != nil { // it waited behind a link that was dead
				r.drop(e)
				r.refuse(json.RawMessage(e.id), why)
			}
		}
	}
	r.mu.Unlock()
	r.pause(pause, nil)
}

func (r *relay) pause(long time.Duration, unless <-chan struct{}) {
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-unless:
	case <-r.Retry:
	case <-r.ctx.Done():
	}
}

// now takes a new state. A subscribed peer sees what there is, and why it does not change.
func (r *relay) now(status Status) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status == status {
		return
	}
	lost := status.Away != "" && status.Away != r.status.Away
	r.status = status
	if r.subscribed && lost {
		r.tellChange(protocol.InboxChange{Storage: &protocol.Storage{Problem: status.Away}})
	}
	if r.Tell != nil {
		r.Tell(status)
	}
}

// live uses a link until it breaks, or the relay ends.
func (r *relay) live(link Link) *Failure {
	ctx, cancel := context.WithCancel(r.ctx)
	r.mu.Lock()
	r.begin(link)
	number := r.links
	r.mu.Unlock()
	r.now(Status{Phase: Linked})
	stopped := make(chan struct{})
	beside := []func(){
		func() { r.send(ctx, link, number) },
		func() { link.Watch(ctx) },
		func() { r.ping(ctx, number) },
	}
	for _, run := range beside {
		go func() {
			defer func() { stopped <- struct{}{} }()
			run()
		}()
	}
	ended := context.AfterFunc(r.ctx, link.Close)
	var err error
	for {
		// Not with ctx, whose end would break the link before the other end is told.
		var body []byte
		if body, err = link.Read(context.WithoutCancel(ctx)); err != nil {
			break
		}
		r.heard(body)
	}
	r.mu.Lock()
	r.link = nil
	finishing := r.finishing
	r.mu.Unlock()
	cancel()
	if ended() {
		link.CloseNow()
	}
	for range beside {
		<-stopped
	}
	if finishing {
		close(r.finished)
		<-r.ctx.Done()
	}
	return r.Broken(err)
}

// send sends what there is, as it comes.
func (r *relay) send(ctx context.Context, link Link, number int) {
	for {
		for body := r.next(number); body != nil; body = r.next(number) {
			if link.Write(context.WithoutCancel(ctx), body) != nil {
				link.CloseNow() // which ends the reading
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		}
	}
}

// ping asks now and then whether the other end is alive. One that does not answer is not given up: what it holds is nowhere else. But the user
// is told.
func (r *relay) ping(ctx context.Context, number int) {
	if r.Patience == 0 {
		return
	}
	tick := time.NewTicker(r.Patience)
	defer tick.Stop()
	answered := true
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		r.mu.Lock()
		switch {
		case number != r.links:
		case answered:
			answered = false
			r.add(r.ask(Ping.Method, protocol.None{}, func(json.RawMessage, *jsonrpc2.Error) {
				answered = true
				r.alive()
			}))
		case !r.hung:
			r.hung = true
			r.Log.Error("the other end does not answer", zap.Duration("for", r.Patience))
			words := r.Hung()
			if r.subscribed {
				r.tellChange(protocol.InboxChange{Storage: &protocol.Storage{Problem: words, Hung: true}})
			}
		}
		r.mu.Unlock()
	}
}

// alive notes that the other end answers again.
func (r *relay) alive() {
	if !r.hung {
		return
	}
	r.hung = false
	r.Log.Info("the other end answers again")
	if r.subscribed {
		now := protocol.Storage{Saved: true}
		if r.storage != nil {
			now = *r.storage
		}
		r.tellChange(protocol.InboxChange{Storage: &now})
	}
}

package relay

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// keep makes a link, and a new one when it breaks, until the relay ends.
func (r *relay) keep() {
	defer close(r.kept)
	worked := false // if a link has worked before, a later failure may come from a network device in between
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
			} else { // pause, since the other end may close every link
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

// refused fails the waiting requests, and blocks for RefusedPause or until the peer sends another one.
func (r *relay) refused(failed *Failure) {
	words := r.Words(failed.Why)
	r.Log.Warn("the link was refused", zap.String("reason", words))
	for len(r.asked) > 0 { // requests up to now get the failure
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

// away blocks until the next attempt.
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
	r.mu.Lock()                                 // after the state has changed, since take rejects later answers by it
	for _, e := range slices.Clone(r.entries) { // cancelled requests do not wait for the next link
		if e.of != nil {
			r.abandon(e.of)
		} else if e.id != "" && e.own == nil && e.sent == 0 && r.RefuseAway != nil {
			if why := r.RefuseAway(e.method); why != nil { // it was sent over the broken link
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

// now sets the state. A subscribed peer is sent the known questions, with the reason why they do not change.
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
	if r.StateChanged != nil {
		r.StateChanged(status)
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
	var beside sync.WaitGroup
	beside.Go(func() { r.send(ctx, link, number) })
	beside.Go(func() { link.Watch(ctx) })
	beside.Go(func() { r.ping(ctx, number) })
	ended := context.AfterFunc(r.ctx, link.Close)
	var err error
	for {
		// Not ctx, whose end would break the link before the other end is notified.
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
	beside.Wait()
	if finishing {
		close(r.finished)
		<-r.ctx.Done()
	}
	return r.Broken(err)
}

// send sends messages as they are queued.
func (r *relay) send(ctx context.Context, link Link, number int) {
	for {
		for body := r.next(number); body != nil; body = r.next(number) {
			if link.Write(context.WithoutCancel(ctx), body) != nil {
				link.CloseNow() // which also ends the reader
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

// ping checks regularly whether the other end is alive. If it hangs, ping reports that to the user and keeps the link, since
// only the other end has the state.
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

// alive records that the other end responds again.
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

package persistence

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
)

const (
	// retainEvery is how often expired entries are removed.
	retainEvery = 24 * time.Hour
	// clockLook is how often the time of day is looked at, and clockProof for how long before something is removed for its age: a removal
	// cannot be undone, and the machine's clock may be wrong for a while, such as after a start.
	clockLook  = 10 * time.Minute
	clockProof = 2 * time.Hour
)

// proof has the looks at the time of day during the last clockProof. The monotonic clock orders them.
type proof struct{ looks []look }

type look struct{ at, said time.Time }

// look looks at the time of day.
func (p *proof) look(said time.Time) {
	now := time.Now()
	p.looks = append(p.looks, look{now, said})
	for len(p.looks) > 1 && now.Sub(p.looks[1].at) >= clockProof {
		p.looks = p.looks[1:]
	}
}

// sure returns the earliest time of day that was seen during clockProof: however wrong a clock is, it must have been so for longer. It returns
// zero until the looks have lasted that long.
func (p *proof) sure() (earliest time.Time) {
	if len(p.looks) == 0 || time.Since(p.looks[0].at) < clockProof {
		return earliest
	}
	for _, one := range p.looks {
		if earliest.IsZero() || one.said.Before(earliest) {
			earliest = one.said
		}
	}
	return earliest
}

// Retain sets the retention.
func (p *Persister) Retain(what store.Retention) {
	p.registry.View(func() { p.retention = what })
	signal(p.retainNow)
}

// retain removes entries outside the retention when that changes, daily, and after each collected answer if no history is kept. In
// a shared database only a hub, which is strict, does so: a person must not remove others' entries.
func (p *Persister) retain(ctx context.Context, in store.Store) {
	shared := false
	p.registry.View(func() { shared = store.IsDatabase(p.folder) && !p.options.Strict })
	if shared {
		return
	}
	looks := time.NewTicker(clockLook)
	defer looks.Stop()
	signal(p.retainNow) // for a reopened store
	var last time.Time  // when old entries were removed last
	for p.proof.look(p.options.Now()); ; {
		select {
		case <-ctx.Done():
			return
		case <-looks.C:
			if p.proof.look(p.options.Now()); p.proof.sure().IsZero() || !last.IsZero() && time.Since(last) < retainEvery {
				continue
			}
		case <-p.retainNow:
		}
		var what store.Retention
		p.registry.View(func() { what = p.retention })
		if what.Now = p.proof.sure(); !what.Now.IsZero() {
			last = time.Now()
		}
		removed, err := in.Retain(ctx, what)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			last = time.Time{}
			p.log.Warn("could not remove expired questions; trying again later", zap.Error(err))
		case removed > 0:
			p.log.Info("removed expired questions", zap.Int("questions", removed))
		}
	}
}

const (
	// deliverEvery is how often due callbacks are looked up, in addition to each closed question.
	deliverEvery = time.Minute
	// deliveries is the maximum number of running callbacks, including those that wait for a retry.
	deliveries = 1000
	// perHost limits those of a host, so that one that is gone for days does not delay the others.
	perHost = 100
)

// deliver sends the outcomes of closed questions to their callbacks until ctx ends. The store keeps undelivered ones, so the next
// process continues.
func (p *Persister) deliver(ctx context.Context, in store.Store) {
	if p.options.Deliver == nil {
		return
	}
	var running sync.WaitGroup
	defer running.Wait()
	var underway hosts
	free := make(chan struct{}, deliveries)
	every := time.NewTicker(deliverEvery)
	defer every.Stop()
	for {
		due, err := in.DueCallbacks(ctx)
		if err != nil && ctx.Err() == nil {
			p.log.Warn("the callbacks cannot be read", zap.Error(err))
		}
		for _, one := range due {
			if !underway.enter(one) { // it is looked up again
				continue
			}
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				return
			}
			running.Go(func() {
				p.options.Background.Do("callback", func() { p.deliverOne(ctx, in, one) })
				if <-free; underway.leave(one) {
					signal(p.due)
				}
			})
		}
		select {
		case <-ctx.Done():
			return
		case <-p.due:
		case <-every.C:
		}
	}
}

// hosts are the running callbacks by their hosts. The zero value has none.
type hosts struct {
	mu      sync.Mutex
	running map[string]map[string]bool // the ids of the questions
	full    map[string]bool            // a callback to the host was put off
}

// hostOf returns the host of a callback.
func hostOf(c store.Callback) string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return c.URL
	}
	return u.Host
}

// enter adds a callback. It returns false if that is running, or too many are to its host.
func (h *hosts) enter(c store.Callback) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	host := hostOf(c)
	all := h.running[host]
	if all[c.QuestionID] {
		return false
	}
	if h.running == nil {
		h.running, h.full = map[string]map[string]bool{}, map[string]bool{}
	}
	if len(all) >= perHost {
		h.full[host] = true
		return false
	}
	if all == nil {
		all = map[string]bool{}
		h.running[host] = all
	}
	all[c.QuestionID] = true
	return true
}

// leave removes a callback, and reports whether another one to its host was put off.
func (h *hosts) leave(c store.Callback) (putOff bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	host := hostOf(c)
	putOff = h.full[host]
	delete(h.full, host)
	if delete(h.running[host], c.QuestionID); len(h.running[host]) == 0 {
		delete(h.running, host)
	}
	return putOff
}

// deliverOne delivers one outcome, and records that in the store. It skips deleted questions.
func (p *Persister) deliverOne(ctx context.Context, in store.Store, to store.Callback) {
	done := store.Change{Delivered: []string{to.QuestionID}}
	switch closed, err := in.Question(ctx, to.QuestionID); {
	case err == nil && closed.Outcome != nil:
		if p.options.Deliver(ctx, to, closed) {
			done.Collected = []string{to.QuestionID}
		} else if ctx.Err() != nil {
			return
		}
	case !errors.Is(err, store.ErrNotFound):
		return // it will be looked up again
	}
	if _, err := in.Commit(context.WithoutCancel(ctx), []store.Change{done}); err != nil {
		p.log.Warn("cannot record the delivery of a callback: it may be repeated", zap.String("question", to.QuestionID), zap.Error(err))
	}
}

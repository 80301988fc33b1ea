package hub

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/push"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/web"
)

// team is a team as this hub sees it. The hub's lock guards it.
type team struct {
	host *server.Host // keeps the team, or tries to; nil if another hub should keep it
	open bool         // the host has opened the store
	at   string       // the address of the hub that keeps it; empty for this one
	term context.Context
	over context.CancelCauseFunc // ends term, and with it the visits; nil while no hub keeps the team
}

// moved ends the visits of a team whose keeper has changed. Visitors reconnect.
var moved = &web.Farewell{Code: 1001, Reason: "another hub keeps the team"}

// beat sends a heartbeat, and arranges the teams accordingly.
func (h *Hub) beat() {
	err := h.sendBeat()
	isolated := false
	if err != nil && h.ctx.Err() == nil {
		h.log.Warn("the heartbeat was not written", zap.Error(err))
		isolated = h.members.silent(time.Now()) > isolatedAfter && slices.ContainsFunc(h.members.live(), func(other string) bool {
			return other != h.options.Address && h.reaches(other, "/readyz")
		})
	}
	h.mu.Lock()
	h.isolated = isolated
	h.mu.Unlock()
	h.arrange()
}

// sendBeat sends a heartbeat, and reads those of the other hubs.
func (h *Hub) sendBeat() error {
	ctx, cancel := context.WithTimeout(h.ctx, beatWithin)
	defer cancel()
	in, err := h.directoryStore(ctx)
	if err != nil {
		return err
	}
	before := time.Now()
	all, now, err := in.Beat(ctx, h.options.Address, false)
	if err != nil {
		return err
	}
	h.members.setClock(now, before, time.Now())
	h.members.beaten(all, time.Now())
	return nil
}

// arrange keeps this hub's teams, releases those of other hubs, and records where each team's visits go.
func (h *Hub) arrange() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.members.silent(time.Now()) > time.Hour || h.ctx.Err() != nil { // no heartbeat yet, or none for long
		return
	}
	live := h.members.live()
	var kept []*server.Host
	defer func() { h.kept.Store(&kept) }()
	for name := range h.directory.teams() {
		t := h.teams[name]
		if t == nil {
			t = &team{}
			h.teams[name] = t
		}
		to := owner(name, live)
		lost := t.open && !t.host.Opened() // another host loads the store
		if t.host != nil && (to != h.options.Address || lost) {
			h.release(name, t)
		}
		if t.host == nil && to == h.options.Address {
			t.host = h.keep(name)
		}
		at, has := to, t.host == nil
		if t.host != nil {
			kept = append(kept, t.host)
			if at, has = t.host.KeptBy(), t.host.Opened(); has {
				at, t.open = "", true
			}
			has = has || at != "" && at != h.options.Address
		}
		has = has && !h.isolated
		if t.term != nil && (!has || at != t.at) {
			t.end()
		}
		if t.term == nil && has {
			t.at = at
			t.term, t.over = context.WithCancelCause(h.ctx)
			if at != "" {
				h.looking.Go(func() {
					if !h.reaches(at, "/healthz") {
						h.misses(at)
					}
				})
			}
		}
	}
}

// end ends a team's visits.
func (t *team) end() {
	if t.term != nil {
		t.over(moved)
		t.term = nil
	}
}

// keep opens a team's store, until this hub releases the team.
func (h *Hub) keep(name string) *server.Host {
	o := h.options.Server
	open := o.OpenStore
	o.Now = h.members.now
	o.Push.Sees = func(s store.Subscription, q *protocol.InboxItem) bool {
		return h.directory.notifies(name, s, q.To, q.Payload.Approval != nil, time.Now())
	}
	o.Log = h.log.With(zap.String("team", name))
	o.OpenStore = func(ctx context.Context, place string, so store.Options) (store.Store, store.Report, error) {
		so.Team, so.Dead = name, h.members.dead
		return open(ctx, place, so)
	}
	host := server.NewHost(o)
	h.notify(name, host)
	host.Open(h.options.Storage, h.options.Locale, h.options.Kept)
	return host
}

// Notify notifies an address of a team's questions for everybody, while this hub keeps the team.
func (h *Hub) Notify(team string, a push.Address) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notified, h.notifiedOf = &a, team
	if t := h.teams[team]; t != nil && t.host != nil {
		h.notify(team, t.host)
	}
}

// notify makes a team's host notify the address, if the address is for that team. The caller holds the lock.
func (h *Hub) notify(team string, host *server.Host) {
	if h.notified == nil || h.notifiedOf != team {
		return
	}
	if err := host.Notify(*h.notified); err != nil {
		h.log.Error("cannot notify the address", zap.String("team", team), zap.Error(err))
	}
}

// release closes a team's store, so that another hub or host can open it.
func (h *Hub) release(name string, t *team) {
	t.end()
	h.log.Info("the team is released", zap.String("team", name))
	h.looking.Go(t.host.Close)
	t.host, t.open = nil, false
}

// openBytes returns the approximate size of all open questions' texts in the teams that this hub keeps. It takes no
// lock.
func (h *Hub) openBytes() (bytes int) {
	for _, host := range *h.kept.Load() {
		bytes += host.OpenBytes()
	}
	return bytes
}

// hosts returns the hosts of the teams that this hub keeps.
func (h *Hub) hosts() map[string]*server.Host {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := map[string]*server.Host{}
	for name, t := range h.teams {
		if t.host != nil && t.host.Opened() {
			all[name] = t.host
		}
	}
	return all
}

// seatPatience is how long a visit waits for the keeper of its team.
const seatPatience = 2 * time.Second

// seat returns where a team's visits go: a context that ends when that changes, and the host, or the address of the hub that keeps
// the team. The context is nil if no reachable hub keeps it.
func (h *Hub) seat(name string) (term context.Context, host *server.Host, at string) {
	for until := time.Now().Add(seatPatience); ; {
		h.arrange()
		h.mu.Lock()
		if t := h.teams[name]; t != nil && t.term != nil && !h.missing[t.at] {
			term, host, at = t.term, t.host, t.at
		}
		h.mu.Unlock()
		if term != nil || time.Now().After(until) || h.ctx.Err() != nil {
			return term, host, at
		}
		h.pause(seatPatience / 100)
	}
}

// misses marks the hub with an address as unreachable until it is reachable or dead.
func (h *Hub) misses(address string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.missing[address] || h.ctx.Err() != nil {
		return
	}
	h.missing[address] = true
	h.looking.Go(func() {
		for h.ctx.Err() == nil && !h.members.dead(address) && !h.reaches(address, "/healthz") {
			h.pause(beatEvery)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.missing, address)
	})
}

// reaches reports whether another hub's health check succeeds.
func (h *Hub) reaches(address, check string) bool {
	ctx, cancel := context.WithTimeout(h.ctx, relayPatience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(address, "/")+check, nil)
	if err != nil {
		return false
	}
	response, err := h.peers.Do(r)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

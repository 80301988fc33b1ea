package server

import (
	"context"
	"errors"
	"time"

	"followup/internal/hubclient"
	"followup/internal/inbox"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// hubPatience is how long hub/connect waits for the outcome of the first attempt.
const hubPatience = 10 * time.Second

func (s *Server) hubConnect(_ context.Context, p protocol.HubConnectParams) (rpc.Waiting[protocol.HubState], error) {
	speak := s.locale()
	options, err := hubOptions(p, speak)
	off := protocol.HubState{State: protocol.HubOff}
	if err != nil {
		off = protocol.HubState{State: protocol.HubRefused, URL: p.URL, Problem: err.Error()}
		var refusal *locale.Refusal
		if errors.As(err, &refusal) {
			off.Problem = refusal.In(speak)
		}
	}
	hub := inbox.NewHub(off)
	var settled <-chan struct{}
	s.registry.View(func() {
		if _, here := s.views[s]; !here {
			return
		}
		var link *hubLink
		if options.URL != nil {
			link = s.linkTo(options, p.Token)
			hub, settled = link.Hub, link.attempt()
		}
		s.setHub(link, hub)
	})
	return func(ctx context.Context) (now protocol.HubState, _ error) {
		ctx, cancel := context.WithTimeout(ctx, hubPatience)
		defer cancel()
		_ = await(ctx, settled) // if it times out, the state is still "connecting"
		s.registry.View(func() { now = hub.State() })
		return now, nil
	}, nil
}

// hubOptions returns how to reach a hub. Without a hub they have no URL.
func hubOptions(p protocol.HubConnectParams, speak locale.Tag) (o hubclient.Options, err error) {
	if p.URL == "" {
		return o, nil
	}
	at, err := hubclient.ParseURL(p.URL, false)
	if err == nil && p.Certificates != "" {
		o.Roots, err = hubclient.ReadRoots(p.Certificates)
	}
	if err == nil {
		o.URL, o.Locale, o.Person = at, speak, true
		o.Token = func() (string, error) { return p.Token, hubclient.CheckToken(p.Token) }
	}
	return o, err
}

// setHub moves a connection to another link, or to none, and closes a link that has no connection left. The caller holds the lock.
func (s *Server) setHub(link *hubLink, hub *inbox.Hub) {
	was := s.hub
	if link != nil && link == was {
		return
	}
	s.hub = link
	s.inbox.SetHub(hub)
	if link != nil {
		link.windows[s] = true
		link.show()
	}
	if was == nil {
		return
	}
	if delete(was.windows, s); len(was.windows) > 0 {
		was.show()
	} else {
		delete(s.links, was)
		was.conn.Close()
	}
}

// hubOf returns the link to the hub that keeps a question; nil for the user's own.
func (s *Server) hubOf(questionID string) (link *hubLink) {
	s.registry.View(func() {
		if s.inbox.HasHub(questionID) {
			link = s.hub
		}
	})
	return link
}

// hubSoon returns the link to the hub that may keep a question not found here: a snapshot has no closed ones, and an answer may be
// repeated. If the link is being established, as after a restart of the keeper, it waits for a while.
func (s *Server) hubSoon(ctx context.Context) (link *hubLink) {
	s.registry.View(func() { link = s.hub })
	ctx, cancel := context.WithTimeout(ctx, hubPatience)
	defer cancel()
	if link == nil || await(ctx, link.begun) != nil {
		return nil
	}
	return link
}

// atHub forwards a request to the hub.
func atHub[P, R any](m protocol.Request[P, R], p P) func(context.Context, *hubLink) (R, error) {
	return func(ctx context.Context, l *hubLink) (R, error) { return rpc.Call(ctx, l.conn, m, p) }
}

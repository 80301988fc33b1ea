package server

import (
	"context"
	"io"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/hubclient"
	"followup/internal/inbox"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// hubPatience is how long hub/connect waits for the outcome of the first attempt.
const hubPatience = 10 * time.Second

func (s *Server) hubConnect(_ context.Context, p protocol.HubConnectParams) (rpc.Begun[protocol.HubState], error) {
	speak := s.locale()
	options, err := hubOptions(p, speak)
	off := protocol.HubState{State: protocol.HubOff}
	if err != nil {
		off = protocol.HubState{State: protocol.HubRefused, URL: p.URL, Problem: speak.Words(err)}
	}
	hub := inbox.NewHub(off)
	var settled <-chan struct{}
	s.registry.View(func() {
		if !s.clients[s] {
			return
		}
		var link *hubLink
		if options.URL != nil {
			link = s.linkTo(options, p.Token)
			hub, settled = link.Hub, link.attempt()
		}
		s.setHub(link, hub)
	})
	return rpc.Begun[protocol.HubState]{Wait: func(ctx context.Context) (now protocol.HubState, _ error) {
		ctx, cancel := context.WithTimeout(ctx, hubPatience)
		defer cancel()
		_ = await(ctx, settled) // after a timeout, the state is still "connecting"
		s.registry.View(func() { now = hub.State() })
		return now, nil
	}}, nil
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

// setHub moves a connection to another link, or to none, and closes the old link if no connection uses it. The caller holds the lock.
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

// hubDrain bounds how long the last messages to a hub may take.
const hubDrain = 2 * time.Second

// hubLink is the only link to a hub for all connections that name it with the same token, certificates and language. The first one
// opens it, the last one closes it. The registry's lock guards it.
type hubLink struct {
	*inbox.Hub
	host    *Host
	options hubclient.Options
	token   string
	conn    *rpc.Conn
	retry   chan struct{} // ends the pause before the next attempt
	begun   chan struct{} // closed with the hub's snapshot, which changes wait for
	settled chan struct{} // closed with the outcome of an attempt; nil if nobody waits for it
	windows map[*Server]bool
	shown   bool // last sent to the hub
	// subscribed reports whether the hub's inbox is subscribed, or the subscription is on its way.
	subscribed bool
}

// linkTo returns the link with these options. The caller holds the lock.
func (h *Host) linkTo(o hubclient.Options, token string) *hubLink {
	for l := range h.links {
		if *l.options.URL == *o.URL && l.token == token && l.options.Locale == o.Locale && l.options.Roots.Equal(o.Roots) {
			return l
		}
	}
	l := &hubLink{
		Hub:  inbox.NewHub(protocol.HubState{State: protocol.HubConnecting, URL: o.URL.String()}),
		host: h, options: o, token: token, windows: map[*Server]bool{}, shown: true,
		retry: make(chan struct{}, 1), begun: make(chan struct{}),
	}
	h.links[l] = true
	l.open(o)
	return l
}

// open starts the link. The host is a peer of the hub, as an editor is one of the host.
func (l *hubLink) open(o hubclient.Options) {
	toHub, fromHost := io.Pipe()
	toHost, fromHub := io.Pipe()
	o.Log, o.Version, o.Drain = l.host.log, l.host.options.Version, hubDrain
	o.In, o.Out, o.StateChanged, o.Retry = toHub, fromHub, l.setState, l.retry
	l.host.linked.Add(1)
	l.host.background.Go("the link to a hub", func() {
		defer l.host.linked.Done()
		hubclient.Serve(context.Background(), o)
		_ = fromHub.Close()
	})
	router := &rpc.Router{}
	rpc.OnNotification(router, protocol.InboxDidChange, func(ctx context.Context, change protocol.InboxChange) error {
		err := await(ctx, l.begun)
		if err == nil {
			l.host.registry.View(func() { l.Apply(change) })
		}
		return err
	})
	l.conn = rpc.Dial(context.Background(), router, rpc.Options{In: toHost, Out: fromHost, Log: l.host.log})
	rpc.Send(l.conn, jsonrpc2.ID{Str: "hello", IsString: true}, protocol.Initialize, protocol.InitializeParams{
		InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version, Locale: string(o.Locale)},
	})
	l.host.background.Go("the end of a link", func() {
		<-l.conn.Ended()
		<-l.conn.Flushed()
		_ = fromHost.Close()
	})
}

// setState receives every new state of the link.
func (l *hubLink) setState(now hubclient.State) {
	l.host.registry.View(func() {
		l.SetState(now.HubState)
		if l.settled != nil && !trying(now.HubState) {
			close(l.settled)
			l.settled = nil
		}
		if now.State == protocol.HubConnected && !l.subscribed {
			l.subscribed = true
			l.host.background.Go("the hub's inbox", l.subscribe)
		}
	})
}

// subscribe subscribes to the hub's inbox. If the link is refused meanwhile, the next one subscribes.
func (l *hubLink) subscribe() {
	open, err := rpc.Call(context.Background(), l.conn, protocol.InboxSubscribe, protocol.None{})
	l.host.registry.View(func() {
		if l.subscribed = err == nil; l.subscribed {
			l.Apply(protocol.InboxChange{Items: open.Items, More: open.More})
			close(l.begun)
		} else {
			l.host.log.Info("not subscribed to the hub's inbox", zap.Error(err))
		}
	})
}

// trying reports whether an attempt is running.
func trying(now protocol.HubState) bool {
	return now.State == protocol.HubConnecting && now.Problem == ""
}

// attempt starts an attempt at once, and returns a channel that closes with its outcome; nil if there is a link.
func (l *hubLink) attempt() <-chan struct{} {
	now := l.State()
	if now.State == protocol.HubConnected {
		return nil
	}
	if !trying(now) {
		select {
		case l.retry <- struct{}{}:
		default:
		}
	}
	if l.settled == nil {
		l.settled = make(chan struct{})
	}
	return l.settled
}

// show reports to the hub whether any window shows its questions.
func (l *hubLink) show() {
	shown := false
	for s := range l.windows {
		shown = shown || s.shows()
	}
	if shown != l.shown {
		l.shown = shown
		rpc.Notify(l.conn, protocol.InboxDidShow, protocol.InboxDidShowParams{Shown: shown})
	}
}

// saveHubDraft shows a draft in the other windows at once, since the hub may be unreachable. It shows it again once the hub has
// it, because a snapshot from the hub may have arrived in between.
func (s *Server) saveHubDraft(ctx context.Context, l *hubLink, p protocol.SaveDraftParams) (result protocol.SaveDraftResult, err error) {
	p.Draft.ChangedAt = min(p.Draft.ChangedAt, time.Now().UnixMilli())
	share := func() { s.registry.View(func() { l.SaveDraft(p.QuestionID, p.Draft, s.inbox) }) }
	share()
	result, err = rpc.Call(ctx, l.conn, protocol.QuestionSaveDraft, p)
	if err == nil && !result.Unkept && len(result.Missing) == 0 {
		share()
	}
	return result, err
}

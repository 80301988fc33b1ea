package server

import (
	"context"
	"errors"
	"io"
	"time"

	"go.uber.org/zap"

	"followup/internal/hubclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// How long hub/connect waits for a link, and after how long a hub that has refused the user is asked again by itself.
const (
	hubSoon  = 10 * time.Second
	hubAgain = 5 * time.Minute
)

// hubLink is the link to the hub that the editor has named. The sidecar is a peer of it, as the editor is one of the sidecar.
type hubLink struct {
	conn  *rpc.Conn
	leave context.CancelFunc
	known chan struct{} // closed when it is known whether there is a link
	told  bool          // it is closed
	state protocol.HubState
}

func (s *Server) hubConnect(_ context.Context, p protocol.HubConnectParams) (rpc.Waiting[protocol.HubState], error) {
	speak := s.locale()
	ctx, leave := context.WithCancel(context.Background())
	link := &hubLink{leave: leave, known: make(chan struct{})}
	s.registry.View(func() {
		if s.hub != nil {
			s.hub.leave()
		}
		s.hub = link
		s.inbox.SetHub(protocol.HubState{State: protocol.HubOff})
	})
	if err := s.openHub(ctx, link, p, speak); err != nil {
		words := err.Error()
		var refusal *locale.Refusal
		if errors.As(err, &refusal) {
			words = refusal.In(speak)
		}
		s.hubTold(link, protocol.HubState{State: protocol.HubRefused, URL: p.URL, Problem: words})
	}
	return func(ctx context.Context) (now protocol.HubState, _ error) {
		late := time.NewTimer(hubSoon)
		defer late.Stop()
		select {
		case <-link.known:
		case <-late.C:
		case <-ctx.Done():
		}
		s.registry.View(func() { now = link.state })
		return now, nil
	}, nil
}

// openHub begins to keep a link.
func (s *Server) openHub(ctx context.Context, link *hubLink, p protocol.HubConnectParams, speak locale.Tag) error {
	if p.URL == "" {
		s.hubTold(link, protocol.HubState{State: protocol.HubOff})
		return nil
	}
	options := hubclient.Options{
		Log: s.log, Version: s.options.Version, Locale: speak,
		Token: func() (string, error) { return p.Token, hubclient.CheckToken(p.Token) },
		Tell: func(now hubclient.State) {
			if now.State == protocol.HubConnected && now.Role != protocol.RolePerson {
				now.State, now.Problem = protocol.HubRefused, speak.Text(locale.HubNoPerson, now.Name)
			}
			s.hubTold(link, now.HubState)
		},
	}
	var err error
	if options.URL, err = hubclient.ParseURL(p.URL, false); err != nil {
		return err
	}
	if p.Certificates != "" {
		if options.Roots, err = hubclient.ReadRoots(p.Certificates); err != nil {
			return err
		}
	}
	toHub, fromUs := io.Pipe()
	toUs, fromHub := io.Pipe()
	options.In, options.Out = toHub, fromHub
	s.background.Go("the link to a hub", func() {
		hubclient.Serve(ctx, options)
		_ = fromHub.Close()
	})
	router := &rpc.Router{}
	begun := make(chan struct{}) // closed when what was open is taken up: changes wait for it
	rpc.OnNotification(router, protocol.InboxDidChange, func(_ context.Context, change protocol.InboxChange) error {
		select {
		case <-begun:
			s.hubChanged(link, change)
		case <-ctx.Done():
		}
		return nil
	})
	conn := rpc.Dial(ctx, router, rpc.Options{In: toUs, Out: fromUs, Log: s.log})
	s.registry.View(func() {
		if link.conn = conn; s.hub == link && s.shows != nil {
			rpc.Notify(conn, protocol.InboxDidShow, *s.shows)
		}
	})
	s.background.Go("the hub's inbox", func() {
		s.followHub(ctx, link, speak, begun)
		<-ctx.Done()
		conn.Close()
	})
	return nil
}

// followHub has the hub tell what is open there.
func (s *Server) followHub(ctx context.Context, link *hubLink, speak locale.Tag, begun chan<- struct{}) {
	_, err := rpc.Call(ctx, link.conn, protocol.Initialize, protocol.InitializeParams{
		InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version, Locale: string(speak)},
	})
	for err == nil {
		var open protocol.Inbox
		open, err = rpc.Call(ctx, link.conn, protocol.InboxSubscribe, protocol.None{})
		if err == nil {
			s.hubChanged(link, protocol.InboxChange{Items: open.Items, More: open.More})
			close(begun)
			return
		}
		s.log.Info("the hub's inbox is not told", zap.Error(err))
		select {
		case <-time.After(hubAgain):
			err = nil
		case <-ctx.Done():
		}
	}
}

// hubTold takes where the link stands.
func (s *Server) hubTold(link *hubLink, now protocol.HubState) {
	s.registry.View(func() {
		link.state = now
		if (now.State != protocol.HubConnecting || now.Problem != "") && !link.told {
			link.told = true
			close(link.known)
		}
		if s.hub == link {
			s.inbox.SetHub(now)
		}
	})
}

// hubChanged takes what has changed in the hub's inbox.
func (s *Server) hubChanged(link *hubLink, change protocol.InboxChange) {
	s.registry.View(func() {
		if s.hub == link {
			s.inbox.FromHub(change)
		}
	})
}

// leaveHub ends the link to the hub.
func (s *Server) leaveHub() {
	s.registry.View(func() {
		if s.hub != nil {
			s.hub.leave()
		}
	})
}

// hubOf is the connection to the hub, where a question is the hub's; nil for one of one's own.
func (s *Server) hubOf(questionID string) (conn *rpc.Conn) {
	s.registry.View(func() {
		if s.inbox.OfHub(questionID) {
			conn = s.hub.conn
		}
	})
	return conn
}

// toOwner gives what a user does with a question to whoever keeps that: the hub, or own.
func toOwner[P, R any](
	s *Server, m protocol.Request[P, R], id func(P) string, own func(context.Context, P) (rpc.Begun[R], error),
) func(context.Context, P) (rpc.Begun[R], error) {
	return func(ctx context.Context, p P) (rpc.Begun[R], error) {
		hub := s.hubOf(id(p))
		if hub == nil {
			return own(ctx, p)
		}
		return rpc.Begun[R]{Wait: func(ctx context.Context) (R, error) { return rpc.Call(ctx, hub, m, p) }}, nil
	}
}

// hubDraft is the question that a draft is for. The hub may leave out images that it was sent.
func (s *Server) hubDraft(p protocol.SaveDraftParams) string {
	s.registry.View(func() { s.inbox.HubDraft(p.QuestionID, p.Draft) })
	return p.QuestionID
}

// hubShows tells the hub, too, whether the user would see a question here.
func (s *Server) hubShows(p protocol.InboxDidShowParams) {
	s.registry.View(func() {
		if s.shows = &p; s.hub != nil && s.hub.conn != nil {
			rpc.Notify(s.hub.conn, protocol.InboxDidShow, p) // under the lock, so that the last one is told last
		}
	})
}

package server

import (
	"context"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/conversation"
	"followup/internal/inbox"
	"followup/internal/protocol"
	"followup/internal/push"
	"followup/internal/rpc"
	"followup/internal/store"
)

// watchPush returns a function that pushes records in their new state.
func (h *Host) watchPush() func(*conversation.Record) {
	look := inbox.New(h.registry, h.inboxes, func() {})
	return func(r *conversation.Record) {
		h.push.Changed(r.ID, r.State == protocol.ItemPending, func() (protocol.InboxItem, time.Time) {
			item, _ := look.Item(r.ID)
			if item.Orphaned { // the store had it already when this process started
				return item, r.AskedAt
			}
			return item, time.Now()
		})
	}
}

// pushed returns the person's browsers after a change.
func (s *Server) pushed(ctx context.Context, err error) (protocol.PushListResult, error) {
	if err != nil {
		return protocol.PushListResult{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "%v", err)
	}
	return s.push.List(ctx, s.account())
}

func (s *Server) pushList(ctx context.Context, _ protocol.None) (protocol.PushListResult, error) {
	return s.pushed(ctx, nil)
}

func (s *Server) pushSubscribe(ctx context.Context, p protocol.PushSubscribeParams) (protocol.PushListResult, error) {
	one := store.Subscription{
		Person: s.account(), Endpoint: p.Endpoint, P256dh: p.P256dh, Auth: p.Auth, Name: p.Name, Locale: string(s.locale()),
		After: time.Duration(p.After) * time.Millisecond, Hidden: p.Hidden, Silent: p.Silent,
	}
	if s.guest != nil {
		one.Token = s.guest.Token
	}
	return s.pushed(ctx, s.push.Subscribe(ctx, one))
}

func (s *Server) pushUnsubscribe(ctx context.Context, p protocol.PushEndpoint) (protocol.PushListResult, error) {
	return s.pushed(ctx, s.push.Unsubscribe(ctx, s.account(), p.Endpoint))
}

func (s *Server) pushTest(ctx context.Context, p protocol.PushEndpoint) (protocol.PushListResult, error) {
	return s.pushed(ctx, s.push.Test(ctx, s.account(), p.Endpoint))
}

func (s *Server) pushDismiss(_ context.Context, p protocol.PushDismissParams) error {
	s.push.Dismiss(s.account(), p.Endpoint, p.Tag)
	return nil
}

// pushNotify notifies an address until the request ends. A hub does not allow it.
func (s *Server) pushNotify(ctx context.Context, p protocol.PushNotifyParams) (none protocol.None, _ error) {
	end, err := s.push.Notify(ctx, push.Address{
		URL: p.URL, Secret: p.Secret, Private: p.Private, Page: p.Page, After: time.Duration(p.After) * time.Millisecond, Hidden: p.Hidden,
		Locale: string(s.locale()),
	})
	if err != nil {
		return none, rpc.Errorf(jsonrpc2.CodeInvalidParams, "%v", err)
	}
	defer end()
	<-ctx.Done()
	return none, context.Cause(ctx)
}

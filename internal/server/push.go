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
			if item.Orphaned { // the store had it before this process
				return item, r.AskedAt
			}
			return item, time.Now()
		})
	}
}

// pushed changes the person's browsers and returns them.
func (s *Server) pushed(change func(ctx context.Context, person string) error) rpc.Waiting[protocol.PushListResult] {
	return func(ctx context.Context) (protocol.PushListResult, error) {
		if err := change(ctx, s.account()); err != nil {
			return protocol.PushListResult{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "%v", err)
		}
		return s.push.List(ctx, s.account())
	}
}

func (s *Server) pushList(context.Context, protocol.None) (rpc.Waiting[protocol.PushListResult], error) {
	return s.pushed(func(context.Context, string) error { return nil }), nil
}

func (s *Server) pushSubscribe(_ context.Context, p protocol.PushSubscribeParams) (rpc.Waiting[protocol.PushListResult], error) {
	return s.pushed(func(ctx context.Context, person string) error {
		one := store.Subscription{
			Person: person, Endpoint: p.Endpoint, P256dh: p.P256dh, Auth: p.Auth, Name: p.Name, Locale: string(s.locale()),
			After: time.Duration(p.After) * time.Millisecond, Hidden: p.Hidden, Silent: p.Silent,
		}
		if s.guest != nil {
			one.Token = s.guest.Token
		}
		return s.push.Subscribe(ctx, one)
	}), nil
}

func (s *Server) pushUnsubscribe(_ context.Context, p protocol.PushEndpoint) (rpc.Waiting[protocol.PushListResult], error) {
	return s.pushed(func(ctx context.Context, person string) error { return s.push.Unsubscribe(ctx, person, p.Endpoint) }), nil
}

func (s *Server) pushTest(_ context.Context, p protocol.PushEndpoint) (rpc.Waiting[protocol.PushListResult], error) {
	return s.pushed(func(ctx context.Context, person string) error { return s.push.Test(ctx, person, p.Endpoint) }), nil
}

func (s *Server) pushDismiss(_ context.Context, p protocol.PushDismissParams) error {
	s.push.Dismiss(s.account(), p.Endpoint, p.Tag)
	return nil
}

// pushNotify notifies an address until the request ends. At a hub nobody may name one.
func (s *Server) pushNotify(_ context.Context, p protocol.PushNotifyParams) (rpc.Waiting[protocol.None], error) {
	a := push.Address{
		URL: p.URL, Secret: p.Secret, Private: p.Private, Page: p.Page, After: time.Duration(p.After) * time.Millisecond, Hidden: p.Hidden,
		Locale: string(s.locale()),
	}
	return func(ctx context.Context) (protocol.None, error) {
		end, err := s.push.Notify(ctx, a)
		if err != nil {
			return protocol.None{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "%v", err)
		}
		defer end()
		<-ctx.Done()
		return protocol.None{}, context.Cause(ctx)
	}, nil
}

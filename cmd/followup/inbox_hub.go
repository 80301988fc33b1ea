package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"go.uber.org/zap"

	"followup/internal/hubclient"
	"followup/internal/inboxclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// hubItems returns the hub's open questions, oldest first.
func hubItems(ctx context.Context, p process, log *zap.Logger, hub *hubclient.Options) ([]protocol.InboxItem, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	hub.StateChanged = func(now hubclient.State) {
		if now.Away != "" { // a single request does not wait for the network
			cancel(errors.New(now.Away))
		}
	}
	router := &rpc.Router{}
	open := inboxclient.New(router)
	own := startOwnSidecar(p, log, router, hub)
	defer own.End()
	if err := own.Greet(ctx, protocol.InitializationOptions{Locale: string(hub.Locale)}); err != nil {
		return nil, cmp.Or(context.Cause(ctx), err)
	}
	items, err := snapshot(ctx, own.Conn, open)
	return items, plainError(context.WithoutCancel(ctx), err) // the cause is in err
}

// keptItems returns the open questions of a folder's keeper, oldest first.
func keptItems(ctx context.Context, p process, speak locale.Tag, folder string) (items []protocol.InboxItem, err error) {
	router := &rpc.Router{}
	open := inboxclient.New(router)
	err = atKeeper(ctx, p, folder, speak, router, func(conn *rpc.Conn) (err error) {
		items, err = snapshot(ctx, conn, open)
		return err
	})
	return slices.DeleteFunc(items, func(item protocol.InboxItem) bool { return item.State == protocol.ItemStreaming }), err
}

// snapshot returns the items of a snapshot of the inbox. It does not count as showing them to the user.
func snapshot(ctx context.Context, conn *rpc.Conn, open *inboxclient.Inbox) ([]protocol.InboxItem, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	rpc.Notify(conn, protocol.InboxDidShow, protocol.InboxDidShowParams{Shown: false})
	change, err := open.Subscribe(ctx, conn)
	if err != nil {
		return nil, err
	}
	for open.Apply(change); change.More > 0; open.Apply(change) {
		select {
		case change = <-open.Changes:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	items := []protocol.InboxItem{}
	for _, item := range open.Open() {
		item.Draft, item.Rendered = nil, nil // as in a store
		items = append(items, *item)
	}
	return items, nil
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/hubclient"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// hubItems asks the hub what is open, oldest first.
func hubItems(ctx context.Context, p process, log *zap.Logger, hub *hubclient.Options) ([]protocol.InboxItem, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	hub.Tell = func(now hubclient.State) {
		if now.Away != "" { // whoever asks once does not wait for the network
			cancel(errors.New(now.Away))
		}
	}
	return subscribedItems(ctx, p, log, hub, protocol.InitializationOptions{Locale: string(hub.Locale)})
}

// keptItems asks the keeper of a folder what is open, oldest first.
func keptItems(ctx context.Context, p process, log *zap.Logger, folder string) ([]protocol.InboxItem, error) {
	items, err := subscribedItems(ctx, p, log, nil, protocol.InitializationOptions{StorageFolder: folder})
	return slices.DeleteFunc(items, func(item protocol.InboxItem) bool { return item.State == protocol.ItemStreaming }), err
}

// subscribedItems are those of a snapshot of the inbox.
func subscribedItems(
	ctx context.Context, p process, log *zap.Logger, hub *hubclient.Options, o protocol.InitializationOptions,
) ([]protocol.InboxItem, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var router rpc.Router
	changes := make(chan protocol.InboxChange)
	rpc.OnNotification(&router, protocol.InboxDidChange, func(_ context.Context, change protocol.InboxChange) error {
		select {
		case changes <- change:
		case <-ctx.Done():
		}
		return nil
	})
	own := startOwnSidecar(p, log, &router, hub)
	defer func() {
		cancel(nil) // or a change that came meanwhile would wait to be read, and the end for it
		own.end()
	}()
	if err := own.greet(ctx, o); err != nil {
		return nil, cmp.Or(context.Cause(ctx), err)
	}
	snapshot, err := rpc.Call(ctx, own.conn, protocol.InboxSubscribe, protocol.None{})
	var wrong *jsonrpc2.Error
	switch {
	case errors.As(err, &wrong):
		return nil, errors.New(wrong.Message)
	case err != nil:
		return nil, cmp.Or(context.Cause(ctx), err)
	}
	if snapshot.Storage != nil && snapshot.Storage.Problem != "" {
		fmt.Fprintln(p.stderr, archive.Inline(snapshot.Storage.Problem))
	}
	open := map[string]protocol.InboxItem{}
	take := func(items []protocol.InboxItem, removed ...string) {
		for _, id := range removed {
			delete(open, id)
		}
		for _, item := range items {
			if open[item.QuestionID] = item; item.State == protocol.ItemClosed {
				delete(open, item.QuestionID)
			}
		}
	}
	take(snapshot.Items)
	for more := snapshot.More; more > 0; {
		select {
		case change := <-changes:
			take(change.Items, change.Removed...)
			more = change.More
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	items := []protocol.InboxItem{}
	for _, item := range open {
		item.Draft, item.Rendered = nil, nil // as in what a store has
		items = append(items, item)
	}
	slices.SortFunc(items, func(x, y protocol.InboxItem) int { return cmp.Compare(x.Order, y.Order) })
	return items, nil
}

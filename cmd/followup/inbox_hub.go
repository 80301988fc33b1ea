package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"go.uber.org/zap"

	"followup/internal/hubclient"
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
	changes := newChanges(ctx)
	own := startOwnSidecar(p, log, changes.router(), hub)
	defer func() {
		cancel(nil) // otherwise a change that nobody reads would block the end of the connection
		own.end()
	}()
	if err := own.greet(ctx, protocol.InitializationOptions{Locale: string(hub.Locale)}); err != nil {
		return nil, cmp.Or(context.Cause(ctx), err)
	}
	items, err := changes.items(own.conn)
	return items, plainError(context.WithoutCancel(ctx), err) // the cause is in err
}

// keptItems returns the open questions of a folder's keeper, oldest first.
func keptItems(ctx context.Context, p process, speak locale.Tag, folder string) (items []protocol.InboxItem, err error) {
	read, cancel := context.WithCancel(ctx)
	changes := newChanges(read)
	err = atKeeper(ctx, p, folder, speak, changes.router(), func(conn *rpc.Conn) (err error) {
		defer cancel()
		items, err = changes.items(conn)
		return err
	})
	return slices.DeleteFunc(items, func(item protocol.InboxItem) bool { return item.State == protocol.ItemStreaming }), err
}

// changes are the changes to the inbox that follow its snapshot.
type changes struct {
	ctx  context.Context
	came chan protocol.InboxChange
}

func newChanges(ctx context.Context) changes { return changes{ctx, make(chan protocol.InboxChange)} }

// router receives the changes. Once ctx has ended, it drops them.
func (c changes) router() *rpc.Router {
	var router rpc.Router
	rpc.OnNotification(&router, protocol.InboxDidChange, func(_ context.Context, change protocol.InboxChange) error {
		select {
		case c.came <- change:
		case <-c.ctx.Done():
		}
		return nil
	})
	return &router
}

// items returns the items of a snapshot of the inbox. It does not count as showing them to the user.
func (c changes) items(conn *rpc.Conn) ([]protocol.InboxItem, error) {
	rpc.Notify(conn, protocol.InboxDidShow, protocol.InboxDidShowParams{Shown: false})
	snapshot, err := rpc.Call(c.ctx, conn, protocol.InboxSubscribe, protocol.None{})
	if err != nil {
		return nil, cmp.Or(context.Cause(c.ctx), err)
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
		case change := <-c.came:
			take(change.Items, change.Removed...)
			more = change.More
		case <-c.ctx.Done():
			return nil, context.Cause(c.ctx)
		}
	}
	items := []protocol.InboxItem{}
	for _, item := range open {
		item.Draft, item.Rendered = nil, nil // as in a store
		items = append(items, item)
	}
	slices.SortFunc(items, func(x, y protocol.InboxItem) int { return cmp.Compare(x.Order, y.Order) })
	return items, nil
}

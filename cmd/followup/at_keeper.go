package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/hubclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
)

// whileLinked calls do with a connection to the keeper, or to hub if it is not nil. If the keeper hangs or the hub is
// unreachable, that ends ctx and is the error.
func (p process) whileLinked(
	ctx context.Context, log *zap.Logger, hub *hubclient.Options, o protocol.InitializationOptions, router *rpc.Router,
	do func(context.Context, *rpc.Conn) error,
) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	if hub != nil {
		hub.StateChanged = func(now hubclient.State) {
			if now.Away != "" {
				fail(errors.New(now.Away))
			}
		}
	}
	own := p.reach(log).Dial(router, hub)
	own.Hung = func(words string) { fail(errors.New(words)) }
	defer own.EndIn(ctx)
	err := own.Greet(ctx, o)
	if err == nil {
		err = do(ctx, own.Conn)
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// atKeeper calls do with a connection to the keeper of a storage. If the store cannot be opened, atKeeper fails; it prints any
// other problem with it on standard error.
func atKeeper(
	ctx context.Context, p process, storage string, speak locale.Tag, router *rpc.Router, do func(context.Context, *rpc.Conn) error,
) error {
	o := protocol.InitializationOptions{Locale: string(speak), StorageFolder: storage}
	return plainError(p.whileLinked(ctx, p.quietLog(), nil, o, router, func(ctx context.Context, conn *rpc.Conn) error {
		status, err := rpc.Call(ctx, conn, protocol.InboxStatus, protocol.None{})
		switch {
		case err != nil:
			return err
		case status.NotOpened != nil:
			return notOpened(storage, status.NotOpened)
		case status.Storage != nil && status.Storage.Problem != "":
			fmt.Fprintln(p.stderr, archive.Inline(status.Storage.Problem))
		}
		return do(ctx, conn)
	}))
}

// plainError returns an error from the other end with its message only.
func plainError(err error) error {
	var wrong *jsonrpc2.Error
	if errors.As(err, &wrong) {
		return errors.New(wrong.Message)
	}
	return err
}

// notOpened returns an error with the reason why a store cannot be opened, and what to do.
func notOpened(place string, why *protocol.StoreFailure) error {
	text := fmt.Sprintf("the history in %s cannot be opened: %s", store.Redacted(place), why.Cause)
	if advice := advice[why.Reason]; advice != "" && !store.IsDatabase(place) { // a database's errors include it
		text += "; " + advice
	}
	return errors.New(text)
}

const (
	another  = "or name another folder with --storage or " + storageVariable
	tryLater = "try again when no other program is using it, " + another
)

// advice is what the user can do if a storage cannot be opened.
var advice = map[protocol.StoreReason]string{
	protocol.StoreNewer:       "update this program",
	protocol.StoreNotFolder:   "it is a file: name a folder with --storage or " + storageVariable,
	protocol.StoreNotWritable: "make the folder writable, " + another,
	protocol.StoreFull:        "free some space, " + another,
	protocol.StoreInUse:       tryLater,
}

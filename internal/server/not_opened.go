package server

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/store"
)

// openStore opens the store, and records why that failed.
func (h *Host) openStore(ctx context.Context, place string, o store.Options) (store.Store, store.Report, error) {
	opened, report, err := h.options.OpenStore(ctx, place, o)
	var failure *protocol.StoreFailure
	if err != nil {
		failure = &protocol.StoreFailure{Reason: storeReason(err), Cause: err.Error()}
	}
	h.notOpened.Store(failure)
	if err == nil {
		h.background.Go("push", func() {
			if err := h.push.Load(context.WithoutCancel(ctx), opened); err != nil && !errors.Is(err, store.ErrClosed) {
				h.log.Warn("the browsers that are notified cannot be read", zap.Error(err))
			}
		})
	}
	return opened, report, err
}

func storeReason(err error) protocol.StoreReason {
	for _, known := range []struct {
		is     error
		reason protocol.StoreReason
	}{
		{store.ErrNewer, protocol.StoreNewer},
		{syscall.ENOTDIR, protocol.StoreNotFolder},
		{fs.ErrPermission, protocol.StoreNotWritable},
		{syscall.EROFS, protocol.StoreNotWritable},
		{syscall.ENOSPC, protocol.StoreFull},
		{store.ErrUnavailable, protocol.StoreInUse},
	} {
		if errors.Is(err, known.is) {
			return known.reason
		}
	}
	return protocol.StoreOther
}

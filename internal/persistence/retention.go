package persistence

import (
	"context"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
)

// retainEvery is how often what is too old is looked for.
const retainEvery = 24 * time.Hour

// Retain sets what is kept.
func (k *Keeper) Retain(what store.Retention) {
	k.registry.View(func() { k.retention = &what })
	signal(k.retainNow)
}

// retain removes what is not to be kept: once it is known what that is, then every day, and after every collected answer where
// nothing is kept. It ends with ctx. What one person wants kept is not done to what others have in the same database;
// a hub, which is strict, is run by whoever says it for all.
func (k *Keeper) retain(ctx context.Context, in store.Store) {
	shared := false
	k.registry.View(func() { shared = store.IsDatabase(k.folder) && !k.options.Strict })
	if shared {
		return
	}
	daily := time.NewTicker(retainEvery)
	defer daily.Stop()
	signal(k.retainNow) // a store that was opened again
	for {
		select {
		case <-ctx.Done():
			return
		case <-daily.C:
		case <-k.retainNow:
		}
		var what *store.Retention
		k.registry.View(func() { what = k.retention })
		if what == nil || *what == (store.Retention{}) {
			continue
		}
		removed, err := in.Retain(ctx, *what)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			k.log.Warn("could not remove what is not to be kept; it is tried again later", zap.Error(err))
		case removed > 0:
			k.log.Info("removed what is not to be kept", zap.Int("questions", removed))
		}
	}
}

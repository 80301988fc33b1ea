package persistence

import (
	"context"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
)

// retainEvery is how often expired entries are removed.
const retainEvery = 24 * time.Hour

// Retain sets the retention.
func (p *Persister) Retain(what store.Retention) {
	p.registry.View(func() { p.retention = what })
	signal(p.retainNow)
}

// retain removes entries outside the retention when that changes, daily, and after each collected answer if no history is kept. In
// a shared database only a hub, which is strict, does so: a person must not remove others' entries.
func (p *Persister) retain(ctx context.Context, in store.Store) {
	shared := false
	p.registry.View(func() { shared = store.IsDatabase(p.folder) && !p.options.Strict })
	if shared {
		return
	}
	daily := time.NewTicker(retainEvery)
	defer daily.Stop()
	signal(p.retainNow) // for a reopened store
	for {
		select {
		case <-ctx.Done():
			return
		case <-daily.C:
		case <-p.retainNow:
		}
		var what store.Retention
		p.registry.View(func() { what = p.retention })
		removed, err := in.Retain(ctx, what)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			p.log.Warn("could not remove expired questions; trying again later", zap.Error(err))
		case removed > 0:
			p.log.Info("removed expired questions", zap.Int("questions", removed))
		}
	}
}

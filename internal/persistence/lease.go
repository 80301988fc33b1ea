package persistence

import (
	"context"

	"go.uber.org/zap"

	"followup/internal/conversation"
	"followup/internal/store"
)

// beat is what is done while a lease runs.
func (k *Keeper) beat(ctx context.Context, in store.Store) {
	if err := in.Renew(ctx); err != nil && ctx.Err() == nil {
		k.log.Warn("could not renew the lease", zap.Error(err))
		k.report(in, err)
	}
	k.sync(ctx, in)
	k.registry.View(func() {
		k.registry.Records(func(r *conversation.Record) {
			if r.Waited() && r.Outcome == nil && k.registry.Foreign(r) {
				k.claimed[r] = true
			}
		})
		if len(k.passed) > 0 {
			signal(k.wake)
		}
	})
}

// lookAfterOwners marks the questions of processes that are gone.
func (k *Keeper) lookAfterOwners(ctx context.Context, in store.Store) {
	foreign := false
	k.registry.View(func() {
		k.registry.Records(func(r *conversation.Record) {
			foreign = foreign || r.Outcome == nil && k.registry.Foreign(r) && r.Stored.Alive
		})
	})
	if !foreign {
		return
	}
	alive, err := in.Owners(ctx)
	if err != nil {
		if ctx.Err() == nil {
			k.log.Warn("could not look after the questions of other processes", zap.Error(err))
		}
		return
	}
	k.registry.Enter()
	defer k.registry.Leave()
	k.registry.Records(func(r *conversation.Record) {
		if r.Outcome == nil && k.registry.Foreign(r) {
			k.registry.OwnedBy(r, r.Stored.Owner, alive[r.Stored.Owner])
		}
	})
}

// claim makes this process the owner of questions that somebody here waits for, if they have no owner that lives.
func (k *Keeper) claim(ctx context.Context, in store.Store) {
	var ids []string
	k.registry.View(func() {
		for r := range k.claimed {
			if r.Waited() && r.Outcome == nil && k.registry.Foreign(r) {
				ids = append(ids, r.ID)
			}
		}
		clear(k.claimed)
	})
	if len(ids) == 0 {
		return
	}
	adopted, err := in.Adopt(ctx, ids...)
	if err != nil {
		if ctx.Err() == nil {
			k.log.Warn("could not take over questions", zap.Error(err))
		}
		return
	}
	k.registry.Enter()
	defer k.registry.Leave()
	for _, id := range adopted {
		k.log.Info("took over a question", zap.String("question", id))
		if r := k.registry.Record(id); r != nil {
			k.registry.OwnedBy(r, k.registry.Owner, true)
		}
	}
}

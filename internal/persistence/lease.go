package persistence

import (
	"context"
	"slices"
	"time"

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

// lookAfterOwners marks the questions of processes that are gone, and withdraws those that end with them.
func (k *Keeper) lookAfterOwners(ctx context.Context, in store.Store) {
	told := k.owners(ctx, in)
	if told == nil {
		k.registry.View(func() { clear(k.silent) })
		return
	}
	k.registry.Enter()
	defer k.registry.Leave()
	k.takeOwners(told)
}

// lease is how it stands with the lease of a process.
type lease int

const (
	givenUp lease = iota // or it never had one
	ranOut               // it may only have been suspended
	runs
)

// owners reads how it stands with the leases of those other processes whose questions have to be looked after; nil for none.
func (k *Keeper) owners(ctx context.Context, in store.Store) map[string]lease {
	told := map[string]lease{}
	k.registry.View(func() {
		k.registry.Records(func(r *conversation.Record) {
			if r.Outcome == nil && k.registry.Foreign(r) && (r.Stored.Alive || r.Conversation.Bound) {
				told[r.Stored.Owner] = givenUp
			}
		})
	})
	if len(told) == 0 {
		return nil
	}
	alive, err := in.Owners(ctx)
	if err != nil {
		if ctx.Err() == nil {
			k.log.Warn("could not look after the questions of other processes", zap.Error(err))
		}
		return nil
	}
	for owner, alive := range alive {
		if _, asked := told[owner]; asked && alive {
			told[owner] = runs
		} else if asked {
			told[owner] = ranOut
		}
	}
	return told
}

// takeOwners notes how it stands with the leases of other processes. What ends with a process ends at once where that has given up its
// lease. Where the lease ran out, it ends one lease later: a computer that was asleep wakes all processes at once, and the owner may
// renew its lease behind this one's look.
func (k *Keeper) takeOwners(told map[string]lease) {
	k.registry.Records(func(r *conversation.Record) {
		if now, asked := told[r.Stored.Owner]; asked && r.Outcome == nil && k.registry.Foreign(r) {
			k.registry.OwnedBy(r, r.Stored.Owner, now == runs)
		}
	})
	silent, gone := map[string]time.Time{}, map[string]bool{}
	for owner, now := range told {
		switch since, known := k.silent[owner]; {
		case now == givenUp && !k.options.Resumed:
			gone[owner] = true
		case now != runs && !known:
			silent[owner] = time.Now()
		case now != runs:
			silent[owner], gone[owner] = since, time.Since(since) >= k.options.Lease // by the clock that stands still in sleep
		}
	}
	k.silent = silent
	k.registry.EndBound(gone)
}

// await tells the others for which of their questions somebody waits here: whenever that has changed, and again while it lasts.
func (k *Keeper) await(ctx context.Context, in store.Store, onBeat bool) {
	var ids []string
	k.registry.View(func() {
		k.registry.Records(func(r *conversation.Record) {
			if r.Waited() && r.Outcome == nil && k.registry.Foreign(r) {
				ids = append(ids, r.ID)
			}
		})
	})
	slices.Sort(ids)
	if slices.Equal(ids, k.awaited) && (!onBeat || len(ids) == 0) {
		return
	}
	if err := in.Await(ctx, ids...); err != nil {
		if ctx.Err() == nil {
			k.log.Warn("could not tell what is waited for", zap.Error(err))
		}
		return
	}
	k.awaited = ids
}

// Lease is how long a process that has died is taken to live.
func (k *Keeper) Lease() time.Duration { return k.options.Lease }

// Claim gives this process alone the right to tell the user of a question, unless another one has it. Where nothing is kept, there is
// no other.
func (k *Keeper) Claim(id string) bool {
	in := k.current()
	if in == nil {
		return true
	}
	ours, err := in.Claim(context.Background(), id)
	if err != nil {
		k.log.Warn("could not agree on who tells of a question", zap.String("question", id), zap.Error(err))
		return true // rather twice than not at all
	}
	return ours
}

// Claimed tells whether another process has the right to tell the user of a question.
func (k *Keeper) Claimed(id string) bool {
	in := k.current()
	if in == nil {
		return false
	}
	claimed, err := in.Claimed(context.Background(), id)
	if err != nil {
		k.log.Warn("could not look who tells of a question", zap.String("question", id), zap.Error(err))
	}
	return claimed
}

// Unclaim gives up what this process has claimed.
func (k *Keeper) Unclaim(ids []string) {
	if in := k.current(); in != nil {
		if err := in.Unclaim(context.Background(), ids...); err != nil {
			k.log.Warn("could not give up the right to tell of questions", zap.Error(err))
		}
	}
}

// view is an inbox that is shown, or that the user cannot see.
type view struct{ shows, hides bool }

// Came notes that there may be an inbox, until Gone is called.
func (k *Keeper) Came(whose any) {
	k.registry.View(func() { k.views[whose] = view{} })
}

// Shows has the other processes told that an inbox is shown here, as long as this one lives and the user can see it. Whose it is tells it
// from others of this process.
func (k *Keeper) Shows(whose any) {
	k.look(whose, func(v *view) { v.shows = true })
}

// Hides notes whether an inbox cannot be seen at the moment.
func (k *Keeper) Hides(whose any, hides bool) {
	k.look(whose, func(v *view) { v.hides = hides })
}

// Gone notes that an inbox is no more.
func (k *Keeper) Gone(whose any) {
	k.registry.View(func() { delete(k.views, whose) })
	signal(k.attend)
}

func (k *Keeper) look(whose any, change func(*view)) {
	k.registry.View(func() {
		v, here := k.views[whose]
		if !here {
			return // its last messages are made behind its end
		}
		change(&v)
		k.views[whose] = v
	})
	signal(k.attend)
}

// seen tells whether an inbox can be seen here.
func (k *Keeper) seen() (seen bool) {
	k.registry.View(func() {
		for _, v := range k.views {
			seen = seen || v.shows && !v.hides
		}
	})
	return seen
}

// show tells the others whether an inbox can be seen here, whenever that has changed.
func (k *Keeper) show(ctx context.Context, in store.Store) {
	seen := k.seen()
	if seen == (k.showing == in) {
		return
	}
	if err := in.Show(ctx, seen); err != nil {
		if ctx.Err() == nil {
			k.log.Warn("could not tell whether an inbox is shown", zap.Error(err))
		}
		return
	}
	if k.showing = nil; seen {
		k.showing = in
	}
}

// Shown tells whether an inbox can be seen in any process; also where that is not known.
func (k *Keeper) Shown() bool {
	in, mine := k.current(), k.seen()
	if mine || in == nil {
		return mine
	}
	shown, err := in.Shown(context.Background())
	if err != nil {
		k.log.Warn("could not look whether an inbox is shown elsewhere", zap.Error(err))
	}
	return shown || err != nil
}

// Awaited tells whether somebody waits for a question in another process.
func (k *Keeper) Awaited(id string) bool {
	from := k.current()
	if from == nil {
		return false
	}
	awaited, err := from.Awaited(context.Background(), id)
	if err != nil {
		k.log.Warn("could not look whether a question is waited for elsewhere", zap.String("question", id), zap.Error(err))
		k.report(from, err)
	}
	return awaited
}

// abandon withdraws what was deserted here while others waited for it, when they do no more.
func (k *Keeper) abandon(ctx context.Context, in store.Store) {
	var deserted []*conversation.Record
	k.registry.View(func() {
		k.registry.Records(func(r *conversation.Record) {
			if r.Deserted && r.Outcome == nil {
				deserted = append(deserted, r)
			}
		})
	})
	for _, r := range deserted {
		if awaited, err := in.Awaited(ctx, r.ID); err == nil && !awaited {
			k.registry.Enter()
			k.registry.Abandon(r, false)
			k.registry.Leave()
		}
	}
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

package persistence

import (
	"context"
	"errors"
	"slices"
	"time"

	"go.uber.org/zap"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/store"
)

// entry is what is written of one conversation.
type entry struct {
	conversation *conversation.Conversation
	at           conversation.Mark
	row          store.Session
	session      bool // the row has changed
	records      []*written
}

// written is a record as it was when it was taken to be written.
type written struct {
	record    *conversation.Record
	as        conversation.Record
	wrong     *protocol.CallError
	workspace string
	images    map[string]bool // those of the draft that the store will have, by their hashes
}

func (e *entry) holds(r *conversation.Record) bool {
	return slices.ContainsFunc(e.records, func(w *written) bool { return w.record == r })
}

// commitLoop writes what sections hand over, until ctx ends. What comes while one transaction is being written is joined in the
// next.
func (k *Keeper) commitLoop(ctx context.Context) {
	retry := time.NewTicker(min(k.options.Lease/3, time.Second))
	defer retry.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.wake:
		case <-retry.C:
			var idle bool
			k.registry.View(func() { idle = len(k.unsaved) == 0 || !k.health.failing })
			if idle {
				continue
			}
		}
		for more := true; more && ctx.Err() == nil; {
			more = false
			k.options.Background.Do("commit", func() { more = k.commit() })
		}
	}
}

// commit writes everything that is unsaved, in one transaction with one flush, and has it told then. It reports whether there
// is more to write that may be written at once.
func (k *Keeper) commit() (more bool) {
	k.committing.Lock()
	defer k.committing.Unlock()
	var into store.Store
	var batch []*entry
	var passed []string
	k.registry.View(func() { into, batch, passed = k.take() })
	if into == nil {
		return false
	}
	if len(batch)+len(passed) == 0 {
		k.registry.Enter()
		defer k.registry.Leave()
		k.works(into)
		return false
	}
	var changes []store.Change
	for _, e := range batch {
		changes = append(changes, k.change(e))
	}
	for _, id := range passed {
		changes = append(changes, store.Change{Collected: []string{id}})
	}
	slow := k.options.Background.After(k.options.Slow, "slow commit", k.slow)
	results, err := into.Commit(context.Background(), changes)
	slow.Stop()
	if err == nil {
		k.completeLost(into, results)
	}
	k.registry.Enter()
	defer k.registry.Leave()
	clear(k.writing)
	k.telling = nil
	if err != nil {
		for _, e := range batch {
			k.takeBack(e)
		}
		k.passed = append(k.passed, passed...)
		k.problem(into, err)
		return false
	}
	for i, e := range batch {
		k.written(e, results[i])
	}
	if len(passed) > 0 && k.retention != nil && k.retention.Nothing {
		signal(k.retainNow)
	}
	k.works(into)
	if len(k.again) > 0 {
		signal(k.attend)
	}
	return len(k.unsaved) > 0
}

// take takes what is unsaved, as the store takes it.
func (k *Keeper) take() (into store.Store, batch []*entry, passed []string) {
	if k.store == nil {
		return nil, nil, nil
	}
	for c, of := range k.unsaved {
		e := k.entry(c, of)
		if e == nil {
			k.registry.Release(c, c.Changed())
			continue
		}
		batch = append(batch, e)
		k.writing[c] = e
	}
	clear(k.unsaved)
	slices.SortFunc(batch, func(a, b *entry) int { return int(a.at) - int(b.at) })
	passed, k.passed, k.telling = k.passed, nil, k.passed
	return k.store, batch, passed
}

// takeBack has an entry written another time, with what has changed since.
func (k *Keeper) takeBack(e *entry) {
	of := k.unsaved[e.conversation]
	if of == nil {
		of = &unsaved{records: map[*conversation.Record]bool{}}
		k.unsaved[e.conversation] = of
	}
	for _, w := range e.records {
		if !w.record.Stored.Ended {
			of.records[w.record] = true
		}
	}
}

// written notes what became of an entry, and has it told.
func (k *Keeper) written(e *entry, result store.Result) {
	c := e.conversation
	switch {
	case result.Lost.Any():
		k.yield(e, result.Lost)
		return
	case result.Err != nil:
		k.mistaken(e, result.Err)
	default:
		k.saved(e, result)
	}
	if k.unsaved[c] == nil {
		k.registry.Release(c, c.Changed())
	} else {
		k.registry.Release(c, e.at)
	}
	for _, w := range e.records {
		k.registry.Forget(w.record)
	}
}

// saved notes that an entry is on disk.
func (k *Keeper) saved(e *entry, result store.Result) {
	for _, w := range e.records {
		r := w.record
		if order, ok := result.Orders[r.ID]; ok {
			k.registry.Ordered(r, int(order))
		}
		if !r.Stored.Asked {
			r.Stored.Asked, r.Stored.Owner, r.Stored.Alive = true, k.registry.Owner, true
		}
		if w.as.Draft == r.Draft {
			r.Stored.Undrafted = false
		}
		if w.as.Stored.Undrafted {
			r.Stored.Images = w.images
		}
		r.Stored.Ended = w.as.Outcome != nil
		if r.Stored.Ended && r.Collected && !w.as.Collected && !r.Uncollectable() { // since it was taken to be written
			k.passed = append(k.passed, r.ID)
		}
	}
	if e.session {
		row := e.row
		row.Version++
		k.rows[e.conversation] = row
	}
}

// mistaken takes back an entry in which something makes no sense to the store: it may have lost what was written before, so all
// of it is written. Where that has been tried it is given up, and stays in memory.
func (k *Keeper) mistaken(e *entry, err error) {
	again := false
	for _, w := range e.records {
		again = again || w.record.Stored.Asked
		w.record.Stored.Asked, w.record.Stored.Images = false, nil
		w.record.Stored.Undrafted = w.record.Draft != nil
	}
	k.log.Error("the store refuses a change", zap.String("session", e.conversation.ID), zap.Bool("again", again), zap.Error(err))
	if again {
		k.takeBack(e)
	}
}

// yield takes over what another process wrote first, and has the rest written.
func (k *Keeper) yield(e *entry, lost store.Lost) {
	c := e.conversation
	mistakes := c.State.Mistakes.Count()
	for _, row := range lost.Sessions {
		switch {
		case row.ID != c.ID:
		case row.Version == 0: // it was removed, with all that there was of it
			delete(k.rows, c)
		default:
			mistakes = k.mergeOptions(c, row)
		}
	}
	k.takeBack(e)
	for _, theirs := range lost.Outcomes {
		r := k.registry.Record(theirs.QuestionID)
		if r == nil {
			continue
		}
		r.Beaten = true
		delete(k.unsaved[c].records, r)
		if err := k.adopt(r, theirs); err != nil {
			k.log.Error("an outcome of another process cannot be read", zap.String("question", r.ID), zap.Error(err))
			r.Stored.Ended = true // there is one, and ours cannot be written
		}
	}
	if len(lost.Sessions) > 0 {
		k.registry.Restore(c, mistakes)
	}
	k.registry.TouchConversation(c)
	signal(k.wake)
}

// completeLost reads the images of outcomes that are to be taken over.
func (k *Keeper) completeLost(from store.Store, results []store.Result) {
	for i := range results {
		for j, o := range results[i].Lost.Outcomes {
			whole, err := k.completed(context.Background(), from, o)
			if err != nil {
				k.log.Error("the images of an answer cannot be read", zap.String("question", o.QuestionID), zap.Error(err))
			}
			results[i].Lost.Outcomes[j] = whole
		}
	}
}

// completed is an outcome with its images; without them where they cannot be read.
func (k *Keeper) completed(ctx context.Context, from store.Store, o store.Outcome) (store.Outcome, error) {
	if o.ImageCount <= len(o.Images) {
		return o, nil
	}
	q, err := from.Question(ctx, o.QuestionID)
	if err != nil || q.Outcome == nil {
		return o, err
	}
	return *q.Outcome, nil
}

// slow is called when something has waited for the disk for too long: everything goes on in memory.
func (k *Keeper) slow() {
	k.registry.Enter()
	defer k.registry.Leave()
	k.fail(protocol.Storage{Problem: k.registry.Locale.Text(slow)}, errSlow)
}

var errSlow = errors.New("the disk, or another process, takes too long")

// releaseAll lets be told what cannot be saved at the moment.
func (k *Keeper) releaseAll() {
	if k.options.Strict {
		return
	}
	for c := range k.unsaved {
		k.registry.Release(c, c.Changed())
	}
	for c := range k.writing {
		k.registry.Release(c, c.Changed())
	}
}

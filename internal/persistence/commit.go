package persistence

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"go.uber.org/zap"

	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// entry is the unsaved state of one conversation.
type entry struct {
	conversation *conversation.Conversation
	at           conversation.Mark
	row          store.Session
	records      []*written
	unencodable  error // why a record cannot be encoded
}

// written is a record as it was when the entry was built.
type written struct {
	record    *conversation.Record
	as        conversation.Record
	wrong     *protocol.CallError
	workspace string
}

// commitLoop writes the changes of sections until ctx ends. Changes that arrive during a transaction go into the next one.
func (p *Persister) commitLoop(ctx context.Context) {
	every := time.NewTicker(tick)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.wake:
		case <-every.C:
			var idle bool
			p.registry.View(func() { idle = len(p.collected) == 0 && (len(p.unsaved) == 0 || !p.health.failing) })
			if idle {
				continue
			}
		}
		p.options.Background.Do("commit", p.commit)
	}
}

// commit writes everything unsaved in one transaction, and releases it.
func (p *Persister) commit() {
	p.committing.Lock()
	defer p.committing.Unlock()
	var into store.Store
	var batch []*entry
	var collected []string
	p.registry.View(func() { into, batch, collected = p.take() })
	if into == nil {
		return
	}
	results, err := []store.Result(nil), errCrashed
	p.options.Background.Do("writing", func() { results, err = p.write(into, batch, collected) })
	p.registry.Enter()
	defer p.registry.Leave()
	clear(p.writing)
	if err != nil {
		for _, e := range batch {
			p.putBack(e)
		}
		p.problem(into, err)
		return
	}
	if p.collected = p.collected[len(collected):]; len(collected) > 0 {
		p.closedMore()
	}
	for i, e := range batch {
		if err := cmp.Or(e.unencodable, results[i].Err); err != nil {
			p.refused(e, err)
		} else {
			p.saved(e, results[i])
		}
	}
	p.works(into)
}

// errCrashed is the error of a transaction that panicked.
var errCrashed = errors.New("the program failed; the log has the details")

// write writes a batch in one transaction. It is slow, and called without the registry's lock.
func (p *Persister) write(into store.Store, batch []*entry, collected []string) ([]store.Result, error) {
	changes := make([]store.Change, 0, len(batch)+1)
	for _, e := range batch {
		changes = append(changes, e.change())
	}
	if len(collected) > 0 {
		changes = append(changes, store.Change{Collected: collected})
	}
	if len(changes) == 0 {
		return nil, nil
	}
	defer p.options.Background.After(p.options.Slow, "slow commit", p.slow).Stop()
	return into.Commit(context.Background(), changes)
}

// take returns everything unsaved, in the store's form.
func (p *Persister) take() (into store.Store, batch []*entry, collected []string) {
	if p.store == nil {
		return nil, nil, nil
	}
	for c, records := range p.unsaved {
		e := p.entry(c, records)
		batch = append(batch, e)
		p.writing[c] = e
	}
	clear(p.unsaved)
	slices.SortFunc(batch, func(a, b *entry) int { return int(a.at) - int(b.at) })
	return p.store, batch, slices.Clone(p.collected)
}

// putBack marks an entry as unsaved again, merged with later changes.
func (p *Persister) putBack(e *entry) {
	records := p.unsavedOf(e.conversation)
	for _, w := range e.records {
		records[w.record] = true
	}
}

// closedMore triggers the removal of closed questions if no history is kept.
func (p *Persister) closedMore() {
	if p.retention.Nothing {
		signal(p.retainNow)
	}
}

const storageUnavailable locale.Key = "Questions and answers are not being saved: {0}. You can continue, but they are lost when the window " +
	"is closed. Free some space or make the storage folder writable."

// refused keeps an entry that the store rejects: it never counts as saved, and is retried. Unless the persister is strict, work
// continues in memory.
func (p *Persister) refused(e *entry, err error) {
	p.log.Error("the store refuses a change", zap.String("session", e.conversation.ID), zap.Error(err))
	p.putBack(e)
	p.fail(protocol.Storage{Problem: p.registry.Locale.Text(storageUnavailable, err)}, err)
	if !p.options.Strict {
		p.registry.Release(e.conversation, e.conversation.Changed())
	}
}

// saved records that an entry is durable, and releases it.
func (p *Persister) saved(e *entry, result store.Result) {
	c := e.conversation
	for _, w := range e.records {
		r := w.record
		if order, ok := result.Orders[r.ID]; ok {
			p.registry.Ordered(r, int(order))
		}
		if w.as.Outcome == nil {
			continue
		}
		r.Durable = true
		signal(p.due)
		if r.Collected && !w.as.Collected && !r.Uncollectable() { // since the entry was built
			p.collected = append(p.collected, r.ID)
		}
		p.closedMore()
	}
	if p.unsaved[c] == nil {
		p.registry.Release(c, c.Changed())
	} else {
		p.registry.Release(c, e.at)
	}
	for _, w := range e.records {
		p.registry.Forget(w.record)
	}
}

const storageSlow locale.Key = "Questions and answers are not saved yet: the disk, or another program that uses the storage, has " +
	"not responded for some time. You can continue: they are saved as soon as it does."

// slow continues the work in memory when a change has waited for the disk for too long.
func (p *Persister) slow() {
	p.registry.Enter()
	defer p.registry.Leave()
	p.fail(protocol.Storage{Problem: p.registry.Locale.Text(storageSlow)}, errSlow)
}

var errSlow = errors.New("the disk takes too long")

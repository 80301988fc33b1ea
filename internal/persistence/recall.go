package persistence

import (
	"context"
	"errors"
	"slices"
	"time"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/store"
)

// Find finds a question: one that is open, or one that was closed at any time; nil for one that there never was. It may take
// its time, and is called outside of sections. That it cannot be looked up is an error.
func (k *Keeper) Find(ctx context.Context, id string) (r *conversation.Record, err error) {
	for again := false; ; again = true {
		from := k.lookIn(ctx, func() bool {
			r = k.registry.Record(id)
			return r != nil
		})
		if r != nil || from == nil { // what is asked has to work without a store
			return r, nil
		}
		q, err := from.Question(ctx, id)
		switch {
		case err == nil && q.Outcome == nil: // another process has asked it just now
			if err = k.merge(ctx, from, news{questions: []store.Question{q}}); err == nil {
				k.registry.View(func() { r = k.registry.Record(id) })
				if r == nil {
					err = k.unread(ctx, id, errOddRow)
				}
				return r, err
			}
		case err == nil:
			if r, err = k.recall(ctx, from, q); err == nil {
				return r, nil
			}
		case errors.Is(err, store.ErrNotFound):
			return nil, nil
		}
		if k.patient(ctx, err) {
			continue
		}
		if again || !k.Lost(ctx, from, err) {
			return nil, k.unread(ctx, id, err)
		}
	}
}

// lookIn gives the store to look into for what is not in memory. It waits for one that is being opened again, but not where inMemory
// finds what is looked for.
func (k *Keeper) lookIn(ctx context.Context, inMemory func() bool) (from store.Store) {
	found := false
	look := func() { found, from = inMemory(), k.store }
	if k.registry.View(look); !found {
		k.settle(ctx)
		k.registry.View(look)
	}
	return from
}

// lookAgain is how long it takes until it is looked again into a store that is not there.
const lookAgain = 250 * time.Millisecond

// patient waits where a store that is not there is waited for, and tells whether to look again.
func (k *Keeper) patient(ctx context.Context, err error) bool {
	if !k.options.Strict || !errors.Is(err, store.ErrUnavailable) {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(lookAgain):
		return true
	}
}

// unread is the error of a lookup that has failed.
func (k *Keeper) unread(ctx context.Context, id string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	k.log.Error("a question or a session could not be looked up", zap.String("id", id), zap.Error(err))
	return locale.Refuse(locale.StorageUnread, err)
}

// Lost notes what a read has found out about the store, and tells whether the store is lost: it is opened again then, and what was
// read may be read once more from the one that Store gives.
func (k *Keeper) Lost(ctx context.Context, of store.Store, err error) bool {
	k.report(of, err)
	return ctx.Err() == nil && (lost(err) || errors.Is(err, store.ErrClosed))
}

// report notes what a read has found out about the store.
func (k *Keeper) report(of store.Store, err error) {
	if lost(err) {
		k.registry.Enter()
		defer k.registry.Leave()
		k.problem(of, err)
	}
}

// Conversation finds a session that is in memory or in the store; nil for one that there never was. It is called outside of
// sections.
func (k *Keeper) Conversation(ctx context.Context, id string) (c *conversation.Conversation, err error) {
	for again := false; ; again = true {
		from := k.lookIn(ctx, func() bool {
			c = k.registry.Known(id)
			return c != nil
		})
		if c != nil || from == nil {
			return c, nil
		}
		row, err := from.Session(ctx, id)
		switch {
		case err == nil:
			k.registry.Enter()
			defer k.registry.Leave()
			return k.mirrored(row)
		case errors.Is(err, store.ErrNotFound):
			return nil, nil
		}
		if k.patient(ctx, err) {
			continue
		}
		if again || !k.Lost(ctx, from, err) {
			return nil, k.unread(ctx, id, err)
		}
	}
}

// HasSession tells whether there is nothing to look up for a session, HasQuestion for a question.
func (k *Keeper) HasSession(id string) (known bool) {
	k.registry.View(func() { known = k.store == nil && k.opening == nil || k.registry.Known(id) != nil })
	return known
}

// HasQuestion tells it for a question.
func (k *Keeper) HasQuestion(id string) (known bool) {
	k.registry.View(func() { known = k.store == nil && k.opening == nil || k.registry.Record(id) != nil })
	return known
}

// mirrored puts a session of the store's into memory, unless it is there.
func (k *Keeper) mirrored(row store.Session) (*conversation.Conversation, error) {
	if c := k.registry.Known(row.ID); c != nil {
		return c, nil
	}
	c, err := fromRow(row)
	if err != nil {
		return nil, err
	}
	k.registry.Add(c)
	k.rows[c] = row
	return c, nil
}

// recall reads a closed question. It is not kept in memory.
func (k *Keeper) recall(ctx context.Context, from store.Store, q store.Question) (*conversation.Record, error) {
	row, err := from.Session(ctx, q.Session)
	if errors.Is(err, store.ErrNotFound) { // an imported one has no session
		row, err = store.Session{ID: q.Session, Agent: q.Agent}, nil
	}
	if err != nil {
		return nil, err
	}
	c, err := fromRow(row)
	if err != nil {
		return nil, err
	}
	return ended(c, q)
}

// ended is a closed question as the store has it.
func ended(c *conversation.Conversation, q store.Question) (*conversation.Record, error) {
	r, err := fromQuestion(c, q)
	if err != nil {
		return nil, err
	}
	how, err := archive.DecodeEnded(q.Outcome.Answer, q.Outcome.Images)
	if err != nil {
		return nil, err
	}
	r.Over(how.Item, how.Agent)
	return r, nil
}

// Past gives every call of a session that is over and not in memory, in the order of asking. It is called outside of sections.
// That it cannot be read is an error.
func (k *Keeper) Past(ctx context.Context, c *conversation.Conversation) ([]*conversation.Record, error) {
	var told []string // the store may not know it yet
	var all []store.Question
	for again := false; ; again = true {
		k.settle(ctx)
		from := k.current()
		if from == nil { // what is asked has to work without a store
			return nil, nil
		}
		k.registry.View(func() { told = slices.Concat(k.passed, k.telling) })
		var err error
		if all, err = from.Conversation(ctx, c.ID); err == nil {
			break
		}
		if k.patient(ctx, err) {
			continue
		}
		if again || !k.Lost(ctx, from, err) {
			return nil, k.unread(ctx, c.ID, err)
		}
	}
	all = slices.DeleteFunc(all, func(q store.Question) bool { return q.Outcome == nil })
	var past []*conversation.Record
	k.registry.View(func() {
		for _, q := range all {
			if k.registry.Record(q.ID) != nil {
				continue
			}
			r, err := ended(c, q)
			if err != nil {
				k.log.Error("a question in the store cannot be read", zap.String("question", q.ID), zap.Error(err))
				continue
			}
			r.Collected = r.Collected || slices.Contains(told, r.ID)
			past = append(past, r)
		}
	})
	return past, nil
}

// adopt gives a record the outcome that another process recorded.
func (k *Keeper) adopt(r *conversation.Record, theirs store.Outcome) error {
	how, err := archive.DecodeEnded(theirs.Answer, theirs.Images)
	if err != nil {
		return err
	}
	k.registry.Adopt(r, how.Item, how.Agent)
	return nil
}

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

// lookAgain is the pause between retries while a store is unavailable.
const lookAgain = 250 * time.Millisecond

// lookUp calls look with the store, unless inMemory finds the object, or there is no store. If the store turns out to be lost, it
// retries once after reopening; a strict persister retries as long as ctx allows. The error is in the user's language.
func (p *Persister) lookUp(ctx context.Context, id string, inMemory func() bool, look func(store.Store) error) error {
	for again := false; ; again = true {
		var from store.Store
		found := false
		see := func() { found, from = inMemory(), p.store }
		if p.registry.View(see); !found {
			p.settle(ctx)
			p.registry.View(see)
		}
		if found || from == nil && (!p.options.Strict || p.folder == "") {
			return nil
		}
		err := store.ErrUnavailable
		if from != nil {
			err = look(from)
		}
		switch {
		case err == nil:
			return nil
		case errors.Is(err, errOddRow):
		case p.options.Strict && errors.Is(err, store.ErrUnavailable) && ctx.Err() == nil:
			p.Lost(ctx, from, err)
			select {
			case <-ctx.Done():
			case <-time.After(lookAgain):
			}
			continue
		case p.Lost(ctx, from, err) && !again:
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.log.Error("a question or a session could not be looked up", zap.String("id", id), zap.Error(err))
		return locale.Refuse("The store could not be read: {0}. Nothing was changed; try again.", err)
	}
}

// Find returns a question that is in memory or was ever closed, or nil. It reads the store, outside of sections.
func (p *Persister) Find(ctx context.Context, id string) (r *conversation.Record, err error) {
	inMemory := func() bool { r = p.registry.Record(id); return r != nil }
	err = p.lookUp(ctx, id, inMemory, func(from store.Store) error {
		q, err := from.Question(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return nil
		case err != nil:
			return err
		case q.Outcome == nil: // it was not loaded
			return errOddRow
		}
		row, err := from.Session(ctx, q.Session)
		if err != nil && !errors.Is(err, store.ErrNotFound) { // imported questions have no session, and another's may be deleted
			return err
		}
		row.ID = q.Session
		c, err := fromRow(row, q)
		if err == nil {
			r, err = ended(c, q)
		}
		return err
	})
	return r, err
}

// Conversation returns a session that is in memory or in the store, or nil. It is called outside of sections.
func (p *Persister) Conversation(ctx context.Context, id string) (c *conversation.Conversation, err error) {
	inMemory := func() bool { c = p.registry.Known(id); return c != nil }
	err = p.lookUp(ctx, id, inMemory, func(from store.Store) error {
		row, err := from.Session(ctx, id)
		if err != nil {
			if errors.Is(err, store.ErrNotFound) {
				return nil
			}
			return err
		}
		p.registry.Enter()
		defer p.registry.Leave()
		c, err = p.remembered(row, store.Question{})
		return err
	})
	return c, err
}

// InMemory reports whether a session and a question need no look-up in the store. Empty ids are ignored.
func (p *Persister) InMemory(session, question string) (known bool) {
	p.registry.View(func() {
		known = p.store == nil && p.opening == nil && (!p.options.Strict || p.folder == "") ||
			(session == "" || p.registry.Known(session) != nil) && (question == "" || p.registry.Record(question) != nil)
	})
	return known
}

// ended returns a stored closed question.
func ended(c *conversation.Conversation, q store.Question) (*conversation.Record, error) {
	r, err := fromQuestion(c, q)
	if err != nil {
		return nil, err
	}
	how, err := archive.DecodeEnded(q.Outcome.Answer, q.Outcome.Images)
	if err != nil {
		return nil, err
	}
	r.SetOutcome(how.Item, how.Agent)
	return r, nil
}

// Past returns the closed calls of a session that are not in memory, ordered by Order. It is called outside of sections.
func (p *Persister) Past(ctx context.Context, c *conversation.Conversation) (past []*conversation.Record, err error) {
	var collected []string // the store may not have these changes yet
	var all []store.Question
	err = p.lookUp(ctx, c.ID, func() bool { return false }, func(from store.Store) (err error) {
		p.registry.View(func() { collected = slices.Clone(p.collected) })
		all, err = from.Conversation(ctx, c.ID)
		return err
	})
	if err != nil {
		return nil, err
	}
	p.registry.View(func() {
		for _, q := range all {
			if q.Outcome == nil || p.registry.Record(q.ID) != nil {
				continue
			}
			r, err := ended(c, q)
			if err != nil {
				p.log.Error("a question in the store cannot be read", zap.String("question", q.ID), zap.Error(err))
				continue
			}
			r.Collected = r.Collected || slices.Contains(collected, r.ID)
			past = append(past, r)
		}
	})
	return past, nil
}

package persistence

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/store"
)

const (
	// lookAgain is the pause between retries while a store is unavailable.
	lookAgain = 250 * time.Millisecond
	// lookPatience is how long a look-up waits for a store that could not be opened, and is tried again every second.
	lookPatience = 30 * time.Second
)

// errNotOpen means that the store is not open yet, so that it cannot say whether it has something.
var errNotOpen = errors.New("the store is not open")

const storeUnread locale.Key = "The store could not be read: {0}. Nothing was changed; try again."

// Await blocks until the store can be read, however slow it is. If it cannot be opened, Await returns the reason after lookPatience; if
// soon is set, at once.
func (p *Persister) Await(ctx context.Context, soon bool) error {
	for failed := (time.Time{}); ; {
		var why error
		open := false
		p.registry.View(func() { open, why = p.store != nil || p.folder == "", p.health.cannot })
		switch {
		case open:
			return nil
		case why == nil || p.options.Strict:
		case soon || errors.Is(why, store.ErrNewer) || !failed.IsZero() && time.Since(failed) > lookPatience:
			return locale.Refuse(storeUnread, why)
		case failed.IsZero():
			failed = time.Now()
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(lookAgain):
		}
	}
}

// lookUp calls look with the store, unless inMemory finds the object, or nothing is stored. If the store turns out to be lost, it
// retries once after reopening; a strict persister retries as long as ctx allows. If a store that is being opened takes too long, it returns
// errNotOpen; other errors are in the user's language.
func (p *Persister) lookUp(ctx context.Context, id string, inMemory func() bool, look func(store.Store) error) error {
	for again := false; ; again = true {
		var from store.Store
		found := false
		see := func() { found, from = inMemory(), p.store }
		if p.registry.View(see); !found {
			p.settle(ctx)
			p.registry.View(see)
		}
		switch {
		case found || p.folder == "":
			return nil
		case from == nil && !p.options.Strict:
			return errNotOpen
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
		return locale.Refuse(storeUnread, err)
	}
}

// Find returns a question that is in memory or was ever closed, or nil. It reads the store, outside of sections. It waits until the store
// can say whether there is one, unless fresh means that its id was made just now.
func (p *Persister) Find(ctx context.Context, id string, fresh bool) (r *conversation.Record, err error) {
	for {
		r, err = p.find(ctx, id)
		switch {
		case !errors.Is(err, errNotOpen):
			return r, err
		case fresh:
			return nil, nil
		}
		if err := p.Await(ctx, false); err != nil {
			return nil, err
		}
	}
}

// find is Find, or returns errNotOpen.
func (p *Persister) find(ctx context.Context, id string) (r *conversation.Record, err error) {
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

// Amend changes how a closed question ended, durably, unless amend returns false. A question that is not stored does not change. It is
// called outside of sections.
func (p *Persister) Amend(ctx context.Context, id string, amend func(*archive.Ended) bool) error {
	nowhere := func() bool { return false }
	for {
		err := p.lookUp(ctx, id, nowhere, func(from store.Store) error {
			var unread error
			err := from.Amend(ctx, id, func(answer json.RawMessage) (json.RawMessage, bool) {
				how, err := archive.DecodeEnded(answer, nil)
				if err != nil || !amend(&how) {
					unread = err
					return nil, false
				}
				better, err := archive.EncodeEnded(how)
				unread = err
				return better, err == nil
			})
			if errors.Is(err, store.ErrNotFound) {
				err = nil
			}
			return cmp.Or(err, unread)
		})
		if !errors.Is(err, errNotOpen) {
			return err
		}
		if err := p.Await(ctx, false); err != nil {
			return err
		}
	}
}

// Conversation returns a session that is in memory or in the store, or nil. It is called outside of sections. It waits until the store can
// say whether there is one, unless fresh means that the caller can do without what is stored of it.
func (p *Persister) Conversation(ctx context.Context, id string, fresh bool) (c *conversation.Conversation, err error) {
	for {
		c, err = p.conversation(ctx, id)
		switch {
		case !errors.Is(err, errNotOpen):
			return c, err
		case fresh:
			return nil, nil
		}
		if err := p.Await(ctx, false); err != nil {
			return nil, err
		}
	}
}

// conversation is Conversation, or returns errNotOpen.
func (p *Persister) conversation(ctx context.Context, id string) (c *conversation.Conversation, err error) {
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

// InMemory reports whether a session needs no look-up in the store.
func (p *Persister) InMemory(session string) (known bool) {
	p.registry.View(func() { known = p.without() || p.registry.Known(session) != nil })
	return known
}

// Without reports whether look-ups currently do without the store: nothing is stored, or the store takes too long to open.
func (p *Persister) Without() (is bool) {
	p.registry.View(func() { is = p.without() })
	return is
}

func (p *Persister) without() bool {
	return p.folder == "" || p.store == nil && p.opening == nil && !p.options.Strict
}

// Stores reports whether there is a store, open or not.
func (p *Persister) Stores() (is bool) {
	p.registry.View(func() { is = p.folder != "" })
	return is
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

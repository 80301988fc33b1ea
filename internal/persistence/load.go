package persistence

import (
	"context"
	"errors"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// loadedAtOnce is how many questions are loaded per section, so that other sections get a turn.
const loadedAtOnce = 64

// errNoSession is the error of a question whose session is missing or unreadable.
var errNoSession = errors.New("its session cannot be read")

// errOddRow is the error of a question whose row cannot be read.
var errOddRow = errors.New("its row cannot be read")

// load loads a store's open questions into memory, and returns those that were not there. An outcome in the store overrides the one
// in memory: it was given before the question was asked again here.
func (p *Persister) load(ctx context.Context, from store.Store) (loaded map[*conversation.Record]bool, err error) {
	var known []string
	p.registry.View(func() {
		for r := range p.registry.Records() {
			if r.Whole() && !r.Durable {
				known = append(known, r.ID)
			}
		}
	})
	for _, id := range known {
		q, err := from.Question(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound), err == nil && q.Outcome == nil:
		case err != nil:
			return nil, err
		default:
			p.applyOutcome(q)
		}
	}
	loaded = map[*conversation.Record]bool{}
	for after, more := int64(0), true; more; {
		page, err := from.OpenQuestions(ctx, after, loadedAtOnce)
		if err == nil {
			err = p.loadPage(ctx, from, page, loaded)
		}
		if err != nil {
			return nil, err
		}
		if more = len(page) == loadedAtOnce; more {
			after = page[len(page)-1].Order
		}
	}
	p.registry.Enter()
	defer p.registry.Leave()
	restored := map[*conversation.Conversation]bool{}
	for r := range loaded { // after the last page, since a request for guidance comes after the calls that wait for it
		if c := r.Conversation; !restored[c] {
			restored[c] = true
			p.registry.Restore(c, c.State.Mistakes.Count())
		}
	}
	return loaded, nil
}

func (p *Persister) loadPage(ctx context.Context, from store.Store, page []store.Question, loaded map[*conversation.Record]bool) error {
	sessions := map[string]store.Session{}
	for _, q := range page {
		row, err := from.Session(ctx, q.Session)
		switch {
		case err == nil:
			sessions[q.Session] = row
		case !errors.Is(err, store.ErrNotFound):
			return err
		}
	}
	p.registry.Enter()
	defer p.registry.Leave()
	for _, q := range page {
		r, err := p.add(q, sessions)
		p.odd(q.ID, err)
		if r != nil {
			loaded[r] = true
		}
	}
	return nil
}

// add adds an open question to memory, and returns it unless it was there. If only its draft cannot be read, it returns both the
// question and an error.
func (p *Persister) add(q store.Question, sessions map[string]store.Session) (*conversation.Record, error) {
	if r := p.registry.Record(q.ID); r != nil {
		if r.Outcome != nil || r.Draft != nil {
			return nil, nil
		}
		return nil, p.setDraft(r, q.Draft)
	}
	c := p.registry.Known(q.Session)
	if c == nil {
		row, read := sessions[q.Session]
		if !read {
			return nil, errNoSession
		}
		var err error
		if c, err = p.remembered(row, q); err != nil {
			return nil, err
		}
	}
	r, err := fromQuestion(c, q)
	if err != nil {
		return nil, err
	}
	r.GuidedBy = p.registry.Record(q.GuidedBy)
	r.State = protocol.ItemState(q.State)
	p.registry.AddRecord(r)
	if r.State != protocol.ItemHeld {
		p.registry.Show(r)
	}
	return r, p.setDraft(r, q.Draft)
}

// setDraft sets a question's stored draft.
func (p *Persister) setDraft(r *conversation.Record, d *store.Draft) error {
	if d == nil {
		return nil
	}
	draft, err := archive.DecodeDraft(*d)
	if err == nil {
		r.SetDraft(draft)
		p.registry.Show(r)
	}
	return err
}

const storageOddRow locale.Key = "A question ({0}) or its draft could not be read from the store: {1}. Everything else works; the row " +
	"stays in the store."

// odd records an unreadable row. It stays in the store, and is reported to the user once.
func (p *Persister) odd(id string, err error) {
	if err == nil {
		return
	}
	p.log.Error("a row of the store cannot be read", zap.String("question", id), zap.Error(err))
	if !p.oddRows[id] {
		p.oddRows[id] = true
		p.health.notice = p.registry.Locale.Text(storageOddRow, id, err)
	}
}

// remembered adds a stored session to memory, unless it is there.
func (p *Persister) remembered(row store.Session, q store.Question) (*conversation.Conversation, error) {
	if c := p.registry.Known(row.ID); c != nil {
		return c, nil
	}
	c, err := fromRow(row, q)
	if err != nil {
		return nil, err
	}
	p.registry.Add(c)
	return c, nil
}

// applyOutcome sets the stored outcome of a question in memory.
func (p *Persister) applyOutcome(q store.Question) {
	how, err := archive.DecodeEnded(q.Outcome.Answer, q.Outcome.Images)
	p.registry.Enter()
	defer p.registry.Leave()
	r := p.registry.Record(q.ID)
	if r == nil || err != nil {
		p.odd(q.ID, err)
		return
	}
	p.registry.OverrideOutcome(r, how.Item, how.Agent)
	mistakes := r.Conversation.State.Mistakes.Count()
	p.registry.Restore(r.Conversation, mistakes)
}

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

// loadedAtOnce is how many questions are loaded in one section, so that others come in between.
const loadedAtOnce = 64

// errNoSession is the error of a question whose session is missing, or cannot be read.
var errNoSession = errors.New("its session cannot be read")

// errOddRow says that a question is in the store and cannot be read.
var errOddRow = errors.New("its row cannot be read")

// load reads everything that is open in a store, and returns the questions that it has put into memory. What is in memory already stays as it is, except that an outcome in the store wins: it was
// given before the question was asked again here.
func (p *Persister) load(ctx context.Context, from store.Store) (loaded map[*conversation.Record]bool, err error) {
	p.registry.View(func() { clear(p.rows) })
	var known []string
	p.registry.View(func() {
		p.registry.Records(func(r *conversation.Record) {
			if r.Whole() && !r.Durable {
				known = append(known, r.ID)
			}
		})
	})
	for _, id := range known {
		q, err := from.Question(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound), err == nil && q.Outcome == nil:
		case err != nil:
			return nil, err
		default:
			p.adopt(q)
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
	for r := range loaded { // behind the last page: a request for guidance comes behind the calls that wait for it
		if c := r.Conversation; !restored[c] {
			restored[c] = true
			p.registry.Restore(c, c.State.Mistakes.Count())
		}
	}
	return loaded, nil
}

// related is what has to be read beside a page of open questions.
type related struct {
	sessions map[string]store.Session
	guidance map[string]*conversation.Record // requests for guidance that have ended
}

func (p *Persister) loadPage(ctx context.Context, from store.Store, page []store.Question, loaded map[*conversation.Record]bool) error {
	with := related{map[string]store.Session{}, map[string]*conversation.Record{}}
	for i := range page {
		if err := p.complete(ctx, from, &page[i], with); err != nil {
			return err
		}
	}
	p.registry.Enter()
	defer p.registry.Leave()
	for _, q := range page {
		r, err := p.add(q, with)
		p.odd(q.ID, err)
		if r != nil {
			loaded[r] = true
		}
	}
	return nil
}

// complete reads what belongs to a question. An unavailable store is an error; anything else makes the question an odd row.
func (p *Persister) complete(ctx context.Context, from store.Store, q *store.Question, with related) error {
	away := func(err error) error {
		if err == nil || !errors.Is(err, store.ErrUnavailable) && ctx.Err() == nil {
			if err != nil {
				p.log.Error("what belongs to a question in the store cannot be read", zap.String("question", q.ID), zap.Error(err))
			}
			return nil
		}
		return err
	}
	if _, read := with.sessions[q.Session]; !read {
		row, err := from.Session(ctx, q.Session)
		if err == nil {
			with.sessions[q.Session] = row
		} else if err := away(err); err != nil {
			return err
		}
	}
	if q.State == store.Held && q.GuidedBy != "" && with.guidance[q.GuidedBy] == nil {
		asked, err := from.Question(ctx, q.GuidedBy)
		if err == nil && asked.Outcome != nil {
			with.guidance[q.GuidedBy], err = p.recall(ctx, from, asked)
		}
		if err := away(err); err != nil {
			return err
		}
	}
	if q.Draft == nil {
		return nil
	}
	for i, image := range q.Draft.Images {
		var err error
		if q.Draft.Images[i], err = from.Image(ctx, image.Hash); err != nil {
			return away(err)
		}
	}
	return nil
}

// add puts an open question into memory, and returns it unless it was there. A draft that cannot be read is an error beside that.
func (p *Persister) add(q store.Question, with related) (*conversation.Record, error) {
	if r := p.registry.Record(q.ID); r != nil {
		if r.Outcome != nil || r.Draft != nil {
			return nil, nil
		}
		return nil, p.setDraft(r, q.Draft)
	}
	c := p.registry.Known(q.Session)
	if c == nil {
		row, read := with.sessions[q.Session]
		if !read {
			return nil, errNoSession
		}
		var err error
		if c, err = p.remembered(row); err != nil {
			return nil, err
		}
	}
	r, err := fromQuestion(c, q)
	if err != nil {
		return nil, err
	}
	if r.GuidedBy = with.guidance[q.GuidedBy]; r.GuidedBy == nil {
		r.GuidedBy = p.registry.Record(q.GuidedBy)
	}
	r.State = itemStates[q.State]
	p.registry.AddRecord(r)
	if r.State != protocol.ItemHeld {
		p.registry.Show(r)
	}
	return r, p.setDraft(r, q.Draft)
}

// setDraft gives a question the draft that the store has.
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

// odd notes a row that cannot be read. It stays in the store, and the user is told once.
func (p *Persister) odd(id string, err error) {
	if err == nil {
		return
	}
	p.log.Error("a row of the store cannot be read", zap.String("question", id), zap.Error(err))
	if !p.oddRows[id] {
		p.oddRows[id] = true
		p.health.notice = p.registry.Locale.Text(locale.StorageOddRow, id, err)
	}
}

// remembered puts a stored session into memory, unless it is there.
func (p *Persister) remembered(row store.Session) (*conversation.Conversation, error) {
	if c := p.registry.Known(row.ID); c != nil {
		return c, nil
	}
	c, err := fromRow(row)
	if err != nil {
		return nil, err
	}
	p.registry.Add(c)
	p.rows[c] = row
	return c, nil
}

// adopt gives a question in memory the outcome that is in the store.
func (p *Persister) adopt(q store.Question) {
	how, err := archive.DecodeEnded(q.Outcome.Answer, q.Outcome.Images)
	p.registry.Enter()
	defer p.registry.Leave()
	r := p.registry.Record(q.ID)
	if r == nil || err != nil {
		p.odd(q.ID, err)
		return
	}
	p.registry.Adopt(r, how.Item, how.Agent)
	mistakes := r.Conversation.State.Mistakes.Count()
	p.registry.Restore(r.Conversation, mistakes)
}

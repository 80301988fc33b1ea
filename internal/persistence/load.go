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

// loadedAtOnce is how many questions are read at once, and about how many are added per section, so that other sections get a turn.
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
	loading := &loading{sessions: map[string]*loadedSession{}}
	for after, more := int64(0), true; more; {
		page, err := from.OpenQuestions(ctx, after, loadedAtOnce)
		if err == nil {
			err = loading.take(ctx, from, page)
		}
		if err != nil {
			return nil, err
		}
		if more = len(page) == loadedAtOnce; more {
			after = page[len(page)-1].Order
		}
	}
	loaded = map[*conversation.Record]bool{}
	for rest := loading.order; len(rest) > 0; {
		rest = p.addSome(rest, loaded)
	}
	return loaded, nil
}

// loading collects the open questions of a store by session. Nobody may act on a question before its session's machine knows it, and a
// request for guidance comes after the calls that wait for it. So a session is added to memory as a whole, after the last page.
type loading struct {
	sessions map[string]*loadedSession
	order    []*loadedSession // by the first question of each
}

type loadedSession struct {
	id           string
	conversation *conversation.Conversation // nil if it cannot be read
	unread       error
	questions    []loadedQuestion
}

// loadedQuestion is a decoded question; its record is nil if it cannot be read.
type loadedQuestion struct {
	id, guidedBy string
	record       *conversation.Record
	draft        *store.Draft
	unread       error
}

// take decodes a page, without the registry's lock.
func (l *loading) take(ctx context.Context, from store.Store, page []store.Question) error {
	for _, q := range page {
		of := l.sessions[q.Session]
		if of == nil {
			of = &loadedSession{id: q.Session}
			row, err := from.Session(ctx, q.Session)
			switch {
			case err == nil:
				of.conversation, of.unread = fromRow(row, q)
			case errors.Is(err, store.ErrNotFound):
				of.unread = errNoSession
			default:
				return err
			}
			l.sessions[q.Session], l.order = of, append(l.order, of)
		}
		one := loadedQuestion{id: q.ID, guidedBy: q.GuidedBy, draft: q.Draft, unread: of.unread}
		c := of.conversation
		if c == nil { // memory may have the session
			c = &conversation.Conversation{ID: q.Session}
		}
		r, err := fromQuestion(c, q)
		if err == nil {
			r.State = protocol.ItemState(q.State)
			one.record = r
		} else {
			one.unread = err
		}
		of.questions = append(of.questions, one)
	}
	return nil
}

// addSome adds sessions to memory in one section, and returns the others.
func (p *Persister) addSome(sessions []*loadedSession, loaded map[*conversation.Record]bool) (rest []*loadedSession) {
	p.registry.Enter()
	defer p.registry.Leave()
	for added := 0; len(sessions) > 0 && added < loadedAtOnce; sessions = sessions[1:] {
		p.addSession(sessions[0], loaded)
		added += len(sessions[0].questions)
	}
	return sessions
}

// addSession adds a session with its open questions to memory, without those that are there.
func (p *Persister) addSession(of *loadedSession, loaded map[*conversation.Record]bool) {
	c := p.registry.Known(of.id)
	fresh := false
	for _, q := range of.questions {
		if known := p.registry.Record(q.id); known != nil {
			if known.Outcome == nil && known.Draft == nil {
				p.odd(q.id, p.setDraft(known, q.draft))
			}
			continue
		}
		if q.record == nil || c == nil && of.conversation == nil {
			p.odd(q.id, q.unread)
			continue
		}
		if c == nil {
			c = of.conversation
			p.registry.Add(c)
		}
		r := q.record
		r.Conversation, r.GuidedBy = c, p.registry.Record(q.guidedBy)
		p.registry.AddRecord(r)
		if r.State != protocol.ItemHeld {
			p.registry.Show(r)
		}
		p.odd(q.id, p.setDraft(r, q.draft))
		loaded[r], fresh = true, true
	}
	if fresh {
		p.registry.Restore(c, c.State.Mistakes.Count())
	}
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

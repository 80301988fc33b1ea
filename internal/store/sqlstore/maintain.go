package sqlstore

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"
	"time"

	"go.uber.org/zap"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/words"
)

const (
	// quiet is the pause between writes in which Maintain runs deferred work, and longest how long it waits for one.
	quiet   = time.Second
	longest = 10 * time.Second
	// mostWaiting is how many closed questions Maintain moves without a pause between writes: a read of the history waits for all of them.
	mostWaiting = 512
	// retryEvery is the pause before failed work is retried.
	retryEvery = time.Minute
)

// stir makes Maintain run deferred work.
func (s *Store) stir() {
	select {
	case s.stirred <- struct{}{}:
	default:
	}
}

func (s *Store) Maintain(ctx context.Context) {
	next := time.NewTimer(0) // for work that an earlier process has left
	defer next.Stop()
	var since time.Time // the first write since then
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.stirred:
			if since.IsZero() {
				since = time.Now()
			}
			if s.waiting.Load() >= mostWaiting {
				s.waiting.Store(0)
				_ = s.Move(ctx) // Idle repeats it, and returns the error
			}
			next.Reset(min(quiet, longest-time.Since(since)))
		case <-next.C:
			since = time.Time{}
			if err := s.Idle(ctx); err != nil {
				if ctx.Err() == nil && !errors.Is(err, store.ErrClosed) {
					s.log.Warn("cannot tidy up the store", zap.Error(err))
				}
				next.Reset(retryEvery)
			}
		}
	}
}

func (s *Store) Idle(ctx context.Context) error {
	if err := s.Move(ctx); err != nil {
		return err
	}
	if _, err := s.Purge(ctx); err != nil {
		return err
	}
	return s.Tidy(ctx)
}

const (
	// movedAtOnce is how many questions are moved together, and movedBytes approximately how much text and images they have.
	movedAtOnce = 64
	movedBytes  = 4 << 20
)

// Move copies closed questions to the history and removes them from the inbox. After an interruption it is repeated; existing
// entries do not change.
func (s *Store) Move(ctx context.Context) error { return s.move(ctx, math.MaxInt64) }

// move moves the questions that are closed now, but not those closed meanwhile, or it might never end. patience limits each batch.
func (s *Store) move(ctx context.Context, patience time.Duration) error {
	left, err := read(ctx, s.inbox, func(q *Queries) (n int) {
		q.One("SELECT (SELECT count(*) FROM outcomes) + (SELECT count(*) FROM collected)", nil, &n)
		return n
	})
	for more := true; more && err == nil; {
		patiently, cancel := context.WithTimeout(ctx, patience)
		moved := 0
		moved, err = s.moveSome(patiently)
		cancel()
		left -= moved
		more = left > 0 && moved > 0
	}
	return err
}

// moveSome moves a batch, and returns its size. Concurrent movers take turns.
func (s *Store) moveSome(ctx context.Context) (moved int, err error) {
	select {
	case s.moving <- struct{}{}:
		defer func() { <-s.moving }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if err := s.Recover(ctx); err != nil {
		return 0, err
	}
	batch, collected, err := s.closed(ctx)
	if err != nil || len(batch)+len(collected) == 0 {
		return 0, err
	}
	err = s.history.Write(ctx, func(q *Queries, _ int64) {
		for _, one := range batch {
			s.add(q, one, *one.Outcome)
		}
		q.Exec("UPDATE entries SET collected = 1 WHERE id = ANY (?)", collected)
	})
	if err == nil {
		err = s.removeMoved(ctx, batch, collected)
	}
	return len(batch) + len(collected), err
}

// closed reads a batch to move: closed questions, and the ids of moved ones whose agents have received the answers since.
func (s *Store) closed(ctx context.Context) (batch []store.Question, collected []string, err error) {
	err = s.inbox.Read(ctx, func(q *Queries) {
		batch = nil
		size := 0
		ids := Column[string](q, "SELECT q.id FROM outcomes o JOIN questions q ON q.id = o.id ORDER BY o.closed_at, q.ord LIMIT ?", movedAtOnce)
		for _, id := range ids {
			for _, one := range q.whole(fromInbox+"WHERE q.id = ?", id) {
				size += len(one.Call) + len(one.Text) + len(one.Outcome.Answer)
				for _, image := range one.Outcome.Images {
					size += len(image.Data)
				}
				batch = append(batch, one)
			}
			if size > movedBytes {
				break
			}
		}
		collected = Column[string](q, "SELECT id FROM collected LIMIT ?", movedAtOnce)
	})
	return batch, collected, err
}

// removeMoved removes moved questions from the inbox. A question whose agent has received the answer since it was read is moved
// again.
func (s *Store) removeMoved(ctx context.Context, batch []store.Question, collected []string) error {
	return s.inbox.Write(ctx, func(q *Queries, _ int64) {
		for _, one := range batch {
			q.Exec("DELETE FROM questions WHERE id = ? AND collected = ?", one.ID, number(one.Collected))
		}
		q.Exec("DELETE FROM collected WHERE id = ANY (?)", collected)
	})
}

// add adds a closed question to the history, unless it is there.
func (s *Store) add(q *Queries, one store.Question, o store.Outcome) {
	if q.has("SELECT 1 FROM entries WHERE id = ?", one.ID) {
		if one.Collected {
			q.Exec("UPDATE entries SET collected = 1 WHERE id = ?", one.ID)
		}
		return
	}
	key := q.freeKey(store.Millis(o.ClosedAt))
	columns, args := askedOf(one)
	q.Exec(insertInto("entries", "key, ord, outcome, provenance, closed_at, images, said, answer, "+columns), append([]any{
		key, one.Order, string(o.Outcome), string(o.Provenance), store.Millis(o.ClosedAt), len(o.Images), o.Text, []byte(o.Answer),
	}, args...)...)
	for n, image := range o.Images {
		q.Exec(insertInto("entry_images", "key, n, mime, data"), key, n, image.MimeType, image.Data)
	}
	Index(s.Backend, q, key)
}

// Found is the searchable content of an entry.
type Found struct {
	Asked, Said, Agent, Workspace, Outcome, To string
	Kind                                       question.Kind
}

// Tokens returns an entry's tokens: one for each value that filters can have, which an engine must not omit, and its words.
func (by Found) Tokens() []string {
	return slices.Concat([]string{
		words.FacetToken(words.AgentFacet, by.Agent), words.FacetToken(words.WorkspaceFacet, by.Workspace),
		words.FacetToken(words.KindFacet, string(by.Kind)), words.FacetToken(words.OutcomeFacet, by.Outcome), words.FacetToken(words.RecipientFacet, by.To),
	}, words.Tokens(by.Asked), words.Tokens(by.Said))
}

// Index adds an entry of the history to the search, and its values to the facets.
func Index(b Backend, q *Queries, of any) {
	var key store.Key
	var by Found
	var tool string
	var guidance bool
	var call []byte
	q.One("SELECT key, text, said, agent, workspace, outcome, recipient, tool, guidance IS NOT NULL, CASE WHEN tool = ? THEN call END FROM entries WHERE key = ?",
		[]any{question.ToolApproval, of}, &key, &by.Asked, &by.Said, &by.Agent, &by.Workspace, &by.Outcome, &by.To, &tool, &guidance, &call)
	by.Kind = question.KindOf(tool, guidance, call)
	for kind, value := range map[string]string{words.AgentFacet: by.Agent, words.WorkspaceFacet: by.Workspace} {
		if value != "" {
			q.Exec(insertInto("facets", "token, kind, value")+" ON CONFLICT DO NOTHING", words.FacetToken(kind, value), kind, value)
		}
	}
	if q.Err == nil {
		b.Index(q, key, by.Tokens())
	}
}

// KeysPerMilli is the number of keys per millisecond.
const KeysPerMilli = 1024

// firstKey returns the smallest key of a millisecond; the very first is 1.
func firstKey(milli int64) store.Key { return max(store.Key(milli)*KeysPerMilli, 1) }

// freeKey returns a free key from a millisecond on, after the ones that this millisecond has used. It looks at few keys, since
// many imported entries may have the same time, or none.
func (q *Queries) freeKey(milli int64) int64 {
	first, end := int64(firstKey(milli)), 1
	used := func(n int) bool { return q.has("SELECT 1 FROM entries WHERE key = ?", first+int64(n)) }
	if !used(0) {
		return first
	}
	for used(end) {
		end *= 2
	}
	begin := end / 2 // used, and end is not
	return first + int64(begin+sort.Search(end-begin, func(n int) bool { return !used(begin + n) }))
}

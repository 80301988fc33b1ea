package postgres

import (
	"context"
	"math"
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/engine"
)

// Purge removes for good what was deleted: no query gives it any more, and the server uses its room for something else. What the
// database's files, logs, replicas and backups hold of it until then is its administrator's.
func (s *Store) Purge(ctx context.Context) (removed int, err error) {
	return engine.Purge(ctx, remover{s})
}

// Retain removes for good what a retention no longer keeps; see store.Store.
func (s *Store) Retain(ctx context.Context, r store.Retention) (int, error) {
	now, err := s.time(ctx)
	if err != nil {
		return 0, err
	}
	return engine.Retain(ctx, remover{s}, r, now)
}

// remover removes for good; see engine.Remover.
type remover struct{ *Store }

// Lapsed gives the deletions that can no longer be restored.
func (s remover) Lapsed(ctx context.Context) (lapsed []engine.Deletion, err error) {
	err = s.read(ctx, func(q querier) error {
		lapsed = nil
		return q.each("SELECT id, everything FROM deletions WHERE at <= "+theClock+" - $2::bigint", []any{s.clock(), store.Undo.Milliseconds()},
			func(scan func(...any) error) error {
				var d engine.Deletion
				err := scan(&d.ID, &d.Everything)
				lapsed = append(lapsed, d)
				return err
			})
	})
	return lapsed, err
}

// RemoveDeleted removes the questions of a deletion.
func (s remover) RemoveDeleted(ctx context.Context, id int64) (int, error) {
	return s.remove(ctx, "o.deletion = $1", id)
}

// EndDeletion removes a deletion.
func (s remover) EndDeletion(ctx context.Context, id int64) error {
	return s.step(ctx, func(t *tx) error {
		_, err := t.exec("DELETE FROM deletions d WHERE id = $1 AND NOT EXISTS (SELECT FROM outcomes o WHERE o.deletion = d.id)", id)
		return err
	})
}

// RemoveKept removes what is not kept.
func (s remover) RemoveKept(ctx context.Context, first, collected store.Key) (int, error) {
	return s.remove(ctx, "o.key < $1 AND (q.collected OR o.outcome = $2 OR o.key < $3) AND o.deletion IS NULL",
		int64(first), string(question.Withdrawn), int64(collected))
}

// Forget drops what only removed texts were found by.
func (s remover) Forget(ctx context.Context) error { return s.forget(ctx) }

// remove removes for good the questions that a condition of outcomes o and questions q selects now: it does not run behind those who go
// on answering.
func (s *Store) remove(ctx context.Context, where string, args ...any) (removed int, err error) {
	var last store.Key
	err = s.read(ctx, func(q querier) error {
		return q.one("SELECT coalesce(max(o.key), 0) FROM outcomes o JOIN questions q ON q.ord = o.ord WHERE "+where, args, []any{&last})
	})
	if err != nil || last == 0 {
		return 0, err
	}
	for after, some := store.Key(math.MinInt64), atOnce; some == atOnce; {
		next := after
		err := s.step(ctx, func(t *tx) (err error) {
			next, some, err = t.remove(after, last, where, args)
			return err
		})
		if err != nil {
			return removed, err
		}
		after, removed = next, removed+some
	}
	return removed, nil
}

// remove removes the first behind a key, with everything that belongs to them, and tells how many these were and the key of the last.
func (t *tx) remove(after, last store.Key, where string, args []any) (next store.Key, removed int, err error) {
	n := len(args)
	query := "SELECT o.key, q.ord, s.tokens FROM outcomes o JOIN questions q ON q.ord = o.ord LEFT JOIN search s ON s.key = o.key WHERE " +
		where + " AND o.key > " + parameter(n+1) + " AND o.key <= " + parameter(n+2) + " ORDER BY o.key LIMIT " + parameter(n+3) + " FOR UPDATE OF q, o"
	var orders []int64
	forgotten := map[string]bool{}
	err = t.each(query, append(slices.Clone(args), int64(after), int64(last), atOnce), func(scan func(...any) error) error {
		var ord int64
		var tokens []string
		err := scan(&next, &ord, &tokens)
		orders = append(orders, ord)
		for _, token := range tokens {
			if !strings.HasPrefix(token, prefixMark) {
				forgotten[token] = true
			}
		}
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	if len(orders) == 0 {
		return after, 0, engine.ErrNothing
	}
	hashes, err := column[string](t.querier, "SELECT DISTINCT hash FROM images WHERE ord = ANY($1)", orders)
	if err != nil {
		return 0, 0, err
	}
	t.dropped = append(t.dropped, hashes...)
	if _, err := t.exec("DELETE FROM questions WHERE ord = ANY($1)", orders); err != nil {
		return 0, 0, err
	}
	t.noteForgotten(forgotten)
	t.news = true
	return next, len(orders), nil
}

// ForgetSessions removes sessions that have no questions and are closed, or were not used since a time.
func (s remover) ForgetSessions(ctx context.Context, since int64) error {
	const which = "(closed OR used_at < $1) AND NOT EXISTS (SELECT FROM questions q WHERE q.session = s.id)"
	for after, more := "", true; more; {
		err := s.step(ctx, func(t *tx) error {
			ids, err := column[string](t.querier, "SELECT id FROM sessions s WHERE "+which+" AND id > $2 ORDER BY id LIMIT $3 FOR UPDATE", since, after, atOnce)
			if err != nil {
				return err
			}
			if more = len(ids) == atOnce; len(ids) == 0 {
				return engine.ErrNothing
			}
			if _, err := t.exec("DELETE FROM sessions s WHERE id = ANY($2) AND "+which, since, ids); err != nil { // now that they are locked
				return err
			}
			after = ids[len(ids)-1]
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

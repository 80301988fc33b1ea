package sqlstore

import (
	"context"
	"math"
	"time"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/words"
)

// A deletion has a row in deletions, and each of its questions one in deleted, until it is restored or purged.

// begin records a deletion of the given rows, and returns the number of questions.
func begin(q Queries, at int64, everything bool, of []rows) (deletion int64, count int, err error) {
	err = q.One("INSERT INTO deletions (at, everything) VALUES (?, ?) RETURNING id", []any{at, number(everything)}, &deletion)
	for _, some := range of {
		if err == nil {
			var n int64
			n, err = q.Changed("INSERT INTO deleted (key, deletion) SELECT q.key, CAST(? AS bigint)"+some.query,
				append([]any{deletion}, some.args...)...)
			count += int(n)
		}
	}
	if err == nil && count == 0 {
		return 0, 0, ErrNothing
	}
	return deletion, count, err
}

func (s *Store) Delete(ctx context.Context, what store.Selection) (store.Deletion, error) {
	s.catchUp(ctx)
	f := what.Filter
	everything := what.IDs == nil && len(f.Agents)+len(f.Workspaces)+len(f.Kinds)+len(f.Outcomes)+len(f.Text) == 0 && f.From.IsZero() && f.To.IsZero()
	done, err := write(ctx, s.history, func(q Queries, now int64) (done store.Deletion, err error) {
		selected, err := s.selected(q, what)
		if err == nil {
			done.ID, done.Count, err = begin(q, now, everything, selected)
		}
		if err == nil {
			done.Until = time.UnixMilli(now).Add(store.Undo)
		}
		return done, err
	})
	s.stir()
	time.AfterFunc(store.Undo, s.stir) // to purge it
	return done, err
}

func (s *Store) Restore(ctx context.Context, deletion int64) (int, error) {
	return write(ctx, s.history, func(q Queries, now int64) (int, error) {
		restored, err := q.Changed("DELETE FROM deleted WHERE deletion = ? AND EXISTS (SELECT 1 FROM deletions d WHERE d.id = ? AND d.at > ?)",
			deletion, deletion, now-store.Undo.Milliseconds())
		if err == nil && restored == 0 {
			err = ErrNothing
		}
		if err == nil {
			err = q.Exec("DELETE FROM deletions WHERE id = ?", deletion)
		}
		return int(restored), err
	})
}

// removedAtOnce is how many entries one transaction removes. Each transaction writes nearly every page of the indexes, so a few
// large ones write far less than many small ones.
const removedAtOnce = 100_000

// Purge implements store.Store. It removes the deletion's record last, so that an interrupted purge is repeated.
func (s *Store) Purge(ctx context.Context) (removed int, err error) {
	if err := s.Recover(ctx); err != nil {
		return 0, err
	}
	everything := false
	lapsed, err := write(ctx, s.history, func(q Queries, now int64) (lapsed []int64, err error) { // a write provides the time
		lapsed, err = Column[int64](q, "SELECT id FROM deletions WHERE at <= ?", now-store.Undo.Milliseconds())
		if err == nil {
			everything, err = q.has("SELECT 1 FROM deletions WHERE everything = 1 AND id = ANY (?)", lapsed)
		}
		return lapsed, err
	})
	if err != nil || len(lapsed) == 0 {
		return 0, err
	}
	for some := removedAtOnce; some == removedAtOnce && err == nil; {
		if some, err = s.removeSome(ctx, lapsed); err == nil {
			removed += some
		}
	}
	if err == nil && everything {
		err = s.forgetSessions(ctx, -store.Undo) // all
	}
	if err == nil {
		err = s.Erase(ctx)
	}
	if err != nil {
		return removed, err
	}
	return removed, s.history.Write(ctx, func(q Queries, _ int64) error {
		return q.Exec("DELETE FROM deletions WHERE id = ANY (?)", lapsed)
	})
}

// removeSome removes some of the entries of deletions.
func (s *Store) removeSome(ctx context.Context, deletions []int64) (int, error) {
	return write(ctx, s.history, func(q Queries, _ int64) (removed int, err error) {
		const lowest = "SELECT key FROM deleted WHERE deletion = ANY (?) ORDER BY key LIMIT ?"
		for _, from := range []string{"search WHERE rowid", "entry_images WHERE key", "entries WHERE key", "deleted WHERE key"} {
			var n int64
			if err == nil {
				n, err = q.Changed("DELETE FROM "+from+" IN ("+lowest+")", deletions, removedAtOnce)
			}
			removed = int(n)
		}
		if err == nil && removed < removedAtOnce { // the last ones: drop facets that no entry has any more
			err = q.Exec("DELETE FROM facets WHERE kind || value NOT IN (SELECT '" + words.AgentFacet + "' || agent FROM entries UNION SELECT '" +
				words.WorkspaceFacet + "' || workspace FROM entries)")
		}
		return removed, err
	})
}

// forgetSessions removes sessions that are closed, or were not used for the given time, if they have no open questions.
func (s *Store) forgetSessions(ctx context.Context, unused time.Duration) error {
	return s.inbox.Write(ctx, func(q Queries, now int64) error {
		return q.Exec(`DELETE FROM sessions WHERE (closed = 1 OR used_at < ?)
			AND NOT EXISTS (SELECT 1 FROM questions q WHERE q.session = sessions.id)`, now-unused.Milliseconds())
	})
}

func (s *Store) Retain(ctx context.Context, keep store.Retention) (int, error) {
	s.catchUp(ctx)
	removed, err := write(ctx, s.history, func(q Queries, now int64) (int, error) {
		before := store.Key(0)
		switch {
		case keep.Nothing:
			before = math.MaxInt64
		case keep.Age > 0:
			before = firstKey(now - keep.Age.Milliseconds())
		}
		// It keeps answers that the agent has not received yet, unless the question was withdrawn or is even older.
		_, count, err := begin(q, 1, false, []rows{{
			" FROM entries q WHERE q.key < ? AND (q.collected = 1 OR q.outcome = ? OR q.key < ?) AND" + shown,
			[]any{int64(before), string(question.Withdrawn), int64(firstKey(now - store.UncollectedKept.Milliseconds()))},
		}})
		return count, err
	})
	if err == nil {
		err = s.forgetSessions(ctx, sessionKept)
	}
	if err == nil && removed > 0 {
		_, err = s.Purge(ctx)
	}
	return removed, err
}

// sessionKept is how long an open session without questions is kept for its count of mistakes.
const sessionKept = 30 * 24 * time.Hour

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
func begin(q *Queries, at int64, everything bool, of []rows) (deletion int64, count int) {
	q.One("INSERT INTO deletions (at, everything) VALUES (?, ?) RETURNING id", []any{at, number(everything)}, &deletion)
	for _, some := range of {
		count += int(q.Exec("INSERT INTO deleted (key, deletion) SELECT q.key, CAST(? AS bigint)"+some.query, append([]any{deletion}, some.args...)...))
	}
	if count == 0 {
		q.Fail(ErrNothing)
		deletion = 0
	}
	return deletion, count
}

func (s *Store) Delete(ctx context.Context, what store.Selection) (store.Deletion, error) {
	s.catchUp(ctx)
	f := what.Filter
	everything := what.IDs == nil && len(f.Agents)+len(f.Workspaces)+len(f.Kinds)+len(f.Outcomes)+len(f.Text) == 0 && f.From.IsZero() && f.To.IsZero()
	done, err := write(ctx, s.history, func(q *Queries, now int64) (done store.Deletion) {
		done.ID, done.Count = begin(q, now, everything, s.selected(q, what))
		done.Until = time.UnixMilli(now).Add(store.Undo)
		return done
	})
	s.stir()
	time.AfterFunc(store.Undo, s.stir) // to purge it
	return done, err
}

func (s *Store) Restore(ctx context.Context, deletion int64) (int, error) {
	return write(ctx, s.history, func(q *Queries, now int64) int {
		restored := q.Exec("DELETE FROM deleted WHERE deletion = ? AND EXISTS (SELECT 1 FROM deletions d WHERE d.id = ? AND d.at > ?)",
			deletion, deletion, now-store.Undo.Milliseconds())
		if restored == 0 {
			q.Fail(ErrNothing)
		}
		q.Exec("DELETE FROM deletions WHERE id = ?", deletion)
		return int(restored)
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
	lapsed, err := write(ctx, s.history, func(q *Queries, now int64) []int64 { // a write provides the time
		lapsed := Column[int64](q, "SELECT id FROM deletions WHERE at <= ?", now-store.Undo.Milliseconds())
		everything = q.has("SELECT 1 FROM deletions WHERE everything = 1 AND id = ANY (?)", lapsed)
		return lapsed
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
	return removed, s.history.Write(ctx, func(q *Queries, _ int64) {
		q.Exec("DELETE FROM deletions WHERE id = ANY (?)", lapsed)
	})
}

// removeSome removes some of the entries of deletions.
func (s *Store) removeSome(ctx context.Context, deletions []int64) (int, error) {
	return write(ctx, s.history, func(q *Queries, _ int64) (removed int) {
		const lowest = "SELECT key FROM deleted WHERE deletion = ANY (?) ORDER BY key LIMIT ?"
		for _, from := range []string{"search WHERE rowid", "entry_images WHERE key", "entries WHERE key", "deleted WHERE key"} {
			removed = int(q.Exec("DELETE FROM "+from+" IN ("+lowest+")", deletions, removedAtOnce))
		}
		if removed < removedAtOnce { // the last ones: drop facets that no entry has any more
			q.Exec("DELETE FROM facets WHERE kind || value NOT IN (SELECT '" + words.AgentFacet + "' || agent FROM entries UNION SELECT '" +
				words.WorkspaceFacet + "' || workspace FROM entries)")
		}
		return removed
	})
}

// forgetSessions removes sessions that are closed, or were not used for the given time, if they have no open questions.
func (s *Store) forgetSessions(ctx context.Context, unused time.Duration) error {
	return s.inbox.Write(ctx, func(q *Queries, now int64) {
		q.Exec(`DELETE FROM sessions WHERE (closed = 1 OR used_at < ?)
			AND NOT EXISTS (SELECT 1 FROM questions q WHERE q.session = sessions.id)`, now-unused.Milliseconds())
	})
}

func (s *Store) Retain(ctx context.Context, keep store.Retention) (int, error) {
	s.catchUp(ctx)
	removed, err := write(ctx, s.history, func(q *Queries, now int64) int {
		before := store.Key(0)
		switch {
		case keep.Nothing:
			before = math.MaxInt64
		case keep.Age > 0:
			before = firstKey(now - keep.Age.Milliseconds())
		}
		// It keeps answers that the agent has not received yet, unless nobody will ask for them or they are even older.
		_, count := begin(q, 1, false, []rows{{
			" FROM entries q WHERE q.key < ? AND (q.collected = 1 OR q.outcome IN (?, ?) OR q.key < ?) AND" + shown,
			[]any{int64(before), string(question.Withdrawn), string(question.Disconnected), int64(firstKey(now - store.UncollectedKept.Milliseconds()))},
		}})
		return count
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

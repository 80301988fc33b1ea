package sqlstore

import (
	"context"
	"math"
	"sync"
	"time"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/words"
)

// A deletion has a row in deletions, and each of its questions one in deleted, until it is restored or purged. The row stays longer, so that
// a repeated request has the same result.

// rememberedDeletions is how many deletions are remembered after their end.
const rememberedDeletions = 1000

// begin records a deletion of the given rows, and returns the number of questions. request may be nil.
func begin(q *Queries, at int64, everything bool, request any, of []rows) (deletion int64, count int) {
	q.One("INSERT INTO deletions (at, everything, request) VALUES (?, ?, ?) RETURNING id", []any{at, number(everything), request}, &deletion)
	for _, some := range of {
		count += int(q.Exec("INSERT INTO deleted (key, deletion) SELECT q.key, CAST(? AS bigint)"+some.query, append([]any{deletion}, some.args...)...))
	}
	q.Exec("UPDATE deletions SET entries = ? WHERE id = ?", count, deletion)
	return deletion, count
}

// waits measures how long each deletion waits, by this process's monotonic clock: the time of day may jump, and a purge cannot be undone.
type waits struct {
	mu    sync.Mutex
	since map[int64]time.Time
}

// lapsed reports whether a deletion can no longer be undone. One that an earlier process has left waits again.
func (s *Store) lapsed(deletion, at int64) bool {
	if at == neverUndone {
		return true
	}
	s.waits.mu.Lock()
	defer s.waits.mu.Unlock()
	now := s.Monotonic()
	since, waits := s.waits.since[deletion]
	if !waits {
		if s.waits.since == nil {
			s.waits.since = map[int64]time.Time{}
		}
		s.waits.since[deletion] = now
		time.AfterFunc(store.Undo, s.stir) // to purge it
		return false
	}
	return now.Sub(since) >= store.Undo
}

// neverUndone is the time of a deletion that cannot be undone.
const neverUndone = 1

func (s *Store) Delete(ctx context.Context, id string, what store.Selection) (store.Deletion, error) {
	s.catchUp(ctx)
	f := what.Filter
	everything := what.IDs == nil && len(f.Agents)+len(f.Workspaces)+len(f.Kinds)+len(f.Outcomes)+len(f.Text) == 0 && f.From.IsZero() && f.To.IsZero()
	var deletion, at int64
	done, err := write(ctx, s.history, func(q *Queries, now int64) store.Deletion {
		done := store.Deletion{ID: id}
		if at = now; q.One("SELECT id, at, entries FROM deletions WHERE request = ?", []any{id}, &deletion, &at, &done.Count) {
			q.Fail(ErrNothing)
		} else {
			deletion, done.Count = begin(q, now, everything, id, s.selected(q, what))
		}
		done.Until = time.UnixMilli(at).Add(store.Undo)
		return done
	})
	if err == nil {
		_ = s.lapsed(deletion, at) // its time begins
	}
	s.stir()
	return done, err
}

func (s *Store) Restore(ctx context.Context, id string) (int, error) {
	return write(ctx, s.history, func(q *Queries, _ int64) (restored int) {
		var deletion, at int64
		ended := ""
		switch {
		case !q.One("SELECT id, at, entries, ended FROM deletions WHERE request = ?", []any{id}, &deletion, &at, &restored, &ended):
			q.Fail(ErrNothing)
		case ended == "restored":
			q.Fail(ErrNothing)
			return restored
		case ended != "" || s.lapsed(deletion, at):
			q.Fail(ErrNothing)
			return 0
		}
		q.Exec("DELETE FROM deleted WHERE deletion = ?", deletion)
		q.Exec("UPDATE deletions SET ended = 'restored' WHERE id = ?", deletion)
		return restored
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
	lapsed, err := read(ctx, s.history, func(q *Queries) (lapsed []int64) {
		for scan := range q.Each("SELECT id, at FROM deletions WHERE ended = ''") {
			var id, at int64
			if scan(&id, &at); q.Err == nil && s.lapsed(id, at) {
				lapsed = append(lapsed, id)
			}
		}
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
		err = s.forgetSessions(ctx, math.MaxInt64) // all
	}
	if err == nil {
		err = s.Erase(ctx)
	}
	if err != nil {
		return removed, err
	}
	return removed, s.history.Write(ctx, func(q *Queries, _ int64) {
		q.Exec("UPDATE deletions SET ended = 'purged' WHERE id = ANY (?)", lapsed)
		q.Exec(`DELETE FROM deletions WHERE ended <> ''
			AND (request IS NULL OR id <= (SELECT max(id) FROM deletions) - CAST(? AS bigint))`, rememberedDeletions)
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

// forgetSessions removes sessions that are closed, or were last used before a time in milliseconds, if they have no open questions.
func (s *Store) forgetSessions(ctx context.Context, before int64) error {
	return s.inbox.Write(ctx, func(q *Queries, _ int64) {
		q.Exec(`DELETE FROM sessions WHERE (closed = 1 OR used_at < ?)
			AND NOT EXISTS (SELECT 1 FROM questions q WHERE q.session = sessions.id)`, before)
	})
}

func (s *Store) Retain(ctx context.Context, keep store.Retention) (int, error) {
	s.catchUp(ctx)
	// ago returns the time of day a while before keep.Now; 0 if that is unknown.
	ago := func(while time.Duration) int64 { return max(store.Millis(keep.Now)-while.Milliseconds(), 0) }
	removed, err := write(ctx, s.history, func(q *Queries, _ int64) int {
		before := store.Key(0)
		switch {
		case keep.Nothing:
			before = math.MaxInt64
		case keep.Age > 0:
			before = firstKey(ago(keep.Age))
		}
		// It keeps answers that the agent has not received yet, unless nobody will ask for them or they are even older.
		_, count := begin(q, neverUndone, false, nil, []rows{{
			" FROM entries q WHERE q.key < ? AND (q.collected = 1 OR q.outcome IN (?, ?) OR q.key < ?) AND" + shown,
			[]any{int64(before), string(question.Withdrawn), string(question.Disconnected), int64(firstKey(ago(store.UncollectedKept)))},
		}})
		if count == 0 {
			q.Fail(ErrNothing)
		}
		return count
	})
	if err == nil {
		err = s.forgetSessions(ctx, ago(sessionKept))
	}
	if err == nil && removed > 0 {
		_, err = s.Purge(ctx)
	}
	return removed, err
}

// sessionKept is how long an open session without questions is kept for its count of mistakes.
const sessionKept = 30 * 24 * time.Hour

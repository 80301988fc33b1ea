package sqlite

import (
	"context"
	"math"
	"time"

	"followup/internal/store"
)

// States of the files, in meta's row "scrub": whether they may hold text that was removed.
const (
	clean     = 0
	logDirty  = 1 // in the write-ahead log
	treeDirty = 2 // and in the search's index
)

// fewEnough is how many rows are taken out of the index one by one. More of them are marked there, and the index is written anew.
const fewEnough = 64

// sessionKept is how long a session without questions is kept for its count of mistakes, if it is not closed.
const sessionKept = 30 * 24 * time.Hour

// Retain removes for good, as Purge does, what a retention no longer keeps, and tells how many questions these were. What is
// deleted and can still be restored is left to Purge.
func (s *Store) Retain(ctx context.Context, r store.Retention) (int, error) {
	now := s.now()
	kept := store.Key(0) // from which on closed questions are kept
	switch {
	case r.Nothing:
		kept = math.MaxInt64
	case r.Age > 0:
		kept = firstKey(now.Add(-r.Age).UnixMilli())
	}
	removed, err := s.remove(ctx, `FROM outcomes o CROSS JOIN questions q ON q.ord = o.ord
		WHERE o.key < ? AND (q.collected = 1 OR o.key < ?) AND o.deletion IS NULL`,
		int64(kept), int64(firstKey(now.Add(-store.UncollectedKept).UnixMilli())))
	if err != nil {
		return removed, err
	}
	forgotten := int64(0)
	err = s.write(ctx, func(t *tx) (err error) {
		forgotten, err = t.exec("DELETE FROM sessions WHERE (closed = 1 OR used_at < ?) AND NOT EXISTS (SELECT 1 FROM questions WHERE session = sessions.id)",
			now.Add(-sessionKept).UnixMilli())
		if err != nil || forgotten == 0 {
			return err
		}
		return t.dirty(logDirty)
	})
	if err != nil || forgotten == 0 {
		return removed, err
	}
	return removed, s.scrub(ctx)
}

// remove removes for good the questions whose outcomes a query selects, some in each transaction, and cleans the files.
func (s *Store) remove(ctx context.Context, from string, args ...any) (removed int, err error) {
	var total int
	err = s.read(ctx, func(q querier) error {
		return q.one("SELECT count(*) "+from, args, []any{&total})
	})
	if err != nil {
		return 0, err
	}
	for more := total > 0; more; {
		// What is taken out of the index has to be in it.
		if err := s.indexAll(ctx); err != nil {
			return removed, err
		}
		batch := 0
		err := s.write(ctx, func(t *tx) (err error) {
			batch, err = t.removeBatch(total <= fewEnough, from, args)
			return err
		})
		if err != nil {
			return removed, err
		}
		removed += batch
		more = batch > 0
	}
	return removed, s.scrub(ctx)
}

// removeBatch removes what a query selects for as long as a batch may last, and tells how much that was.
func (t *tx) removeBatch(few bool, from string, args []any) (removed int, err error) {
	// What came since indexAll is left to the next batch.
	var keys []store.Key
	err = t.each("SELECT o.key "+from+` AND NOT EXISTS (SELECT 1 FROM log WHERE rev > (SELECT value FROM meta WHERE name = 'indexed') AND outcome = o.key)
		LIMIT 256`, args, func(scan func(...any) error) error {
		var key store.Key
		err := scan(&key)
		keys = append(keys, key)
		return err
	})
	if err != nil || len(keys) == 0 {
		return 0, err
	}
	state := logDirty
	if !few {
		state = treeDirty
		if err := t.secureDelete(false); err != nil {
			return 0, err
		}
	}
	var gone []indexed
	for began := time.Now(); removed < len(keys) && (removed == 0 || time.Since(began) < batchTime); removed++ {
		x, err := t.removeOne(keys[removed])
		if err != nil {
			return 0, err
		}
		gone = append(gone, x)
	}
	if err := t.forget(gone); err != nil {
		return 0, err
	}
	if !few {
		if err := t.secureDelete(true); err != nil {
			return 0, err
		}
	}
	if err := t.dirty(state); err != nil {
		return 0, err
	}
	return removed, t.noteHistory()
}

// secureDelete tells FTS5 whether to take a removed row's tokens out of the index at once, or to mark them.
// https://sqlite.org/fts5.html#the_secure_delete_configuration_option
func (t *tx) secureDelete(on bool) error {
	_, err := t.exec("INSERT INTO search (search, rank) VALUES ('secure-delete', ?)", on)
	return err
}

func (t *tx) dirty(state int) error {
	_, err := t.exec("UPDATE meta SET value = max(value, ?) WHERE name = 'scrub'", state)
	return err
}

func (t *tx) removeOne(key store.Key) (indexed, error) {
	x, _, err := t.indexed(key)
	if err != nil {
		return indexed{}, err
	}
	if _, err := t.exec("INSERT INTO search (search, rowid, tokens) VALUES ('delete', ?, ?)", int64(key), x.all()); err != nil {
		return indexed{}, err
	}
	for _, role := range []string{answerImage, draftImage} {
		if err := t.putImages(x.ord, role, nil); err != nil {
			return indexed{}, err
		}
	}
	for _, query := range []string{"DELETE FROM drafts WHERE ord = ?", "DELETE FROM questions WHERE ord = ?"} {
		if _, err := t.exec(query, x.ord); err != nil {
			return indexed{}, err
		}
	}
	_, err = t.exec("DELETE FROM outcomes WHERE key = ?", int64(key))
	return x, err
}

// forget drops words and facets that no text holds any more.
func (t *tx) forget(gone []indexed) error {
	seen := map[string]bool{}
	unless := func(token, query string, args ...any) error {
		if seen[token] {
			return nil
		}
		seen[token] = true
		var used bool
		if err := t.one("SELECT EXISTS (SELECT 1 FROM search WHERE search MATCH ?)", []any{quote(token)}, []any{&used}); err != nil || used {
			return err
		}
		_, err := t.exec(query, args...)
		return err
	}
	for _, x := range gone {
		for _, word := range x.tokens {
			if err := unless(word, "DELETE FROM words WHERE word = ?", word); err != nil {
				return err
			}
		}
		for kind, value := range x.facets {
			if err := unless(facetToken(kind, value), "DELETE FROM facets WHERE kind = ? AND value = ?", kind, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// scrub cleans the files of what was removed from the tables, if there is any left in them.
func (s *Store) scrub(ctx context.Context) error {
	state := clean
	err := s.read(ctx, func(q querier) error {
		return q.one("SELECT value FROM meta WHERE name = 'scrub'", nil, []any{&state})
	})
	if err != nil || state == clean {
		return err
	}
	if state == treeDirty {
		if err := s.mergeAll(ctx); err != nil {
			return err
		}
	}
	if err := s.settle(ctx); err != nil { // most of the work, which holds nobody up
		return err
	}
	whole, err := s.truncate(ctx)
	if err != nil || !whole {
		return err // another process is reading; the state stays, and so the next scrub tries again
	}
	return s.write(ctx, func(t *tx) error {
		_, err := t.exec("UPDATE meta SET value = ? WHERE name = 'scrub' AND value <= ?", clean, state)
		return err
	})
}

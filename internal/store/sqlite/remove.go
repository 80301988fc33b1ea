package sqlite

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/engine"
)

// States of the files, in meta's row "scrub": whether they may hold text that was removed.
const (
	clean     = 0
	logDirty  = 1 // in the write-ahead log
	treeDirty = 2 // and in the search's index
)

// readAtOnce is how many places are read before they are worked on in steps.
const readAtOnce = 256

// Purge removes for good what was deleted; see store.Store. A file that another process is reading at the moment is cleaned by the
// next Purge or Idle of any process.
func (s *Store) Purge(ctx context.Context) (removed int, err error) {
	return engine.Purge(ctx, remover{s})
}

// Retain removes for good what a retention no longer keeps; see store.Store.
func (s *Store) Retain(ctx context.Context, r store.Retention) (int, error) {
	return engine.Retain(ctx, remover{s}, r, s.now().UnixMilli())
}

// remover removes for good; see engine.Remover.
type remover struct{ *Store }

// Lapsed gives the deletions that can no longer be restored.
func (s remover) Lapsed(ctx context.Context) (lapsed []engine.Deletion, err error) {
	err = s.read(ctx, func(q querier) error {
		lapsed = nil
		return q.each("SELECT id, everything FROM deletions WHERE at <= ?", []any{s.now().Add(-store.Undo).UnixMilli()}, func(scan func(...any) error) error {
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
	return s.remove(ctx, "FROM outcomes o WHERE o.deletion = ?", id)
}

// EndDeletion removes a deletion.
func (s remover) EndDeletion(ctx context.Context, id int64) error {
	return s.once(ctx, func(t *tx) error {
		_, err := t.exec("DELETE FROM deletions WHERE id = ?", id)
		return err
	})
}

// RemoveKept removes what is not kept.
func (s remover) RemoveKept(ctx context.Context, first, collected store.Key) (int, error) {
	return s.remove(ctx, `FROM outcomes o CROSS JOIN questions q ON q.ord = o.ord
		WHERE o.key < ? AND (q.collected = 1 OR o.outcome = ? OR o.key < ?) AND o.deletion IS NULL`,
		int64(first), string(question.Withdrawn), int64(collected))
}

// Forget cleans the files.
func (s remover) Forget(ctx context.Context) error { return s.scrubAlone(ctx) }

// remove removes for good the questions whose outcomes a query selects now: it does not run behind those who go on answering.
func (s *Store) remove(ctx context.Context, from string, args ...any) (removed int, err error) {
	var total int
	var last store.Key
	err = s.read(ctx, func(q querier) error {
		return q.one("SELECT count(*), coalesce(max(o.key), 0) "+from, args, []any{&total, &last})
	})
	if err != nil || total == 0 {
		return 0, err
	}
	few := false
	err = s.alone(ctx, func() (err error) {
		if err := s.finishLeaving(ctx); err != nil {
			return err
		}
		if err := s.beginIndex(ctx, total); err != nil {
			return err
		}
		few, err = s.areFew(ctx, total)
		return err
	})
	if err != nil {
		return 0, err
	}
	for after := store.Key(math.MinInt64); ; {
		var keys []store.Key
		err := s.read(ctx, func(q querier) error {
			keys = nil
			return q.each("SELECT o.key "+from+" AND o.key > ? AND o.key <= ? ORDER BY o.key LIMIT ?", append(args[:len(args):len(args)], int64(after), int64(last), s.takenAtOnce),
				func(scan func(...any) error) error {
					var key store.Key
					err := scan(&key)
					keys = append(keys, key)
					return err
				})
		})
		if err == nil && len(keys) == 0 {
			err = s.removeAside(ctx)
		}
		if err != nil || len(keys) == 0 {
			return removed, err
		}
		after = keys[len(keys)-1]
		err = s.alone(ctx, func() error {
			n, err := s.removeKeys(ctx, few, keys)
			removed += n
			return err
		})
		if err != nil {
			return removed, err
		}
	}
}

// removeAside removes the damaged files that were set aside: they may have what was just removed. What could be read of them is in the
// store by then.
func (s *Store) removeAside(ctx context.Context) error {
	return s.alone(ctx, func() error {
		if err := s.salvage(ctx); err != nil {
			return err
		}
		files, err := filepath.Glob(filepath.Join(s.dir, asideName+"*"))
		for _, file := range files {
			err = errors.Join(err, os.Remove(file))
		}
		return err
	})
}

// removeKeys removes outcomes and their questions. Few are taken out of the index at once; of many it is noted there that they are out,
// and then it is joined, or written anew.
func (s *Store) removeKeys(ctx context.Context, few bool, keys []store.Key) (removed int, err error) {
	if few {
		if err := s.takeOut(ctx, keys); err != nil {
			return 0, err
		}
	}
	var parts parts
	noted, kept := map[forgotten]bool{}, true // whether the last step's notes are
	err = s.steps(ctx, func(t *tx, m *meter) (bool, error) {
		if !few {
			if joining, err := parts.join(t, m); joining || err != nil {
				return true, err
			}
		}
		if !kept {
			clear(noted)
		}
		kept = false
		rest, some, err := t.removeSome(few, keys, noted, m)
		t.then(func() { keys, removed, kept = rest, removed+some, true })
		return len(rest) > 0, err
	})
	return removed, err
}

// removeSome removes the first of the outcomes, as many as a step may, and gives those that are left.
func (t *tx) removeSome(few bool, keys []store.Key, noted map[forgotten]bool, m *meter) (rest []store.Key, removed int, err error) {
	state := logDirty
	if !few {
		state = treeDirty
		if err := t.secureDelete(false); err != nil {
			return nil, 0, err
		}
	}
	for more := true; more && len(keys) > 0; keys = keys[1:] {
		units, found, err := t.removeOne(keys[0], noted)
		if err != nil {
			return nil, 0, err
		}
		if found {
			removed++
		}
		more = m.spend(units)
	}
	if !few {
		if err := t.secureDelete(true); err != nil {
			return nil, 0, err
		}
	}
	if err := t.dirty(state); err != nil {
		return nil, 0, err
	}
	return keys, removed, nil
}

// secureDelete tells FTS5 whether to take a removed row's tokens out of the index at once, or to mark them.
// https://sqlite.org/fts5.html#the_secure_delete_configuration_option
func (t *tx) secureDelete(on bool) error {
	_, err := t.exec("INSERT INTO search (search, rank) VALUES ('secure-delete', ?)", on)
	return err
}

// dirty notes that the files have to be cleaned.
func (t *tx) dirty(state int) error {
	_, err := t.exec("UPDATE meta SET value = ? WHERE name = 'scrub' AND value < ?", state, state)
	return err
}

// removeOne removes an outcome with everything that belongs to it, and tells what that cost.
func (t *tx) removeOne(key store.Key, noted map[forgotten]bool) (units int, found bool, err error) {
	x, found, err := t.indexed(key)
	if err != nil {
		return 0, false, err
	}
	if !found {
		_, err := t.exec("DELETE FROM leaving WHERE key = ?", int64(key)) // or finishLeaving would find it again and again
		return 1, false, err
	}
	if err := t.unindex(x, noted); err != nil {
		return 0, false, err
	}
	for _, role := range []string{engine.AnswerImage, engine.DraftImage} {
		if err := t.putImages(x.ord, role, nil); err != nil {
			return 0, false, err
		}
	}
	for _, query := range []string{"DELETE FROM drafts WHERE ord = ?", "DELETE FROM opened WHERE ord = ?", "DELETE FROM questions WHERE ord = ?"} {
		if _, err := t.exec(query, x.ord); err != nil {
			return 0, false, err
		}
	}
	_, err = t.exec("DELETE FROM outcomes WHERE key = ?", int64(key))
	return 2*len(x.words) + unitsOf(x.size) + 8, true, err
}

// scrubAlone is scrub, when nobody does such work.
func (s *Store) scrubAlone(ctx context.Context) error {
	return s.alone(ctx, func() error { return s.scrub(ctx) })
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
	if err := s.finishLeaving(ctx); err != nil {
		return err
	}
	if state == treeDirty {
		if err := s.finishIndex(ctx); err != nil {
			return err
		}
		if err := s.mergeAll(ctx); err != nil {
			return err
		}
	}
	if err := s.forget(ctx); err != nil {
		return err
	}
	if err := s.emptyLog(ctx); err != nil { // most of the work, which holds nobody up
		return err
	}
	whole, err := s.moveAll(ctx, truncate)
	if err != nil || !whole {
		return err // another process is reading; the state stays, and so the next scrub tries again
	}
	return s.once(ctx, func(t *tx) error {
		_, err := t.exec("UPDATE meta SET value = ? WHERE name = 'scrub' AND value <= ?", clean, state)
		return err
	})
}

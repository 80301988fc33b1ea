package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"followup/internal/store"
)

// deletedAtOnce is how many questions are marked as deleted, or no longer so, in one transaction.
const deletedAtOnce = 128

// Delete marks closed questions as deleted; see store.Store.
func (s *Store) Delete(ctx context.Context, what store.Selection) (done store.Deletion, err error) {
	err = s.selected(ctx, what, deletedAtOnce, func(keys []store.Key) error {
		id, count := done.ID, 0
		var at int64
		err := s.write(ctx, func(t *tx) (err error) {
			id, count, err = t.delete(done.ID, keys)
			at = t.now
			return err
		})
		if errors.Is(err, errNothing) {
			return nil
		}
		if err != nil {
			return err
		}
		done.ID, done.Count, done.Until = id, done.Count+count, time.UnixMilli(at).Add(store.Undo)
		return nil
	})
	return done, err
}

// delete marks outcomes; 0 begins a deletion.
func (t *tx) delete(deletion int64, keys []store.Key) (id int64, count int, err error) {
	if deletion == 0 {
		deletion, err = t.insert("INSERT INTO deletions (at) VALUES (?)", t.now)
	} else {
		_, err = t.exec("UPDATE deletions SET at = ? WHERE id = ?", t.now, deletion)
	}
	if err != nil {
		return 0, 0, err
	}
	for _, key := range keys {
		marked, err := t.exec("UPDATE outcomes SET deletion = ? WHERE key = ? AND deletion IS NULL", deletion, int64(key))
		if err != nil {
			return 0, 0, err
		}
		count += int(marked)
	}
	if count == 0 {
		return 0, 0, errNothing
	}
	return deletion, count, t.noteHistory()
}

// Restore takes a deletion back; see store.Store.
func (s *Store) Restore(ctx context.Context, deletion int64) (restored int, err error) {
	for more := true; more; {
		var some int64
		err := s.write(ctx, func(t *tx) (err error) {
			some, err = t.restore(deletion, restored == 0)
			return err
		})
		if errors.Is(err, errNothing) {
			return restored, nil
		}
		if err != nil {
			return restored, err
		}
		restored += int(some)
		more = some == deletedAtOnce
	}
	return restored, nil
}

// restore takes back a part. Once it has begun, none of the rest lapses.
func (t *tx) restore(deletion int64, first bool) (int64, error) {
	var at int64
	err := t.one("SELECT at FROM deletions WHERE id = ?", []any{deletion}, []any{&at})
	if errors.Is(err, sql.ErrNoRows) || err == nil && first && at <= t.now-store.Undo.Milliseconds() {
		return 0, errNothing
	}
	if err != nil {
		return 0, err
	}
	if _, err := t.exec("UPDATE deletions SET at = ? WHERE id = ?", t.now, deletion); err != nil {
		return 0, err
	}
	restored, err := t.exec("UPDATE outcomes SET deletion = NULL WHERE key IN (SELECT key FROM outcomes WHERE deletion = ? LIMIT ?)", deletion, deletedAtOnce)
	if err != nil {
		return 0, err
	}
	return restored, t.noteHistory()
}

// Purge removes for good what was deleted; see store.Store. A file that another process is reading at the moment is cleaned by the
// next Purge or Idle of any process.
func (s *Store) Purge(ctx context.Context) (int, error) {
	return s.remove(ctx, "FROM deletions d JOIN outcomes o ON o.deletion = d.id WHERE d.at <= ?", s.now().Add(-store.Undo).UnixMilli())
}

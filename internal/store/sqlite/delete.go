package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// Delete marks closed questions as deleted; see store.Store.
func (s *Store) Delete(ctx context.Context, what store.Selection) (store.Deletion, error) {
	done, err := engine.Delete(ctx, source{s}, what, s.deletedAtOnce, func(deletion int64, everything bool, keys []store.Key) (id int64, count int, at int64, err error) {
		err = s.once(ctx, func(t *tx) (err error) {
			id, count, err = t.delete(deletion, everything, keys)
			at = t.now
			return err
		})
		return id, count, at, err
	})
	return done, err
}

// delete marks outcomes; 0 begins a deletion.
func (t *tx) delete(deletion int64, everything bool, keys []store.Key) (id int64, count int, err error) {
	if deletion == 0 {
		deletion, err = t.insert("INSERT INTO deletions (at, everything) VALUES (?, ?)", t.now, everything)
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
		return 0, 0, engine.ErrNothing // the deletion is not begun
	}
	return deletion, count, nil
}

// Restore takes a deletion back; see store.Store.
func (s *Store) Restore(ctx context.Context, deletion int64) (int, error) {
	restored, err := engine.Restore(int64(s.deletedAtOnce), func(first bool) (some int64, err error) {
		err = s.once(ctx, func(t *tx) (err error) {
			some, err = t.restore(deletion, first)
			return err
		})
		return some, err
	})
	return restored, err
}

// restore takes back a part. Once it has begun, none of the rest lapses.
func (t *tx) restore(deletion int64, first bool) (int64, error) {
	var at int64
	err := t.one("SELECT at FROM deletions WHERE id = ?", []any{deletion}, []any{&at})
	if errors.Is(err, sql.ErrNoRows) || err == nil && !engine.CanRestore(at, t.now, first) {
		return 0, engine.ErrNothing
	}
	if err != nil {
		return 0, err
	}
	most := int64(t.store.deletedAtOnce)
	restored, err := t.exec("UPDATE outcomes SET deletion = NULL WHERE key IN (SELECT key FROM outcomes WHERE deletion = ? LIMIT ?)", deletion, most)
	if err != nil {
		return 0, err
	}
	after := "UPDATE deletions SET at = ?2 WHERE id = ?1"
	if restored < most {
		after = "DELETE FROM deletions WHERE id = ?1 AND ?2"
	}
	if _, err := t.exec(after, deletion, t.now); err != nil {
		return 0, err
	}
	return restored, nil
}

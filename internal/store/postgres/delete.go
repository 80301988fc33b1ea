package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// atOnce is how many questions are deleted, restored or removed in one transaction. Behind each there is a pause in which others go on.
const atOnce = 128

// stepPause is that pause.
const stepPause = 2 * time.Millisecond

// step runs a transaction of work that can wait.
func (s *Store) step(ctx context.Context, run func(*tx) error) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(stepPause):
	}
	err := s.write(ctx, run)
	if errors.Is(err, engine.ErrNothing) {
		return nil
	}
	return err
}

// Delete marks closed questions as deleted; see store.Store.
func (s *Store) Delete(ctx context.Context, what store.Selection) (store.Deletion, error) {
	return engine.Delete(ctx, source{s}, what, atOnce, func(deletion int64, everything bool, keys []store.Key) (id int64, count int, at int64, err error) {
		err = s.step(ctx, func(t *tx) (err error) {
			at = t.now
			id, count, err = t.delete(deletion, everything, keys)
			return err
		})
		return id, count, at, err
	})
}

// delete marks outcomes; 0 begins a deletion.
func (t *tx) delete(deletion int64, everything bool, keys []store.Key) (id int64, count int, err error) {
	if deletion == 0 {
		err = t.one("INSERT INTO deletions (at, everything) VALUES ($1, $2) RETURNING id", []any{t.now, everything}, []any{&deletion})
	} else {
		_, err = t.exec("UPDATE deletions SET at = $1 WHERE id = $2", t.now, deletion)
	}
	if err != nil {
		return 0, 0, err
	}
	marked, err := t.exec(`UPDATE outcomes SET deletion = $1 WHERE key IN
		(SELECT key FROM outcomes WHERE key = ANY($2) AND deletion IS NULL ORDER BY key FOR UPDATE)`, deletion, keysOf(keys))
	if err != nil {
		return 0, 0, err
	}
	if marked == 0 {
		return 0, 0, engine.ErrNothing // the deletion is not begun
	}
	t.news = true
	return deletion, int(marked), nil
}

func keysOf(keys []store.Key) []int64 {
	all := make([]int64, len(keys))
	for i, key := range keys {
		all[i] = int64(key)
	}
	return all
}

// Restore takes a deletion back; see store.Store.
func (s *Store) Restore(ctx context.Context, deletion int64) (int, error) {
	return engine.Restore(atOnce, func(first bool) (some int64, err error) {
		err = s.step(ctx, func(t *tx) (err error) {
			some, err = t.restore(deletion, first)
			return err
		})
		return some, err
	})
}

// restore takes back a part. Once it has begun, none of the rest lapses.
func (t *tx) restore(deletion int64, first bool) (int64, error) {
	var at int64
	err := t.one("SELECT at FROM deletions WHERE id = $1 FOR UPDATE", []any{deletion}, []any{&at})
	if errors.Is(err, pgx.ErrNoRows) || err == nil && !engine.CanRestore(at, t.now, first) {
		return 0, engine.ErrNothing
	}
	if err != nil {
		return 0, err
	}
	restored, err := t.exec(`UPDATE outcomes SET deletion = NULL WHERE key IN
		(SELECT key FROM outcomes WHERE deletion = $1 ORDER BY key LIMIT $2 FOR UPDATE)`, deletion, atOnce)
	if err != nil {
		return 0, err
	}
	if restored < atOnce {
		_, err = t.exec("DELETE FROM deletions WHERE id = $1", deletion)
	} else {
		_, err = t.exec("UPDATE deletions SET at = $2 WHERE id = $1", deletion, t.now)
	}
	t.news = true
	return restored, err
}

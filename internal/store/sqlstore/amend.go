package sqlstore

import (
	"context"
	"encoding/json"

	"followup/internal/store"
)

// Amend amends both copies of an outcome that an interrupted mover has left in the inbox. It excludes the mover, which would otherwise
// remove an amended outcome after copying the earlier one.
func (s *Store) Amend(ctx context.Context, id string, amend func(answer json.RawMessage) (json.RawMessage, bool)) error {
	select {
	case s.moving <- struct{}{}:
		defer func() { <-s.moving }()
	case <-ctx.Done():
		return ctx.Err()
	}
	found := false
	for _, at := range []struct {
		half         Half
		read, update string
	}{
		{s.inbox, "SELECT answer FROM outcomes WHERE id = ?", "UPDATE outcomes SET answer = ? WHERE id = ?"},
		{s.history, "SELECT q.answer FROM entries q WHERE q.id = ? AND" + shown, "UPDATE entries SET answer = ? WHERE id = ?"},
	} {
		there, err := write(ctx, at.half, func(q *Queries, _ int64) bool {
			var answer []byte
			there := q.One(at.read, []any{id}, &answer)
			better, amends := json.RawMessage(nil), false
			if there {
				better, amends = amend(answer)
			}
			if !amends {
				q.Fail(ErrNothing)
				return there
			}
			q.Exec(at.update, []byte(better), id)
			return true
		})
		if err != nil {
			return err
		}
		found = found || there
	}
	if !found {
		return store.ErrNotFound
	}
	return nil
}

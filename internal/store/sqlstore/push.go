package sqlstore

import (
	"context"
	"encoding/json"

	"followup/internal/store"
)

// PushKey implements store.Store.
func (s *Store) PushKey(ctx context.Context, candidate string) (string, error) {
	return write(ctx, s.inbox, func(q Queries, _ int64) (key string, err error) {
		keys, err := Column[string](q, "SELECT key FROM push_key")
		if err != nil || len(keys) > 0 {
			return append(keys, "")[0], err
		}
		return candidate, q.Exec(insertInto("push_key", "key"), candidate)
	})
}

// Subscriptions implements store.Store.
func (s *Store) Subscriptions(ctx context.Context) ([]store.Subscription, error) {
	return read(ctx, s.inbox, func(q Queries) (all []store.Subscription, err error) {
		err = q.Each("SELECT document FROM subscriptions ORDER BY id", nil, func(scan func(...any) error) error {
			var document string
			var one store.Subscription
			if err := scan(&document); err != nil {
				return err
			}
			err := json.Unmarshal([]byte(document), &one)
			all = append(all, one)
			return err
		})
		return all, err
	})
}

// PutSubscription implements store.Store.
func (s *Store) PutSubscription(ctx context.Context, one store.Subscription) error {
	document, err := json.Marshal(one)
	if err != nil {
		return err
	}
	return s.inbox.Write(ctx, func(q Queries, _ int64) error {
		return q.Exec(insertInto("subscriptions", "id, document")+" ON CONFLICT (id) DO UPDATE SET document = excluded.document", one.ID, string(document))
	})
}

// RemoveSubscription implements store.Store.
func (s *Store) RemoveSubscription(ctx context.Context, id string) error {
	return s.inbox.Write(ctx, func(q Queries, _ int64) error {
		return q.Exec("DELETE FROM subscriptions WHERE id = ?", id)
	})
}

package sqlstore

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"followup/internal/store"
)

// Accounts implements store.Store. It does not read a damaged file's accounts, since a revoked token might be among them.
func (s *Store) Accounts(ctx context.Context) ([]store.Account, error) {
	return read(ctx, s.inbox, func(q Queries) ([]store.Account, error) { return q.accounts("") })
}

func (s *Store) AccountsVersion(ctx context.Context) (version int64, err error) {
	err = s.inbox.Read(ctx, func(q Queries) error { return q.One("SELECT n FROM account_edits", nil, &version) })
	return version, err
}

// accounts returns the accounts of a team, or of all teams.
func (q Queries) accounts(team string) ([]store.Account, error) {
	return documents[store.Account](q, "SELECT document FROM accounts WHERE ? IN ('', team) ORDER BY team, name", team)
}

func (s *Store) EditAccount(ctx context.Context, team string, edit func([]store.Account) (store.Account, error)) error {
	var refused error
	err := s.inbox.Write(ctx, func(q Queries, now int64) error {
		if err := q.Exec("UPDATE account_edits SET n = n + 1"); err != nil { // others wait until this transaction ends
			return err
		}
		all, err := q.accounts(team)
		if err != nil {
			return err
		}
		var a store.Account
		if a, refused = edit(all); refused != nil {
			return ErrNothing
		}
		a.Team, a.At = team, time.UnixMilli(now)
		document, err := json.Marshal(a)
		if err == nil {
			err = q.Exec(insertInto("accounts", "team, name, document")+" ON CONFLICT (team, name) DO UPDATE SET document = excluded.document",
				team, a.Name, string(document))
		}
		return err
	})
	return cmp.Or(refused, err)
}

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
	return read(ctx, s.inbox, func(q Queries) ([]store.Subscription, error) {
		return documents[store.Subscription](q, "SELECT document FROM subscriptions ORDER BY id")
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

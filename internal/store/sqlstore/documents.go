package sqlstore

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"followup/internal/store"
)

// documents reads the only column of each row as JSON.
func documents[T any](q *Queries, query string, args ...any) (all []T) {
	for _, document := range Column[[]byte](q, query, args...) {
		var one T
		q.Fail(json.Unmarshal(document, &one))
		all = append(all, one)
	}
	return all
}

// putDocument inserts or replaces a value as JSON. columns are the key's columns.
func (q *Queries) putDocument(table, columns string, value any, key ...any) {
	document, err := json.Marshal(value)
	q.Fail(err)
	q.Exec(insertInto(table, columns+", document")+" ON CONFLICT ("+columns+") DO UPDATE SET document = excluded.document",
		append(key, string(document))...)
}

// Accounts implements store.Store. It does not read a damaged file's accounts, since a revoked token might be among them.
func (s *Store) Accounts(ctx context.Context) ([]store.Account, error) {
	return read(ctx, s.inbox, func(q *Queries) []store.Account { return q.accounts("") })
}

func (s *Store) AccountsVersion(ctx context.Context) (version int64, err error) {
	err = s.inbox.Read(ctx, func(q *Queries) { q.One("SELECT n FROM account_edits", nil, &version) })
	return version, err
}

// accounts returns the accounts of a team, or of all teams.
func (q *Queries) accounts(team string) []store.Account {
	return documents[store.Account](q, "SELECT document FROM accounts WHERE ? IN ('', team) ORDER BY team, name", team)
}

func (s *Store) EditAccount(ctx context.Context, team string, edit func([]store.Account) (store.Account, error)) error {
	var refused error
	err := s.inbox.Write(ctx, func(q *Queries, now int64) {
		q.Exec("UPDATE account_edits SET n = n + 1") // others wait until this transaction ends
		all := q.accounts(team)
		if q.Err != nil {
			return
		}
		var a store.Account
		if a, refused = edit(all); refused != nil {
			q.Fail(ErrNothing)
		}
		a.Team, a.At = team, time.UnixMilli(now)
		q.putDocument("accounts", "team, name", a, team, a.Name)
	})
	return cmp.Or(refused, err)
}

// PushKey implements store.Store.
func (s *Store) PushKey(ctx context.Context, candidate string) (string, error) {
	return write(ctx, s.inbox, func(q *Queries, _ int64) (key string) {
		if !q.One("SELECT key FROM push_key", nil, &key) {
			key = candidate
			q.Exec(insertInto("push_key", "key"), key)
		}
		return key
	})
}

// Subscriptions implements store.Store.
func (s *Store) Subscriptions(ctx context.Context) ([]store.Subscription, error) {
	return read(ctx, s.inbox, func(q *Queries) []store.Subscription {
		return documents[store.Subscription](q, "SELECT document FROM subscriptions ORDER BY id")
	})
}

// PutSubscription implements store.Store.
func (s *Store) PutSubscription(ctx context.Context, one store.Subscription) error {
	return s.inbox.Write(ctx, func(q *Queries, _ int64) { q.putDocument("subscriptions", "id", one, one.ID) })
}

// RemoveSubscription implements store.Store.
func (s *Store) RemoveSubscription(ctx context.Context, id string) error {
	return s.inbox.Write(ctx, func(q *Queries, _ int64) { q.Exec("DELETE FROM subscriptions WHERE id = ?", id) })
}

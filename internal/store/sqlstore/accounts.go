package sqlstore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"followup/internal/store"
)

const accountColumns = `team, name, agent, withdrawn, "groups", former, tokens, at`

// Accounts is that of store.Store. A damaged file's are not read: a revoked token might be among them.
func (s *Store) Accounts(ctx context.Context) ([]store.Account, error) {
	return read(ctx, s.inbox, func(q Queries) ([]store.Account, error) { return q.accounts("") })
}

// AccountsVersion returns a number that increases with every edit of an account.
func (s *Store) AccountsVersion(ctx context.Context) (version int64, err error) {
	err = s.inbox.Read(ctx, func(q Queries) error { return q.One("SELECT coalesce(max(version), 0) FROM accounts", nil, &version) })
	return version, err
}

// accounts returns the accounts of a team, or of all teams.
func (q Queries) accounts(team string) (all []store.Account, err error) {
	err = q.Each("SELECT "+accountColumns+" FROM accounts WHERE ? IN ('', team) ORDER BY team, name", []any{team}, func(scan func(...any) error) error {
		var a store.Account
		var groups, former, tokens string
		var at int64
		if err := scan(&a.Team, &a.Name, &a.Agent, &a.Withdrawn, &groups, &former, &tokens, &at); err != nil {
			return err
		}
		a.At = fromMillis(at)
		all = append(all, a)
		last := &all[len(all)-1]
		return errors.Join(
			json.Unmarshal([]byte(groups), &last.Groups), json.Unmarshal([]byte(former), &last.Former), json.Unmarshal([]byte(tokens), &last.Tokens),
		)
	})
	return all, err
}

func (s *Store) EditAccount(ctx context.Context, team string, edit func([]store.Account) (store.Account, error)) error {
	var refused error
	err := s.inbox.Write(ctx, func(q Queries, now int64) error {
		if _, err := q.Exec("UPDATE account_edits SET n = n + 1"); err != nil { // others wait until this transaction ends
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
		lists := make([]string, 3)
		for i, values := range []any{a.Groups, a.Former, a.Tokens} {
			text, err := json.Marshal(values)
			if err != nil {
				return err
			}
			lists[i] = string(text)
		}
		_, err = q.Exec("INSERT INTO accounts ("+accountColumns+`, version)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(version), 0) + 1 FROM accounts)) ON CONFLICT (team, name) DO UPDATE SET
			agent = excluded.agent, withdrawn = excluded.withdrawn, "groups" = excluded."groups", former = excluded.former, tokens = excluded.tokens,
			at = excluded.at, version = excluded.version`,
			team, a.Name, number(a.Agent), number(a.Withdrawn), lists[0], lists[1], lists[2], now)
		return err
	})
	return cmp.Or(refused, err)
}

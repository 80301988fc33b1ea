package sqlstore

import (
	"context"
	"encoding/json"
	"errors"

	"followup/internal/store"
)

const accountColumns = `name, agent, withdrawn, "groups", former, tokens, at`

// Accounts returns all accounts, sorted by their names. They are not read out of a damaged file: a token that was revoked might be among
// what can be read of it.
func (s *Store) Accounts(ctx context.Context) (all []store.Account, err error) {
	err = s.inbox.Read(ctx, func(q Queries) (err error) {
		all, err = q.accounts()
		return err
	})
	return all, err
}

func (q Queries) accounts() (all []store.Account, err error) {
	err = q.Each("SELECT "+accountColumns+" FROM accounts ORDER BY name", nil, func(scan func(...any) error) error {
		var a store.Account
		var groups, former, tokens string
		var at int64
		if err := scan(&a.Name, &a.Agent, &a.Withdrawn, &groups, &former, &tokens, &at); err != nil {
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

// EditAccount writes an account; see store.Store.
func (s *Store) EditAccount(ctx context.Context, edit func([]store.Account) (store.Account, error)) error {
	var refused error
	err := write(ctx, s.inbox, func(q Queries, now int64) error {
		if err := s.LockAccounts(q); err != nil {
			return err
		}
		all, err := q.accounts()
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
		_, err = q.Exec("INSERT INTO accounts ("+accountColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE
			SET agent = excluded.agent, withdrawn = excluded.withdrawn, "groups" = excluded."groups", former = excluded.former, tokens = excluded.tokens, at = excluded.at`,
			a.Name, number(a.Agent), number(a.Withdrawn), lists[0], lists[1], lists[2], now)
		return err
	})
	return errors.Join(err, refused)
}

package sqlite

import (
	"context"
	"encoding/json"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// Accounts gives all accounts, sorted by their names. They are not brought back out of a damaged file: a token that was revoked might
// be among what can be read of it.
func (s *Store) Accounts(ctx context.Context) (all []store.Account, err error) {
	err = s.read(ctx, func(q querier) error {
		all = nil
		return q.each(`SELECT name, agent, "groups", token, at FROM accounts ORDER BY name`, nil, func(scan func(...any) error) error {
			var a store.Account
			var groups []byte
			var at int64
			if err := scan(&a.Name, &a.Agent, &groups, &a.Token, &at); err != nil {
				return err
			}
			a.At = engine.Time(at)
			all = append(all, a)
			return json.Unmarshal(groups, &all[len(all)-1].Groups)
		})
	})
	return all, err
}

// PutAccount writes an account, in the place of the one of that name.
func (s *Store) PutAccount(ctx context.Context, a store.Account) error {
	groups, err := json.Marshal(a.Groups)
	if err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT INTO accounts (name, agent, "groups", token, at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET agent = excluded.agent, "groups" = excluded."groups", token = excluded.token, at = excluded.at`,
			a.Name, a.Agent, string(groups), a.Token, t.now)
		if err != nil {
			return err
		}
		return t.note(0, "", engine.WroteAccounts, 0)
	})
}

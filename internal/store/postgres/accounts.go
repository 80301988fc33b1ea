package postgres

import (
	"context"
	"encoding/json"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// Accounts gives all accounts, sorted by their names.
func (s *Store) Accounts(ctx context.Context) (all []store.Account, err error) {
	err = s.read(ctx, func(q querier) error {
		all = nil
		return q.each(`SELECT name, agent, "groups", token, at FROM accounts ORDER BY name`, nil, func(scan func(...any) error) error {
			var a store.Account
			var groups string
			var at int64
			if err := scan(&a.Name, &a.Agent, &groups, &a.Token, &at); err != nil {
				return err
			}
			a.At = engine.Time(at)
			all = append(all, a)
			return json.Unmarshal([]byte(groups), &all[len(all)-1].Groups)
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
		_, err := t.exec(`INSERT INTO accounts (name, agent, "groups", token, at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (name) DO UPDATE SET agent = excluded.agent, "groups" = excluded."groups", token = excluded.token, at = excluded.at`,
			a.Name, a.Agent, string(groups), a.Token, t.now)
		t.noteQuestion(0, engine.WroteAccounts)
		return err
	})
}

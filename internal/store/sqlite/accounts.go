package sqlite

import (
	"context"
	"errors"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// Accounts gives all accounts, sorted by their names. They are not brought back out of a damaged file: a token that was revoked might
// be among what can be read of it.
func (s *Store) Accounts(ctx context.Context) (all []store.Account, err error) {
	err = s.read(ctx, func(q querier) (err error) {
		all, err = q.accounts()
		return err
	})
	return all, err
}

func (q querier) accounts() (all []store.Account, err error) {
	err = q.each("SELECT "+engine.AccountColumns+" FROM accounts ORDER BY name", nil, func(scan func(...any) error) error {
		a, err := engine.ScanAccount(scan)
		all = append(all, a)
		return err
	})
	return all, err
}

// EditAccount writes an account, in the place of the one of that name. Who writes has the file to themselves.
func (s *Store) EditAccount(ctx context.Context, edit func([]store.Account) (store.Account, error)) error {
	var refused error
	err := s.write(ctx, func(t *tx) (err error) {
		all, err := t.accounts()
		if err != nil {
			return err
		}
		refused, err = engine.EditAccount(all, edit, t.now, func(values []any) error {
			_, err := t.exec("INSERT INTO accounts ("+engine.AccountColumns+") VALUES (?, ?, ?, ?, ?, ?)"+engine.AccountWritten, values...)
			return err
		})
		return err
	})
	return errors.Join(err, refused)
}

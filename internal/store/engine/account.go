package engine

import (
	"encoding/json"
	"errors"

	"followup/internal/store"
)

// AccountColumns are what ScanAccount reads.
const AccountColumns = `name, agent, "groups", former, tokens, at`

// ScanAccount reads a row of AccountColumns.
func ScanAccount(scan func(...any) error) (a store.Account, err error) {
	var groups, former, tokens string
	var at int64
	if err := scan(&a.Name, &a.Agent, &groups, &former, &tokens, &at); err != nil {
		return a, err
	}
	a.At = Time(at)
	return a, errors.Join(
		json.Unmarshal([]byte(groups), &a.Groups), json.Unmarshal([]byte(former), &a.Former), json.Unmarshal([]byte(tokens), &a.Tokens),
	)
}

// AccountValues are those of AccountColumns.
func AccountValues(a store.Account, now int64) ([]any, error) {
	lists := make([]string, 3)
	for i, list := range []any{a.Groups, a.Former, a.Tokens} {
		text, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		lists[i] = string(text)
	}
	return []any{a.Name, a.Agent, lists[0], lists[1], lists[2], now}, nil
}

// AccountWritten is how a row of AccountColumns takes the place of the one of that name.
const AccountWritten = ` ON CONFLICT (name) DO UPDATE SET agent = excluded.agent, "groups" = excluded."groups", former = excluded.former,
	tokens = excluded.tokens, at = excluded.at`

// EditAccount does what store.EditAccount tells, in a transaction in which nobody else writes accounts. An error of edit's ends it without
// anything written, and is given apart from those of the store, which are put into words.
func EditAccount(all []store.Account, edit func([]store.Account) (store.Account, error), now int64, put func(values []any) error) (refused, err error) {
	a, refused := edit(all)
	if refused != nil {
		return refused, nil
	}
	values, err := AccountValues(a, now)
	if err != nil {
		return nil, err
	}
	return nil, put(values)
}

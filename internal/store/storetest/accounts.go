package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"followup/internal/store"
)

// Writing an account replaces the previous one.
func testAccounts(t *testing.T, open Place) {
	place, c := open(t), NewClock()
	a, b := place(c.Now), place(c.Now)
	Same(t, "none", must(a.Accounts(t.Context()))(t), []store.Account{})
	Same(t, "version", must(a.AccountsVersion(t.Context()))(t), int64(0))
	write := func(in store.Store, account store.Account) {
		t.Helper()
		ok(t, in.EditAccount(t.Context(), account.Team, func([]store.Account) (store.Account, error) { return account, nil }))
	}
	zoe := store.Account{Team: "one", Name: "Zoë", Groups: []string{"on call", "é\x00\""}, Former: []string{"ops"}, MayApprove: true, Tokens: []store.Token{{Hash: store.HashToken("one")}, {Hash: store.HashToken("three"), Until: c.Now().UTC(), Used: c.Now().UTC()}}}
	bot := store.Account{Team: "one", Name: "bot", Agent: true, Tokens: []store.Token{{Hash: store.HashToken("two")}}}
	write(a, bot)
	write(a, zoe)
	other := store.Account{Team: "two", Name: "Zoë", Tokens: []store.Token{{Hash: store.HashToken("four")}}}
	write(a, other)
	zoe.At, bot.At, other.At = c.Now(), c.Now(), c.Now()
	for name, s := range map[string]store.Store{"A": a, "B": b} {
		Same(t, "accounts by "+name, local(must(s.Accounts(t.Context()))(t)), local([]store.Account{zoe, bot, other}))
	}
	c.Forward(time.Second)
	zoe.Tokens, zoe.Groups, zoe.Former, zoe.Withdrawn, zoe.At = nil, nil, nil, true, c.Now()
	write(a, zoe)
	got := must(b.Accounts(t.Context()))(t)
	Same(t, "revoked", local(got), local([]store.Account{zoe, bot, other}))
	has := func(a store.Account, hash []byte) bool {
		_, has := a.Token(hash)
		return has
	}
	if has(got[0], store.HashToken("one")) || has(got[0], nil) || !has(got[1], store.HashToken("two")) || has(got[1], store.HashToken("one")) {
		t.Errorf("%+v", got)
	}

	// Each edit increases the version for all processes.
	before := must(b.AccountsVersion(t.Context()))(t)
	write(a, bot)
	if after := must(b.AccountsVersion(t.Context()))(t); after <= before || after != must(a.AccountsVersion(t.Context()))(t) {
		t.Errorf("the version was %d and is %d", before, after)
	}

	// A rejected edit returns its error, and nothing is written.
	before = must(b.AccountsVersion(t.Context()))(t)
	refused := errors.New("refused")
	if err := a.EditAccount(t.Context(), "one", func([]store.Account) (store.Account, error) { return zoe, refused }); err == nil || err.Error() != refused.Error() {
		t.Errorf("got %v", err)
	}
	Same(t, "version after a rejected edit", must(b.AccountsVersion(t.Context()))(t), before)
	// Each of two concurrent edits sees all of the other's write, or nothing of it.
	var both sync.WaitGroup
	for _, s := range []store.Store{a, b} {
		both.Go(func() {
			for range 10 {
				err := s.EditAccount(t.Context(), "one", func(all []store.Account) (store.Account, error) {
					count := all[len(all)-1]
					count.Groups = append(count.Groups, fmt.Sprint(len(count.Groups)))
					return count, nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	Same(t, "kept edits", len(must(a.Accounts(t.Context()))(t)[1].Groups), 20)
}

// local returns accounts with their times in one zone.
func local(all []store.Account) []store.Account {
	for i := range all {
		all[i].At = all[i].At.UTC()
	}
	return all
}

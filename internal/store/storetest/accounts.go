package storetest

import (
	"testing"
	"time"

	"followup/internal/store"
)

// An account is written whole, in the place of the one before, and the other processes are told that there is something new.
func testAccounts(t *testing.T, open Place) {
	place, c := open(t), NewClock()
	a, b := place("A", c.Now), place("B", c.Now)
	since := must(b.Revision(t.Context()))(t)
	changed := func(when string, want bool) {
		t.Helper()
		got := must(b.Changed(t.Context(), since))(t)
		if since = got.Revision; got.Accounts != want || got.Lapsed || got.History || len(got.Questions) > 0 {
			t.Errorf("%s: %+v", when, got)
		}
	}
	Same(t, "none", must(a.Accounts(t.Context()))(t), []store.Account{})
	zoe := store.Account{Name: "Zoë", Groups: []string{"on call", "é\x00\""}, Token: store.HashToken("one")}
	bot := store.Account{Name: "bot", Agent: true, Token: store.HashToken("two")}
	ok(t, a.PutAccount(t.Context(), bot))
	ok(t, a.PutAccount(t.Context(), zoe))
	zoe.At, bot.At = c.Now(), c.Now()
	changed("invited", true)
	changed("nothing", false)
	for name, s := range map[string]store.Store{"A": a, "B": b} {
		Same(t, "those of "+name, local(must(s.Accounts(t.Context()))(t)), local([]store.Account{zoe, bot}))
	}
	c.Forward(time.Second)
	zoe.Token, zoe.Groups, zoe.At = nil, nil, c.Now()
	ok(t, a.PutAccount(t.Context(), zoe))
	changed("revoked", true)
	got := must(b.Accounts(t.Context()))(t)
	Same(t, "revoked", local(got), local([]store.Account{zoe, bot}))
	if got[0].Has(store.HashToken("one")) || got[0].Has(nil) || !got[1].Has(store.HashToken("two")) || got[1].Has(store.HashToken("one")) {
		t.Errorf("%+v", got)
	}
	Apply(t, a, store.Change{Sessions: []store.Session{{ID: "s"}}})
	changed("a session", false)
}

// local is accounts with their times in one zone.
func local(all []store.Account) []store.Account {
	for i := range all {
		all[i].At = all[i].At.UTC()
	}
	return all
}

package hub

import (
	"testing"
	"time"

	"followup/internal/store"
)

// A browser is notified while its subscription's token is valid, and only of what its person may see and decide.
func TestRevokedBrowserIsNotNotified(t *testing.T) {
	t.Parallel()
	now := time.Now()
	phone, laptop := store.HashToken("phone"), store.HashToken("laptop")
	ann := store.Account{Team: "one", Name: "Ann", Groups: []string{"ops"}, Tokens: []store.Token{{Hash: phone, Until: now.Add(time.Hour)}, {Hash: laptop}}}
	bob := store.Account{Team: "one", Name: "Bob", MayApprove: true, Tokens: []store.Token{{Hash: store.HashToken("bob")}}}
	bot := store.Account{Team: "one", Name: "bot", Agent: true, Tokens: []store.Token{{Hash: store.HashToken("bot")}}}
	d := newDirectory()
	d.set([]store.Account{ann, bob, bot}, now)
	on := store.Subscription{Person: "Ann", Token: phone}
	for _, test := range []struct {
		name, team, to string
		sub            store.Subscription
		at             time.Time
		want           bool
	}{
		{"for everybody", "one", "", on, now, true},
		{"for the person", "one", "Ann", on, now, true},
		{"for the group", "one", "ops", on, now, true},
		{"for another person", "one", "Bob", on, now, false},
		{"another team", "two", "", on, now, false},
		{"the token has expired", "one", "", on, now.Add(2 * time.Hour), false},
		{"another person's token", "one", "", store.Subscription{Person: "Ann", Token: store.HashToken("bob")}, now, false},
		{"an agent's", "one", "", store.Subscription{Person: "bot", Token: store.HashToken("bot")}, now, false},
		{"no token", "one", "", store.Subscription{Person: "Ann"}, now, false},
	} {
		if got := d.notifies(test.team, test.sub, test.to, false, test.at); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	his := store.Subscription{Person: "Bob", Token: store.HashToken("bob")}
	if d.notifies("one", on, "", true, now) || !d.notifies("one", his, "", true, now) {
		t.Error("a request for permission does not only go to approvers")
	}
	ann.Tokens = ann.Tokens[1:]
	d.set([]store.Account{ann, bob, bot}, now)
	if d.notifies("one", on, "", false, now) || !d.notifies("one", store.Subscription{Person: "Ann", Token: laptop}, "", false, now) {
		t.Error("only the token of the phone was revoked")
	}
}

package hub

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"followup/internal/store"
)

// Names are plain, and unique across people, agents and groups.
func TestInvitations(t *testing.T) {
	t.Parallel()
	now := time.Now()
	tokens := []store.Token{{Hash: store.HashToken("x")}}
	all := []store.Account{
		{Name: "Ann", Groups: []string{"on call", "Ops"}, Tokens: tokens}, {Name: "ci", Agent: true, Tokens: tokens},
		{Name: "left", Former: []string{"was"}},
	}
	long := strings.Repeat("x", 65)
	for _, test := range []struct {
		invitation Invitation
		refused    string
	}{
		{Invitation{Name: "Bob"}, ""}, {Invitation{Name: "Bob", Groups: []string{"on call", "new"}}, ""}, {Invitation{Name: "bot", Agent: true}, ""},
		{Invitation{Name: "Zoë van Dam"}, ""}, {Invitation{Name: "安"}, ""}, {Invitation{Name: "a@b.example"}, ""}, {Invitation{Name: long[1:]}, ""},
		{Invitation{Name: "left"}, ""}, {Invitation{Name: "Ann", Renew: true, Groups: []string{"Ops"}}, ""},
		{Invitation{Name: "Ann"}, "--renew"}, {Invitation{Name: "ci", Agent: true}, "--renew"},
		{Invitation{Name: "Ann", Agent: true, Renew: true}, "other role"}, {Invitation{Name: "ci"}, "other role"}, {Invitation{Name: "left", Agent: true}, "other role"},
		{Invitation{Name: "ann"}, `there is "Ann"`}, {Invitation{Name: "CI", Agent: true}, `there is "ci"`},
		{Invitation{Name: "on call"}, "group's name"}, {Invitation{Name: "ops"}, "group's name"}, {Invitation{Name: "was"}, "group's name"},
		{Invitation{Name: "Bob", Groups: []string{"was"}}, ""}, {Invitation{Name: "Bob", Groups: []string{"WAS"}}, `there is "was"`},
		{Invitation{Name: "Bob", Groups: []string{"Ann"}}, "account's name"}, {Invitation{Name: "Bob", Groups: []string{"CI"}}, "account's name"},
		{Invitation{Name: "Bob", Groups: []string{"ops"}}, `there is "Ops"`}, {Invitation{Name: "Bob", Groups: []string{"bob"}}, "its member"},
		{Invitation{Name: "bot", Agent: true, Groups: []string{"on call"}}, "an agent cannot be in a group"},
		{Invitation{Name: "bot", Agent: true, MayApprove: new(true)}, "an agent cannot approve"}, {Invitation{Name: "bot", Agent: true, MayApprove: new(false)}, ""},
		{Invitation{Name: ""}, "valid name"}, {Invitation{Name: " Bob"}, "valid name"}, {Invitation{Name: "Bob "}, "valid name"}, {Invitation{Name: long}, "valid name"},
		{Invitation{Name: "a · b"}, "valid name"}, {Invitation{Name: "a\nb"}, "valid name"}, {Invitation{Name: "\u202ebob"}, "valid name"}, {Invitation{Name: "-x"}, "valid name"},
		{Invitation{Name: "Ann", Grace: time.Hour}, "--renew"}, {Invitation{Name: "Ann", Renew: true, Grace: time.Hour}, ""},
		{Invitation{Name: "Bob", Until: now.Add(time.Second)}, ""}, {Invitation{Name: "Bob", Until: now}, "already have expired"},
		{Invitation{Name: "Bob", Groups: []string{""}}, "valid name"}, {Invitation{Name: "Bob", Groups: []string{"a/b"}}, "valid name"},
	} {
		err := test.invitation.check(all, now)
		if (err == nil) != (test.refused == "") || err != nil && !strings.Contains(err.Error(), test.refused) {
			t.Errorf("%+v: %v, want %q", test.invitation, err, test.refused)
		}
	}
}

func has(a store.Account, token string) bool {
	_, has := a.Token(store.HashToken(token))
	return has
}

// A token is shown once: the store only has its hash, and a renewal creates another token.
func TestTokens(t *testing.T) {
	t.Parallel()
	in := opened(t, t.TempDir())
	first := invited(t, in, "Ann", false, "b", "a", "b")
	second, err := Invite(t.Context(), in, Invitation{Name: "Ann", Renew: true})
	if err != nil {
		t.Fatal(err)
	}
	all, err := in.Accounts(t.Context())
	if err != nil || len(all) != 1 || has(all[0], first) || !has(all[0], second) || strings.Contains(string(all[0].Tokens[0].Hash), second) {
		t.Errorf("%+v, %v", all, err)
	}
	for _, token := range []string{first, second} {
		if len(token) != len(tokenBegin)+26 || first == second {
			t.Errorf("%q", token)
		}
	}
	if groups := all[0].Groups; !slices.Equal(groups, []string{"a", "b"}) {
		t.Errorf("a renewal removed her from her groups: %q", groups)
	}
	if err := Revoke(t.Context(), in, DefaultTeam, "Ann", false); err != nil {
		t.Fatal(err)
	}
	if _, err := Invite(t.Context(), in, Invitation{Name: "Ann"}); err != nil {
		t.Errorf("after a revocation: %v", err)
	}
	if all, err := in.Accounts(t.Context()); err != nil || len(all) != 1 || len(all[0].Groups) != 0 {
		t.Errorf("invited again after a revocation: %+v, %v", all, err)
	}
}

// If administrators invite one name concurrently, one of them gets a token that works, and the other one an error.
func TestInvitedAtOnce(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	stores := []Accounts{opened(t, storage), opened(t, storage)}
	tokens := make(chan string, len(stores))
	var both sync.WaitGroup
	for _, in := range stores {
		both.Add(1)
		go func() {
			defer both.Done()
			if token, err := Invite(t.Context(), in, Invitation{Name: "Ann"}); err == nil {
				tokens <- token
			} else if !strings.Contains(err.Error(), "--renew") || token != "" {
				t.Errorf("%q, %v", token, err)
			}
		}()
	}
	both.Wait()
	all, err := stores[0].Accounts(t.Context())
	if err != nil || len(tokens) != 1 || len(all) != 1 || !has(all[0], <-tokens) {
		t.Errorf("%d got a token, want 1; %+v, %v", len(tokens), all, err)
	}
}

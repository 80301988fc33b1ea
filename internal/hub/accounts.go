package hub

import (
	"context"
	"crypto/rand"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"followup/internal/store"
)

// tokenBegin begins every token, so that scanners of secrets know one.
const tokenBegin = "followup_"

// newToken is 130 bits that nobody can guess, of letters and digits.
func newToken() string { return tokenBegin + rand.Text() }

// plainName is what people, agents and groups may be called.
var plainName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N} ._@+-]{0,62}[\p{L}\p{M}\p{N}._@+-])?$`)
})

// Accounts are those of a store.
type Accounts interface {
	Accounts(ctx context.Context) ([]store.Account, error)
	PutAccount(ctx context.Context, a store.Account) error
}

// Invitation is whom Invite lets in.
type Invitation struct {
	Name   string
	Agent  bool
	Groups []string
	// Renew gives one who was invited before another token, and these groups; the token before is revoked.
	Renew bool
}

// Invite lets a person or an agent in, and gives the token: nobody can be told it again. One whose token was revoked may be invited
// again under its name.
func Invite(ctx context.Context, in Accounts, i Invitation) (token string, err error) {
	all, err := in.Accounts(ctx)
	if err != nil {
		return "", err
	}
	if err := i.check(all); err != nil {
		return "", err
	}
	token = newToken()
	groups := slices.Clone(i.Groups)
	slices.Sort(groups)
	return token, in.PutAccount(ctx, store.Account{Name: i.Name, Agent: i.Agent, Groups: slices.Compact(groups), Token: store.HashToken(token)})
}

// check tells why an invitation cannot be.
func (i Invitation) check(all []store.Account) error {
	for _, name := range append([]string{i.Name}, i.Groups...) {
		if !plainName().MatchString(name) {
			return fmt.Errorf("%q is no name: use letters, digits and . _ @ + - or spaces inside, 64 characters at most", name)
		}
	}
	if i.Agent && len(i.Groups) > 0 {
		return fmt.Errorf("an agent belongs to no group: groups are of people, who answer")
	}
	for _, a := range all {
		for _, group := range i.Groups {
			if strings.EqualFold(group, a.Name) {
				return fmt.Errorf("a group cannot be called %q: that is an account's name", group)
			}
			if other := slices.IndexFunc(a.Groups, func(of string) bool { return of != group && strings.EqualFold(of, group) }); other >= 0 {
				return fmt.Errorf("a group cannot be called %q: there is %q", group, a.Groups[other])
			}
		}
		if slices.ContainsFunc(a.Groups, func(of string) bool { return strings.EqualFold(of, i.Name) }) {
			return fmt.Errorf("nobody can be called %q: that is a group's name", i.Name)
		}
		switch {
		case a.Name != i.Name && strings.EqualFold(a.Name, i.Name):
			return fmt.Errorf("nobody can be called %q: there is %q", i.Name, a.Name)
		case a.Name == i.Name && a.Agent != i.Agent:
			return fmt.Errorf("%q is or was the name of one in the other role, which its questions and answers still stand under", i.Name)
		case a.Name == i.Name && a.Token != nil && !i.Renew:
			return fmt.Errorf("%q was invited before; with --renew it gets another token, and the one before is revoked", i.Name)
		}
	}
	if slices.ContainsFunc(i.Groups, func(of string) bool { return strings.EqualFold(of, i.Name) }) {
		return fmt.Errorf("a group cannot be called %q as its member is", i.Name)
	}
	return nil
}

// Revoke takes a token back: every hub ends its connections. The name stays, since questions and answers stand under it.
func Revoke(ctx context.Context, in Accounts, name string) error {
	all, err := in.Accounts(ctx)
	if err != nil {
		return err
	}
	for _, a := range all {
		if a.Name == name && a.Token != nil {
			a.Token = nil
			return in.PutAccount(ctx, a)
		}
	}
	return fmt.Errorf("nobody who is called %q has a token", name)
}

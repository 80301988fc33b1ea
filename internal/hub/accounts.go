package hub

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"followup/internal/store"
)

// tokenBegin is the prefix of every token, for secret scanners.
const tokenBegin = "followup_"

// newToken returns 130 random bits as letters and digits.
func newToken() string { return tokenBegin + rand.Text() }

// DefaultTeam is the team of accounts without a named team.
const DefaultTeam = "main"

// teamName matches valid names of teams: parts of the names of a schema and a folder.
var teamName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$`) })

// checkTeam returns an error if a team's name is invalid.
func checkTeam(name string) error {
	if !teamName().MatchString(name) {
		return fmt.Errorf("%q is not a valid team name: use at most 32 lower-case letters a to z, digits, and - inside", name)
	}
	return nil
}

// plainName matches valid names of people, agents and groups.
var plainName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N} ._@+-]{0,62}[\p{L}\p{M}\p{N}._@+-])?$`)
})

// Accounts reads and edits the accounts of a store.
type Accounts interface {
	Accounts(ctx context.Context) ([]store.Account, error)
	EditAccount(ctx context.Context, team string, edit func(all []store.Account) (store.Account, error)) error
}

// Invitation describes the account that Invite creates.
type Invitation struct {
	// Team is the account's team; empty for DefaultTeam.
	Team   string
	Name   string
	Agent  bool
	Groups []string
	// MayApprove reports whether a person may decide requests for permission. If nil, a renewed token keeps the right.
	MayApprove *bool
	// Renew gives an existing account another token, and these groups if there are any. Earlier tokens are revoked, or expire after
	// Grace.
	Renew bool
	Grace time.Duration
	// Until is when the token expires; zero means never.
	Until time.Time
}

// Invite invites a person or an agent, and returns the token, which is not stored and cannot be shown again. An account whose token
// was revoked may be invited again under its name.
func Invite(ctx context.Context, in Accounts, i Invitation) (token string, err error) {
	if err := i.Check(); err != nil {
		return "", err
	}
	i.Team = cmp.Or(i.Team, DefaultTeam)
	token = newToken()
	now := time.Now().UTC()
	err = in.EditAccount(ctx, i.Team, func(all []store.Account) (store.Account, error) {
		if err := i.check(all, now); err != nil {
			return store.Account{}, err
		}
		a := store.Account{Name: i.Name, Agent: i.Agent, Groups: distinct(i.Groups), Tokens: []store.Token{{Hash: store.HashToken(token), Issued: now, Until: i.Until.UTC()}}}
		if at := slices.IndexFunc(all, func(before store.Account) bool { return before.Name == i.Name }); at >= 0 {
			if i.Renew && all[at].Active(now) {
				if len(i.Groups) == 0 {
					a.Groups = all[at].Groups
				}
				a.MayApprove = all[at].MayApprove
			}
			for _, before := range all[at].Tokens {
				if end := now.Add(i.Grace); before.Until.IsZero() || end.Before(before.Until) {
					before.Until = end
				}
				if !before.Expired(now) {
					a.Tokens = append(a.Tokens, before)
				}
			}
			a.Former = slices.DeleteFunc(distinct(all[at].Former, all[at].Groups), func(group string) bool { return slices.Contains(a.Groups, group) })
		}
		if i.MayApprove != nil {
			a.MayApprove = *i.MayApprove
		}
		return a, nil
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// distinct returns the names sorted, without duplicates.
func distinct(names ...[]string) []string {
	all := slices.Concat(names...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Check returns why an invitation is invalid, apart from conflicts with existing accounts.
func (i Invitation) Check() error {
	if err := checkTeam(cmp.Or(i.Team, DefaultTeam)); err != nil {
		return err
	}
	return i.check(nil, time.Now())
}

// check returns why an invitation is invalid, or conflicts with existing accounts.
func (i Invitation) check(all []store.Account, now time.Time) error {
	for _, name := range append([]string{i.Name}, i.Groups...) {
		if !plainName().MatchString(name) {
			return fmt.Errorf("%q is not a valid name: use at most 64 letters, digits, spaces and the signs . _ @ + -", name)
		}
	}
	if i.Grace != 0 && !i.Renew {
		return errors.New("--grace needs --renew: it keeps the previous token valid")
	}
	if !i.Until.IsZero() && !now.Before(i.Until) {
		return errors.New("the token would already have expired")
	}
	if i.Agent && len(i.Groups) > 0 {
		return fmt.Errorf("an agent cannot be in a group: groups consist of people, who answer")
	}
	if i.Agent && i.MayApprove != nil && *i.MayApprove {
		return errors.New("an agent cannot approve: only people decide on requests for permission")
	}
	for _, a := range all {
		theirs := distinct(a.Groups, a.Former) // questions for a former group still belong to it
		for _, group := range i.Groups {
			if strings.EqualFold(group, a.Name) {
				return fmt.Errorf("a group cannot be called %q: that is an account's name", group)
			}
			if other := slices.IndexFunc(theirs, func(of string) bool { return of != group && strings.EqualFold(of, group) }); other >= 0 {
				return fmt.Errorf("a group cannot be called %q: there is %q", group, theirs[other])
			}
		}
		if slices.ContainsFunc(theirs, func(of string) bool { return strings.EqualFold(of, i.Name) }) {
			return fmt.Errorf("nobody can be called %q: that is or was a group's name", i.Name)
		}
		switch {
		case a.Name != i.Name && strings.EqualFold(a.Name, i.Name):
			return fmt.Errorf("nobody can be called %q: there is %q", i.Name, a.Name)
		case a.Name == i.Name && a.Agent != i.Agent:
			return fmt.Errorf("%q is or was an account in the other role, agent or person: choose another name", i.Name)
		case a.Name == i.Name && a.Active(now) && !i.Renew:
			return fmt.Errorf("%q was already invited; --renew creates a new token and revokes the previous one, which --grace keeps valid for a while", i.Name)
		}
	}
	if slices.ContainsFunc(i.Groups, func(of string) bool { return strings.EqualFold(of, i.Name) }) {
		return fmt.Errorf("a group cannot be called %q like its member", i.Name)
	}
	return nil
}

// Revoke revokes the tokens of a team's account: every hub closes its connections. The name stays in use, since questions and
// answers refer to it. With withdraw, the hub also withdraws its open questions.
func Revoke(ctx context.Context, in Accounts, team, name string, withdraw bool) error {
	return in.EditAccount(ctx, team, func(all []store.Account) (store.Account, error) {
		for _, a := range all {
			if a.Name == name && len(a.Tokens) > 0 {
				a.Tokens, a.Withdrawn = nil, withdraw
				return a, nil
			}
		}
		return store.Account{}, fmt.Errorf("nobody in the team %q called %q has a token", team, name)
	})
}

package hub

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"followup/internal/protocol"
	"followup/internal/store"
	"followup/internal/web"
)

// Why a visit ended.
var (
	revoked = &web.Farewell{Code: web.StatusRevoked, Reason: "the token was revoked"}
	expired = &web.Farewell{Code: web.StatusRevoked, Reason: "the token has expired"}
	changed = &web.Farewell{Code: 4002, Reason: "what the account may see or do has changed"}
)

// directory has the accounts of the store, and the current visits.
type directory struct {
	mu      sync.Mutex
	read    bool
	inTeams map[string]bool // replaced as a whole
	next    time.Time       // when the next token expires; zero if none does
	byHash  map[string]store.Account
	targets map[name]bool // people with tokens, and their groups
	// mayApprove are the people with tokens who may approve.
	mayApprove map[name]bool
	former     map[name]bool // all current and former people and groups
	visits     map[*visit]bool
	limited    map[name]limits // by account
	used       map[string]use  // uses of tokens that are not written yet, by the tokens' hashes
}

// name is the name of a person, an agent or a group in a team.
type name struct{ team, name string }

// nameOf returns an account's name.
func nameOf(a store.Account) name { return name{a.Team, a.Name} }

// use is the use of a token.
type use struct {
	team string
	at   time.Time
}

// limits apply to all connections of an account together.
type limits struct {
	pace  *rate.Limiter
	slots chan struct{} // one for each request that waits
}

// visit is one connection.
type visit struct {
	account store.Account
	token   []byte // the token's hash
	over    context.Context
	end     context.CancelCauseFunc // ends over
}

func newDirectory() *directory {
	return &directory{
		byHash: map[string]store.Account{}, targets: map[name]bool{}, former: map[name]bool{}, visits: map[*visit]bool{},
		limited: map[name]limits{}, used: map[string]use{},
	}
}

// set updates the accounts and their unexpired tokens. It ends the visits of tokens that are gone, and of people who now see other
// questions than before: they reconnect.
func (d *directory) set(all []store.Account, now time.Time) {
	byHash, targets, former := map[string]store.Account{}, map[name]bool{}, map[name]bool{}
	over, teams := map[string]bool{}, map[string]bool{}
	approvers := map[name]bool{}
	var next time.Time
	for _, a := range all {
		teams[a.Team] = true
		for _, token := range a.Tokens {
			if token.Expired(now) {
				over[string(token.Hash)] = true
			} else {
				byHash[string(token.Hash)] = a
				if a.MayApprove {
					approvers[nameOf(a)] = true
				}
				if !token.Until.IsZero() && (next.IsZero() || token.Until.Before(next)) {
					next = token.Until
				}
			}
		}
		if a.Agent {
			continue
		}
		for _, called := range append([]string{a.Name}, a.Groups...) {
			former[name{a.Team, called}] = true
			if a.Active(now) {
				targets[name{a.Team, called}] = true
			}
		}
		for _, group := range a.Former {
			former[name{a.Team, group}] = true
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	moved := map[string]bool{} // teams in which a former or current addressee gained or lost its last token
	for who := range d.former {
		if d.targets[who] != targets[who] {
			moved[who.team] = true
		}
	}
	named := map[string]bool{} // teams whose list of approvers changed, for people who may not approve
	for _, some := range []map[name]bool{d.mayApprove, approvers} {
		for who := range some {
			named[who.team] = named[who.team] || d.mayApprove[who] != approvers[who]
		}
	}
	d.mayApprove = approvers
	d.read, d.next, d.inTeams, d.byHash, d.targets, d.former = true, next, teams, byHash, targets, former
	for v := range d.visits {
		switch now, has := byHash[string(v.token)]; {
		case over[string(v.token)]:
			v.end(expired)
		case !has || nameOf(now) != nameOf(v.account):
			v.end(revoked)
		case !now.Agent && (moved[now.Team] || !slices.Equal(now.Groups, v.account.Groups) || now.MayApprove != v.account.MayApprove ||
			!now.MayApprove && named[now.Team]):
			v.end(changed)
		}
	}
}

// expires reports whether a token has expired since the accounts were set.
func (d *directory) expires(now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !d.next.IsZero() && !now.Before(d.next)
}

// known reports whether the accounts were read, so that a wrong token can be recognised.
func (d *directory) known() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.read
}

// find returns the account of a token.
func (d *directory) find(token string, now time.Time) (store.Account, bool) {
	hash := store.HashToken(token)
	d.mu.Lock()
	defer d.mu.Unlock()
	a := d.byHash[string(hash)]
	kept, has := a.Token(hash)
	return a, has && !kept.Expired(now)
}

// names reports whether a person or a group has a name.
func (d *directory) names(who name) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.targets[who]
}

// teams returns the teams that have accounts.
func (d *directory) teams() map[string]bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.inTeams
}

// enter adds a visit of an account; the caller calls leave afterwards. It returns nil if there are too many, or, with valid as false, if the
// token is not the account's any more.
func (d *directory) enter(ctx context.Context, a store.Account, token string, most int) (_ *visit, valid bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	v := &visit{token: store.HashToken(token)}
	count := 0
	for other := range d.visits {
		if nameOf(other.account) == nameOf(a) {
			count++
		}
	}
	if v.account, valid = d.byHash[string(v.token)]; !valid || nameOf(v.account) != nameOf(a) {
		return nil, false
	}
	if count >= most {
		return nil, true
	}
	v.over, v.end = context.WithCancelCause(ctx)
	d.visits[v] = true
	d.uses(v, time.Now())
	return v, true
}

// leave ends and removes a visit.
func (d *directory) leave(v *visit) {
	v.end(nil)
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.visits, v)
}

// usedAgain is how old the recorded last use of a token may be.
const usedAgain = time.Hour

// uses records that a visit uses its token, unless a recent use is recorded.
func (d *directory) uses(v *visit, now time.Time) {
	if kept, has := d.byHash[string(v.token)].Token(v.token); has && now.Sub(kept.Used) > usedAgain {
		d.used[string(v.token)] = use{v.account.Team, now}
	}
}

// takeUsed returns the unrecorded uses of tokens, by token hash, and clears them.
func (d *directory) takeUsed(now time.Time) map[string]use {
	d.mu.Lock()
	defer d.mu.Unlock()
	for v := range d.visits {
		d.uses(v, now)
	}
	taken := d.used
	d.used = map[string]use{}
	return taken
}

// count returns the number of visits by role.
func (d *directory) count() map[protocol.Role]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	here := map[protocol.Role]int{protocol.RoleAgent: 0, protocol.RolePerson: 0}
	for v := range d.visits {
		here[role(v.account)]++
	}
	return here
}

// limits returns the limits of an account.
func (d *directory) limits(of name, o Options) limits {
	d.mu.Lock()
	defer d.mu.Unlock()
	has, known := d.limited[of]
	if !known {
		has = limits{rate.NewLimiter(o.Rate, o.Burst), make(chan struct{}, o.MaxWaiting)}
		d.limited[of] = has
	}
	return has
}

// sees returns which addressees' questions a person sees while they are open, and in the history. If an addressee has no valid token
// left, everyone sees its open questions, so that someone answers them; in the history they stay with the addressee. An unknown name
// may be an account that was not read yet, so others do not see its questions.
func (d *directory) sees(a store.Account) (open func(to string) bool, past []string) {
	past = append([]string{"", a.Name}, a.Groups...)
	return func(to string) bool { return slices.Contains(past, to) || d.left(name{a.Team, to}) }, past
}

// approvers returns the people of a team who may approve, and see open questions for a person or a group.
func (d *directory) approvers(team, to string) []string {
	d.mu.Lock()
	people := map[string]store.Account{}
	for _, a := range d.byHash {
		if a.Team == team && a.MayApprove && !a.Agent {
			people[a.Name] = a
		}
	}
	d.mu.Unlock()
	names := slices.Sorted(maps.Keys(people))
	return slices.DeleteFunc(names, func(name string) bool {
		open, _ := d.sees(people[name])
		return !open(to)
	})
}

// notifies reports whether a person's browser may be notified of a question for somebody: the token of its subscription must be
// valid, and only approvers are notified of requests for permission.
func (d *directory) notifies(team string, s store.Subscription, to string, approval bool, now time.Time) bool {
	d.mu.Lock()
	a := d.byHash[string(s.Token)]
	d.mu.Unlock()
	token, has := a.Token(s.Token)
	if !has || token.Expired(now) || a.Agent || approval && !a.MayApprove || nameOf(a) != (name{team, s.Person}) {
		return false
	}
	sees, _ := d.sees(a)
	return sees(to)
}

// left reports whether a name belongs to a person or a group, but to nobody with a valid token.
func (d *directory) left(who name) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.former[who] && !d.targets[who]
}

func role(a store.Account) protocol.Role {
	if a.Agent {
		return protocol.RoleAgent
	}
	return protocol.RolePerson
}

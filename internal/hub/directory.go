package hub

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
	"followup/internal/web"
)

// Why a visit is over.
var (
	revoked = &web.Farewell{Code: 4001, Reason: "the token was revoked"}
	expired = &web.Farewell{Code: 4001, Reason: "the token has expired"}
	changed = &web.Farewell{Code: 4002, Reason: "what the account may see or do has changed"}
)

// directory is who may come, as the store has it, and who is here.
type directory struct {
	mu      sync.Mutex
	read    bool
	inTeams map[string]bool // replaced as a whole
	next    time.Time       // when the next token expires; zero if none does
	byHash  map[string]store.Account
	targets map[name]bool // people who have tokens, and their groups
	// mayApprove are the people who may approve, and have tokens.
	mayApprove map[name]bool
	former     map[name]bool // all people and groups that there are and were
	visits     map[*visit]bool
	limited    map[name]limits // by account
	used       map[string]use  // tokens, by their hashes, whose use is not written yet
}

// name is that of a person, an agent or a group in a team.
type name struct{ team, name string }

// nameOf returns an account's.
func nameOf(a store.Account) name { return name{a.Team, a.Name} }

// use is when a token of a team's was used.
type use struct {
	team string
	at   time.Time
}

// limits are what an account may do here on all its connections together.
type limits struct {
	pace    *rate.Limiter
	waiting *rpc.Bound
}

// visit is one connection.
type visit struct {
	account store.Account
	token   []byte // its hash
	end     context.CancelCauseFunc
}

func newDirectory() *directory {
	return &directory{
		byHash: map[string]store.Account{}, targets: map[name]bool{}, former: map[name]bool{}, visits: map[*visit]bool{},
		limited: map[name]limits{}, used: map[string]use{},
	}
}

// set takes the accounts as they are, and what of their tokens has not expired. Visits whose tokens are no more are over, and so are those that are to see something else of
// what there is already: they come again.
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
	moved := map[string]bool{} // teams in which what was for somebody is everybody's now, or the other way round
	for who := range d.former {
		if d.targets[who] != targets[who] {
			moved[who.team] = true
		}
	}
	named := map[string]bool{} // teams whose people who may not approve are to see other names of those who may
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

// known tells whether the accounts were read, so that a token can be told from none.
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

// names reports whether there is a person or a group with a name.
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

// enter notes a visit of an account, as it is now, unless there are too many; over ends with it, end ends it, and leave is called behind it.
func (d *directory) enter(ctx context.Context, a store.Account, token string, most int) (
	now store.Account, over context.Context, end context.CancelCauseFunc, leave func(), entered bool,
) {
	d.mu.Lock()
	defer d.mu.Unlock()
	hash := store.HashToken(token)
	now, has := d.byHash[string(hash)]
	count := 0
	for v := range d.visits {
		if nameOf(v.account) == nameOf(a) {
			count++
		}
	}
	if !has || nameOf(now) != nameOf(a) || count >= most {
		return now, nil, nil, nil, false
	}
	over, end = context.WithCancelCause(ctx)
	v := &visit{account: now, token: hash, end: end}
	d.visits[v] = true
	d.uses(v, time.Now())
	return now, over, end, func() {
		end(nil)
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.visits, v)
	}, true
}

// usedAgain is how old the time may be that a token was last used at.
const usedAgain = time.Hour

// uses notes that a visit uses its token, where that was not written for a while.
func (d *directory) uses(v *visit, now time.Time) {
	if kept, has := d.byHash[string(v.token)].Token(v.token); has && now.Sub(kept.Used) > usedAgain {
		d.used[string(v.token)] = use{v.account.Team, now}
	}
}

// takeUsed returns the accounts some of whose tokens were used since that was last written, as they are then.
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

// count tells how many are here, by role.
func (d *directory) count() map[protocol.Role]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	here := map[protocol.Role]int{protocol.RoleAgent: 0, protocol.RolePerson: 0}
	for v := range d.visits {
		here[role(v.account)]++
	}
	return here
}

// limits gives those of an account.
func (d *directory) limits(of name, o Options) limits {
	d.mu.Lock()
	defer d.mu.Unlock()
	has, known := d.limited[of]
	if !known {
		has = limits{rate.NewLimiter(o.Rate, o.Burst), rpc.NewBound(o.MaxWaiting)}
		d.limited[of] = has
	}
	return has
}

// sees tells whom questions may be for that a person sees while they are open, and in the history. What is for people whose tokens were
// all revoked is everybody's while it is open, so that it is not left; in the history it stays with whom it was for. A name that is not
// known may be one whose account has not been read yet: nobody else sees what is for it.
func (d *directory) sees(a store.Account) (open func(to string) bool, past []string) {
	past = append([]string{"", a.Name}, a.Groups...)
	return func(to string) bool { return slices.Contains(past, to) || d.left(name{a.Team, to}) }, past
}

// approvers returns the people of a team who may approve, and see open what is for a person or a group.
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

// notifies reports whether a person's browser may be notified of a question for somebody: the token is good that it subscribed with.
func (d *directory) notifies(team string, s store.Subscription, to string, now time.Time) bool {
	d.mu.Lock()
	a := d.byHash[string(s.Token)]
	d.mu.Unlock()
	token, has := a.Token(s.Token)
	if !has || token.Expired(now) || a.Agent || nameOf(a) != (name{team, s.Person}) {
		return false
	}
	sees, _ := d.sees(a)
	return sees(to)
}

// left tells whether there are people of a name, or in a group of it, and none of them has a token.
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

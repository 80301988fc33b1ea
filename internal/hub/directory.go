package hub

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/time/rate"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
	"followup/internal/web"
)

// Why a visit is over.
var (
	revoked = &web.Farewell{Code: 4001, Reason: "the token was revoked"}
	changed = &web.Farewell{Code: 4002, Reason: "what the account may see has changed"}
)

// directory is who may come, as the store has it, and who is here.
type directory struct {
	mu      sync.Mutex
	read    bool
	byHash  map[string]store.Account
	targets map[string]bool // people who have tokens, and their groups
	former  map[string]bool // all people and groups that there are and were
	visits  map[*visit]bool
	limited map[string]limits // by the accounts' names
}

// limits are what an account may do here on all its connections together.
type limits struct {
	pace    *rate.Limiter
	waiting *rpc.Bound
}

// visit is one connection.
type visit struct {
	account store.Account
	end     context.CancelCauseFunc
}

func newDirectory() *directory {
	return &directory{
		byHash: map[string]store.Account{}, targets: map[string]bool{}, former: map[string]bool{}, visits: map[*visit]bool{},
		limited: map[string]limits{},
	}
}

// set takes the accounts as they are now. Visits whose tokens are no more are over, and so are those that are to see something else of
// what there is already: they come again.
func (d *directory) set(all []store.Account) {
	byHash, targets, former := map[string]store.Account{}, map[string]bool{}, map[string]bool{}
	for _, a := range all {
		if a.Token != nil {
			byHash[string(a.Token)] = a
		}
		if a.Agent {
			continue
		}
		for _, name := range append([]string{a.Name}, a.Groups...) {
			former[name] = true
			if a.Token != nil {
				targets[name] = true
			}
		}
		for _, group := range a.Former {
			former[group] = true
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	moved := false // what was for somebody is everybody's now, or the other way round
	for name := range d.former {
		moved = moved || d.targets[name] != targets[name]
	}
	d.read, d.byHash, d.targets, d.former = true, byHash, targets, former
	for v := range d.visits {
		switch now, has := byHash[string(v.account.Token)]; {
		case !has || now.Name != v.account.Name:
			v.end(revoked)
		case !now.Agent && (moved || !slices.Equal(now.Groups, v.account.Groups)):
			v.end(changed)
		}
	}
}

// known tells whether the accounts were read, so that a token can be told from none.
func (d *directory) known() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.read
}

// find gives the account of a token.
func (d *directory) find(token string) (store.Account, bool) {
	hash := store.HashToken(token)
	d.mu.Lock()
	defer d.mu.Unlock()
	a, found := d.byHash[string(hash)]
	return a, found && a.Has(hash)
}

// names tells whether there is a person or a group of a name.
func (d *directory) names(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.targets[name]
}

// enter notes a visit of an account, as it is now, unless there are too many; over ends with it, end ends it, and leave is called behind it.
func (d *directory) enter(ctx context.Context, a store.Account, most int) (
	now store.Account, over context.Context, end context.CancelCauseFunc, leave func(), entered bool,
) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now, has := d.byHash[string(a.Token)]
	count := 0
	for v := range d.visits {
		if v.account.Name == a.Name {
			count++
		}
	}
	if !has || now.Name != a.Name || count >= most {
		return now, nil, nil, nil, false
	}
	over, end = context.WithCancelCause(ctx)
	v := &visit{account: now, end: end}
	d.visits[v] = true
	return now, over, end, func() {
		end(nil)
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.visits, v)
	}, true
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
func (d *directory) limits(name string, o Options) limits {
	d.mu.Lock()
	defer d.mu.Unlock()
	of, known := d.limited[name]
	if !known {
		of = limits{rate.NewLimiter(o.Rate, o.Burst), rpc.NewBound(o.MaxWaiting)}
		d.limited[name] = of
	}
	return of
}

// sees tells whom questions may be for that a person sees while they are open, and in the history. What is for people whose tokens were
// all revoked is everybody's while it is open, so that it is not left; in the history it stays with whom it was for. A name that is not
// known may be one whose account has not been read yet: nobody else sees what is for it.
func (d *directory) sees(a store.Account) (open, past func(to string) bool) {
	past = func(to string) bool { return to == "" || to == a.Name || slices.Contains(a.Groups, to) }
	return func(to string) bool { return past(to) || d.left(to) }, past
}

// left tells whether there are people of a name, or in a group of it, and none of them has a token.
func (d *directory) left(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.former[name] && !d.targets[name]
}

func role(a store.Account) protocol.Role {
	if a.Agent {
		return protocol.RoleAgent
	}
	return protocol.RolePerson
}

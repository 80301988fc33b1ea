package hub

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/time/rate"

	"followup/internal/protocol"
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
	former  map[string]bool // all people and groups that there ever were
	visits  map[*visit]bool
	paces   map[string]*rate.Limiter // by the accounts' names
}

// visit is one connection.
type visit struct {
	account store.Account
	hidden  string // what it does not see, as one text
	end     context.CancelCauseFunc
}

func newDirectory() *directory {
	return &directory{
		byHash: map[string]store.Account{}, targets: map[string]bool{}, former: map[string]bool{}, visits: map[*visit]bool{},
		paces: map[string]*rate.Limiter{},
	}
}

// set takes the accounts as they are now. Visits whose tokens are no more are over, and so are those that are to see something else.
func (d *directory) set(all []store.Account) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.read = true
	clear(d.byHash)
	clear(d.targets)
	clear(d.former)
	for _, a := range all {
		if a.Token != nil {
			d.byHash[string(a.Token)] = a
		}
		if a.Agent {
			continue
		}
		for _, name := range append([]string{a.Name}, a.Groups...) {
			d.former[name] = true
			if a.Token != nil {
				d.targets[name] = true
			}
		}
	}
	for v := range d.visits {
		switch now, has := d.byHash[string(v.account.Token)]; {
		case !has || now.Name != v.account.Name:
			v.end(revoked)
		case d.hides(now) != v.hidden:
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

// enter notes a visit of an account, unless there are too many; over ends with it, and leave is called behind it.
func (d *directory) enter(ctx context.Context, a store.Account, most int) (over context.Context, leave func(), entered bool) {
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
		return nil, nil, false
	}
	over, end := context.WithCancelCause(ctx)
	v := &visit{account: a, hidden: d.hides(a), end: end}
	d.visits[v] = true
	return over, func() {
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

// pace gives what an account's messages are slowed down by, here.
func (d *directory) pace(name string, each rate.Limit, burst int) *rate.Limiter {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.paces[name] == nil {
		d.paces[name] = rate.NewLimiter(each, burst)
	}
	return d.paces[name]
}

// sees tells whom questions may be for that a person sees while they are open, and in the history. What is for nobody that there is any
// more is everybody's, so that it is not left; in the history it stays with whom it was for.
func (d *directory) sees(a store.Account) (open, past func(to string) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return except(others(d.targets, a)), except(others(d.former, a))
}

func except(hidden map[string]bool) func(to string) bool {
	return func(to string) bool { return to == "" || !hidden[to] }
}

// others are the people and groups that an account is none of.
func others(of map[string]bool, a store.Account) map[string]bool {
	left := maps.Clone(of)
	delete(left, a.Name)
	for _, group := range a.Groups {
		delete(left, group)
	}
	return left
}

// hides is what an account does not see, as one text; it is called with the lock.
func (d *directory) hides(a store.Account) string {
	if a.Agent {
		return ""
	}
	var both []string
	for _, of := range []map[string]bool{d.targets, d.former} {
		both = append(both, strings.Join(slices.SortedFunc(maps.Keys(others(of, a)), cmp.Compare), "\n"))
	}
	return strings.Join(both, "\n\n")
}

func role(a store.Account) protocol.Role {
	if a.Agent {
		return protocol.RoleAgent
	}
	return protocol.RolePerson
}

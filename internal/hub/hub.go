// Package hub serves many people and agents: it serves the page and the protocol to everyone with a token, and checks what each may see
// and do. Several hubs on one database act as one: one of them keeps each team, and the others relay to it.
package hub

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
	"golang.org/x/time/rate"

	"followup/internal/hubclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/push"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/web"
	"followup/internal/webhook"
)

// Options configure a hub.
type Options struct {
	// Name is the display name.
	Name string
	// Storage is the place of the store.
	Storage string
	// Address is where other hubs on the same store reach this one: http://HOST:PORT or https://HOST:PORT. If empty, they cannot.
	Address string
	// Roots are the roots of the other hubs' certificates. If nil, the system's.
	Roots *x509.CertPool
	// Locale is the language of messages to everybody.
	Locale locale.Tag
	// Kept is how long closed questions are kept (0 = forever).
	Kept time.Duration
	// Server are the host's options; those of single connections are ignored.
	Server server.Options
	// Log must not be nil, and shortens long texts (see package bounded). It never gets texts of questions or answers, or tokens.
	Log *zap.Logger
	// Callbacks is the policy for addresses of callbacks.
	Callbacks webhook.Policy
	// Rate is how many messages of an account, or 64 KiB pieces of them, are read per second, and Burst how many at once: 50 and 500
	// by default.
	Rate  rate.Limit
	Burst int
	// MaxVisits limits an account's connections here, MaxOpen its open questions, and MaxWaiting its running requests: 256, 1000 and
	// 2000 by default.
	MaxVisits, MaxOpen, MaxWaiting int
	// MaxBytes limits the bytes of text in an account's open questions, MaxTeamBytes those of a team, and MaxHubBytes those of all
	// teams that this hub keeps: 32 MiB, 256 MiB and 1 GiB by default.
	MaxBytes, MaxTeamBytes, MaxHubBytes int
}

// wrongTokens is how many wrong tokens a minute are rejected at once; further ones must wait.
const wrongTokens = 30

// loggedIn is the lifetime of a browser's login.
const loggedIn = 180 * 24 * time.Hour

// lookEvery is how often a hub checks for changed accounts.
const lookEvery = time.Second

// readAgain is the minimum time between two reads of the accounts for unknown tokens.
const readAgain = 100 * time.Millisecond

// agentMessage limits an agent's message in bytes: a question with its context.
const agentMessage = 8 << 20

// Hub is a running hub: a web.Door to its teams' hosts.
type Hub struct {
	options   Options
	log       *zap.Logger
	members   *members
	peers     *http.Client // for the other hubs
	directory *directory
	wrong     *web.Wrong
	figures   *figures
	ctx       context.Context
	end       context.CancelFunc
	looking   sync.WaitGroup

	refreshing sync.Mutex // held while waiting to read the accounts
	reading    sync.Mutex // held while reading the accounts
	opening    sync.Mutex
	accounts   store.Store     // guarded by opening; nil before it is open
	known      []store.Account // nil before they were read
	version    int64           // of known; -1 to read them again
	lastRead   time.Time

	mu      sync.Mutex
	teams   map[string]*team
	kept    atomic.Pointer[[]*server.Host] // the hosts of teams, for callers without the lock
	missing map[string]bool                // unreachable other hubs, by address
	// isolated means that the database is reachable for another hub but not for this one, so the other one takes over its teams.
	isolated bool
	// notified is the address that is notified of the questions of a team, notifiedOf; nil if there is none.
	notified   *push.Address
	notifiedOf string

	readyFor time.Duration // see readyFor
	checking sync.Mutex    // held while checking the stores
	checked  time.Time
	unready  error
}

var _ web.Door = (*Hub)(nil)

// startPatience is how long New waits for the database.
const startPatience = 3 * time.Second

// New starts a hub; Close ends it. If the database is unavailable, the hub keeps trying. New only returns permanent errors.
func New(o Options) (*Hub, error) {
	o.Rate = cmp.Or(o.Rate, 50)
	o.Burst = cmp.Or(o.Burst, 500)
	o.MaxVisits = cmp.Or(o.MaxVisits, 256)
	o.MaxOpen = cmp.Or(o.MaxOpen, 1000)
	o.MaxBytes = cmp.Or(o.MaxBytes, 32<<20)
	o.MaxTeamBytes = cmp.Or(o.MaxTeamBytes, 256<<20)
	o.MaxHubBytes = cmp.Or(o.MaxHubBytes, 1<<30)
	o.MaxWaiting = cmp.Or(o.MaxWaiting, 2000)
	h := &Hub{
		options: o, log: o.Log, directory: newDirectory(), wrong: web.NewWrong(wrongTokens, nil), readyFor: readyFor,
		members: &members{own: o.Address}, peers: hubclient.HTTPClient(o.Roots), teams: map[string]*team{}, missing: map[string]bool{},
	}
	h.ctx, h.end = context.WithCancel(context.Background())
	h.options.Server.Strict, h.options.Server.Address = true, o.Address
	h.figures = newFigures(h)
	h.kept.Store(&[]*server.Host{})
	ctx, cancel := context.WithTimeout(h.ctx, startPatience)
	defer cancel()
	if _, err := h.directoryStore(ctx); errors.Is(err, store.ErrAddress) {
		h.end()
		return nil, err
	} else if err != nil {
		h.log.Warn("the database cannot be opened yet", zap.Error(err))
	}
	h.looking.Go(func() { h.every(beatEvery, h.beat) })
	h.looking.Go(func() { h.every(lookEvery, h.look) })
	return h, nil
}

// Close ends the visits and closes the stores.
func (h *Hub) Close() {
	h.end()
	h.mu.Lock()
	for name, t := range h.teams {
		if t.host != nil {
			h.release(name, t)
		}
	}
	h.mu.Unlock()
	h.looking.Wait()
	h.opening.Lock()
	defer h.opening.Unlock()
	if h.accounts == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), beatWithin)
	defer cancel()
	if _, _, err := h.accounts.Beat(ctx, h.options.Address, true); err != nil {
		h.log.Warn("cannot notify the other hubs that this one ends", zap.Error(err))
	}
	_ = h.accounts.Close() // all changes are durable
}

// every calls do immediately, and then regularly until the hub ends.
func (h *Hub) every(interval time.Duration, do func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for h.ctx.Err() == nil {
		do()
		select {
		case <-h.ctx.Done():
		case <-tick.C:
		}
	}
}

// pause returns after a time, or when the hub ends.
func (h *Hub) pause(long time.Duration) {
	select {
	case <-h.ctx.Done():
	case <-time.After(long):
	}
}

// look reads the accounts, which commands may change at any time.
func (h *Hub) look() {
	h.readAccounts()
	h.arrange()
}

// readAccounts reads the accounts from their own store, which it opens first, and reopens if it was lost.
func (h *Hub) readAccounts() {
	h.reading.Lock()
	defer h.reading.Unlock()
	h.lastRead = time.Now()
	if h.ctx.Err() != nil {
		return
	}
	changed, err := h.readChanged()
	switch {
	case err == nil && changed:
		h.log.Info("the accounts were read", zap.Int("accounts", len(h.known)))
	case err != nil && h.ctx.Err() == nil:
		h.log.Error("the accounts cannot be read", zap.Error(err))
	}
	if now := time.Now(); h.known != nil && (changed || h.directory.expires(now)) {
		h.directory.set(h.known, now)
	}
	h.withdraw()
	if err == nil {
		h.writeUsed()
	}
}

// withdraw closes the questions of accounts that were revoked with withdraw. It runs each time, since a question may have been
// on its way.
func (h *Hub) withdraw() {
	hosts := h.hosts()
	for _, a := range h.known {
		if host := hosts[a.Team]; host != nil && a.Withdrawn && len(a.Tokens) == 0 {
			if n := host.DisconnectAccount(a.Name); n > 0 {
				h.log.Info("the questions of a revoked account were closed", zap.String("team", a.Team), zap.String("account", a.Name), zap.Int("questions", n))
			}
		}
	}
}

// writeUsed writes when tokens were last used.
func (h *Hub) writeUsed() {
	in, err := h.directoryStore(h.ctx)
	if err != nil {
		return
	}
	for hash, used := range h.directory.takeUsed(time.Now()) {
		err := in.EditAccount(h.ctx, used.team, func(all []store.Account) (store.Account, error) {
			for _, a := range all {
				if i := slices.IndexFunc(a.Tokens, func(token store.Token) bool { return string(token.Hash) == hash }); i >= 0 {
					a.Tokens[i].Used = used.at.UTC()
					return a, nil
				}
			}
			return store.Account{}, errRevokedMeanwhile
		})
		if err != nil && !errors.Is(err, errRevokedMeanwhile) && h.ctx.Err() == nil {
			h.log.Warn("cannot record the use of a token", zap.Error(err))
		}
	}
}

// errRevokedMeanwhile leaves the token's account unchanged.
var errRevokedMeanwhile = errors.New("the token was revoked")

// readChanged reads the accounts if they have changed, and reports whether they had.
func (h *Hub) readChanged() (changed bool, err error) {
	in, err := h.directoryStore(h.ctx)
	if err != nil {
		return false, err
	}
	version, err := in.AccountsVersion(h.ctx)
	if err == nil && h.known != nil && version == h.version {
		return false, nil
	}
	var all []store.Account
	if err == nil {
		all, err = in.Accounts(h.ctx)
	}
	if err == nil {
		h.known, h.version = append([]store.Account{}, all...), version // may be older than the accounts
		return true, nil
	}
	h.version = -1 // the reopened store may be another one
	if !errors.Is(err, store.ErrUnavailable) {
		h.opening.Lock()
		defer h.opening.Unlock()
		_ = in.Close() // it will be reopened
		if h.accounts == in {
			h.accounts = nil
		}
	}
	return false, err
}

// directoryStore returns the store of the accounts and heartbeats, and opens it if necessary.
func (h *Hub) directoryStore(ctx context.Context) (store.Store, error) {
	h.opening.Lock()
	defer h.opening.Unlock()
	if h.accounts == nil {
		opened, _, err := h.options.Server.OpenStore(ctx, h.options.Storage, store.Options{Log: h.log})
		if err != nil {
			return nil, err
		}
		h.accounts = opened
	}
	return h.accounts, nil
}

// find returns the account of a token, which may be brand-new. Wrong tokens cause at most ten reads of the accounts per second.
func (h *Hub) find(token string) (store.Account, bool) {
	account, found := h.directory.find(token, time.Now())
	if found {
		return account, true
	}
	arrived := time.Now()
	h.refreshing.Lock()
	defer h.refreshing.Unlock()
	h.reading.Lock()
	last := h.lastRead
	h.reading.Unlock()
	if last.Before(arrived) {
		h.pause(time.Until(last.Add(readAgain)))
		h.look()
	}
	return h.directory.find(token, time.Now())
}

// Login turns a person's token into the browser's cookie. It is valid at every hub on this store until the token is revoked.
func (h *Hub) Login(token, _ string) (web.Cookie, *web.Refusal) {
	account, refusal := h.admitted(token, web.Page)
	if refusal != nil {
		return web.Cookie{}, refusal
	}
	return web.Cookie{Value: token, MaxAge: loggedIn, Account: account.Name, Team: account.Team}, nil
}

// Enter admits a visitor with a token. A visit that another hub relays is not relayed again.
func (h *Hub) Enter(token string, by web.Visitor) (web.Visit, *web.Refusal) {
	account, refusal := h.admitted(token, by)
	if refusal != nil {
		return web.Visit{}, refusal
	}
	during, host, keptBy := h.seat(account.Team)
	if during == nil || keptBy != "" && by == web.Relayed {
		return web.Visit{}, notReady
	}
	v, valid := h.directory.enter(during, account, token, h.options.MaxVisits)
	switch {
	case !valid:
		return web.Visit{}, &web.Refusal{Status: http.StatusUnauthorized, Why: revoked.Reason}
	case v == nil:
		h.figures.refused.WithLabelValues("connections").Inc()
		return web.Visit{}, &web.Refusal{Status: http.StatusTooManyRequests, Why: "too many connections of this account", After: time.Second}
	}
	account = v.account
	limits := h.directory.limits(nameOf(account), h.options)
	most := int64(0)
	if account.Agent {
		most = agentMessage
	}
	guest := server.Guest{
		Hub: protocol.Hub{Name: h.options.Name, Account: account.Name, Role: role(account)}, MayApprove: account.MayApprove,
		Names: func(called string) bool { return h.directory.names(name{account.Team, called}) }, Callbacks: h.options.Callbacks, MaxOpen: h.options.MaxOpen, MaxBytes: h.options.MaxBytes,
		MaxTeamBytes: h.options.MaxTeamBytes, MaxHubBytes: h.options.MaxHubBytes, HubBytes: h.openBytes, Slots: limits.slots,
		Received: func(method string) { h.figures.countMessage(role(account), method) }, Token: store.HashToken(token),
	}
	guest.Sees, guest.Reads = h.directory.sees(account)
	guest.Approvers = func(to string) []string { return h.directory.approvers(account.Team, to) }
	return web.Visit{
		Name: account.Name, Over: v.over, Leave: func() { h.directory.leave(v) },
		Sidecar: func(ctx context.Context, in io.ReadCloser, out io.Writer) {
			if keptBy == "" {
				host.Serve(ctx, in, out, &guest)
			} else {
				h.relay(v.over, in, out, keptBy, token, v.end)
			}
		},
		Pace: func(ctx context.Context) error {
			if limits.pace.Allow() {
				return nil
			}
			h.figures.slowed.Inc()
			return limits.pace.Wait(ctx)
		},
		MaxMessage: most,
	}, nil
}

// notReady rejects a visitor who may try again later.
var notReady = &web.Refusal{Status: http.StatusServiceUnavailable, Why: "the hub is not ready", After: time.Second}

// admitted returns the account of a token. A page requires a person's.
func (h *Hub) admitted(token string, by web.Visitor) (store.Account, *web.Refusal) {
	if h.ctx.Err() != nil || !h.directory.known() {
		return store.Account{}, notReady
	}
	account, found := h.find(token)
	if !found {
		h.figures.refused.WithLabelValues("token").Inc()
		return store.Account{}, h.wrong.Refuse("the token is missing or wrong, or was revoked")
	}
	if account.Agent && by == web.Page {
		return store.Account{}, &web.Refusal{Status: http.StatusForbidden, Why: "the token is an agent's; the page is for people"}
	}
	return account, nil
}

// readyFor is how long a successful check of the stores is trusted, and readyWithin how long one may take.
const (
	readyFor    = time.Second
	readyWithin = 3 * time.Second
)

// Ready returns why this hub should not get visitors at the moment; nil if it should.
func (h *Hub) Ready(ctx context.Context) error {
	switch {
	case h.ctx.Err() != nil:
		return errors.New("the hub is stopping")
	case !h.directory.known():
		return errors.New("the accounts have not been read yet")
	}
	h.checking.Lock()
	defer h.checking.Unlock()
	if h.unready != nil || time.Since(h.checked) > h.readyFor {
		ctx, end := context.WithTimeout(context.WithoutCancel(ctx), readyWithin)
		defer end()
		h.unready, h.checked = h.check(ctx), time.Now()
	}
	return h.unready
}

// check returns why a team cannot be served at the moment; nil if all can.
func (h *Hub) check(ctx context.Context) error {
	if h.members.silent(time.Now()) > readyWithin {
		return errors.New("the database does not answer")
	}
	hosts := map[string]*server.Host{}
	h.mu.Lock()
	for name := range h.directory.teams() {
		switch t := h.teams[name]; {
		case t == nil || t.term == nil && t.host == nil:
			h.mu.Unlock()
			return fmt.Errorf("no hub keeps the team %q", name)
		case t.host != nil && t.at == "":
			hosts[name] = t.host
		case h.missing[t.at]:
			h.mu.Unlock()
			return fmt.Errorf("the hub that keeps the team %q cannot be reached", name)
		}
	}
	h.mu.Unlock()
	for name, host := range hosts {
		if err := host.Ready(ctx); err != nil {
			return fmt.Errorf("the team %q: %w", name, err)
		}
	}
	return nil
}

// Handlers are the health checks for load balancers and administrators.
func (h *Hub) Handlers() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET /healthz": h.answerCheck(func(context.Context) error { return nil }),
		"GET /readyz":  h.answerCheck(h.Ready),
	}
}

// answerCheck answers a health check. The reason is only logged, since the caller is unknown.
func (h *Hub) answerCheck(check func(context.Context) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if err := check(r.Context()); err != nil {
			h.log.Debug("not ready", zap.Error(err))
			http.Error(w, "not ready", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, "ok\n")
	}
}

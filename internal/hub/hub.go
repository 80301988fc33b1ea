// Package hub is what many people and agents share: it serves the page and the protocol to those who have a token, each what is theirs.
// Several hubs on one database act as one: each team is kept by one of them, and the others relay to it.
package hub

import (
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

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/web"
	"followup/internal/webhook"
)

// Options are what a hub runs on.
type Options struct {
	// Name is what people know it by.
	Name string
	// Storage is the place of the store.
	Storage string
	// Address is where other hubs on the same store reach this one: http://HOST:PORT or https://HOST:PORT. If empty, they do not.
	Address string
	// Roots are those that the other hubs' certificates may come from. If nil, the system's.
	Roots *x509.CertPool
	// Locale is the language of what is told to all.
	Locale locale.Tag
	// Kept is how long what is over is kept; 0: for good.
	Kept time.Duration
	// Server is what the host runs on; what is of a connection is not read.
	Server server.Options
	// Log must not be nil; see CutLog. No text of a question or an answer, and no token, is logged.
	Log *zap.Logger
	// Callbacks says where agents may have the outcomes of their questions sent.
	Callbacks webhook.Policy
	// Rate is how many messages of an account, or pieces of 64 KiB of them, are read in a second, and Burst how many at once; 0: 50 and 500.
	Rate  rate.Limit
	Burst int
	// MaxVisits is how many connections an account may have here, MaxOpen how many open questions, and MaxWaiting how many requests under
	// way; 0: 256, 1000 and 2000.
	MaxVisits, MaxOpen, MaxWaiting int
	// MaxBytes is how many bytes of text an account's open questions may have, MaxTeamBytes those of a team, and MaxHubBytes those of all
	// teams that this hub keeps; 0: 32 MiB, 256 MiB and 1 GiB.
	MaxBytes, MaxTeamBytes, MaxHubBytes int
}

// wrongTokens is how many in a minute are told that they are wrong; the others are told to wait.
const wrongTokens = 30

// loggedIn is how long a browser stays so.
const loggedIn = 180 * 24 * time.Hour

// lookEvery is how often a hub looks for accounts that were written.
const lookEvery = time.Second

// readAgain is the least time between two readings of the accounts for a token that is not known.
const readAgain = 100 * time.Millisecond

// agentMessage bounds one message of an agent's, in bytes: a question, with what is to be known of it.
const agentMessage = 8 << 20

// Hub is a hub that is served: a web.Door with a host behind it.
type Hub struct {
	options   Options
	log       *zap.Logger
	members   *members
	peers     *http.Client // reaches the other hubs
	directory *directory
	wrong     *web.Wrong
	figures   *figures
	ctx       context.Context
	end       context.CancelFunc
	looking   sync.WaitGroup

	refreshing sync.Mutex // one waits to read the accounts
	reading    sync.Mutex // one reads them
	opening    sync.Mutex
	accounts   store.Store     // guarded by opening; nil before it is open
	known      []store.Account // nil before they were read
	version    int64           // of those; -1 if they have to be read again
	lastRead   time.Time

	mu      sync.Mutex
	teams   map[string]*team
	kept    atomic.Pointer[[]*server.Host] // those of teams, for who has no lock
	missing map[string]bool                // other hubs, by their addresses, that cannot be reached
	// isolated says that another hub reaches the database and this one does not: it takes over this one's teams.
	isolated bool

	readyFor time.Duration // see readyFor
	checking sync.Mutex    // one looks whether the store is there
	checked  time.Time
	unready  error
}

var _ web.Door = (*Hub)(nil)

// startPatience is how long New waits for the database.
const startPatience = 3 * time.Second

// New starts a hub; Close ends it. A database that is away is waited for. The error is one that no waiting helps against.
func New(o Options) (*Hub, error) {
	if o.Rate == 0 {
		o.Rate = 50
	}
	if o.Burst == 0 {
		o.Burst = 500
	}
	if o.MaxVisits == 0 {
		o.MaxVisits = 256
	}
	if o.MaxOpen == 0 {
		o.MaxOpen = 1000
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 32 << 20
	}
	if o.MaxTeamBytes == 0 {
		o.MaxTeamBytes = 256 << 20
	}
	if o.MaxHubBytes == 0 {
		o.MaxHubBytes = 1 << 30
	}
	if o.MaxWaiting == 0 {
		o.MaxWaiting = 2000
	}
	h := &Hub{
		options: o, log: o.Log, directory: newDirectory(), wrong: web.NewWrong(wrongTokens, nil), readyFor: readyFor,
		members: &members{own: o.Address}, peers: peerClient(o.Roots), teams: map[string]*team{}, missing: map[string]bool{},
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
	h.looking.Go(h.beat)
	h.looking.Go(h.look)
	return h, nil
}

// Close ends the visits, and closes the stores.
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
		h.log.Warn("the other hubs were not told of the end", zap.Error(err))
	}
	_ = h.accounts.Close() // what was written is durable
}

// look reads the accounts, which a command may write at any time, until the hub ends.
func (h *Hub) look() {
	every := time.NewTicker(lookEvery)
	defer every.Stop()
	for {
		h.readAccounts()
		h.arrange()
		select {
		case <-h.ctx.Done():
			return
		case <-every.C:
		}
	}
}

// readAccounts reads the accounts by a store of their own, which it opens first, and anew if that was lost.
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

// withdraw withdraws the questions of accounts that were revoked with them. It is done each time, since a question may have been under way.
func (h *Hub) withdraw() {
	hosts := h.hosts()
	for _, a := range h.known {
		if host := hosts[a.Team]; host != nil && a.Withdrawn && len(a.Tokens) == 0 {
			if n := host.Withdraw(a.Name); n > 0 {
				h.log.Info("the questions of a revoked account were withdrawn", zap.String("team", a.Team), zap.String("account", a.Name), zap.Int("questions", n))
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
			h.log.Warn("the use of a token cannot be noted", zap.Error(err))
		}
	}
}

// errRevokedMeanwhile leaves the account of a token as it is.
var errRevokedMeanwhile = errors.New("the token was revoked")

// readChanged reads the accounts if they were edited since they were last read, and reports whether that is so.
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
		h.known, h.version = append([]store.Account{}, all...), version // which may be older than those
		return true, nil
	}
	h.version = -1 // the store that comes back may be another one
	if !errors.Is(err, store.ErrUnavailable) {
		h.opening.Lock()
		defer h.opening.Unlock()
		_ = in.Close() // it is opened anew
		if h.accounts == in {
			h.accounts = nil
		}
	}
	return false, err
}

// directoryStore returns the store of the accounts and the heartbeats, which it opens first if need be.
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

// find returns the account of a token, which may have been made just now. Wrong tokens have the accounts read ten times a second at most.
func (h *Hub) find(token string) (store.Account, bool) {
	account, found := h.directory.find(token, time.Now())
	if found {
		return account, true
	}
	came := time.Now()
	h.refreshing.Lock()
	defer h.refreshing.Unlock()
	h.reading.Lock()
	last := h.lastRead
	h.reading.Unlock()
	if last.Before(came) {
		select {
		case <-time.After(time.Until(last.Add(readAgain))):
		case <-h.ctx.Done():
		}
		h.readAccounts()
		h.arrange()
	}
	return h.directory.find(token, time.Now())
}

// Login makes a person's token the browser's cookie: it is good for every hub on this store, until it is revoked.
func (h *Hub) Login(token string) (web.Cookie, *web.Refusal) {
	account, refusal := h.admitted(token)
	if refusal != nil {
		return web.Cookie{}, refusal
	}
	if account.Agent {
		return web.Cookie{}, &web.Refusal{Status: http.StatusForbidden, Why: "the token is an agent's; the page is for people"}
	}
	return web.Cookie{Value: token, MaxAge: loggedIn, Account: account.Name, Team: account.Team}, nil
}

// Enter lets in whoever has a token. A page is for people. A visit that another hub relays is not relayed again.
func (h *Hub) Enter(token string, by web.Visitor) (web.Visit, *web.Refusal) {
	account, refusal := h.admitted(token)
	if refusal != nil {
		return web.Visit{}, refusal
	}
	if account.Agent && by == web.Page {
		return web.Visit{}, &web.Refusal{Status: http.StatusForbidden, Why: "the token is an agent's; the page is for people"}
	}
	during, host, keptBy := h.seat(account.Team)
	if during == nil || keptBy != "" && by == web.Relayed {
		return web.Visit{}, notReady
	}
	account, over, end, leave, entered := h.directory.enter(during, account, token, h.options.MaxVisits)
	if !entered {
		h.figures.refused.WithLabelValues("connections").Inc()
		return web.Visit{}, &web.Refusal{Status: http.StatusTooManyRequests, Why: "too many connections of this account", After: time.Second}
	}
	limits := h.directory.limits(nameOf(account), h.options)
	most := int64(0)
	if account.Agent {
		most = agentMessage
	}
	guest := server.Guest{
		Hub: protocol.Hub{Name: h.options.Name, Account: account.Name, Role: role(account)}, MayApprove: account.MayApprove,
		Names: func(called string) bool { return h.directory.names(name{account.Team, called}) }, Callbacks: h.options.Callbacks, MaxOpen: h.options.MaxOpen, MaxBytes: h.options.MaxBytes,
		MaxTeamBytes: h.options.MaxTeamBytes, MaxHubBytes: h.options.MaxHubBytes, HubBytes: h.openBytes, Requests: limits.waiting,
		Came: func(method string) { h.figures.came(role(account), method) }, Token: store.HashToken(token),
	}
	guest.Sees, guest.Reads = h.directory.sees(account)
	guest.Approvers = func(to string) []string { return h.directory.approvers(account.Team, to) }
	return web.Visit{
		Name: account.Name, Over: over, Leave: leave,
		Sidecar: func(ctx context.Context, in io.ReadCloser, out io.Writer) {
			if keptBy == "" {
				host.Serve(ctx, in, out, guest)
			} else {
				h.relay(over, in, out, keptBy, token, end)
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

// notReady refuses a visit that may be welcome later.
var notReady = &web.Refusal{Status: http.StatusServiceUnavailable, Why: "the hub is not ready", After: time.Second}

// admitted is the account of a token.
func (h *Hub) admitted(token string) (store.Account, *web.Refusal) {
	if h.ctx.Err() != nil || !h.directory.known() {
		return store.Account{}, notReady
	}
	account, found := h.find(token)
	if !found {
		h.figures.refused.WithLabelValues("token").Inc()
		return store.Account{}, h.wrong.Refuse("the token is missing or wrong, or was revoked")
	}
	return account, nil
}

// readyFor is how long it is taken for granted that the stores are there, and readyWithin how long it may take to find out.
const (
	readyFor    = time.Second
	readyWithin = 3 * time.Second
)

// Ready tells why this hub should not be sent anybody at the moment; nil where it should.
func (h *Hub) Ready(ctx context.Context) error {
	switch {
	case h.ctx.Err() != nil:
		return errors.New("the hub ends")
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

// check tells why a team cannot be served at the moment; nil if all can.
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

// Handlers are what a balancer asks, and whoever looks after the hub.
func (h *Hub) Handlers() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET /healthz": func(w http.ResponseWriter, _ *http.Request) { tell(w, nil) },
		"GET /readyz": func(w http.ResponseWriter, r *http.Request) {
			err := h.Ready(r.Context())
			if err != nil {
				h.log.Debug("not ready", zap.Error(err))
			}
			tell(w, err)
		},
	}
}

// tell answers a check. Why not is for the log: whoever asks is a stranger.
func tell(w http.ResponseWriter, err error) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "not ready\n")
		return
	}
	_, _ = io.WriteString(w, "ok\n")
}

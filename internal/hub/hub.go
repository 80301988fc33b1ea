// Package hub is what many people and agents share: it serves the page and the protocol to those who have a token, each what is theirs.
// Several hubs on one database act as one: one of them has the store, and the others relay to it.
package hub

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"
	"golang.org/x/time/rate"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/web"
)

// Options are what a hub runs on.
type Options struct {
	// Name is what people know it by.
	Name string
	// Storage is the place of the store.
	Storage string
	// Address is where other hubs on the same store reach this one: http://HOST:PORT or https://HOST:PORT. If empty, they do not.
	Address string
	// Locale is the language of what is told to all.
	Locale locale.Tag
	// Kept is how long what is over is kept; 0: for good.
	Kept time.Duration
	// Server is what the host runs on; what is of a connection is not read.
	Server server.Options
	// Log must not be nil; see CutLog. No text of a question or an answer, and no token, is logged.
	Log *zap.Logger
	// Rate is how many messages of an account, or pieces of 64 KiB of them, are read in a second, and Burst how many at once; 0: 50 and 500.
	Rate  rate.Limit
	Burst int
	// MaxVisits is how many connections an account may have here, MaxOpen how many open questions, and MaxWaiting how many requests under
	// way; 0: 256, 1000 and 2000.
	MaxVisits, MaxOpen, MaxWaiting int
	// MaxBytes is how many bytes of text an account's open questions may have, and MaxAllBytes those of all accounts; 0: 32 and 256 MiB.
	MaxBytes, MaxAllBytes int
}

// wrongTokens is how many in a minute are told that they are wrong; the others are told to wait.
const wrongTokens = 30

// loggedIn is how long a browser stays so.
const loggedIn = 180 * 24 * time.Hour

// lookEvery is how often a hub looks for accounts that were written, and whether it still has the store.
const lookEvery = time.Second

// readAgain is the least time between two readings of the accounts for a token that is not known.
const readAgain = 100 * time.Millisecond

// agentMessage bounds one message of an agent's, in bytes: a question, with what is to be known of it.
const agentMessage = 8 << 20

// Hub is a hub that is served: a web.Door with a host behind it.
type Hub struct {
	options   Options
	log       *zap.Logger
	host      *server.Host
	directory *directory
	wrong     *web.Wrong
	figures   *figures
	ctx       context.Context
	end       context.CancelFunc
	looking   sync.WaitGroup

	refreshing sync.Mutex // one waits to read the accounts
	reading    sync.Mutex // one reads them
	accounts   store.Store
	known      []store.Account // nil before they were read
	lastRead   time.Time

	mu   sync.Mutex
	term context.Context // ends when the host loses the store; nil while it does not have it
	over context.CancelCauseFunc

	readyFor time.Duration // see readyFor
	checking sync.Mutex    // one looks whether the store is there
	checked  time.Time
	unready  error
}

var _ web.Door = (*Hub)(nil)

// New opens a hub's store; Close is to be called in the end.
func New(o Options) *Hub {
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
	if o.MaxAllBytes == 0 {
		o.MaxAllBytes = 256 << 20
	}
	if o.MaxWaiting == 0 {
		o.MaxWaiting = 2000
	}
	h := &Hub{
		options: o, log: o.Log, directory: newDirectory(), wrong: web.NewWrong(wrongTokens, nil), readyFor: readyFor,
	}
	h.ctx, h.end = context.WithCancel(context.Background())
	o.Server.Log, o.Server.Strict, o.Server.Address = o.Log, true, o.Address
	h.host = server.NewHost(o.Server)
	h.figures = newFigures(h)
	h.host.Open(o.Storage, o.Locale, o.Kept)
	h.looking.Go(h.look)
	return h
}

// Close ends the visits, and closes the store.
func (h *Hub) Close() {
	h.end()
	h.host.Close()
	h.looking.Wait()
}

// look reads the accounts, which a command may write at any time, and notes whether the host has the store, until the hub ends.
func (h *Hub) look() {
	every := time.NewTicker(lookEvery)
	defer every.Stop()
	for {
		h.lookAtTerm()
		h.readAccounts()
		select {
		case <-h.ctx.Done():
			h.reading.Lock()
			defer h.reading.Unlock()
			if h.accounts != nil {
				_ = h.accounts.Close() // what was written is durable
			}
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
	all, err := h.allAccounts()
	switch {
	case err == nil && (h.known == nil || !reflect.DeepEqual(all, h.known)):
		h.known = all
		h.log.Info("the accounts were read", zap.Int("accounts", len(all)))
	case err != nil && h.ctx.Err() == nil:
		h.log.Error("the accounts cannot be read", zap.Error(err))
	}
	if h.known != nil {
		h.directory.set(h.known, time.Now())
		h.withdraw()
	}
	if err == nil {
		h.writeUsed()
	}
}

// withdraw withdraws the questions of accounts that were revoked with them. It is done each time, since a question may have been under way.
func (h *Hub) withdraw() {
	if !h.host.Opened() {
		return // the hub that has the store does
	}
	for _, a := range h.known {
		if a.Withdrawn && len(a.Tokens) == 0 {
			if n := h.host.Withdraw(a.Name); n > 0 {
				h.log.Info("the questions of a revoked account were withdrawn", zap.String("account", a.Name), zap.Int("questions", n))
			}
		}
	}
}

// writeUsed writes when tokens were last used.
func (h *Hub) writeUsed() {
	for hash, at := range h.directory.takeUsed(time.Now()) {
		err := h.accounts.EditAccount(h.ctx, func(all []store.Account) (store.Account, error) {
			for _, a := range all {
				if i := slices.IndexFunc(a.Tokens, func(token store.Token) bool { return string(token.Hash) == hash }); i >= 0 {
					a.Tokens[i].Used = at.UTC()
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

func (h *Hub) allAccounts() (all []store.Account, err error) {
	if h.accounts == nil {
		opened, _, err := h.options.Server.OpenStore(h.ctx, h.options.Storage, store.Options{Log: h.log})
		if err != nil {
			return nil, err
		}
		h.accounts = opened
	}
	all, err = h.accounts.Accounts(h.ctx)
	if err != nil && !errors.Is(err, store.ErrUnavailable) {
		_ = h.accounts.Close() // it is opened anew
		h.accounts = nil
	}
	return append([]store.Account{}, all...), err
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
	}
	return h.directory.find(token, time.Now())
}

// lookAtTerm ends the visits that this hub serves itself once it does not have the store any more.
func (h *Hub) lookAtTerm() {
	opened := h.host.Opened()
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case opened && h.term == nil:
		h.term, h.over = context.WithCancelCause(h.ctx)
	case !opened && h.term != nil:
		h.over(nil)
		h.term = nil
	}
}

// current returns the context of visits that this hub serves itself; nil if it does not have the store.
func (h *Hub) current() context.Context {
	h.lookAtTerm()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.term
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
	return web.Cookie{Value: token, MaxAge: loggedIn, Account: account.Name}, nil
}

// Enter lets in whoever has a token. A page is for people.
func (h *Hub) Enter(token string, program bool) (web.Visit, *web.Refusal) {
	account, refusal := h.admitted(token)
	if refusal != nil {
		return web.Visit{}, refusal
	}
	if account.Agent && !program {
		return web.Visit{}, &web.Refusal{Status: http.StatusForbidden, Why: "the token is an agent's; the page is for people"}
	}
	during, keptBy := h.current(), ""
	if during == nil {
		if keptBy = h.host.KeptBy(); keptBy == "" {
			return web.Visit{}, notReady
		}
		during = h.ctx
	}
	account, over, end, leave, entered := h.directory.enter(during, account, token, h.options.MaxVisits)
	if !entered {
		h.figures.refused.WithLabelValues("connections").Inc()
		return web.Visit{}, &web.Refusal{Status: http.StatusTooManyRequests, Why: "too many connections of this account", After: time.Second}
	}
	limits := h.directory.limits(account.Name, h.options)
	most := int64(0)
	if account.Agent {
		most = agentMessage
	}
	guest := server.Guest{
		Hub:   protocol.Hub{Name: h.options.Name, Account: account.Name, Role: role(account)},
		Names: h.directory.names, MaxOpen: h.options.MaxOpen, MaxBytes: h.options.MaxBytes, MaxAllBytes: h.options.MaxAllBytes, Waiting: limits.waiting,
		Came: func(method string) { h.figures.came(role(account), method) },
	}
	guest.Sees, guest.Reads = h.directory.sees(account)
	return web.Visit{
		Name: account.Name, Over: over, Leave: leave,
		Sidecar: func(ctx context.Context, in io.ReadCloser, out io.Writer) {
			if keptBy == "" {
				h.host.Serve(ctx, in, out, guest)
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

// readyFor is how long it is taken for granted that the store is there, or not, and readyWithin how long it may take to find out.
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
	if time.Since(h.checked) > h.readyFor {
		ctx, end := context.WithTimeout(context.WithoutCancel(ctx), readyWithin)
		defer end()
		if h.unready = nil; h.current() != nil || h.host.KeptBy() == "" {
			h.unready = h.host.Ready(ctx)
		}
		h.checked = time.Now()
	}
	return h.unready
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

// Package httpapi serves the HTTP API, for programs that speak neither the Model Context Protocol nor JSON-RPC: they post a question and
// read the outcome later. It has no state of its own: each account has one connection to its inbox, and the store has the rest.
package httpapi

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed" // the description
	"net/http"
	"sync"
	"time"

	"go.uber.org/zap"

	"followup/internal/web"
	"followup/internal/webhook"
)

// Options configure an API.
type Options struct {
	// Enter authenticates a program by its token.
	Enter func(token string) (web.Visit, *web.Refusal)
	// StorageFolder is the folder of the inbox. A hub ignores it.
	StorageFolder string
	// Callbacks is the policy for callback addresses.
	Callbacks webhook.Policy
	// Idle is the time without a request after which a connection is closed. Zero means never.
	Idle time.Duration
	// BodyTime is how long a question may take to arrive. Zero means a minute.
	BodyTime time.Duration
	// MaxWaits limits an account's requests that wait for outcomes. Zero means 1000.
	MaxWaits int
	// Log must not be nil. No text of a question or an answer, and no token, is logged.
	Log *zap.Logger
}

const (
	// maxWaits is the default of Options.MaxWaits.
	maxWaits = 1000
	// maxWait is the longest ?wait=. Proxies often close requests after a minute.
	maxWait = time.Minute
	// bodyTime is the default of Options.BodyTime.
	bodyTime = time.Minute
	// patience limits a call to the inbox, in addition to the wait.
	patience = 30 * time.Second
	// maxBody limits a question in bytes.
	maxBody = 8 << 20
)

// API serves the HTTP API.
type API struct {
	options Options
	ctx     context.Context
	end     context.CancelFunc

	mu    sync.Mutex
	links map[[sha256.Size]byte]*link // by the tokens' hashes, so that a lookup's timing reveals nothing
}

// New returns an API. The caller must Close it.
func New(o Options) *API {
	o.MaxWaits = cmp.Or(o.MaxWaits, maxWaits)
	o.BodyTime = cmp.Or(o.BodyTime, bodyTime)
	a := &API{options: o, links: map[[sha256.Size]byte]*link{}}
	a.ctx, a.end = context.WithCancel(context.Background())
	return a
}

// Close closes the connections. Open questions stay open.
func (a *API) Close() { a.end() }

//go:embed openapi.json
var description []byte

// Handlers returns the API's handlers by patterns of http.ServeMux.
func (a *API) Handlers() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET /v1/questions":         a.admitted(list),
		"POST /v1/questions":        a.admitted(answered(a.ask)),
		"GET /v1/questions/{id}":    a.admitted(answered(a.read)),
		"DELETE /v1/questions/{id}": a.admitted(answered(a.withdraw)),
		"/v1/questions":             notAllowed(http.MethodGet + ", " + http.MethodPost),
		"/v1/questions/{id}":        notAllowed(http.MethodGet + ", " + http.MethodDelete),
		"GET /v1/openapi.json": func(w http.ResponseWriter, _ *http.Request) {
			send(w, http.StatusOK, "application/json", description)
		},
		"/v1/": func(w http.ResponseWriter, _ *http.Request) {
			fail(w, problem(http.StatusNotFound, "there is nothing here; see /v1/openapi.json"))
		},
	}
}

func notAllowed(allow string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", allow)
		fail(w, problem(http.StatusMethodNotAllowed, "use one of the methods "+allow))
	}
}

// admitted authenticates a program by its token. It rejects every request with an Origin, because only web pages send one.
func (a *API) admitted(handle func(*link, http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	serve := func(w http.ResponseWriter, r *http.Request) error {
		if len(r.Header.Values("Origin")) > 0 {
			return problem(http.StatusForbidden, "web pages may not use this API: requests with an Origin are rejected")
		}
		l, err := a.link(r)
		if err != nil {
			return err
		}
		defer l.leave()
		if err := l.visit.Await(r.Context()); err != nil {
			return err
		}
		return handle(l, w, r)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(maxWait + patience))
		if err := serve(w, r); err != nil {
			a.options.Log.Debug("refused", zap.String("method", r.Method), zap.String("from", r.RemoteAddr), zap.Error(err))
			fail(w, err)
		}
	}
}

// Package httpapi is the way in for programs that speak neither the Model Context Protocol nor JSON-RPC: a program posts a question over
// HTTP and reads the outcome later. It keeps nothing: each account has one connection to what keeps the inbox, and the store has the rest.
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

	"followup/internal/protocol"
	"followup/internal/web"
	"followup/internal/webhook"
)

// Options are those of an API.
type Options struct {
	// Enter lets a program in by its token.
	Enter func(token string) (web.Visit, *web.Refusal)
	// StorageFolder is where the questions are kept; a hub knows its own.
	StorageFolder string
	// Callbacks says which addresses questions may name.
	Callbacks webhook.Policy
	// Idle is after how long without a request a connection ends. Zero means never.
	Idle time.Duration
	// MaxWaits is how many requests of an account may wait for outcomes; 0: 1000.
	MaxWaits int
	// Log must not be nil. No text of a question or an answer, and no token, is logged.
	Log *zap.Logger
}

const (
	// maxWaits is Options.MaxWaits where nothing else was said.
	maxWaits = 1000
	// maxWait is how long a request may wait for an outcome: what stands between gives up soon after.
	maxWait = time.Minute
	// patience is how long a request takes beyond that.
	patience = 30 * time.Second
	// maxBody bounds a question, in bytes.
	maxBody = 8 << 20
)

// API serves programs.
type API struct {
	options Options
	ctx     context.Context
	end     context.CancelFunc

	mu    sync.Mutex
	links map[[sha256.Size]byte]*link // by the hashes of tokens, so that a lookup's time reveals nothing
}

// New returns an API; Close ends it.
func New(o Options) *API {
	o.MaxWaits = cmp.Or(o.MaxWaits, maxWaits)
	a := &API{options: o, links: map[[sha256.Size]byte]*link{}}
	a.ctx, a.end = context.WithCancel(context.Background())
	return a
}

// Close ends the connections. What was asked stays.
func (a *API) Close() { a.end() }

//go:embed openapi.json
var description []byte

// Handlers are what the API answers, by patterns as http.ServeMux has them.
func (a *API) Handlers() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"POST /v1/questions":        a.admitted(a.ask),
		"GET /v1/questions/{id}":    a.admitted(a.read),
		"DELETE /v1/questions/{id}": a.admitted(a.withdraw),
		"/v1/questions":             notAllowed(http.MethodPost),
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

// admitted lets a program in by its token. No page may come, whatever it knows: programs send no Origin.
func (a *API) admitted(handle func(*link, http.ResponseWriter, *http.Request) (protocol.AskResult, error)) http.HandlerFunc {
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
		result, err := handle(l, w, r)
		if err != nil {
			return err
		}
		return l.answer(w, r, result)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(maxWait + patience))
		if err := serve(w, r); err != nil {
			a.options.Log.Debug("refused", zap.String("method", r.Method), zap.String("from", r.RemoteAddr), zap.Error(err))
			fail(w, err)
		}
	}
}

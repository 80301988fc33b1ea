// Package webhook sends signed HTTP requests to addresses that users and programs name: signatures by Standard Webhooks, retries with
// backoff, and a guard against requests that reach into this machine's own network (SSRF).
package webhook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"sync"
	"time"

	"code.dny.dev/ssrf"
	"github.com/cenkalti/backoff/v5"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const (
	attemptTimeout = 15 * time.Second
	maxURL         = 2048
	maxResponse    = 64 << 10 // read, so that the connection can be reused
	// maxPerAddress limits the requests to an address that run at once, and maxPerHost the connections to a host: a slow address must not
	// delay the others there, such as other browsers of a push service.
	maxPerAddress = 4
	maxPerHost    = 64
)

// Options configure a Sender. Zero durations mean the defaults.
type Options struct {
	// Private permits plain HTTP, this machine and private networks. Link-local addresses are always refused, because
	// clouds serve credentials there.
	Private bool
	// First and Last are the shortest and the longest pause between attempts (default 5 s and 1 h).
	First, Last time.Duration
	// Limit is how long a message is retried (default 24 h).
	Limit time.Duration
}

// Message is one request.
type Message struct {
	// Method is POST if empty.
	Method string
	URL    string
	// ID is the same for each attempt, so that receivers can deduplicate.
	ID   string
	Body []byte
	// Header has additional headers. Content-Type defaults to application/json.
	Header http.Header
	// Secret signs the message. If zero, it is not signed.
	Secret Secret
}

// Errors that end a delivery before its limit.
var (
	// ErrGone is returned if the receiver answered 410: it wants no more messages.
	ErrGone = errors.New("the receiver wants no more messages (410)")
	// ErrRefused is returned for an address that may not be called.
	ErrRefused = errors.New("the address is refused")
)

// Sender sends messages. It is safe for concurrent use.
type Sender struct {
	options Options
	client  *http.Client

	mu      sync.Mutex
	running map[string]*address // with requests, by URL without its query
}

// address limits the requests to an address.
type address struct {
	slots chan struct{}
	users int // the requests that run or wait
}

// New returns a Sender. It ignores HTTP proxies, because they would resolve names out of the guard's sight.
func New(o Options) *Sender {
	o.First = cmp.Or(o.First, 5*time.Second)
	o.Last = cmp.Or(o.Last, time.Hour)
	o.Limit = cmp.Or(o.Limit, 24*time.Hour)
	rules := []ssrf.Option{ssrf.WithAnyPort()}
	if o.Private {
		rules = append(rules, ssrf.WithAllowedV4Prefixes(private4...), ssrf.WithAllowedV6Prefixes(private6...))
	}
	dialer := net.Dialer{Timeout: attemptTimeout, Control: ssrf.New(rules...).Safe} // after DNS, for each address
	return &Sender{options: o, running: map[string]*address{}, client: &http.Client{
		Timeout: attemptTimeout,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: attemptTimeout,
			MaxIdleConns: 16, MaxConnsPerHost: maxPerHost, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: maxResponse,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

var (
	private4 = prefixes("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
	private6 = prefixes("::1/128", "fc00::/7")
)

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// Check returns an error if an address is refused. It does not resolve names.
func (s *Sender) Check(address string) error {
	u, err := url.Parse(address)
	switch {
	case len(address) > maxURL:
		return fmt.Errorf("%w: it is longer than %d bytes", ErrRefused, maxURL)
	case err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("%w: it is not an https URL", ErrRefused)
	case u.Scheme == "http" && !s.options.Private:
		return fmt.Errorf("%w: it is not encrypted (https)", ErrRefused)
	case u.User != nil:
		return fmt.Errorf("%w: it contains a user name or a password", ErrRefused)
	}
	return nil
}

// Deliver sends a message until the receiver accepts it, and returns the last error when the limit or ctx ends. Errors
// contain at most the host, because the rest of an address may be secret.
func (s *Sender) Deliver(ctx context.Context, m Message) error {
	return s.Retry(ctx, func() error { return s.Send(ctx, m) }, nil)
}

// Retry calls try until it succeeds or returns a permanent error, and returns the last error when the limit or ctx ends. It pauses as long
// as the receiver asks (Retry-After), or with backoff. If failed is not nil, it is called with each error before a pause.
func (s *Sender) Retry(ctx context.Context, try func() error, failed func(error)) error {
	pauses := &backoff.ExponentialBackOff{InitialInterval: s.options.First, MaxInterval: s.options.Last, Multiplier: 2, RandomizationFactor: 0.5}
	options := []backoff.RetryOption{backoff.WithBackOff(pauses), backoff.WithMaxElapsedTime(s.options.Limit)}
	if failed != nil {
		options = append(options, backoff.WithNotify(func(err error, _ time.Duration) { failed(err) }))
	}
	var last error
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		last = try()
		return struct{}{}, last
	}, options...)
	if err != nil && last != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w (last: %w)", context.Cause(ctx), last)
	}
	return err
}

// Do sends a request once, like http.Client.Do, if Check accepts its address. The request's time begins when not too many others to the same
// address are running.
func (s *Sender) Do(request *http.Request) (*http.Response, error) {
	if err := s.Check(request.URL.String()); err != nil {
		return nil, backoff.Permanent(err)
	}
	leave, err := s.enter(request.Context(), request.URL.Scheme+"://"+request.URL.Host+request.URL.EscapedPath())
	if err != nil {
		return nil, err
	}
	defer leave()
	response, err := s.client.Do(request)
	if err != nil {
		return nil, s.failure(err)
	}
	return response, nil
}

// enter waits for a slot of an address, and returns a function that frees it.
func (s *Sender) enter(ctx context.Context, called string) (leave func(), err error) {
	s.mu.Lock()
	at := s.running[called]
	if at == nil {
		at = &address{slots: make(chan struct{}, maxPerAddress)}
		s.running[called] = at
	}
	at.users++
	s.mu.Unlock()
	left := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if at.users--; at.users == 0 {
			delete(s.running, called)
		}
	}
	select {
	case at.slots <- struct{}{}:
		return func() { <-at.slots; left() }, nil
	case <-ctx.Done():
		left()
		return nil, context.Cause(ctx)
	}
}

// Outcome drains a response, and returns an error for Retry unless the status is 2xx.
func (s *Sender) Outcome(response *http.Response) error {
	_, _ = io.CopyN(io.Discard, response.Body, maxResponse)
	status := StatusError(response.StatusCode)
	if status >= 200 && status < 300 {
		return nil
	}
	if pause, ok := retryAfter(response.Header, time.Now(), s.options.Last); ok {
		return pausing{status, &backoff.RetryAfterError{Duration: pause}}
	}
	return status
}

// Send sends a message once.
func (s *Sender) Send(ctx context.Context, m Message) error {
	request, err := http.NewRequestWithContext(ctx, cmp.Or(m.Method, http.MethodPost), m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return backoff.Permanent(fmt.Errorf("%w: it is not an https URL", ErrRefused))
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "followup")
	for name, values := range m.Header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	if err := m.sign(request.Header, time.Now()); err != nil {
		return backoff.Permanent(err)
	}
	response, err := s.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	err = s.Outcome(response)
	if response.StatusCode == http.StatusGone {
		return backoff.Permanent(ErrGone)
	}
	return err
}

// StatusError is the status of an unsuccessful response.
type StatusError int

func (e StatusError) Error() string {
	return fmt.Sprintf("the receiver answered %d %s", int(e), http.StatusText(int(e)))
}

// pausing is a StatusError with the receiver's Retry-After.
type pausing struct {
	StatusError
	pause *backoff.RetryAfterError
}

func (p pausing) Unwrap() []error { return []error{p.StatusError, p.pause} }

// errUnreachable is the error of a name that has no address, or none that may be called. A program or a page that can name addresses must
// not learn which names this machine's network knows.
var errUnreachable = fmt.Errorf("%w: its name has no address, or only addresses in private or reserved networks", ErrRefused)

// failure returns the error of a request without the path and query of its address. A name's addresses may change, so that it is tried
// again.
func (s *Sender) failure(err error) error {
	var host string
	if outer := (*url.Error)(nil); errors.As(err, &outer) {
		if u, parsed := url.Parse(outer.URL); parsed == nil {
			host = u.Hostname()
		}
		err = outer.Err
	}
	_, literal := netip.ParseAddr(host)
	unknown := (*net.DNSError)(nil)
	switch refused := isRefused(err); {
	case refused && literal == nil:
		return backoff.Permanent(fmt.Errorf("%w: it is in a private or reserved network", ErrRefused))
	case refused, errors.As(err, &unknown) && !s.options.Private:
		return errUnreachable
	}
	return err
}

func isRefused(err error) bool {
	return errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedNetwork) || errors.Is(err, ssrf.ErrInvalidHostPort)
}

// sign sets the headers of Standard Webhooks.
func (m Message) sign(h http.Header, now time.Time) error {
	h.Set(standardwebhooks.HeaderWebhookID, m.ID)
	h.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	if m.Secret.hook == nil {
		return nil
	}
	signature, err := m.Secret.hook.Sign(m.ID, now, m.Body)
	h.Set(standardwebhooks.HeaderWebhookSignature, signature)
	return err
}

// retryAfter returns the pause that a receiver asks for, at most longest.
func retryAfter(h http.Header, now time.Time, longest time.Duration) (time.Duration, bool) {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, longest), true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return min(max(at.Sub(now), 0), longest), true
}

// Policy decides which callback addresses are permitted.
type Policy string

// The policies.
const (
	Off     Policy = ""        // no callbacks
	Public  Policy = "public"  // https, in public networks
	Private Policy = "private" // also http, this machine and private networks
)

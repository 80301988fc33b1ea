package hubclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/relay"
)

// Close codes of a hub, in addition to those of RFC 6455.
const (
	// closeRevoked means that the token was revoked.
	closeRevoked = 4001
	// closeChanged means that the account's rights have changed; a new link gets them.
	closeChanged = 4002
)

const (
	hubNone        locale.Key = "There is no Followup hub at {0} ({1})."
	hubCertificate locale.Key = "The certificate of {0} is not trusted ({1}). If your own authority issued it, name that authority's " +
		"certificate with --hub-ca or in the setting followup.hubCertificates."
)

// isUnclear reports whether a proxy, and not the hub, may have caused a refusal.
func isUnclear(why error) bool {
	var refusal *locale.Refusal
	return errors.As(why, &refusal) && (refusal.Key == hubNone || refusal.Key == hubCertificate)
}

// connect makes one attempt, including the handshake.
func (c *client) connect(ctx context.Context, hello protocol.InitializeParams) (relay.Link, *relay.Failure) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	token, err := c.Token()
	if err != nil {
		return nil, &relay.Failure{Why: err, Final: true}
	}
	peer, wire := HTTPClient(c.Roots), &paced{}
	transport := peer.Transport.(*http.Transport)
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (_ net.Conn, err error) {
		wire.Conn, err = dial(ctx, network, address)
		return wire, err
	}
	conn, answer, err := websocket.Dial(ctx, c.URL.JoinPath("rpc").String(), &websocket.DialOptions{ //nolint:bodyclose // the library has read it
		HTTPClient: peer,
		HTTPHeader: http.Header{"Authorization": {"Bearer " + token}, "User-Agent": {"followup/" + c.Version}},
	})
	if err != nil {
		return nil, c.dialFailure(answer, err)
	}
	conn.SetReadLimit(maxMessage)
	made := &link{client: c, conn: conn, wire: wire}
	if failed := c.greet(ctx, made, hello); failed != nil {
		made.CloseNow()
		return nil, failed
	}
	return made, nil
}

// link is a WebSocket to a hub.
type link struct {
	client *client
	conn   *websocket.Conn
	wire   *paced
}

func (l *link) Read(ctx context.Context) ([]byte, error) {
	_, body, err := l.conn.Read(ctx)
	return body, err
}

func (l *link) Write(ctx context.Context, body []byte) error {
	return l.conn.Write(ctx, websocket.MessageText, body)
}

func (l *link) Finish() { l.Close() }

func (l *link) Close() {
	time.AfterFunc(goodbye, l.CloseNow)
	_ = l.conn.Close(websocket.StatusNormalClosure, "")
}

func (l *link) CloseNow() { _ = l.conn.CloseNow() }

// HTTPClient returns a client for hubs with these roots; nil for the system's. It follows no redirects, which could leak the token.
func HTTPClient(roots *x509.CertPool) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	transport.DisableKeepAlives = true
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

const (
	hubAway  locale.Key = "There is no connection to the hub {0} ({1}). Trying again."
	hubToken locale.Key = "The hub {0} does not accept the token: it is unknown there, or was revoked. Ask the hub's " +
		"administrator for a new one."
)

// dialFailure returns why an attempt failed.
func (c *client) dialFailure(answer *http.Response, err error) *relay.Failure {
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &certificate):
		return &relay.Failure{Why: locale.Refuse(hubCertificate, c.URL.Host, certificate.Err), Final: true}
	case answer == nil:
		return &relay.Failure{Why: locale.Refuse(hubAway, c.name(), cause(err))}
	}
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
	after := time.Duration(seconds) * time.Second
	switch status := answer.StatusCode; {
	case status == http.StatusUnauthorized:
		return &relay.Failure{Why: locale.Refuse(hubToken, c.name()), Final: true}
	case status == http.StatusTooManyRequests, status >= http.StatusInternalServerError, status == http.StatusRequestTimeout:
		return &relay.Failure{Why: locale.Refuse(hubAway, c.name(), answer.Status), After: min(after, c.Last)}
	default:
		return &relay.Failure{Why: locale.Refuse(hubNone, c.URL, answer.Status), Final: true}
	}
}

// cause returns the innermost error, since the others repeat the address.
func cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// greet performs the handshake.
func (c *client) greet(ctx context.Context, over *link, hello protocol.InitializeParams) *relay.Failure {
	result, err := relay.Greet(ctx, over, hello)
	var refused *jsonrpc2.Error
	switch {
	case errors.As(err, &refused) && refused.Code == protocol.CodeVersionMismatch:
		return &relay.Failure{Why: locale.Refuse("The hub {0} has another version: {1}", c.name(), refused.Message), Final: true}
	case refused != nil:
		return &relay.Failure{Why: locale.Refuse(hubAway, c.name(), refused.Message)}
	case err != nil:
		return c.broken(err)
	case result.Hub == nil:
		return &relay.Failure{Why: locale.Refuse(hubNone, c.URL, "initialize"), Final: true}
	}
	hub := result.Hub
	hub.Name, hub.Account = sanitize(hub.Name, mostName), sanitize(hub.Account, mostName)
	c.hub.Store(hub)
	if c.Person && hub.Role != protocol.RolePerson {
		return &relay.Failure{Why: locale.Refuse(hubNoPerson, c.name()), Final: true}
	}
	c.Log.Info("linked to the hub", zap.String("name", hub.Name), zap.String("account", hub.Account))
	return nil
}

// broken returns why a link ended.
func (c *client) broken(err error) *relay.Failure {
	switch websocket.CloseStatus(err) {
	case closeRevoked:
		return &relay.Failure{Why: locale.Refuse(hubToken, c.name()), Final: true}
	case closeChanged:
		return &relay.Failure{Why: locale.Refuse(hubAway, c.name(), "reconnecting"), AtOnce: true}
	}
	return &relay.Failure{Why: locale.Refuse(hubAway, c.name(), cause(err))}
}

// Watch closes a silent link, since a lost network is not reported. It keeps a slow one.
func (l *link) Watch(ctx context.Context) {
	c := l.client
	tick := time.NewTicker(c.Silence)
	defer tick.Stop()
	asked, heard := time.Time{}, make(chan error, 1)
	heard <- nil
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		select {
		case err := <-heard:
			if err != nil {
				return // the link has ended
			}
			asked = time.Now()
			go func() { heard <- l.conn.Ping(ctx) }() // queued after what is being written
		default:
			if l.wire.silent(time.Now(), asked, c.Silence) {
				c.Log.Info("the hub does not answer")
				l.CloseNow() // which also ends the ping
			} else {
				c.Log.Debug("the link to the hub is slow")
			}
		}
	}
}

// Allowances for a slow link.
const (
	// slowest is the speed of the slowest supported link in bytes per second.
	slowest = 16 << 10
	// buffered is how many bytes the systems on the way may buffer.
	buffered = 4 << 20
)

// paced is a connection that distinguishes a slow link from a dead one: a ping and its pong queue behind everything in
// transit.
type paced struct {
	net.Conn

	mu    sync.Mutex
	heard time.Time // when something last arrived
	gone  time.Time // when everything written has been sent by the slowest link
}

// received records that something arrived.
func (p *paced) received(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = now
}

// sent records how many bytes the system accepted.
func (p *paced) sent(now time.Time, bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone.Before(now) {
		p.gone = now
	}
	p.gone = p.gone.Add(time.Duration(bytes) * time.Second / slowest)
	if most := now.Add(buffered / slowest * time.Second); p.gone.After(most) {
		p.gone = most
	}
}

// silent reports whether the response to a request that was sent at asked is overdue.
func (p *paced) silent(now, asked time.Time, patience time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, since := range []time.Time{asked, p.heard, p.gone} {
		if now.Sub(since) < patience {
			return false
		}
	}
	return true
}

func (p *paced) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	if n > 0 {
		p.received(time.Now())
	}
	return n, err
}

func (p *paced) Write(b []byte) (int, error) {
	n, err := p.Conn.Write(b)
	p.sent(time.Now(), n)
	return n, err
}

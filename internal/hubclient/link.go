package hubclient

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/coder/websocket"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Why a hub closes a link, besides the codes of RFC 6455.
const (
	// closeRevoked: the token does not count any more.
	closeRevoked = 4001
	// closeChanged: what the account may do has changed, which a new link is told.
	closeChanged = 4002
)

// failure is why there is no link.
type failure struct {
	// why is a locale.Refusal.
	why error
	// final tells that no patience helps.
	final bool
	// after is how long to wait at least; atOnce: not at all.
	after  time.Duration
	atOnce bool
}

// keep makes a link, and another one when that breaks, until the relay ends.
func (r *relay) keep() {
	defer close(r.kept)
	worked := false // what has worked is not wrong because of what stands in between now
	for {
		r.now(State{HubState: protocol.HubState{State: protocol.HubConnecting, Name: r.state.Name}, Away: r.state.Away})
		conn, hub, failed := r.connect()
		if failed == nil {
			worked = true
			began := time.Now()
			failed = r.live(conn, hub)
			if time.Since(began) > steady {
				r.pauses.Reset()
			} else { // a hub that ends each link is not asked without any pause
				failed.atOnce = false
			}
		}
		if r.ctx.Err() != nil {
			return
		}
		if failed.final && (!worked || !isUnclear(failed.why)) {
			r.refused(failed)
		} else {
			r.away(failed)
		}
	}
}

// isUnclear tells whether a refusal may be that of something between here and the hub.
func isUnclear(why error) bool {
	var refusal *locale.Refusal
	return errors.As(why, &refusal) && (refusal.Key == locale.HubNone || refusal.Key == locale.HubCertificate)
}

// refused tells those who wait, and waits until somebody asks again.
func (r *relay) refused(failed *failure) {
	words := r.words(failed.why)
	r.Log.Warn("the hub is not asked any more", zap.String("reason", words))
	for len(r.asked) > 0 { // those who have asked are answered now
		<-r.asked
	}
	r.now(State{HubState: protocol.HubState{State: protocol.HubRefused, Name: r.state.Name, Problem: words}, Away: words})
	r.mu.Lock()
	for _, e := range r.entries {
		if e.id != "" && e.own == nil {
			r.refuse(json.RawMessage(e.id), rpc.Errorf(protocol.CodeRefused, "%s", words))
		}
	}
	r.entries = nil
	clear(r.byID)
	r.mu.Unlock()
	r.pause(refusedPause, r.asked)
}

// away waits until the next attempt.
func (r *relay) away(failed *failure) {
	words := r.words(failed.why)
	pause := max(r.pauses.NextBackOff(), failed.after)
	if failed.atOnce {
		pause = 0
	}
	r.Log.Info("there is no link to the hub", zap.String("reason", words), zap.Duration("again", pause))
	r.now(State{HubState: protocol.HubState{State: protocol.HubConnecting, Name: r.state.Name, Problem: words}, Away: words})
	r.mu.Lock()                                 // behind the new state, by which take refuses what comes from now on
	for _, e := range slices.Clone(r.entries) { // whoever has cancelled does not wait for the next link
		switch {
		case e.of != nil:
			r.abandon(e.of)
		case answers[e.method] && e.sent == 0: // what take says of answers goes for one that waited behind a link that was dead
			r.drop(e)
			r.refuseAnswer(json.RawMessage(e.id))
		}
	}
	r.mu.Unlock()
	r.pause(pause, nil)
}

func (r *relay) pause(long time.Duration, unless <-chan struct{}) {
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-unless:
	case <-r.ctx.Done():
	}
}

// now tells of a new state. One who has subscribed sees what there is, and why it does not change.
func (r *relay) now(state State) {
	state.URL = r.URL.String()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == state {
		return
	}
	lost := state.Away != "" && state.Away != r.state.Away
	r.state = state
	if r.subscribed && lost {
		r.tellChange(protocol.InboxChange{Storage: &protocol.Storage{Problem: state.Away}})
	}
	if r.Tell != nil {
		r.Tell(state)
	}
}

// name is what the hub is called, as far as that is known.
func (r *relay) name() string { return cmp.Or(r.state.Name, r.URL.Host) }

func (r *relay) words(why error) string {
	text := why.Error()
	var refusal *locale.Refusal
	if errors.As(why, &refusal) {
		text = refusal.In(r.Locale)
	}
	return told(text, mostWords) // which the hub may have a part in
}

// connect makes one attempt, up to the handshake.
func (r *relay) connect() (*websocket.Conn, *protocol.Hub, *failure) {
	ctx, cancel := context.WithTimeout(r.ctx, dialTime)
	defer cancel()
	token, err := r.Token()
	if err != nil {
		return nil, nil, &failure{why: err, final: true}
	}
	r.pace = newPace()
	conn, answer, err := websocket.Dial(ctx, r.URL.JoinPath("rpc").String(), &websocket.DialOptions{ //nolint:bodyclose // the library has read it
		HTTPClient: r.client(r.pace),
		HTTPHeader: http.Header{"Authorization": {"Bearer " + token}, "User-Agent": {"followup/" + r.Version}},
	})
	if err != nil {
		return nil, nil, r.dialFailure(answer, err)
	}
	conn.SetReadLimit(maxMessage)
	hub, failed := r.greet(ctx, conn)
	if failed != nil {
		_ = conn.CloseNow()
		return nil, nil, failed
	}
	return conn, hub, nil
}

// client goes nowhere else than to the hub: the token is not for others.
func (r *relay) client(p *pace) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = p.dial(transport.DialContext)
	transport.TLSClientConfig = &tls.Config{RootCAs: r.Roots, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	transport.DisableKeepAlives = true
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// dialFailure tells why an attempt has failed.
func (r *relay) dialFailure(answer *http.Response, err error) *failure {
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &certificate):
		return &failure{why: locale.Refuse(locale.HubCertificate, r.URL.Host, certificate.Err), final: true}
	case answer == nil:
		return &failure{why: locale.Refuse(locale.HubAway, r.name(), cause(err))}
	}
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
	after := time.Duration(seconds) * time.Second
	switch status := answer.StatusCode; {
	case status == http.StatusUnauthorized:
		return &failure{why: locale.Refuse(locale.HubToken, r.name()), final: true}
	case status == http.StatusTooManyRequests, status >= http.StatusInternalServerError, status == http.StatusRequestTimeout:
		return &failure{why: locale.Refuse(locale.HubAway, r.name(), answer.Status), after: min(after, r.Last)}
	default:
		return &failure{why: locale.Refuse(locale.HubNone, r.URL, answer.Status), final: true}
	}
}

// cause is the innermost error: what is around it names the address again.
func cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// helloID is the id of the handshake.
const helloID = `"hello"`

// greet shakes hands.
func (r *relay) greet(ctx context.Context, conn *websocket.Conn) (*protocol.Hub, *failure) {
	r.mu.Lock()
	hello, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": json.RawMessage(helloID), "method": protocol.Initialize.Method, "params": r.hello,
	})
	r.mu.Unlock()
	if err == nil {
		err = conn.Write(ctx, websocket.MessageText, hello)
	}
	for err == nil {
		var body []byte
		if _, body, err = conn.Read(ctx); err != nil {
			break
		}
		head, wrong := rpc.ReadHead(body)
		if wrong != nil || !head.Response || string(head.ID) != helloID {
			continue
		}
		var answer struct {
			Result protocol.InitializeResult `json:"result"`
			Error  *jsonrpc2.Error           `json:"error"`
		}
		switch err := json.Unmarshal(body, &answer); {
		case err != nil || answer.Error == nil && answer.Result.Hub == nil:
			return nil, &failure{why: locale.Refuse(locale.HubNone, r.URL, "initialize"), final: true}
		case answer.Error != nil && answer.Error.Code == protocol.CodeVersionMismatch:
			return nil, &failure{why: locale.Refuse(locale.HubVersion, r.name(), answer.Error.Message), final: true}
		case answer.Error != nil:
			return nil, &failure{why: locale.Refuse(locale.HubAway, r.name(), answer.Error.Message)}
		}
		hub := answer.Result.Hub
		hub.Name, hub.Account = told(hub.Name, mostName), told(hub.Account, mostName)
		return hub, r.write(ctx, conn, []byte(`{"jsonrpc":"2.0","method":"`+protocol.Initialized.Method+`","params":{}}`))
	}
	return nil, r.broken(err)
}

// broken tells why a link has ended.
func (r *relay) broken(err error) *failure {
	switch websocket.CloseStatus(err) {
	case closeRevoked:
		return &failure{why: locale.Refuse(locale.HubToken, r.name()), final: true}
	case closeChanged:
		return &failure{why: locale.Refuse(locale.HubAway, r.name(), "reconnecting"), atOnce: true}
	}
	return &failure{why: locale.Refuse(locale.HubAway, r.name(), cause(err))}
}

func (r *relay) write(ctx context.Context, conn *websocket.Conn, body []byte) *failure {
	if err := conn.Write(ctx, websocket.MessageText, body); err != nil {
		return r.broken(err)
	}
	return nil
}

// live uses a link until it breaks, or the relay ends.
func (r *relay) live(conn *websocket.Conn, hub *protocol.Hub) *failure {
	ctx, cancel := context.WithCancel(r.ctx)
	r.mu.Lock()
	r.role = hub.Role
	r.begin()
	link := r.links
	r.mu.Unlock()
	r.Log.Info("linked to the hub", zap.String("name", hub.Name), zap.String("account", hub.Account))
	r.now(State{HubState: protocol.HubState{State: protocol.HubConnected, Name: hub.Name, Account: hub.Account}, Role: hub.Role})
	stopped := make(chan struct{}, 2)
	go func() {
		defer func() { stopped <- struct{}{} }()
		r.send(ctx, conn, link)
	}()
	go func() {
		defer func() { stopped <- struct{}{} }()
		r.ping(ctx, conn, r.pace)
	}()
	ended := context.AfterFunc(r.ctx, func() {
		time.AfterFunc(goodbye, func() { _ = conn.CloseNow() })
		_ = conn.Close(websocket.StatusNormalClosure, "")
	})
	var err error
	for {
		// Not with ctx, whose end would break the link before the hub is told.
		var body []byte
		if _, body, err = conn.Read(context.WithoutCancel(ctx)); err != nil {
			break
		}
		r.heard(body)
	}
	cancel()
	if ended() {
		_ = conn.CloseNow()
	}
	<-stopped
	<-stopped
	return r.broken(err)
}

// send sends what there is, as it comes.
func (r *relay) send(ctx context.Context, conn *websocket.Conn, link int) {
	for {
		for body := r.next(link); body != nil; body = r.next(link) {
			if r.write(context.WithoutCancel(ctx), conn, body) != nil {
				_ = conn.CloseNow() // which ends the reading
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		}
	}
}

// ping gives up a link that is silent: one whose network is gone ends for nobody by itself. A link that is slow is not.
func (r *relay) ping(ctx context.Context, conn *websocket.Conn, p *pace) {
	tick := time.NewTicker(r.Silence)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		asked := time.Now()
		heard := make(chan error, 1)
		go func() { heard <- conn.Ping(ctx) }() // behind what is being written
		for waiting := true; waiting; {
			select {
			case err := <-heard:
				if err != nil {
					return // the link has ended
				}
				waiting = false
			case <-tick.C:
				if now := time.Now(); p.silent(now, asked, r.Silence) {
					r.Log.Info("the hub does not answer")
					_ = conn.CloseNow() // by which the ping ends, too
					continue
				}
				r.Log.Debug("the link to the hub is slow")
			}
		}
	}
}

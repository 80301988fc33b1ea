package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"
)

// Door authenticates visitors. Its methods may be called concurrently.
type Door interface {
	// Login returns a cookie for a valid secret, or for the key that an earlier login returned as Cookie.Device. Device, if not empty, is
	// the key of the browser that shows the secret.
	Login(secret, device string) (Cookie, *Refusal)
	// Enter admits a page by its cookie, or a program by its token.
	Enter(shown string, by Visitor) (Visit, *Refusal)
}

// Visitor is the kind of a visitor.
type Visitor int

// Relayed is a program or page relayed by another server, which sends RelayHeader.
const (
	Page Visitor = iota
	Program
	Relayed
)

// RelayHeader is the header of relayed connections.
const RelayHeader = "Followup-Relayed"

// Cookie is a browser's credential.
type Cookie struct {
	Value string
	// Device, if not empty, is the key by which the browser logs in later, even after a restart.
	Device string
	// MaxAge is how long the browser keeps it. Zero means until it is closed.
	MaxAge time.Duration
	// Account and Team are the owner, if several people use the server: the page shows them and can sign out.
	Account, Team string
}

// Visit is an admitted page or program.
type Visit struct {
	// Name is the owner for the log; empty for the user.
	Name string
	// Sidecar speaks the protocol until its input ends.
	Sidecar func(ctx context.Context, in io.ReadCloser, out io.Writer)
	// Over, if not nil, ends the visit. If its cause is a *Farewell, the visitor gets it.
	Over context.Context
	// Pace, if not nil, blocks until a message may be read, and again for each further 64 KiB of it.
	Pace func(ctx context.Context) error
	// MaxMessage overrides Options.MaxMessage for this visit, if not zero.
	MaxMessage int64
	// Leave, if not nil, is called when the visit has ended.
	Leave func()
}

// piece is how many bytes of a message are read before the pace is checked again.
const piece = 64 << 10

// Await blocks until a message may be read.
func (v Visit) Await(ctx context.Context) error {
	if v.Pace == nil {
		return nil
	}
	return v.Pace(ctx)
}

// ReadAll reads the rest of a message no faster than the pace, so that waiting messages are not in memory.
func (v Visit) ReadAll(ctx context.Context, from io.Reader) ([]byte, error) {
	var body bytes.Buffer
	for {
		switch _, err := io.CopyN(&body, from, piece); {
		case errors.Is(err, io.EOF):
			return body.Bytes(), nil
		case err != nil:
			return nil, err
		}
		if err := v.Await(ctx); err != nil {
			return nil, err
		}
	}
}

// Refusal is why a visitor is rejected.
type Refusal struct {
	// Status is the HTTP status.
	Status int
	// Why is sent and logged.
	Why string
	// After is when to try again; zero if unknown.
	After time.Duration
}

func (r *Refusal) Error() string { return r.Why }

// SetRetryAfter sets the header that says when to try again.
func (r *Refusal) SetRetryAfter(h http.Header) {
	if r.After > 0 {
		h.Set("Retry-After", strconv.Itoa(int((r.After + time.Second - 1).Seconds())))
	}
}

// StatusRevoked is the code of a Farewell whose visitor's token is not valid any more.
const StatusRevoked websocket.StatusCode = 4001

// Farewell is why the server ended a visit.
type Farewell struct {
	Code   websocket.StatusCode
	Reason string
}

func (f *Farewell) Error() string { return f.Reason }

// wrongSecrets is how many wrong secrets a minute are rejected at once; further ones must wait.
const wrongSecrets = 5

// Wrong counts wrong secrets. Too many of them delay each other but not the right one: 130 bits cannot be guessed, and nobody
// should be able to lock the user out.
type Wrong struct {
	limit *rate.Limiter
	now   func() time.Time
	most  int
}

// NewWrong returns a counter with a limit per minute. If now is nil, it is the system's clock.
func NewWrong(most int, now func() time.Time) *Wrong {
	if now == nil {
		now = time.Now
	}
	return &Wrong{limit: rate.NewLimiter(rate.Every(time.Minute/time.Duration(most)), most), now: now, most: most}
}

// Refuse returns the response to a wrong secret.
func (w *Wrong) Refuse(why string) *Refusal {
	if !w.limit.AllowN(w.now(), 1) {
		return &Refusal{Status: http.StatusTooManyRequests, Why: "too many wrong secrets", After: time.Minute / time.Duration(w.most)}
	}
	return &Refusal{Status: http.StatusUnauthorized, Why: why}
}

// secretDoor admits the browser with the secret, and those it has admitted before.
type secretDoor struct {
	secret  string
	sidecar func(ctx context.Context, in io.ReadCloser, out io.Writer)
	wrong   *Wrong
	devices *Devices // if nil, none are stored
	now     func() time.Time

	mu      sync.Mutex
	used    bool     // the secret was used
	cookies []string // valid cookies
}

// Login returns a cookie for the secret, once, or for the key of a browser that was admitted before. Such a browser may also show a
// secret that was used or is of an earlier start.
func (d *secretDoor) Login(given, device string) (Cookie, *Refusal) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var cookie Cookie
	fresh := same(given, d.secret) && !d.used
	known := d.devices != nil && (d.devices.knows(given, d.now()) || d.devices.knows(device, d.now()))
	switch {
	case !fresh && !known && same(given, d.secret):
		return cookie, &Refusal{Status: http.StatusGone, Why: "the secret was used already"}
	case !fresh && !known:
		return cookie, d.wrong.Refuse("the secret is wrong")
	case fresh && !known && d.devices != nil:
		cookie.Device, _ = d.devices.add(d.now()) // this visit does not need the file
	}
	d.used = d.used || fresh
	cookie.Value = rand.Text()
	d.cookies = append(d.cookies, cookie.Value)
	if over := len(d.cookies) - maxDevices; over > 0 {
		d.cookies = d.cookies[over:]
	}
	return cookie, nil
}

// Enter admits a visitor with a valid cookie.
func (d *secretDoor) Enter(cookie string, _ Visitor) (Visit, *Refusal) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.ContainsFunc(d.cookies, func(each string) bool { return same(cookie, each) }) {
		return Visit{}, &Refusal{Status: http.StatusUnauthorized, Why: "the cookie is wrong"}
	}
	return Visit{Sidecar: d.sidecar}, nil
}

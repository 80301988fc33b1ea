package web

import (
	"context"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"
)

// Door says who comes in. Its methods may be called from several goroutines.
type Door interface {
	// Login gives what a browser is to show as its cookie from now on, for what its user has shown.
	Login(secret string) (Cookie, *Refusal)
	// Enter lets a page in by its cookie, or a program by its token.
	Enter(shown string, by Visitor) (Visit, *Refusal)
}

// Visitor is how somebody comes.
type Visitor int

// Relayed is a program, or a page, that another server relays: it sends RelayHeader.
const (
	Page Visitor = iota
	Program
	Relayed
)

// RelayHeader is the header of what another server relays.
const RelayHeader = "Followup-Relayed"

// Cookie is what a browser shows.
type Cookie struct {
	Value string
	// Device, where it is not empty, is the key by which the browser logs in from now on, also after a restart.
	Device string
	// MaxAge is how long the browser keeps it; 0: until it is closed.
	MaxAge time.Duration
	// Account and Team are whose it is, where several people use the server: the page shows them, and lets the user sign out.
	Account, Team string
}

// Visit is a page or a program that was let in.
type Visit struct {
	// Name says whose it is, for the log; empty: the user's.
	Name string
	// Sidecar speaks the protocol until its input ends.
	Sidecar func(ctx context.Context, in io.ReadCloser, out io.Writer)
	// Over ends the visit; where its cause is a *Farewell, that is told. Nil: only its own end does.
	Over context.Context
	// Pace, where it is not nil, waits until a message may be read, and then until each further piece of 64 KiB of it may.
	Pace func(ctx context.Context) error
	// MaxMessage is Options.MaxMessage for this visit; 0: that.
	MaxMessage int64
	// Leave, where it is not nil, is called when it has ended.
	Leave func()
}

// Refusal says why somebody is not let in.
type Refusal struct {
	// Status is HTTP's.
	Status int
	// Why is told, and logged.
	Why string
	// After is when it may be tried again; 0: nothing is said of that.
	After time.Duration
}

// Farewell is why a visit is over that was not the visitor's doing.
type Farewell struct {
	Code   websocket.StatusCode
	Reason string
}

func (f *Farewell) Error() string { return f.Reason }

// wrongSecrets is how many in a minute are told that they are wrong; the others are told to wait.
const wrongSecrets = 5

// Wrong counts wrong secrets. Too many of them hold up each other, and not the right one: nobody guesses 130 bits, and nobody else is to
// keep the user out.
type Wrong struct {
	limit *rate.Limiter
	now   func() time.Time
	most  int
}

// NewWrong counts so many in a minute; now is the clock, nil the system's.
func NewWrong(most int, now func() time.Time) *Wrong {
	if now == nil {
		now = time.Now
	}
	return &Wrong{limit: rate.NewLimiter(rate.Every(time.Minute/time.Duration(most)), most), now: now, most: most}
}

// Refuse refuses one.
func (w *Wrong) Refuse(why string) *Refusal {
	if !w.limit.AllowN(w.now(), 1) {
		return &Refusal{Status: http.StatusTooManyRequests, Why: "too many wrong secrets", After: time.Minute / time.Duration(w.most)}
	}
	return &Refusal{Status: http.StatusUnauthorized, Why: why}
}

// secretDoor lets in the one browser that was shown the secret, and those that it has let in before.
type secretDoor struct {
	secret  string
	sidecar func(ctx context.Context, in io.ReadCloser, out io.Writer)
	wrong   *Wrong
	devices *Devices // nil: none is remembered
	now     func() time.Time

	mu      sync.Mutex
	used    bool     // the secret
	cookies []string // what browsers were given
}

// Login gives a cookie for the secret, once, or for the key of a browser that was let in before.
func (d *secretDoor) Login(given string) (Cookie, *Refusal) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var cookie Cookie
	switch {
	case same(given, d.secret) && d.used:
		return cookie, &Refusal{Status: http.StatusGone, Why: "the secret was used already"}
	case same(given, d.secret):
		d.used = true
		if d.devices != nil {
			cookie.Device, _ = d.devices.add(d.now()) // this visit needs no file
		}
	case d.devices == nil || !d.devices.knows(given, d.now()):
		return cookie, d.wrong.Refuse("the secret is wrong")
	}
	cookie.Value = random()
	d.cookies = append(d.cookies, cookie.Value)
	if over := len(d.cookies) - maxDevices; over > 0 {
		d.cookies = d.cookies[over:]
	}
	return cookie, nil
}

// Enter lets in whoever has the cookie.
func (d *secretDoor) Enter(cookie string, _ Visitor) (Visit, *Refusal) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.ContainsFunc(d.cookies, func(each string) bool { return same(cookie, each) }) {
		return Visit{}, &Refusal{Status: http.StatusUnauthorized, Why: "there is no cookie, or one of another start"}
	}
	return Visit{Sidecar: d.sidecar}, nil
}

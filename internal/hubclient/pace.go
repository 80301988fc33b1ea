package hubclient

import (
	"context"
	"net"
	"sync"
	"time"
)

// What a link that is slow, but there, is given.
const (
	// slowest is how many bytes a second the slowest link takes.
	slowest = 16 << 10
	// buffered is how many bytes the systems on the way take before they have gone anywhere.
	buffered = 4 << 20
)

// pace tells a link that is slow from one that is dead: a ping, and what answers it, come behind whatever is on the way.
type pace struct {
	mu    sync.Mutex
	heard time.Time // when something came last
	gone  time.Time // by when what was written has gone by the slowest link
}

func newPace() *pace { return &pace{} }

// came notes that something has come.
func (p *pace) came(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = now
}

// went notes that so many bytes were taken by the system.
func (p *pace) went(now time.Time, bytes int) {
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

// silent tells whether a hub that was asked at a time would have been heard by now.
func (p *pace) silent(now, asked time.Time, patience time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, since := range []time.Time{asked, p.heard, p.gone} {
		if now.Sub(since) < patience {
			return false
		}
	}
	return true
}

type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// dial has a connection's bytes noted.
func (p *pace) dial(dial dialer) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return paced{conn, p}, nil
	}
}

// paced is a connection whose bytes are noted.
type paced struct {
	net.Conn
	pace *pace
}

func (c paced) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.pace.came(time.Now())
	}
	return n, err
}

func (c paced) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.pace.went(time.Now(), n)
	return n, err
}

package hubclient

import (
	"context"
	"net"
	"sync"
	"time"
)

// Allowances for a slow link.
const (
	// slowest is the speed of the slowest supported link in bytes per second.
	slowest = 16 << 10
	// buffered is how many bytes the systems on the way may buffer.
	buffered = 4 << 20
)

// pace distinguishes a slow link from a dead one: a ping and its answer queue after everything that is on the way.
type pace struct {
	mu    sync.Mutex
	heard time.Time // when something last arrived
	gone  time.Time // when everything written has been sent by the slowest link
}

func newPace() *pace { return &pace{} }

// came records that something arrived.
func (p *pace) came(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = now
}

// went records how many bytes the system accepted.
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

// silent reports whether an answer to a request at a time should have arrived by now.
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

// dial wraps a dialer to record the bytes of its connections.
func (p *pace) dial(dial dialer) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return paced{conn, p}, nil
	}
}

// paced is a connection that records its bytes.
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

//go:build soak && !nohub && !nopostgres

package main

import (
	"math/rand/v2"
	"net"
	"sync"
)

// passage forwards connections to one of its targets, like a load balancer, and cuts or stalls some of them.
type passage struct {
	listener net.Listener

	mu      sync.Mutex
	random  *rand.Rand
	targets []string // if empty, connections are blocked
	open    map[*carried]bool
	gate    chan struct{} // held by new connections
}

// carried is one connection.
type carried struct {
	near, far net.Conn
	gate      chan struct{} // closed unless the connection is stalled
}

// newPassage listens until the passage is closed.
func newPassage(random *rand.Rand) (*passage, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &passage{listener: listener, random: random, open: map[*carried]bool{}, gate: make(chan struct{})}
	close(p.gate)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go p.carry(conn)
		}
	}()
	return p, nil
}

func (p *passage) address() string { return p.listener.Addr().String() }

// lead sets the targets of new connections.
func (p *passage) lead(targets ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.targets = targets
}

func (p *passage) close() {
	_ = p.listener.Close()
	p.lead()
	p.cut(1)
}

// some picks a fraction of the connections.
func (p *passage) some(part float64) (picked []*carried) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		if p.random.Float64() < part {
			picked = append(picked, c)
		}
	}
	return picked
}

// cut closes a fraction of the connections.
func (p *passage) cut(part float64) {
	for _, c := range p.some(part) {
		c.end()
	}
}

// hold stalls a fraction of the connections until release is called; no data is lost.
func (p *passage) hold(part float64) (release func()) {
	gate := make(chan struct{})
	picked := p.some(part)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range picked {
		c.gate = gate
	}
	return sync.OnceFunc(func() { close(gate) })
}

// lose stalls all connections, including new ones, until release is called.
func (p *passage) lose() (release func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	gate := make(chan struct{})
	p.gate = gate
	for c := range p.open {
		c.gate = gate
	}
	return sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		close(gate)
	})
}

func (c *carried) end() { _, _ = c.near.Close(), c.far.Close() }

func (p *passage) carry(near net.Conn) {
	p.mu.Lock()
	target := ""
	if len(p.targets) > 0 {
		target = p.targets[p.random.IntN(len(p.targets))]
	}
	p.mu.Unlock()
	var far net.Conn
	if target != "" {
		far, _ = net.Dial("tcp", target)
	}
	if far == nil {
		_ = near.Close()
		return
	}
	p.mu.Lock()
	c := &carried{near: near, far: far, gate: p.gate}
	p.open[c] = true
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { p.pass(c, far, near) })
	both.Go(func() { p.pass(c, near, far) })
	both.Wait()
	p.mu.Lock()
	delete(p.open, c)
	p.mu.Unlock()
}

// pass copies one direction, and then closes both.
func (p *passage) pass(c *carried, to, from net.Conn) {
	defer c.end()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		p.mu.Lock()
		gate := c.gate
		p.mu.Unlock()
		<-gate
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

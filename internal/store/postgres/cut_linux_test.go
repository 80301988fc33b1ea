package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"followup/internal/store"
	"followup/internal/store/sqlstore"
	"followup/internal/store/storetest"
	"followup/internal/waits"
)

// proxy forwards connections between stores and the server, and cuts them.
type proxy struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	swallow  bool // drops the server's next output, then cuts the connection
	conns    map[net.Conn]bool
	dead     map[net.Conn]bool // their input is dropped
}

func newProxy(t testing.TB, to string) *proxy {
	p := &proxy{listener: must(net.Listen("tcp", "127.0.0.1:0"))(t), to: to, conns: map[net.Conn]bool{}, dead: map[net.Conn]bool{}}
	var group sync.WaitGroup
	group.Go(func() {
		for {
			client, err := p.listener.Accept()
			if err != nil {
				return
			}
			there, err := net.Dial("tcp", to)
			if err != nil {
				_ = client.Close()
				continue
			}
			p.mu.Lock()
			p.conns[client], p.conns[there] = true, true
			p.mu.Unlock()
			group.Go(func() { p.pass(there, client, false) })
			group.Go(func() { p.pass(client, there, true) })
		}
	})
	t.Cleanup(func() {
		_ = p.listener.Close()
		p.cut()
		group.Wait()
	})
	return p
}

func (p *proxy) pass(to, from net.Conn, answers bool) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.dead[from] { // a dead connection must not report its end
			_, _ = to.Close(), from.Close()
		}
	}()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		p.mu.Lock()
		swallow := answers && p.swallow
		if swallow {
			p.swallow = false
		}
		dead := p.dead[from]
		p.mu.Unlock()
		if swallow {
			return
		}
		if dead {
			continue
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// cut ends all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		_ = conn.Close()
	}
	clear(p.conns)
}

// deaden makes the current connections drop everything. They stay open.
func (p *proxy) deaden() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		p.dead[conn] = true
	}
}

func (p *proxy) address() string { return p.listener.Addr().String() }

// swallowing makes the proxy drop the server's next output.
func (p *proxy) swallowing() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.swallow = true
}

// A dead connection is replaced, although neither end closes it: another one runs the transaction again, and the
// store's lock is acquired again from the session that the server considers alive.
func TestDeadLink(t *testing.T) {
	p := newProxy(t, server.Address())
	s := exclusively(t, server.PlaceAt(p.address(), schema()))
	s.db.firstPatience, s.db.cutPatience = 50*time.Millisecond, 0
	storetest.Ask(t, s, "q", "")
	p.deaden()
	storetest.Apply(t, s, store.Change{Outcomes: []store.Outcome{storetest.Answered("q", "yes")}})
	if q := must(s.Question(t.Context(), "q"))(t); q.Outcome == nil || q.Outcome.Text != "yes" {
		t.Errorf("%+v", q.Outcome)
	}
	ping := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		return s.Ping(ctx)
	}
	if ping() == nil {
		t.Error("Ping succeeds although a dead link holds the lock")
	}
	waits.Until(t, "the lock is acquired again", func() bool { return ping() == nil })
	storetest.Ask(t, s, "another", "")
}

// A single Ping finds a dead link of the session with the lock, and acquires the lock again.
func TestPingFindsADeadLink(t *testing.T) {
	p := newProxy(t, server.Address())
	s := exclusively(t, server.PlaceAt(p.address(), schema()))
	ok(t, s.Ping(t.Context()))
	p.deaden()
	ctx, cancel := context.WithTimeout(t.Context(), waits.Patience)
	defer cancel()
	ok(t, s.Ping(ctx))
}

// The locks of a transaction whose link is dead are free when it is tried again.
func TestDeadLinkInATransaction(t *testing.T) {
	p := newProxy(t, server.Address())
	s := exclusively(t, server.PlaceAt(p.address(), schema()))
	storetest.Ask(t, s, "q", "")
	ran := 0
	ok(t, s.db.Write(t.Context(), func(q *sqlstore.Queries, _ int64) {
		if ran++; ran == 2 {
			q.Exec("SET LOCAL lock_timeout = '4s'") // so that it fails, and runs once more, if it has to wait for the first one
		}
		answering(q, "q", "yes")
		if ran == 1 {
			p.deaden()
		}
	}))
	if ran != 2 {
		t.Errorf("it ran %d times, want 2", ran)
	}
}

// Ping detects that another build has replaced the schema, even if nothing is written.
func TestPingFindsANewerSchema(t *testing.T) {
	name := schema()
	s := exclusively(t, server.Place(name))
	ok(t, s.Ping(t.Context()))
	_ = must(direct(t, server.Place(name)).Exec(t.Context(), "UPDATE "+name+".schema_version SET version = 99"))(t)
	if err := s.Ping(t.Context()); !errors.Is(err, store.ErrNewer) {
		t.Errorf("got %v", err)
	}
}

// If a connection breaks during a commit, the writer does not know its result, and writes the same again.
func TestCutWhileCommitting(t *testing.T) {
	p := newProxy(t, server.Address())
	s := opened(t, server.PlaceAt(p.address(), schema())+"&pool_max_conns=1", nil)
	warm := func(id string) { // so that the server's next output is the commit's, and not that of preparing statements
		storetest.Ask(t, s, "warm"+id, "")
		storetest.Ask(t, s, id, "")
		storetest.Apply(t, s, store.Change{Outcomes: []store.Outcome{storetest.Answered("warm"+id, "up")}})
	}
	warm("q")
	ran := 0
	ok(t, s.db.Write(t.Context(), func(q *sqlstore.Queries, _ int64) {
		if ran++; ran == 1 {
			defer p.swallowing()
		}
		answering(q, "q", "yes")
	}))
	if ran != 2 {
		t.Errorf("the transaction ran %d times, want 2", ran)
	}
	if q := must(s.Question(t.Context(), "q"))(t); q.Outcome == nil || q.Outcome.Text != "yes" {
		t.Errorf("%+v", q.Outcome)
	}
}

// A process that was stopped in a transaction for too long runs it again: the unsent statement does not count as rejected.
func TestStoppedAmidATransaction(t *testing.T) {
	s := opened(t, server.Place(schema()), nil)
	s.db.firstPatience = 50 * time.Millisecond
	ran := 0
	ok(t, s.db.Write(t.Context(), func(q *sqlstore.Queries, _ int64) {
		if ran++; ran == 1 {
			<-q.Ctx.Done()
		}
		asking(q, "q")
		if ran == 1 && (q.Err == nil || s.db.Refuses(q.Err)) {
			t.Errorf("the change is refused: %v", q.Err)
		}
	}))
	if _, err := s.Question(t.Context(), "q"); err != nil || ran != 2 {
		t.Errorf("it ran %d times, want 2: %v", ran, err)
	}
}

// Connections that are cut between transactions, during them and during commits lose nothing and duplicate nothing.
func TestConnectionsAreCut(t *testing.T) {
	p := newProxy(t, server.Address())
	name := schema()
	a, b := opened(t, server.PlaceAt(p.address(), name), nil), opened(t, server.Place(name), nil)
	a.db.cutPatience = waits.Patience // it is cut on purpose
	const n = 12
	for i := range n {
		id, ran := fmt.Sprint(i), 0
		if i%3 == 0 {
			p.cut()
		}
		ok(t, a.db.Write(t.Context(), func(q *sqlstore.Queries, _ int64) {
			if ran++; ran == 1 {
				switch i % 3 {
				case 1:
					p.cut()
				case 2:
					defer p.swallowing()
				}
			}
			asking(q, id)
			answering(q, id, id)
		}))
		if i%3 == 1 && ran != 2 {
			t.Errorf("%s: ran %d times, want 2", id, ran)
		}
	}
	if got := must(b.Count(t.Context(), store.Selection{}))(t); got != n {
		t.Errorf("%d questions, want %d", got, n)
	}
}

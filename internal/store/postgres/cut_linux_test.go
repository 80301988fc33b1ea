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
		if !p.dead[from] { // or neither end learns of the other's
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

// deaden has the present connections carry nothing any more. They stay open.
func (p *proxy) deaden() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		p.dead[conn] = true
	}
}

func (p *proxy) address() string { return p.listener.Addr().String() }

// swallowing has the server's next words lost.
func (p *proxy) swallowing() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.swallow = true
}

// A dead connection is given up, though neither end closes it: another one runs the transaction again, and the store's lock is
// acquired again from the session that the server considers alive.
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
		t.Error("a store whose lock is held by a dead link answers")
	}
	waits.Until(t, "the lock", func() bool { return ping() == nil })
	storetest.Ask(t, s, "another", "")
}

// A store whose schema another build has replaced says so, also where nothing is written.
func TestPingFindsANewerSchema(t *testing.T) {
	name := schema()
	s := exclusively(t, server.Place(name))
	ok(t, s.Ping(t.Context()))
	_ = must(direct(t, server.Place(name)).Exec(t.Context(), "UPDATE "+name+".schema_version SET version = 99"))(t)
	if err := s.Ping(t.Context()); !errors.Is(err, store.ErrNewer) {
		t.Errorf("got %v", err)
	}
}

// A connection that breaks while a transaction is being committed leaves the writer in the dark: it writes the same again.
func TestCutWhileCommitting(t *testing.T) {
	p := newProxy(t, server.Address())
	s := opened(t, server.PlaceAt(p.address(), schema())+"&pool_max_conns=1", nil)
	warm := func(id string) { // so that the next words that the server says are of the commit, and not of statements that are prepared
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
		t.Errorf("the transaction was run %d times", ran)
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
		t.Errorf("it was run %d times: %v", ran, err)
	}
}

// Connections that are cut between transactions, within them and while they are being committed lose nothing and bring nothing twice.
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
			t.Errorf("%s: run %d times", id, ran)
		}
	}
	if got := must(b.Count(t.Context(), store.Selection{}))(t); got != n {
		t.Errorf("%d are there, want %d", got, n)
	}
}

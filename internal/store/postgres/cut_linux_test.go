package postgres

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"followup/internal/store"
	"followup/internal/store/storetest"
	"followup/internal/waits"
)

// proxy stands between stores and the server, and cuts.
type proxy struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	swallow  bool // of what the server says next nothing arrives, and then the connection is cut
	conns    map[net.Conn]bool
}

func newProxy(t testing.TB, to string) *proxy {
	p := &proxy{listener: must(net.Listen("tcp", "127.0.0.1:0"))(t), to: to, conns: map[net.Conn]bool{}}
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
	defer func() { _, _ = to.Close(), from.Close() }()
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
		p.mu.Unlock()
		if swallow {
			return
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

func (p *proxy) address() string { return p.listener.Addr().String() }

// swallowing has the server's next words lost.
func (p *proxy) swallowing() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.swallow = true
}

// A connection that breaks while a transaction is being committed leaves the writer in the dark; it asks the server, and tells the truth:
// neither is the outcome said to be somebody else's, nor is anything written twice.
func TestCutWhileCommitting(t *testing.T) {
	p := newProxy(t, server.Address())
	name := schema()
	s := opened(t, server.PlaceAt(p.address(), name)+"&pool_max_conns=1", "A", nil)
	warm := func(id string) { // so that the next words that the server says are of the commit, and not of statements that are prepared
		storetest.Ask(t, s, "warm"+id, "")
		storetest.Ask(t, s, id, "")
		storetest.Apply(t, s, store.Change{Outcomes: []store.Outcome{storetest.Answered("warm"+id, "up")}})
	}
	warm("q")
	ran := 0
	ok(t, s.write(t.Context(), func(t *tx) error {
		if ran++; ran == 1 {
			defer p.swallowing()
		}
		return t.apply(store.Change{Outcomes: []store.Outcome{storetest.Answered("q", "yes")}})
	}))
	if ran != 1 {
		t.Errorf("the transaction was run %d times", ran)
	}
	if q := must(s.Question(t.Context(), "q"))(t); q.Outcome == nil || q.Outcome.Text != "yes" {
		t.Errorf("%+v", q.Outcome)
	}

	// Where the server cannot be asked for long, the writer is told that nothing is known, and writes it again later.
	warm("r")
	err := s.transact(t.Context(), func(tx *tx) error {
		defer p.swallowing()
		return tx.apply(store.Change{Outcomes: []store.Outcome{storetest.Answered("r", "mine")}})
	})
	if !errors.Is(err, errUnsure) {
		t.Fatalf("got %v", err)
	}
	other := opened(t, server.Place(name), "B", nil)
	waits.Until(t, "it is committed", func() bool {
		q := must(other.Question(t.Context(), "r"))(t)
		return q.Outcome != nil && q.Outcome.Text == "mine"
	})
	result := storetest.Commit(t, s, store.Change{Outcomes: []store.Outcome{storetest.Answered("r", "mine")}})
	if result.Lost.Any() || result.Err != nil {
		t.Errorf("its own outcome is told as another's: %+v", result)
	}
	result = storetest.Commit(t, s, store.Change{Outcomes: []store.Outcome{storetest.Answered("r", "again")}})
	if len(result.Lost.Outcomes) != 1 || result.Lost.Outcomes[0].Text != "mine" {
		t.Errorf("a second outcome: %+v", result)
	}
}

// A server that crashed may give the number of a transaction that it lost to another one: that this one was committed says nothing.
func TestNumberGivenTwice(t *testing.T) {
	s := opened(t, server.Place(schema()), "A", nil)
	var other string
	ok(t, s.write(t.Context(), func(t *tx) error {
		other = t.id
		return t.apply(store.Change{Sessions: []store.Session{{ID: "s"}}})
	}))
	committed := must(s.makeSureOf(t.Context(), unsure{id: other, mark: "lost", closes: []string{"q"}}))(t)
	if committed || s.mine["q"] {
		t.Error("another transaction's commit is taken for the lost one's")
	}
}

// Connections that are cut between transactions, within them and while they are being committed lose nothing and bring nothing twice.
func TestConnectionsAreCut(t *testing.T) {
	p := newProxy(t, server.Address())
	name := schema()
	a, b := opened(t, server.PlaceAt(p.address(), name), "A", nil), opened(t, server.Place(name), "B", nil)
	a.cutPatience = waits.Patience // it is cut on purpose
	const n = 12
	for i := range n {
		id, ran := fmt.Sprint(i), 0
		if i%3 == 0 {
			p.cut()
		}
		ok(t, a.write(t.Context(), func(t *tx) error {
			if ran++; ran == 1 {
				switch i % 3 {
				case 1:
					p.cut()
				case 2:
					defer p.swallowing()
				}
			}
			return t.apply(store.Change{
				Questions: []store.Question{{ID: id, State: store.Pending}}, Outcomes: []store.Outcome{storetest.Answered(id, id)},
			})
		}))
		if i%3 == 1 && ran != 2 {
			t.Errorf("%s: run %d times", id, ran)
		}
	}
	if got := must(b.Count(t.Context(), store.Selection{}))(t); got != n {
		t.Errorf("%d are there, want %d", got, n)
	}
}

// Of two writers whose connections broke at once each is told what became of its own transaction, also where somebody else has asked before.
func TestEachAsksForItsOwn(t *testing.T) {
	s := opened(t, server.Place(schema()), "A", nil)
	var written unsure
	ok(t, s.write(t.Context(), func(t *tx) error {
		written = unsure{id: t.id, mark: t.mark, closes: []string{"q"}}
		return t.apply(store.Change{Sessions: []store.Session{{ID: "s"}}})
	}))
	broken := func(u unsure) (e *unsureError) {
		if err := s.unsureOf(u, io.ErrUnexpectedEOF); !errors.As(err, &e) || isCut(err) {
			t.Errorf("got %v", err)
		}
		return e
	}
	first, second := broken(written), broken(unsure{id: written.id, mark: "lost"})
	ok(t, s.makeSureNow(t.Context(), first))
	if err := s.makeSureNow(t.Context(), second); !errors.Is(err, errAborted) {
		t.Errorf("what was lost is told as written: %v", err)
	}
	if len(s.unsure) > 0 || s.mine["q"] {
		t.Errorf("left over: %v, %v", s.unsure, s.mine)
	}
	third := broken(written)
	ok(t, s.makeSure(t.Context()))
	if !s.mine["q"] {
		t.Error("its outcome is taken for another's")
	}
	ok(t, s.makeSureNow(t.Context(), third))
	if s.mine["q"] {
		t.Error("its writer was told, and a second one would be told so too")
	}
}

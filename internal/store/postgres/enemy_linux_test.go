package postgres

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"followup/internal/store"
	"followup/internal/store/postgres/cluster"
	"followup/internal/store/storetest"
)

// clocked gives the time that differs from this machine's by so much.
func clocked(by time.Duration) func() time.Time {
	return func() time.Time { return time.Now().Add(by) }
}

// direct is a connection of somebody else's.
func direct(t testing.TB, place string) *pgx.Conn {
	t.Helper()
	conn := must(pgx.Connect(t.Context(), place))(t)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// eventually tries until it works; the test's own limit ends it.
func eventually(t testing.TB, try func() error) {
	t.Helper()
	for {
		err := try()
		if err == nil {
			return
		}
		if t.Context().Err() != nil || !errors.Is(err, store.ErrUnavailable) {
			t.Fatal(err)
		}
	}
}

// Ten writers ask and answer while the server is killed and started again: what was told to be written is there, each outcome once, and
// the first one stands. A reader that follows the changes all the while has seen all of it.
func TestServerComesAndGoes(t *testing.T) {
	own := must(cluster.Start("fsync=on", "full_page_writes=on"))(t)
	defer func() { ok(t, own.Close()) }()
	place := own.Place("s")
	reader := opened(t, place, "reader", nil)
	since := must(reader.Revision(t.Context()))(t)
	const writers, each = 4, 12
	var stores [2]*Store
	for i := range stores {
		stores[i] = opened(t, place, fmt.Sprint("writer", i), nil)
	}
	var mu sync.Mutex
	written, halfway := map[string]string{}, make(chan struct{})
	done := 0
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			s := stores[w%2]
			for i := range each {
				id := fmt.Sprintf("%d-%d", w/2, i) // each is asked and answered by two
				asked := store.Change{Questions: []store.Question{{ID: id, State: store.Pending}}}
				said := store.Change{Outcomes: []store.Outcome{storetest.Answered(id, fmt.Sprint("by ", w%2))}}
				for _, c := range []store.Change{asked, said} {
					eventually(t, func() error {
						results, err := s.Commit(t.Context(), []store.Change{c})
						if err != nil {
							return err
						}
						if results[0].Err != nil {
							return results[0].Err
						}
						if len(c.Outcomes) > 0 && !results[0].Lost.Any() {
							mu.Lock()
							defer mu.Unlock()
							if other, twice := written[id]; twice {
								t.Errorf("%s was answered twice, %s and %s", id, other, c.Outcomes[0].Text)
							}
							written[id] = c.Outcomes[0].Text
						}
						return nil
					})
				}
				mu.Lock()
				if done++; done == writers*each/4 {
					close(halfway)
				}
				mu.Unlock()
			}
		})
	}
	<-halfway
	for range 2 {
		ok(t, own.Stop())
		ok(t, own.Run())
		ok(t, stores[0].patiently(t.Context(), func() error { return stores[0].pool.Ping(t.Context()) }))
	}
	group.Wait()
	if len(written) != writers/2*each {
		t.Errorf("%d were answered, want %d", len(written), writers/2*each)
	}
	seen := map[string]string{}
	eventually(t, func() error {
		c, err := reader.Changed(t.Context(), since)
		for _, q := range c.Questions {
			if q.Outcome != nil {
				seen[q.ID] = q.Outcome.Text
			}
		}
		return err
	})
	storetest.Same(t, "answers that are there", seen, written)
}

// A server that is not there is unavailable, which is told soon; the store works again when it is there, without being opened anew, and
// so does Watch.
func TestServerAway(t *testing.T) {
	own := must(cluster.Start())(t)
	defer func() { ok(t, own.Close()) }()
	place := own.Place("s")
	a, b := opened(t, place, "A", nil), opened(t, place, "B", nil)
	a.cutPatience, b.cutPatience = 50*time.Millisecond, 50*time.Millisecond
	changed := make(chan struct{}, 1)
	ctx, end := context.WithCancel(t.Context())
	watched := make(chan error)
	go func() {
		watched <- b.Watch(ctx, 10*time.Millisecond, func() {
			select {
			case changed <- struct{}{}:
			default:
			}
		})
	}()
	<-changed
	storetest.Ask(t, a, "before", "")
	<-changed
	ok(t, own.Stop())
	_, err := a.Commit(t.Context(), []store.Change{{Questions: []store.Question{{ID: "lost", State: store.Pending}}}})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if _, err := a.OpenQuestions(t.Context(), 0, 9); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if _, _, err := Open(t.Context(), place, store.Options{Owner: "C"}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	ok(t, own.Run())
	eventually(t, func() error { _, err := a.Revision(t.Context()); return err })
	for len(changed) > 0 {
		<-changed
	}
	storetest.Ask(t, a, "after", "")
	<-changed
	eventually(t, func() error {
		found, err := b.OpenQuestions(t.Context(), 0, 9)
		if err == nil {
			storetest.Same(t, "open", storetest.IDs(found), []string{"before", "after"})
		}
		return err
	})
	end()
	if err := <-watched; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

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
	s := opened(t, server.PlaceAt(p.address(), name), "A", nil)
	storetest.Ask(t, s, "warm", "") // its statements are prepared
	storetest.Apply(t, s, store.Change{Outcomes: []store.Outcome{storetest.Answered("warm", "up")}})
	storetest.Ask(t, s, "q", "")
	ran := 0
	ok(t, s.write(t.Context(), func(t *tx) error {
		if ran++; ran == 1 {
			defer p.swallowing()
		}
		return t.apply(store.Change{Outcomes: []store.Outcome{storetest.Answered("q", "yes")}}, &store.Result{})
	}))
	if ran != 1 {
		t.Errorf("the transaction was run %d times", ran)
	}
	if q := must(s.Question(t.Context(), "q"))(t); q.Outcome == nil || q.Outcome.Text != "yes" {
		t.Errorf("%+v", q.Outcome)
	}

	// Where the server cannot be asked for long, the writer is told that nothing is known, and writes it again later.
	storetest.Ask(t, s, "r", "")
	there := p.to
	err := s.transact(t.Context(), func(tx *tx) error {
		defer p.swallowing()
		return tx.apply(store.Change{Outcomes: []store.Outcome{storetest.Answered("r", "mine")}}, &store.Result{})
	})
	if !errors.Is(err, errUnsure) || there != p.to {
		t.Fatalf("got %v", err)
	}
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
		return t.apply(store.Change{Sessions: []store.Session{{ID: "s"}}}, &store.Result{})
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
	const n = 12
	for i := range n {
		id, ran := fmt.Sprint(i), 0
		if i%3 == 0 {
			p.cut()
		}
		var result store.Result
		ok(t, a.write(t.Context(), func(t *tx) error {
			if ran++; ran == 1 {
				switch i % 3 {
				case 1:
					p.cut()
				case 2:
					defer p.swallowing()
				}
			}
			result = store.Result{}
			return t.apply(store.Change{
				Questions: []store.Question{{ID: id, State: store.Pending}}, Outcomes: []store.Outcome{storetest.Answered(id, id)},
			}, &result)
		}))
		if result.Lost.Any() || i%3 == 1 && ran != 2 {
			t.Errorf("%s: run %d times, %+v", id, ran, result)
		}
	}
	if got := must(b.Count(t.Context(), store.Selection{}))(t); got != n {
		t.Errorf("%d are there, want %d", got, n)
	}
}

// Times that decide are the server's, whatever the clocks of the processes show.
func TestClocksDiffer(t *testing.T) {
	name := schema()
	a, b := opened(t, server.Place(name), "A", nil), opened(t, server.Place(name), "B", nil)
	storetest.Ask(t, a, "q", "")
	if adopted := must(b.Adopt(t.Context(), "q"))(t); len(adopted) > 0 {
		t.Error("a question whose owner lives was adopted")
	}
	if q := must(b.Question(t.Context(), "q"))(t); !q.Alive {
		t.Error("its owner is told as dead")
	}
	// The same where a process brings a clock of its own that is wrong: then it does see it so, and so the engine must not take the
	// machine's.
	wrong := opened(t, server.Place(name), "C", clocked(time.Hour))
	if q := must(wrong.Question(t.Context(), "q"))(t); q.Alive {
		t.Error("the clock that was given does not count")
	}
	if now := a.clock(); now != nil {
		t.Errorf("without a clock it takes the machine's, %d", *now)
	}
}

// A transaction that somebody leaves open, in the same database, holds back nobody's news, also where it has written and so holds back the
// horizon of transactions.
func TestLongTransactionOfOthers(t *testing.T) {
	name := schema()
	place := server.Place(name)
	a, b := opened(t, place, "A", nil), opened(t, place, "B", nil)
	other := direct(t, place)
	long := must(other.Begin(t.Context()))(t)
	_ = must(long.Exec(t.Context(), "CREATE TABLE "+name+".somebodys (x int); INSERT INTO "+name+".somebodys VALUES (1)"))(t)
	since := must(b.Revision(t.Context()))(t)
	storetest.Ask(t, a, "q", "")
	c := must(b.Changed(t.Context(), since))(t)
	storetest.Same(t, "changed", storetest.IDs(c.Questions), []string{"q"})
	ok(t, a.Idle(t.Context()))
	ok(t, long.Rollback(t.Context()))
}

// Whoever writes without end in small transactions of any length is followed without a gap: a reader that asks all the time has been told
// of every question in the end.
func TestReadersMissNothing(t *testing.T) {
	place := server.Place(schema())
	reader := opened(t, place, "reader", nil)
	const writers, each = 4, 15
	var group sync.WaitGroup
	written := make(chan struct{})
	for w := range writers {
		s := opened(t, place, fmt.Sprint("W", w), nil)
		group.Go(func() {
			for i := range each {
				storetest.Ask(t, s, fmt.Sprintf("%d-%d", w, i), "")
			}
		})
	}
	go func() {
		defer close(written)
		group.Wait()
	}()
	seen, since := map[string]bool{}, store.Revision(0)
	for last := false; ; {
		c := must(reader.Changed(t.Context(), since))(t)
		for _, q := range c.Questions {
			seen[q.ID] = true
		}
		since = c.Revision
		if last {
			break
		}
		select {
		case <-written:
			last = true
		default:
		}
	}
	if len(seen) != writers*each {
		t.Errorf("%d of %d were seen", len(seen), writers*each)
	}
}

// Two transactions that draw their revisions in one order cannot become visible in the other: the second waits for the first.
func TestRevisionsInOrder(t *testing.T) {
	place := server.Place(schema())
	a, b := opened(t, place, "A", nil), opened(t, place, "B", nil)
	reader := opened(t, place, "reader", nil)
	since := must(reader.Revision(t.Context()))(t)
	holder := direct(t, place)
	first := must(holder.Begin(t.Context()))(t) // what stands between drawing a number and the commit
	_ = must(first.Exec(t.Context(), "SELECT pg_advisory_xact_lock("+lockOf(revisionLock, a)+")"))(t)
	var drawn int64
	ok(t, first.QueryRow(t.Context(), "SELECT nextval('revisions')").Scan(&drawn))
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		storetest.Ask(t, b, "second", "")
	}()
	waits := func() (n int) {
		ok(t, reader.pool.QueryRow(t.Context(), "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = $1::bigint::oid",
			int64(uint32(a.lockID))).Scan(&n))
		return n
	}
	for waits() == 0 {
		select {
		case <-asked:
			t.Fatal("it did not wait")
		default:
		}
	}
	if c := must(reader.Changed(t.Context(), since))(t); c.Revision != since {
		t.Errorf("a revision behind the one that is drawn can be seen: %d", c.Revision)
	}
	_ = must(first.Exec(t.Context(), "INSERT INTO log VALUES ($1, 0, '', 'somebody', $2, '')", drawn, wroteHistory))(t)
	ok(t, first.Commit(t.Context()))
	<-asked
	c := must(reader.Changed(t.Context(), since))(t)
	storetest.Same(t, "changed", storetest.IDs(c.Questions), []string{"second"})
	if !c.History || int64(c.Revision) <= drawn {
		t.Errorf("%+v", c)
	}
}

// A process that is killed between a statement and the commit leaves nothing behind, not even a lock.
func TestKilledBeforeCommit(t *testing.T) {
	if place := os.Getenv(secondEnv); place != "" {
		s := opened(t, place, "child", nil)
		ok(t, s.write(t.Context(), func(t *tx) error {
			if err := t.apply(store.Change{
				Questions: []store.Question{{ID: "half", State: store.Pending}}, Outcomes: []store.Outcome{storetest.Answered("q", "never")},
			}, &store.Result{}); err != nil {
				return err
			}
			_, _ = os.Stdout.WriteString("ready\n")
			_, err := io.Copy(io.Discard, os.Stdin) // until it is killed
			return errors.Join(err, errNothing)
		}))
		return
	}
	place := server.Place(schema())
	s := opened(t, place, "parent", nil)
	storetest.Ask(t, s, "q", "")
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledBeforeCommit$")
	child.Env = append(os.Environ(), secondEnv+"="+place)
	child.Stderr = os.Stderr
	out := must(child.StdoutPipe())(t)
	in := must(child.StdinPipe())(t)
	defer func() { _ = in.Close() }()
	ok(t, child.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "ready") {
	}
	ok(t, child.Process.Kill())
	_ = child.Wait() // it was killed
	if recorded, _ := storetest.CloseQuestion(t, s, storetest.Answered("q", "mine")); !recorded {
		t.Error("the answer of a process that was killed stands")
	}
	if _, err := s.Question(t.Context(), "half"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("half of a change is there: %v", err)
	}
}

package postgres

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"followup/internal/store"
	"followup/internal/store/engine"
	"followup/internal/store/postgres/cluster"
	"followup/internal/store/storetest"
	"followup/internal/waits"
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

// eventually tries until it works, in any goroutine, and tells whether it did.
func eventually(t testing.TB, try func() error) bool {
	t.Helper()
	for late := time.Now().Add(waits.Patience); ; {
		err := try()
		if err == nil {
			return true
		}
		if t.Context().Err() != nil || !errors.Is(err, store.ErrUnavailable) || time.Now().After(late) {
			t.Error(err)
			return false
		}
	}
}

// asks asks a question in any goroutine.
func asks(t testing.TB, s *Store, id string) {
	results, err := s.Commit(t.Context(), []store.Change{{Questions: []store.Question{{ID: id, State: store.Pending}}}})
	if err != nil || results[0].Err != nil {
		t.Error(err, results)
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
					went := eventually(t, func() error {
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
					if !went {
						return
					}
				}
				mu.Lock()
				if done++; done == writers*each/4 {
					close(halfway)
				}
				mu.Unlock()
			}
		})
	}
	waits.For(t, halfway)
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
	watched := make(chan error, 1)
	go func() {
		watched <- b.Watch(ctx, 10*time.Millisecond, func() {
			select {
			case changed <- struct{}{}:
			default:
			}
		})
	}()
	waits.For(t, changed)
	storetest.Ask(t, a, "before", "")
	waits.For(t, changed)
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
	waits.For(t, changed)
	eventually(t, func() error {
		found, err := b.OpenQuestions(t.Context(), 0, 9)
		if err == nil {
			storetest.Same(t, "open", storetest.IDs(found), []string{"before", "after"})
		}
		return err
	})
	end()
	if err := waits.For(t, watched); !errors.Is(err, context.Canceled) {
		t.Error(err)
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
				asks(t, s, fmt.Sprintf("%d-%d", w, i))
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
		asks(t, b, "second")
	}()
	waits.Until(t, "it waits for the first", func() (waiting bool) {
		select {
		case <-asked:
			t.Fatal("it did not wait")
		default:
		}
		ok(t, reader.pool.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = $1::bigint::oid)",
			int64(uint32(a.lockID))).Scan(&waiting))
		return waiting
	})
	if c := must(reader.Changed(t.Context(), since))(t); c.Revision != since {
		t.Errorf("a revision behind the one that is drawn can be seen: %d", c.Revision)
	}
	_ = must(first.Exec(t.Context(), "INSERT INTO log VALUES ($1, 0, '', 'somebody', $2, '')", drawn, engine.WroteHistory))(t)
	ok(t, first.Commit(t.Context()))
	waits.For(t, asked)
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
			}); err != nil {
				return err
			}
			_, _ = os.Stdout.WriteString("ready\n")
			_, err := io.Copy(io.Discard, os.Stdin) // until it is killed
			return errors.Join(err, engine.ErrNothing)
		}))
		return
	}
	place := server.Place(schema())
	s := opened(t, place, "parent", nil)
	storetest.Ask(t, s, "q", "")
	ctx, cancel := context.WithTimeout(t.Context(), waits.Patience)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestKilledBeforeCommit$")
	child.Env = append(os.Environ(), secondEnv+"="+place)
	child.Stderr = os.Stderr
	out := must(child.StdoutPipe())(t)
	in := must(child.StdinPipe())(t)
	defer func() { _ = in.Close() }()
	ok(t, child.Start())
	lines := bufio.NewScanner(out)
	ready := false
	for !ready && lines.Scan() {
		ready = strings.Contains(lines.Text(), "ready")
	}
	if !ready {
		t.Fatal("it ended before it had written anything: ", child.Wait())
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

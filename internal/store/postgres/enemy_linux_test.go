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
	"followup/internal/store/postgres/cluster"
	"followup/internal/store/sqlstore"
	"followup/internal/store/storetest"
	"followup/internal/waits"
)

// direct returns the connection of another client.
func direct(t testing.TB, place string) *pgx.Conn {
	t.Helper()
	conn := must(pgx.Connect(t.Context(), place))(t)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// eventually retries until it works, in any goroutine, and reports whether it did.
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

// Ten writers ask and answer while the server is killed and restarted: acknowledged writes are kept, each outcome once,
// and the first one wins.
func TestServerRestarts(t *testing.T) {
	own := must(cluster.Start("fsync=on", "full_page_writes=on"))(t)
	defer func() { ok(t, own.Close()) }()
	place := own.Place("s")
	reader := opened(t, place, nil)
	const writers, each = 4, 12
	var stores [2]testStore
	for i := range stores {
		stores[i] = opened(t, place, nil)
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
				answer := store.Change{Outcomes: []store.Outcome{storetest.Answered(id, fmt.Sprint("by ", w%2))}}
				for _, c := range []store.Change{asked, answer} {
					went := eventually(t, func() error {
						results, err := s.Commit(t.Context(), []store.Change{c})
						if err != nil {
							return err
						}
						if results[0].Err != nil {
							return results[0].Err
						}
						if len(c.Outcomes) == 0 {
							return nil
						}
						q, err := s.Question(t.Context(), id)
						if err != nil {
							return err
						}
						mu.Lock()
						defer mu.Unlock()
						if other := written[id]; other != "" && other != q.Outcome.Text {
							t.Errorf("%s was answered twice, %s and %s", id, other, q.Outcome.Text)
						}
						written[id] = q.Outcome.Text
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
		ok(t, stores[0].db.patiently(t.Context(), func(time.Duration) error { return stores[0].db.pool.Ping(t.Context()) }))
	}
	group.Wait()
	if len(written) != writers/2*each {
		t.Errorf("%d were answered, want %d", len(written), writers/2*each)
	}
	seen := map[string]string{}
	eventually(t, func() error {
		page, err := reader.History(t.Context(), store.Filter{}, 0, 999)
		for _, q := range page.Entries {
			seen[q.ID] = q.Outcome.Text
		}
		return err
	})
	storetest.Same(t, "stored answers", seen, written)
}

// A missing server is soon reported as unavailable. The store works again when the server is back, without reopening.
func TestServerUnavailable(t *testing.T) {
	own := must(cluster.Start())(t)
	defer func() { ok(t, own.Close()) }()
	place := own.Place("s")
	a, b := opened(t, place, nil), opened(t, place, nil)
	a.db.cutPatience, b.db.cutPatience = 50*time.Millisecond, 50*time.Millisecond
	storetest.Ask(t, a, "before", "")
	ok(t, own.Stop())
	_, err := a.Commit(t.Context(), []store.Change{{Questions: []store.Question{{ID: "lost", State: store.Pending}}}})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if _, err := a.OpenQuestions(t.Context(), 0, 9); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if _, _, err := Open(t.Context(), place, store.Options{}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	ok(t, own.Run())
	eventually(t, func() error { return a.Ping(t.Context()) })
	storetest.Ask(t, a, "after", "")
	eventually(t, func() error {
		found, err := b.OpenQuestions(t.Context(), 0, 9)
		if err == nil {
			storetest.Same(t, "open", storetest.IDs(found), []string{"before", "after"})
		}
		return err
	})
}

// exclusively opens a store exclusively, and closes it with the test.
func exclusively(t testing.TB, place string) testStore {
	t.Helper()
	return openedWith(t, place, store.Options{Exclusive: true})
}

// A process whose connections break keeps the exclusive store if nobody has taken over meanwhile.
func TestExclusiveAfterARestart(t *testing.T) {
	own := must(cluster.Start())(t)
	defer func() { ok(t, own.Close()) }()
	s := exclusively(t, own.Place("s"))
	storetest.Ask(t, s, "before", "")
	ok(t, own.Stop())
	ok(t, own.Run())
	eventually(t, func() error { return s.Ping(t.Context()) })
	storetest.Ask(t, s, "after", "")
	if _, _, err := Open(t.Context(), own.Place("s"), store.Options{Exclusive: true}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a second one: %v", err)
	}
}

// A process that has lost the lock unnoticed writes nothing once another one has taken over.
func TestFencing(t *testing.T) {
	name := schema()
	p := newProxy(t, server.Address())
	former := exclusively(t, server.PlaceAt(p.address(), name))
	storetest.Ask(t, former, "q", "")
	lost := func() { // its session ends at the server, unnoticed
		admin := direct(t, server.Place(name))
		_ = must(admin.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1::regclass", name+".keeper"))(t)
	}
	lost()
	now := exclusively(t, server.Place(name))
	result, err := former.Commit(t.Context(), []store.Change{{Outcomes: []store.Outcome{storetest.Answered("q", "late")}}})
	if !errors.Is(err, store.ErrGone) {
		t.Errorf("the former process writes: %+v, %v", result, err)
	}
	if err := former.Ping(t.Context()); !errors.Is(err, store.ErrGone) {
		t.Errorf("the former process gets %v", err)
	}
	if got := storetest.CloseQuestion(t, now, storetest.Answered("q", "now")); got.Text != "now" {
		t.Errorf("the outcome is %+v", got)
	}
}

// The next process loads the writes of a transaction that began before it took over.
func TestTakeoverWaitsForTheLastWrite(t *testing.T) {
	place := server.Place(schema())
	former := exclusively(t, place)
	storetest.Ask(t, former, "q", "")
	begun, commit, written := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		written <- former.db.Write(context.Background(), func(q *sqlstore.Queries, _ int64) {
			close(begun)
			<-commit
			answering(q, "q", "yes")
		})
	}()
	waits.For(t, begun)
	former.db.exclusive.close() // the lock is lost amid the transaction
	next := make(chan store.Store, 1)
	go func() {
		s, _, err := Open(context.Background(), place, store.Options{Exclusive: true})
		if err != nil {
			t.Error(err)
		}
		next <- s
	}()
	admin := direct(t, place)
	waits.Until(t, "it waits", func() (waiting bool) {
		ok(t, admin.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE keeper SET epoch%')").Scan(&waiting))
		return waiting
	})
	close(commit)
	ok(t, waits.For(t, written))
	s := waits.For(t, next)
	defer func() { ok(t, s.Close()) }()
	if q := must(s.Question(t.Context(), "q"))(t); q.Outcome == nil || q.Outcome.Text != "yes" {
		t.Errorf("%+v", q.Outcome)
	}
}

// A process that is killed between a statement and the commit leaves nothing behind, not even a lock.
func TestKilledBeforeCommit(t *testing.T) {
	if place := os.Getenv(secondEnv); place != "" {
		s := opened(t, place, nil)
		ok(t, s.db.Write(t.Context(), func(q *sqlstore.Queries, _ int64) {
			asking(q, "half")
			if answering(q, "q", "never"); q.Err != nil {
				return
			}
			_, _ = os.Stdout.WriteString("ready\n")
			_, err := io.Copy(io.Discard, os.Stdin) // until it is killed
			q.Fail(errors.Join(err, sqlstore.ErrNothing))
		}))
		return
	}
	place := server.Place(schema())
	s := opened(t, place, nil)
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
	if got := storetest.CloseQuestion(t, s, storetest.Answered("q", "mine")); got.Text != "mine" {
		t.Error("the answer of a killed process was written")
	}
	if _, err := s.Question(t.Context(), "half"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("half of a change was written: %v", err)
	}
}

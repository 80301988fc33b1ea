package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"followup/internal/store"
)

func testLeases(t *testing.T, open Place) {
	place, c := open(t), NewClock()
	a, b := place("A", c.Now), place("B", c.Now)
	orphans := func(when string, want ...string) {
		t.Helper()
		for _, s := range []store.Store{a, b} {
			alive := must(s.Owners(t.Context()))(t)
			var found []string
			for _, q := range must(s.OpenQuestions(t.Context(), 0, 99))(t) {
				if q.Alive != alive[q.Owner] {
					t.Errorf("%s: %+v, owners %v", when, q, alive)
				}
				if !q.Alive {
					found = append(found, q.ID)
				}
			}
			Same(t, when, found, want)
		}
	}
	adopt := func(s store.Store, want string, ids ...string) {
		t.Helper()
		Same(t, "adopted", must(s.Adopt(t.Context(), ids...))(t), strings.Fields(want))
	}
	ok(t, a.Renew(t.Context())) // nothing to renew
	Ask(t, a, "1", "")
	Ask(t, a, "2", "")
	orphans("asked")
	adopt(b, "", "1", "2")
	c.Forward(store.DefaultLease - time.Millisecond)
	orphans("at the end of the lease")
	ok(t, a.Renew(t.Context()))
	c.Forward(store.DefaultLease - time.Millisecond)
	orphans("renewed")
	c.Forward(time.Millisecond)
	orphans("lapsed", "1", "2")
	adopt(b, "1", "1", "unknown")
	orphans("adopted", "2")
	if q := must(a.Question(t.Context(), "1"))(t); q.Owner != "B" || !q.Alive {
		t.Errorf("%+v", q)
	}
	adopt(a, "2", "1", "2")
	orphans("taken back")
	Ask(t, a, "3", "")
	Apply(t, a, store.Change{Outcomes: []store.Outcome{Answered("2", "")}})
	orphans("closed questions need no owner")
	adopt(b, "", "2")
	ok(t, a.Close())
	if q := must(b.Question(t.Context(), "3"))(t); q.Alive {
		t.Errorf("of a process that ended: %+v", q)
	}
	adopt(b, "3", "3")
}

func testAwaited(t *testing.T, open Place) {
	place, c := open(t), NewClock()
	a, b := place("A", c.Now), place("B", c.Now)
	awaited := func(when string, s store.Store, want bool) {
		t.Helper()
		if got := must(s.Awaited(t.Context(), "1"))(t); got != want {
			t.Errorf("%s: %v", when, got)
		}
	}
	Ask(t, a, "1", "")
	Ask(t, a, "11", "")
	awaited("asked", a, false)
	ok(t, b.Await(t.Context(), "11"))
	awaited("another one is awaited", a, false)
	ok(t, b.Await(t.Context(), "1", "11"))
	awaited("by another process", a, true)
	awaited("by nobody but itself", b, false)
	if owners := must(a.Owners(t.Context()))(t); len(owners) != 1 {
		t.Errorf("who waits owns: %v", owners)
	}
	c.Forward(store.DefaultLease - time.Millisecond)
	awaited("at the end of the lease", a, true)
	ok(t, b.Await(t.Context(), "1"))
	c.Forward(time.Millisecond)
	awaited("told anew", a, true)
	c.Forward(store.DefaultLease - time.Millisecond)
	awaited("lapsed", a, false)
	ok(t, b.Await(t.Context(), "1"))
	ok(t, b.Await(t.Context()))
	awaited("no more", a, false)
	ok(t, b.Await(t.Context(), "1"))
	ok(t, b.Close())
	awaited("of a process that ended", a, false)
}

func testClaimed(t *testing.T, open Place) {
	place, c := open(t), NewClock()
	a, b := place("A", c.Now), place("B", c.Now)
	claim := func(when string, s store.Store, id string, want bool) {
		t.Helper()
		if got := must(s.Claim(t.Context(), id))(t); got != want {
			t.Errorf("%s: %v", when, got)
		}
	}
	claimed := func(when string, s store.Store, id string, want bool) {
		t.Helper()
		if got := must(s.Claimed(t.Context(), id))(t); got != want {
			t.Errorf("%s: by another: %v", when, got)
		}
	}
	Ask(t, a, "1", "")
	Ask(t, a, "11", "")
	claimed("nobody has it", a, "1", false)
	claim("first", b, "1", true)
	claimed("its own", b, "1", false)
	claimed("another's", a, "1", true)
	claimed("another question", a, "11", false)
	claim("again", b, "1", true)
	claim("another process has it", a, "1", false)
	claim("another question", a, "11", true)
	if owners := must(a.Owners(t.Context()))(t); len(owners) != 1 {
		t.Errorf("who tells owns: %v", owners)
	}
	ok(t, b.Await(t.Context(), "11"))
	ok(t, b.Await(t.Context()))
	claim("waiting for it is something else", a, "1", false)
	c.Forward(store.DefaultLease - time.Millisecond)
	ok(t, b.Renew(t.Context()))
	c.Forward(store.DefaultLease - time.Millisecond)
	claim("renewed", a, "1", false)
	claim("lapsed", b, "11", true)
	c.Forward(time.Millisecond)
	claimed("lapsed", a, "1", false)
	claim("lapsed, and its process is not heard of", a, "1", true)
	claim("it was taken over", b, "1", false)
	ok(t, a.Unclaim(t.Context(), "1", "unknown"))
	claim("given up", b, "1", true)
	ok(t, b.Close())
	claim("of a process that ended", a, "1", true)

	// Two at once: one has it.
	d := place("D", c.Now)
	for i := range 10 {
		id := fmt.Sprint("both", i)
		Ask(t, a, id, "")
		var group sync.WaitGroup
		var won [2]bool
		for n, s := range []store.Store{a, d} {
			group.Go(func() { won[n] = must(s.Claim(t.Context(), id))(t) })
		}
		if group.Wait(); won[0] == won[1] {
			t.Errorf("%s: claimed by %v", id, won)
		}
	}
}

func testChanged(t *testing.T, open Place) {
	place, c := open(t), NewClock()
	a, b := place("A", c.Now), place("B", c.Now)
	since := must(b.Revision(t.Context()))(t)
	next := func(what string, questions, drafts, sessions string, history bool) {
		t.Helper()
		got := must(b.Changed(t.Context(), since))(t)
		since = got.Revision
		Same(t, what+": questions", IDs(got.Questions), strings.Fields(questions))
		var drafted []string
		for _, d := range got.Drafts {
			drafted = append(drafted, d.QuestionID+":"+d.Text)
		}
		Same(t, what+": drafts", drafted, strings.Fields(drafts))
		var names []string
		for _, s := range got.Sessions {
			names = append(names, s.ID)
		}
		Same(t, what+": sessions", names, strings.Fields(sessions))
		if got.History != history || got.Lapsed {
			t.Errorf("%s: %+v", what, got)
		}
	}
	next("nothing", "", "", "", false)
	Apply(t, a, store.Change{Sessions: []store.Session{{ID: "s"}}, Questions: []store.Question{{ID: "1", State: store.Pending}, {ID: "2", State: store.Queued}}})
	next("asked", "1 2", "", "s", false)
	Apply(t, a, store.Change{Drafts: []store.Draft{{QuestionID: "2", Text: "x"}}})
	next("drafted", "", "2:x", "", false)
	Apply(t, a, store.Change{Drafts: []store.Draft{{QuestionID: "2"}}})
	next("emptied", "", "2:", "", false)
	Ask(t, b, "own", "")
	next("its own", "", "", "", false)
	Apply(t, a, store.Change{Outcomes: []store.Outcome{Answered("1", "yes")}, Questions: []store.Question{{ID: "2", State: store.Pending}}})
	got := must(b.Changed(t.Context(), since))(t)
	if len(got.Questions) != 2 || got.Questions[0].Outcome.Text != "yes" || got.Questions[1].State != store.Pending {
		t.Errorf("%+v", got.Questions)
	}
	next("answered", "1 2", "", "", false)
	Apply(t, a, store.Change{Collected: []string{"1"}})
	next("collected", "", "", "", false)
	deleted := Remove(t, a, "1")
	next("deleted", "", "", "", true)
	must(a.Restore(t.Context(), deleted.ID))(t)
	next("restored", "", "", "", true)
	Remove(t, a, "1")
	c.Forward(store.Undo)
	must(a.Purge(t.Context()))(t)
	next("purged", "", "", "", true)
	must(func() (int, error) {
		n, _, err := a.Import(t.Context(), []store.Imported{{Source: "roo", Key: "1", Outcome: Answered("", "")}})
		return n, err
	}())(t)
	next("imported", "", "", "", true)
}

func testWatch(t *testing.T, open Place) {
	place, c := open(t), NewClock()
	a, b := place("A", c.Now), place("B", c.Now)
	ctx, end := context.WithCancel(t.Context())
	seen, watched := make(chan struct{}), make(chan error)
	go func() {
		watched <- b.Watch(ctx, time.Millisecond, func() { seen <- struct{}{} })
	}()
	<-seen // at once
	Ask(t, a, "other", "")
	<-seen
	end()
	if err := <-watched; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Many at once on two handles, without any error: every outcome is recorded once, and each is told what stands.
func testOutcomeIsRecordedOnce(t *testing.T, open Place) {
	place, c := open(t), NewClock()
	stores := []store.Store{place("A", c.Now), place("B", c.Now)}
	const n = 20
	for i := range n {
		Ask(t, stores[i%2], fmt.Sprint(i), "")
	}
	var mu sync.Mutex
	won := map[string][]string{}
	told := map[string]map[string]bool{}
	var group sync.WaitGroup
	for who := range 6 {
		group.Go(func() {
			s := stores[who%2]
			for i := range n {
				id := fmt.Sprint(i)
				recorded, now := CloseQuestion(t, s, Answered(id, fmt.Sprint(who)))
				mu.Lock()
				if recorded {
					won[id] = append(won[id], fmt.Sprint(who))
				}
				if told[id] == nil {
					told[id] = map[string]bool{}
				}
				told[id][now.Text] = true
				mu.Unlock()
			}
		})
	}
	group.Wait()
	for i := range n {
		id := fmt.Sprint(i)
		if len(won[id]) != 1 || len(told[id]) != 1 || !told[id][won[id][0]] {
			t.Errorf("%s: recorded by %v, told %v", id, won[id], told[id])
		}
	}
}

// Whoever shows an inbox is known to all, until they end.
func testShown(t *testing.T, open Place) {
	place, c := open(t), NewClock()
	a, b := place("A", c.Now), place("B", c.Now)
	shown := func(want bool) {
		t.Helper()
		for _, s := range []store.Store{a, b} {
			if got := must(s.Shown(t.Context()))(t); got != want {
				t.Errorf("shown: %v, want %v", got, want)
			}
		}
	}
	shown(false)
	ok(t, a.Show(t.Context(), true))
	ok(t, a.Show(t.Context(), true))
	shown(true)
	ok(t, b.Show(t.Context(), true))
	ok(t, a.Show(t.Context(), false))
	shown(true)
	ok(t, b.Show(t.Context(), false))
	shown(false)
	ok(t, a.Show(t.Context(), true))
	ok(t, a.Close())
	if must(b.Shown(t.Context()))(t) {
		t.Error("shown by one that has ended")
	}
}

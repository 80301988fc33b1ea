package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"followup/internal/question"
	"followup/internal/store"
)

func TestLeases(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	a, b := open(t, dir, "A", c), open(t, dir, "B", c)
	orphans := func(when string, want ...string) {
		t.Helper()
		for _, s := range []*Store{a, b} {
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
			same(t, when, found, want)
		}
	}
	adopt := func(s *Store, want string, ids ...string) {
		t.Helper()
		same(t, s.owner+" adopts", must(s.Adopt(t.Context(), ids...))(t), strings.Fields(want))
	}
	ok(t, a.Renew(t.Context())) // nothing to renew
	ask(t, a, "1", "")
	ask(t, a, "2", "")
	orphans("asked")
	adopt(b, "", "1", "2")
	c.forward(store.DefaultLease - time.Millisecond)
	orphans("at the end of the lease")
	ok(t, a.Renew(t.Context()))
	c.forward(store.DefaultLease - time.Millisecond)
	orphans("renewed")
	c.forward(time.Millisecond)
	orphans("lapsed", "1", "2")
	adopt(b, "1", "1", "unknown")
	orphans("adopted", "2")
	if q := must(a.Question(t.Context(), "1"))(t); q.Owner != "B" || !q.Alive {
		t.Errorf("%+v", q)
	}
	adopt(a, "2", "1", "2")
	orphans("taken back")
	ask(t, a, "3", "")
	apply(t, a, store.Change{Outcomes: []store.Outcome{answered("2", "")}})
	orphans("closed questions need no owner")
	adopt(b, "", "2")
	ok(t, a.Close())
	if q := must(b.Question(t.Context(), "3"))(t); q.Alive {
		t.Errorf("of a process that ended: %+v", q)
	}
	adopt(b, "3", "3")
}

func TestRenewWithoutQuestionsWritesNothing(t *testing.T) {
	s, _ := fresh(t)
	before := s.wrote.Load()
	ok(t, s.Renew(t.Context()))
	if s.wrote.Load() != before {
		t.Error("it wrote")
	}
}

func TestChanged(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	a, b := open(t, dir, "A", c), open(t, dir, "B", c)
	since := must(b.Revision(t.Context()))(t)
	next := func(what string, questions, drafts, sessions string, history bool) {
		t.Helper()
		got := must(b.Changed(t.Context(), since))(t)
		since = got.Revision
		same(t, what+": questions", ids(got.Questions), strings.Fields(questions))
		var drafted []string
		for _, d := range got.Drafts {
			drafted = append(drafted, d.QuestionID+":"+d.Text)
		}
		same(t, what+": drafts", drafted, strings.Fields(drafts))
		var names []string
		for _, s := range got.Sessions {
			names = append(names, s.ID)
		}
		same(t, what+": sessions", names, strings.Fields(sessions))
		if got.History != history || got.Lapsed {
			t.Errorf("%s: %+v", what, got)
		}
	}
	next("nothing", "", "", "", false)
	apply(t, a, store.Change{Sessions: []store.Session{{ID: "s"}}, Questions: []store.Question{{ID: "1", State: store.Pending}, {ID: "2", State: store.Queued}}})
	next("asked", "1 2", "", "s", false)
	apply(t, a, store.Change{Drafts: []store.Draft{{QuestionID: "2", Text: "x"}}})
	next("drafted", "", "2:x", "", false)
	apply(t, a, store.Change{Drafts: []store.Draft{{QuestionID: "2"}}})
	next("emptied", "", "2:", "", false)
	ask(t, b, "own", "")
	next("its own", "", "", "", false)
	apply(t, a, store.Change{Outcomes: []store.Outcome{answered("1", "yes")}, Questions: []store.Question{{ID: "2", State: store.Pending}}})
	got := must(b.Changed(t.Context(), since))(t)
	if len(got.Questions) != 2 || got.Questions[0].Outcome.Text != "yes" || got.Questions[1].State != store.Pending {
		t.Errorf("%+v", got.Questions)
	}
	next("answered", "1 2", "", "", false)
	apply(t, a, store.Change{Collected: []string{"1"}})
	next("collected", "", "", "", false)
	deleted := remove(t, a, "1")
	next("deleted", "", "", "", true)
	must(a.Restore(t.Context(), deleted.ID))(t)
	next("restored", "", "", "", true)
	remove(t, a, "1")
	c.forward(store.Undo)
	must(a.Purge(t.Context()))(t)
	next("purged", "", "", "", true)
	imported(t, a, store.Imported{Source: "roo", Key: "1", Outcome: answered("", "")})
	next("imported", "", "", "", true)
}

func TestChangedTooLongAgo(t *testing.T) {
	s, _ := fresh(t)
	since := must(s.Revision(t.Context()))(t)
	ok(t, s.write(t.Context(), func(t *tx) error {
		_, err := t.exec("INSERT INTO log (rev, ord, session, owner) VALUES (?, 0, '', 'B')", int64(since)+2*logKept)
		return err
	}))
	ok(t, s.Idle(t.Context()))
	if got := must(s.Changed(t.Context(), since))(t); !got.Lapsed || got.Revision != since+2*logKept {
		t.Errorf("%+v", got)
	}
	if got := must(s.Changed(t.Context(), since+2*logKept))(t); got.Lapsed {
		t.Errorf("%+v", got)
	}
}

func TestWatch(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	a, b := open(t, dir, "A", c), open(t, dir, "B", c)
	ctx, end := context.WithCancel(t.Context())
	seen, watched := make(chan struct{}), make(chan error)
	go func() {
		watched <- b.Watch(ctx, time.Millisecond, func() { seen <- struct{}{} })
	}()
	<-seen // at once
	ask(t, a, "other", "")
	<-seen
	before := must(b.dataVersion(t.Context()))(t)
	ask(t, b, "own", "")
	if after := must(b.dataVersion(t.Context()))(t); after != before {
		t.Error("its own write counts")
	}
	end()
	if err := <-watched; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Many at once on two handles, without any error: every outcome is recorded once, and each is told what stands.
func TestOutcomeIsRecordedOnce(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	stores := []*Store{open(t, dir, "A", c), open(t, dir, "B", c)}
	const n = 20
	for i := range n {
		ask(t, stores[i%2], fmt.Sprint(i), "")
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
				recorded, now := closeQuestion(t, s, answered(id, fmt.Sprint(who)))
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

// secondEnv holds the folder, in the second process of TestTwoProcesses.
const secondEnv = "FOLLOWUP_STORE_TEST_DIR"

// Two processes ask and answer at the same time; each sees what the other did, and none is ever told that the file is locked.
func TestTwoProcesses(t *testing.T) {
	const n = 60
	run := func(s *Store, me, other string) {
		for i := range n {
			id := fmt.Sprintf("%s%d", me, i)
			ask(t, s, id, "common "+me)
			if i%2 == 1 {
				closeQuestion(t, s, answered(fmt.Sprintf("%s%d", me, i-1), me)) // or the other one was first
			}
			if i%16 == 0 {
				ok(t, s.Idle(t.Context()))
			}
			// Whoever comes first answers what the other one has asked.
			for _, q := range must(s.OpenQuestions(t.Context(), 0, 999))(t) {
				if strings.HasPrefix(q.ID, other) && i%3 == 0 {
					closeQuestion(t, s, answered(q.ID, me))
				}
			}
		}
	}
	if dir := os.Getenv(secondEnv); dir != "" {
		s, _, err := Open(t.Context(), dir, store.Options{Owner: "child"})
		ok(t, err)
		must(os.Stdout.WriteString("ready\n"))(t)
		run(s, "c", "p")
		ok(t, s.Close())
		return
	}
	dir := t.TempDir()
	s, _, err := Open(t.Context(), dir, store.Options{Owner: "parent"})
	ok(t, err)
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTwoProcesses$")
	child.Env = append(os.Environ(), secondEnv+"="+dir)
	out := must(child.StdoutPipe())(t)
	child.Stderr = os.Stderr
	ok(t, child.Start())
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		t.Fatalf("the other process says %q", lines.Text())
	}
	run(s, "p", "c")
	for lines.Scan() {
		if line := lines.Text(); strings.Contains(line, "FAIL") || strings.Contains(line, "_test.go") {
			t.Error(line)
		}
	}
	ok(t, child.Wait())
	open := must(s.OpenQuestions(t.Context(), 0, 999))(t)
	closed := must(s.History(t.Context(), store.Filter{Text: "common"}, 0, 3*n))(t).Entries
	if len(open)+len(closed) != 2*n || len(closed) < n {
		t.Errorf("%d open, %d closed", len(open), len(closed))
	}
	for _, q := range closed {
		if q.Outcome.Outcome != question.Answered {
			t.Errorf("%+v", q)
		}
	}
	integrity(t, s)
	ok(t, s.Close())
}

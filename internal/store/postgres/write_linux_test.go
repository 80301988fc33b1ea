package postgres

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/storetest"
	"followup/internal/waits"
)

// What an agent may send as a number is kept, and a value that the driver refuses is its own change's fault: the others are written.
func TestValuesOfAnySize(t *testing.T) {
	s := opened(t, server.Place(schema()), nil)
	const large = 1<<53 - 1
	const most = min(large, math.MaxInt)
	storetest.Apply(t, s, store.Change{Sessions: []store.Session{{ID: "s", Limit: most, Mistakes: most}}})
	if got := must(s.Session(t.Context(), "s"))(t); got.Limit != most || got.Mistakes != most {
		t.Errorf("%+v", got)
	}
	ran := 0
	ok(t, s.write(t.Context(), func(tx *tx) error {
		ran++
		failed := tx.Part(false, func() error {
			_, err := tx.exec("SELECT $1::integer", int64(large))
			return err
		})
		if !tx.IsOfChange(failed) {
			t.Errorf("got %v", failed)
		}
		return tx.apply(store.Change{Questions: []store.Question{{ID: "q", State: store.Pending}}})
	}))
	if ran != 1 {
		t.Errorf("it was run %d times", ran)
	}
	_ = must(s.Question(t.Context(), "q"))(t)
}

// Names of agents and folders that are longer than what an index takes are kept, found and forgotten.
func TestLongNames(t *testing.T) {
	s := opened(t, server.Place(schema()), nil)
	var long strings.Builder // and cannot be compressed
	for long.Len() < 20_000 {
		long.WriteString(strconv.FormatUint(rand.Uint64(), 36))
	}
	agent, workspace := "agent "+long.String(), "file:///"+long.String()
	results, err := s.Commit(t.Context(), []store.Change{
		{Questions: []store.Question{{ID: "q", State: store.Pending, Agent: agent, Workspace: workspace}}, Outcomes: []store.Outcome{storetest.Answered("q", "yes")}, Collected: []string{"q"}},
		{Questions: []store.Question{{ID: "r", State: store.Pending}}},
	})
	ok(t, err)
	for _, result := range results {
		ok(t, result.Err)
	}
	facets := must(s.Facets(t.Context()))(t)
	storetest.Same(t, "facets", facets, store.Facets{Agents: []string{agent}, Workspaces: []string{workspace}})
	page := must(s.History(t.Context(), store.Filter{Agents: []string{agent}, Outcomes: []question.Outcome{question.Answered}}, 0, 9))(t)
	storetest.Same(t, "found", storetest.IDs(page.Entries), []string{"q"})
	if removed := must(s.Retain(t.Context(), store.Retention{Nothing: true}))(t); removed != 1 {
		t.Errorf("%d were removed", removed)
	}
	storetest.Same(t, "facets behind it", must(s.Facets(t.Context()))(t), store.Facets{})
}

// A word that leaves with a second text while it is being found out whether the first was the last one with it is forgotten too.
func TestForgottenWhileLookedAt(t *testing.T) {
	s := opened(t, server.Place(schema()), nil)
	for _, id := range []string{"a", "b"} {
		storetest.Ask(t, s, id, "zebra")
		storetest.Apply(t, s, store.Change{Outcomes: []store.Outcome{storetest.Answered(id, "yes")}, Collected: []string{id}})
	}
	remove := func(id string) {
		if n := must(s.remove(t.Context(), "q.id = $1", id))(t); n != 1 {
			t.Errorf("%d were removed", n)
		}
	}
	remove("a")
	noted, unused, err := s.unused(t.Context())
	ok(t, err)
	if len(noted.tokens) == 0 || len(unused) > 0 {
		t.Errorf("%v, %v", noted, unused)
	}
	remove("b")
	ok(t, s.step(t.Context(), func(t *tx) error {
		t.forget(noted, unused)
		return nil
	}))
	ok(t, s.forget(t.Context()))
	for _, table := range []string{"words", "facets", "forgotten"} {
		var left int
		ok(t, s.pool.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&left))
		if left > 0 {
			t.Errorf("%d are left in %s", left, table)
		}
	}
}

// Closing does not wait for those who do not come to an end.
func TestCloseIsBounded(t *testing.T) {
	s := must(connect(server.Place(schema()), store.Options{}))(t)
	s.closePatience = time.Millisecond
	held := must(s.pool.Acquire(t.Context()))(t)
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	ok(t, waits.For(t, closed))
	held.Release()
	if err := s.Ping(t.Context()); !errors.Is(err, store.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

package postgres

import (
	"errors"
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

// A value that the driver rejects only fails its own change. The others are written.
func TestValuesOfAnySize(t *testing.T) {
	s := opened(t, server.Place(schema()), nil)
	const picks = "\"\x00\"" // invalid in JSON, but not in this column
	results := must(s.Commit(t.Context(), []store.Change{
		{Sessions: []store.Session{{ID: "refused"}}, Questions: []store.Question{{ID: "long", State: store.Pending, Session: "unknown"}}},
		{Questions: []store.Question{{ID: "q", State: store.Pending}}, Drafts: []store.Draft{{QuestionID: "q", Document: []byte(picks)}}},
	}))(t)
	if results[0].Err == nil || results[1].Err != nil {
		t.Errorf("%+v", results)
	}
	if q := must(s.Question(t.Context(), "q"))(t); string(q.Draft.Document) != picks {
		t.Errorf("%+v", q.Draft)
	}
	if _, err := s.Session(t.Context(), "refused"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a part of the rejected change was written: %v", err)
	}
}

// A text with more tokens than a tsvector accepts is found by the first ones.
func TestVeryLongTexts(t *testing.T) {
	s := opened(t, server.Place(schema()), nil)
	var text [2]strings.Builder
	for i := range text {
		for n := rune(0); text[i].Len() < 1<<20; n++ { // pairs of characters, each once
			text[i].WriteRune(0x4e00 + n/100%5000)
			text[i].WriteRune(0x4e00 + (n*7+rune(i))%5000)
		}
	}
	storetest.Ask(t, s, "q", "first "+text[0].String())
	storetest.Apply(t, s, store.Change{Outcomes: []store.Outcome{storetest.Answered("q", text[1].String())}})
	for search, want := range map[string]int{"": 1, string([]rune(text[0].String())[:2]): 1, "never": 0} {
		if got := len(must(s.History(t.Context(), store.Filter{Text: search}, 0, 9))(t).Entries); got != want {
			t.Errorf("%q finds %d", search, got)
		}
	}
}

// Names of agents and folders longer than an index accepts are stored, found and removed.
func TestLongNames(t *testing.T) {
	s := opened(t, server.Place(schema()), nil)
	var long strings.Builder // incompressible
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
	facets := must(s.Facets(t.Context(), nil))(t)
	storetest.Same(t, "facets", facets, store.Facets{Agents: []string{agent}, Workspaces: []string{workspace}})
	page := must(s.History(t.Context(), store.Filter{Agents: []string{agent}, Outcomes: []question.Outcome{question.Answered}}, 0, 9))(t)
	storetest.Same(t, "found", storetest.IDs(page.Entries), []string{"q"})
	if removed := must(s.Retain(t.Context(), store.Retention{Nothing: true}))(t); removed != 1 {
		t.Errorf("%d were removed", removed)
	}
	storetest.Same(t, "facets afterwards", must(s.Facets(t.Context(), nil))(t), store.Facets{})
}

// Close does not wait for work that does not end.
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

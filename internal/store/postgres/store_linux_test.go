package postgres

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"followup/internal/store"
	"followup/internal/store/postgres/cluster"
	"followup/internal/store/sqlstore"
	"followup/internal/store/storetest"
)

// server is shared by all cases; each has its own schema.
var server *cluster.Cluster

func TestMain(m *testing.M) {
	if os.Getenv(secondEnv) != "" {
		os.Exit(m.Run())
	}
	var err error
	if server, err = cluster.Start(cluster.Listen); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if err := server.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

const secondEnv = "FOLLOWUP_STORE_TEST_PLACE"

var schemaCount atomic.Int64

// schema returns the name of an unused schema.
func schema() string { return fmt.Sprintf("case_%d", schemaCount.Add(1)) }

// testStore is an open store and its database.
type testStore struct {
	*sqlstore.Store
	db *database
}

// opened opens a store in a place, and closes it with the test.
func opened(t testing.TB, place string, now func() time.Time) testStore {
	t.Helper()
	return openedWith(t, place, store.Options{Now: now})
}

func openedWith(t testing.TB, place string, o store.Options) testStore {
	t.Helper()
	o.Monotonic = o.Now
	opened, _, err := Open(t.Context(), place, o)
	ok(t, err)
	t.Cleanup(func() { ok(t, opened.Close()) })
	s := opened.(*sqlstore.Store)
	return testStore{s, s.Backend.(*database)}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// must returns the value, or fails the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		ok(t, err)
		return v
	}
}

func TestEngine(t *testing.T) {
	storetest.Run(t, func(t testing.TB) func(func() time.Time) store.Store {
		place := server.Place(schema())
		return func(now func() time.Time) store.Store { return opened(t, place, now).Store }
	}, func(t testing.TB) func() (store.Store, error) {
		place := server.Place(schema())
		return func() (store.Store, error) { return openExclusively(t, place) }
	})
}

func openExclusively(t testing.TB, place string) (store.Store, error) {
	s, _, err := Open(t.Context(), place, store.Options{Exclusive: true})
	return s, err
}

// asking and answering write a question, and its answer, in a transaction.
func asking(q *sqlstore.Queries, id string) {
	q.Exec(`INSERT INTO questions (id, state, collected, guided_by, deadline, asked_at, tool, stream, call_id, agent, workspace, recipient, source, text)
		VALUES (?, 'pending', 0, '', 0, 0, '', '', '', '', '', '', '', '') ON CONFLICT DO NOTHING`, id)
}

func answering(q *sqlstore.Queries, id, text string) {
	q.Exec("INSERT INTO outcomes (id, outcome, provenance, closed_at, images, text) VALUES (?, 'answered', 'typed', 1, 0, ?) ON CONFLICT DO NOTHING", id, text)
}

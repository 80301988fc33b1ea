package postgres

import (
	"context"
	"errors"
	"strings"
	"testing"

	"followup/internal/store"
	"followup/internal/store/storetest"
	"followup/internal/waits"
)

// A process with a single connection can open a new store and use it.
func TestOneConnection(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), waits.Patience)
	defer cancel()
	s, _, err := Open(ctx, server.Place(schema())+"&pool_max_conns=1", store.Options{})
	ok(t, err)
	storetest.Ask(t, s, "q", "")
	ok(t, s.Close())
}

// A role that may not create schemas uses one that was created for it.
func TestSchemaOfAnAdministrator(t *testing.T) {
	name := schema()
	place := server.Place(name)
	admin := direct(t, place)
	for _, query := range []string{"CREATE ROLE of_" + name + " LOGIN", "CREATE SCHEMA " + name, "GRANT CREATE, USAGE ON SCHEMA " + name + " TO of_" + name} {
		_ = must(admin.Exec(t.Context(), query))(t)
	}
	limited := func(place string) string { return strings.Replace(place, "user=followup", "user=of_"+name, 1) }
	s := opened(t, limited(place), nil)
	storetest.Ask(t, s, "q", "")
	_, _, err := Open(t.Context(), limited(server.Place(schema())), store.Options{})
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "cannot be created") {
		t.Errorf("got %v", err)
	}
}

// Exists creates and writes nothing.
func TestExists(t *testing.T) {
	name := schema()
	place := server.Place(name)
	reading := place + "&default_transaction_read_only=on"
	if there := must(Exists(t.Context(), reading))(t); there {
		t.Error("a missing store is reported")
	}
	admin := direct(t, place)
	var there bool
	ok(t, admin.QueryRow(t.Context(), "SELECT to_regnamespace($1) IS NOT NULL", name).Scan(&there))
	if there {
		t.Error("the schema was created")
	}
	opened(t, place, nil)
	if there := must(Exists(t.Context(), reading))(t); !there {
		t.Error("the store is not reported")
	}
	_ = must(admin.Exec(t.Context(), "UPDATE "+name+".schema_version SET version = $1", schemaVersion+1))(t)
	if _, err := Exists(t.Context(), reading); !errors.Is(err, store.ErrNewer) {
		t.Errorf("got %v", err)
	}
	_ = must(admin.Exec(t.Context(), "UPDATE "+name+".schema_version SET version = $1", schemaVersion))(t)
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"followup/internal/store"
	"followup/internal/store/postgres"
)

var hubPages = part{
	"the store in PostgreSQL: a page of the history, in the large store and in a small one; the measure: the newest 50 of the same store, by key",
	printHubPages,
}

func printHubPages(w io.Writer, turns int) {
	server, end := startCluster()
	var stores []store.Store
	for i, size := range []int{fewEntries, *entries} {
		place := server.Place(fmt.Sprint("pages", i))
		s, _, err := postgres.Open(context.Background(), place, store.Options{})
		check(err)
		fillStore(s, min(size, filledDatabase))
		multiplyDatabase(place, size)
		stores = append(stores, s)
	}
	comparePages(w, turns, stores)
	for _, s := range stores {
		check(s.Close())
	}
	end()
}

// filledDatabase is how many questions of a history in a database are imported; a larger one contains copies of these.
const filledDatabase = 5000

// multiplyDatabase copies the imported questions up to a count.
func multiplyDatabase(place string, count int) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, place)
	check(err)
	run := func(query string, args ...any) {
		_, err := conn.Exec(ctx, query, args...)
		check(err)
	}
	if copies := count/filledDatabase - 1; copies > 0 {
		began := time.Now()
		run("DROP INDEX search_tokens") // rebuilt at the end
		var ords int64
		check(conn.QueryRow(ctx, "SELECT max(ord) + 1 FROM entries").Scan(&ords))
		later := int64(filledDatabase * interval / time.Millisecond)
		for _, table := range []struct {
			name    string
			changed map[string]string
		}{
			{"entries", map[string]string{"ord": "ord + c * $1", "id": "id || '-' || c", "key": "key + c * $2 * 1024", "closed_at": "closed_at + c * $2"}},
			{"search", map[string]string{"key": "key + c * $2 * 1024"}},
		} {
			rows, err := conn.Query(ctx, "SELECT column_name::text FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1", table.name)
			check(err)
			names, err := pgx.CollectRows(rows, pgx.RowTo[string])
			check(err)
			values := slices.Clone(names)
			for i, name := range names {
				if value, changed := table.changed[name]; changed {
					values[i] = value
				}
			}
			run(fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s, generate_series(1, $3::bigint) c WHERE $1::bigint + $2::bigint > 0",
				table.name, strings.Join(names, ", "), strings.Join(values, ", "), table.name), ords, later, copies)
			fmt.Fprintf(os.Stderr, "\rmaking a history: %s of %d questions, %s ", table.name, count, time.Since(began).Round(time.Second))
		}
		run("SET maintenance_work_mem = '512MB'")
		run("CREATE INDEX search_tokens ON search USING gin (tokens)")
		fmt.Fprintln(os.Stderr)
	}
	run("VACUUM ANALYZE")
	check(conn.Close(ctx))
}

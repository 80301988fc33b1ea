package main

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"followup/internal/question"
	"followup/internal/store/sqlstore"
)

// filled is how many questions of a history are imported. A larger one contains copies of these, since importing a million takes a
// quarter of an hour.
const filled = 20_000

// manifoldStore returns the folder of a copy of a store with count questions, for work that changes it.
func manifoldStore(count int) (dir string, remove func()) {
	made := cachedStore("copies", count, min(count, filled), func(dir string) { multiply(dir, count) })
	dir, err := os.MkdirTemp(filepath.Dir(made), "copy-") // on the disk
	check(err)
	check(os.CopyFS(dir, os.DirFS(made)))
	files, err := os.ReadDir(dir)
	check(err)
	for _, file := range files { // otherwise the disk would be writing during the measurement
		f, err := os.OpenFile(filepath.Join(dir, file.Name()), os.O_RDWR, 0)
		check(err)
		check(f.Sync())
		check(f.Close())
	}
	return dir, func() { check(os.RemoveAll(dir)) }
}

// multiply copies the imported questions of a closed store up to a count, on disk, since it may not fit in memory.
func multiply(dir string, count int) {
	db := connect(filepath.Join(dir, "history.db"), "synchronous(0)", "cache_size(-200000)")
	run := func(query string, args ...any) {
		_, err := db.Exec(query, args...)
		check(err)
	}
	type found struct {
		key    int64
		tokens string
	}
	var all []found
	rows, err := db.Query("SELECT key, text, said, agent, workspace, outcome, recipient FROM entries ORDER BY key")
	check(err)
	for rows.Next() {
		var f found
		by := sqlstore.Found{Kind: question.KindQuestion}
		check(rows.Scan(&f.key, &by.Asked, &by.Said, &by.Agent, &by.Workspace, &by.Outcome, &by.To))
		f.tokens = strings.Join(by.Tokens(), " ")
		all = append(all, f)
	}
	check(errors.Join(rows.Err(), rows.Close()))
	began := time.Now()
	run("INSERT INTO search (search, rank) VALUES ('hashsize', 50000000)") // one segment of the index per copy
	for copies := 1; copies*filled < count; copies++ {
		later := int64(copies) * int64(filled*interval/time.Millisecond)
		shift := map[string]any{"ord": copies * filled, "key": later * sqlstore.KeysPerMilli, "closed_at": later, "id": fmt.Sprint("-", copies)}
		run("BEGIN")
		most := min(filled, count-copies*filled)
		copyRows(db, "entries", []string{"key", "id", "ord", "closed_at"}, shift, most)
		for _, f := range all[:most] {
			run("INSERT INTO search (rowid, tokens) VALUES (?, ?)", f.key+later*sqlstore.KeysPerMilli, f.tokens)
		}
		run("COMMIT")
		fmt.Fprintf(os.Stderr, "\rmaking a history: %d of %d questions, %s ", copies*filled+most, count, time.Since(began).Round(time.Second))
	}
	run("INSERT INTO search (search) VALUES ('optimize')")
	run("INSERT INTO search (search, rank) VALUES ('hashsize', 1048576)") // the default
	fmt.Fprintln(os.Stderr)
	check(db.Close())
}

// copyRows copies the first rows of a table with changed values.
func copyRows(db *sql.DB, table string, changed []string, shift map[string]any, most int) {
	rows, err := db.Query("SELECT name FROM pragma_table_info(?)", table)
	check(err)
	var names, values []string
	var args []any
	for rows.Next() {
		var name string
		check(rows.Scan(&name))
		names = append(names, name)
		if !slices.Contains(changed, name) {
			values = append(values, name)
			continue
		}
		operator := "+"
		if name == "id" {
			operator = "||"
		}
		values, args = append(values, name+operator+"?"), append(args, shift[name])
	}
	check(rows.Err())
	check(rows.Close())
	_, err = db.Exec(fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s ORDER BY %s LIMIT ?", table, strings.Join(names, ", "),
		strings.Join(values, ", "), table, names[0]), append(args, most)...)
	check(err)
}

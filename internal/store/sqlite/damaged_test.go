package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// filled creates a file with rows of all kinds and lengths, some of them possibly only in the log, and returns them as
// SQLite does. It runs last at the end.
func filled(t testing.TB, inLog bool, last string) (path string, rows map[string][]any) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	do := func(query string, args ...any) {
		t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	do("PRAGMA journal_mode = wal; PRAGMA synchronous = off; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = 1")
	do("CREATE TABLE a (id INTEGER PRIMARY KEY, x ANY, y ANY)")
	do("CREATE TABLE b (k TEXT PRIMARY KEY, x ANY) WITHOUT ROWID")
	rows = map[string][]any{}
	values := []any{nil, 0, 1, -1, 127, -129, 1 << 20, int64(-1 << 40), int64(math.MaxInt64), 1.5, "", "short", []byte{0xff, 0}}
	for _, length := range []int{300, 489, 490, 4061, 4062, 9000} {
		values = append(values, strings.Repeat("é", length/2), bytes.Repeat([]byte{7}, length))
	}
	for i, value := range values {
		if inLog && i == len(values)/2 {
			do("PRAGMA wal_checkpoint(TRUNCATE)")
		}
		do("INSERT INTO a (id, x, y) VALUES (?, ?, ?)", i-3, value, i)
		do("INSERT INTO b (k, x) VALUES (?, ?)", fmt.Sprint("k", i), value)
	}
	do("DELETE FROM a WHERE id = 5")
	do("UPDATE a SET x = 'changed' WHERE id = 6")
	for _, table := range []string{"a", "b"} {
		found, err := db.Query("SELECT * FROM " + table)
		if err != nil {
			t.Fatal(err)
		}
		columns, _ := found.Columns()
		for found.Next() {
			row, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				into[i] = &row[i]
			}
			if err := found.Scan(into...); err != nil {
				t.Fatal(err)
			}
			rows[fmt.Sprint(table, row[0])] = row
		}
		if err := found.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if !inLog {
		do("PRAGMA wal_checkpoint(TRUNCATE)")
	}
	do(last)
	copied := filepath.Join(t.TempDir(), "file.db") // while it is open, since closing it empties the log
	for _, ending := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + ending)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied+ending, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return copied, rows
}

// readDamaged returns all rows that can be read.
func readDamaged(t testing.TB, path string) map[string][]any {
	t.Helper()
	f, err := openDamaged(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]any{}
	err = f.rows(t.Context(), func(rowid int64, values []any) error {
		length := len(values)
		for length > 0 && values[length-1] == nil {
			length--
		}
		key, _ := values[0].(string)
		switch _, isNumber := values[2].(int64); {
		case values[0] == nil && isNumber:
			values[0] = rowid
			rows[fmt.Sprint("a", rowid)] = values[:3]
		case strings.HasPrefix(key, "k") && length < 3:
			rows["b"+key] = values[:2]
		}
		return nil
	})
	if err := errors.Join(err, f.close()); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(path + "-copy*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return rows
}

// Every row is read as SQLite returns it, wherever its newest version is. Deleted or changed versions are not read.
func TestRows(t *testing.T) {
	t.Parallel()
	for _, inLog := range []bool{true, false} {
		path, want := filled(t, inLog, "")
		if diff := cmp.Diff(want, readDamaged(t, path)); diff != "" {
			t.Errorf("in the log: %v: %s", inLog, diff)
		}
	}
}

// An incomplete transaction in the log is ignored, and so are remains of an earlier use of the log.
func TestLogThatWasCut(t *testing.T) {
	t.Parallel()
	path, want := filled(t, true, "UPDATE a SET y = y + 1000")
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{1, 24 + 4096} { // the end of the last transaction
		if err := os.WriteFile(path+"-wal", log[:len(log)-cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, readDamaged(t, path)); diff != "" {
			t.Errorf("%d bytes cut off: %s", cut, diff)
		}
	}
	broken := slices.Clone(log)
	broken[32+24+5] ^= 1
	if err := os.WriteFile(path+"-wal", broken, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := readDamaged(t, path); len(got) == 0 || len(got) >= len(want) {
		t.Errorf("%d rows of %d with a log whose first page is broken", len(got), len(want))
	}
}

// An overwritten page costs no rows of other pages.
func TestEachPageOverwritten(t *testing.T) {
	t.Parallel()
	path, want := filled(t, false, "")
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(sound); at += 4096 {
		data := slices.Clone(sound)
		copy(data[at:at+4096], bytes.Repeat([]byte{0xa5}, 4096))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		got := readDamaged(t, path)
		if len(want)-len(got) > 20 {
			t.Errorf("page %d costs %d rows of %d", at/4096+1, len(want)-len(got), len(want))
		}
		for key, row := range got {
			if at/4096 < 3 && !cmp.Equal(want[key], row) {
				t.Errorf("page %d: %s has other values", at/4096+1, key)
			}
		}
	}
}

// No content of a file makes reading it fail or hang.
func FuzzFile(f *testing.F) {
	path, _ := filled(f, true, "")
	file, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file, log[:4*(24+4096)+32])
	f.Add(file[4096:], []byte{})
	f.Fuzz(func(t *testing.T, file, log []byte) {
		path := filepath.Join(t.TempDir(), "file.db")
		for ending, data := range map[string][]byte{"": file, "-wal": log} {
			if err := os.WriteFile(path+ending, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		readDamaged(t, path)
	})
}

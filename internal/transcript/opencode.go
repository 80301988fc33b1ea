package transcript

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	modernc "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"followup/internal/question"
)

// The store of opencode and Kilo is an SQLite file, with JSON in the column data. In version 1, the table part has a row for
// each piece of a message. A call is {"type": "tool", "callID", "tool": "question", "state": {"status", "input", "metadata":
// {"answers"}, "error", "time"}}. In version 2, a row of the table session_message has all pieces of a message, and a call is
// {"type": "tool", "id", "name", "state", "time"}; before 2.0, the state had "structured" instead of "metadata". Version 2
// copies older sessions, with their ids. Based on anomalyco/opencode 063e8306, packages/opencode/src/session/session.sql.ts,
// 08103a5d, src/tool/question.ts, 0ceb3dd5, packages/schema/src/session-message.ts, 02ce4a33, packages/core/src/session/sql.ts,
// 0adf1e03, packages/core/src/tool/plugin/question.ts, and Kilo-Org/kilocode 320abab5, packages/opencode/src/tool/question.ts.

// The header of an SQLite file: its first bytes, and the position that shows whether the file has a write-ahead log.
// https://sqlite.org/fileformat.html#the_database_header
const (
	databaseMagic = "SQLite format 3\x00"
	databaseForm  = 19
	formWAL       = 2
)

const (
	databasePatience = time.Second // the wait for a program that is writing
	headBytes        = 4 << 10     // the start of a part that is too large, which shows whether it is a question
	messageBytes     = 32 << 20    // a larger message is not searched for parts
)

// database reads opencode's store, which may be in use. It writes nothing to it.
func (r *reader) database(at found, isWAL bool) error {
	l := r.newLog(at, nil)
	l.source = OpenCode
	if strings.Contains(strings.ToLower(filepath.Base(at.real)), "kilo") || filepath.Base(filepath.Dir(at.real)) == "kilo" {
		l.source = Kilo
	}
	db, err := sql.Open("sqlite", databaseURL(l.real, isWAL))
	if err != nil {
		return errors.Join(ReasonUnreadable, err)
	}
	defer func() { _ = db.Close() }() // nothing was written
	err = l.queryTables(db)
	r.report.Bytes += at.size
	var e *modernc.Error
	if errors.As(err, &e) && r.ctx.Err() == nil {
		return errors.Join(cmp.Or(databaseReasons[e.Code()&0xff], ReasonUnreadable), err)
	}
	return cmp.Or(r.ctx.Err(), err)
}

// databaseReasons are the reasons by SQLite's primary result codes. SQLITE_ERROR means another program's database, which
// has no such table.
var databaseReasons = map[int]Reason{
	sqlite3.SQLITE_BUSY: ReasonLocked, sqlite3.SQLITE_LOCKED: ReasonLocked, sqlite3.SQLITE_CORRUPT: ReasonDamaged, sqlite3.SQLITE_NOTADB: ReasonDamaged,
	sqlite3.SQLITE_ERROR: ReasonUnknown,
}

// databaseURL returns a URL by which SQLite opens a database without creating files beside it.
func databaseURL(path string, wal bool) string {
	isMissing := func(ending string) bool {
		_, err := os.Stat(path + ending)
		return errors.Is(err, fs.ErrNotExist)
	}
	how := "mode=ro"
	switch {
	case wal && isMissing("-wal"):
		how += "&immutable=1" // no process has it open
	case wal && isMissing("-shm") && runtime.GOOS != "windows":
		how += "&vfs=unix-none&_pragma=locking_mode(EXCLUSIVE)" // no process has it open either: a crash left the log, which is then read in memory
	}
	path = filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: fmt.Sprintf(
		"%s&_pragma=busy_timeout(%d)&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)",
		how, databasePatience.Milliseconds())}).String()
}

// tables are the tables with calls. parts is a query for the pieces of messages, sessions the table of their sessions, and name
// the start of a call's JSON by which a piece that is too large is recognized.
var tables = []struct {
	table, parts, sessions, name string
	layout                       layout
}{
	{"part", "(SELECT session_id, data FROM part WHERE data NOT NULL)", "session", `"tool":"question"`, layout{
		source: OpenCode, is: has(), lines: []string{self}, time: "state.time.start", items: self, item: item{
			id: "callID", name: "tool", input: "state.input", of: "callID", contents: []string{"state.error"},
			status: "state.status", at: "state.time.end", beside: "state",
		},
	}},
	{"session_message", `(SELECT session_id, value AS data FROM session_message, json_each(CASE
		WHEN octet_length(data) > ?4 THEN json_array(NULL) WHEN instr(data, '"question"') = 0 THEN '[]'
		WHEN json_valid(data) THEN coalesce(json_extract(data, '$.content'), '[]') ELSE json_array(data) END))`,
		"session_v2", `"name":"question"`, layout{
			source: OpenCode, is: has(), lines: []string{self}, time: "time.created", items: self, item: item{
				id: "id", name: "name", input: "state.input", of: "id", contents: []string{"state.error"},
				status: "state.status", at: "time.completed", beside: "state",
			},
		}},
}

// partAnswers judges the result of opencode's question, which is in the members beside an error's text. Only Kilo has the
// member dismissed.
func partAnswers(c *call, r *result) bool {
	given := r.beside.get("metadata")
	return given.get("dismissed").isTrue() && c.end(question.Dismissed, "") ||
		r.status == "completed" && (c.exact(given) || c.exact(r.beside.get("structured")))
}

// queryTables reads the calls in all tables that the database has.
func (l *log) queryTables(db *sql.DB) error {
	for i := range tables {
		isThere := false
		err := db.QueryRowContext(l.ctx, `SELECT count(*) FROM sqlite_schema WHERE name = ?`, tables[i].table).Scan(&isThere)
		if isThere {
			err = l.queryParts(db, i)
		}
		if err != nil {
			return err
		}
	}
	if !l.known {
		return ReasonUnknown
	}
	return nil
}

// queryParts reads the calls in one table. SQLite filters the parts: only those that contain the tool's name and are not too
// large are returned.
func (l *log) queryParts(db *sql.DB, at int) error {
	from := tables[at]
	rows, err := db.QueryContext(l.ctx, `SELECT session_id, CASE WHEN octet_length(data) <= ?1 THEN data END FROM `+from.parts+` WHERE
		CASE WHEN octet_length(data) <= ?1 THEN instr(data, '"question"') > 0 ELSE data IS NULL OR instr(substr(data, 1, ?2), ?3) > 0 END`,
		l.limit, headBytes, from.name, messageBytes)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err returns its error
	if l.readers = []reads{from.layout.read}; !l.known {
		l.report.Files++
	}
	for l.known = true; rows.Next() && l.failed == nil; {
		var session sql.NullString
		var data []byte
		if err := rows.Scan(&session, &data); err != nil {
			return errors.Join(ReasonUnreadable, err)
		}
		l.session, l.beside = session.String, func() (workspace string) {
			found := db.QueryRowContext(l.ctx, `SELECT directory FROM `+from.sessions+` WHERE id = ?`, session)
			_ = found.Scan(&workspace) // the workspace may be unknown
			return workspace
		}
		if data == nil {
			l.flaw(ReasonTooLarge)
		} else {
			_ = l.document(data) // its error is also in l.failed
		}
	}
	return cmp.Or(l.failed, rows.Err())
}

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

// The store of opencode and Kilo is an SQLite file. Its table part has a row for each piece of a message, with JSON in the
// column data. A call is {"type": "tool", "callID", "tool": "question", "state": {"status", "input", "metadata":
// {"answers"}, "error", "time"}}. Based on anomalyco/opencode 063e8306, packages/opencode/src/session/session.sql.ts,
// 08103a5d, src/tool/question.ts, and Kilo-Org/kilocode 320abab5, packages/opencode/src/tool/question.ts.

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
	err = l.queryParts(db)
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

// partLayout is the layout of the column data. A result is in the members beside an error's text.
var partLayout = layout{source: OpenCode, is: has(), lines: []string{self}, time: "state.time.start", items: self, item: item{
	id: "callID", name: "tool", input: "state.input", of: "callID", contents: []string{"state.error"},
	status: "state.status", at: "state.time.end", beside: "state.metadata",
}}

// partAnswers judges the result of opencode's question. Only Kilo has the member dismissed.
func partAnswers(c *call, r *result) bool {
	return r.beside.get("dismissed").isTrue() && c.end(question.Dismissed, "") || r.status == "completed" && c.exact(r.beside)
}

// queryParts reads the calls. SQLite filters the parts: only those that contain the tool's name and are not too large are
// returned.
func (l *log) queryParts(db *sql.DB) error {
	rows, err := db.QueryContext(l.ctx, `SELECT id, session_id, CASE WHEN octet_length(data) <= ?1 THEN data END FROM part
		WHERE CASE WHEN octet_length(data) <= ?1 THEN instr(data, '"question"') > 0 ELSE instr(substr(data, 1, ?2), '"tool":"question"') > 0 END`,
		l.limit, headBytes)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err returns its error
	l.known, l.readers = true, []reads{partLayout.read}
	l.report.Files++
	for rows.Next() && l.failed == nil {
		var row, session sql.NullString
		var data []byte
		if err := rows.Scan(&row, &session, &data); err != nil {
			return errors.Join(ReasonUnreadable, err)
		}
		l.row, l.beside = row.String, func() (workspace string) {
			_ = db.QueryRowContext(l.ctx, `SELECT directory FROM session WHERE id = ?`, session).Scan(&workspace) // the workspace may be unknown
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

package transcript

import (
	"bytes"
	"database/sql"
	"encoding/json"
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

// opencode's and Kilo's store is an SQLite file. Its table part has a row for each piece of a message, and its column data the JSON of
// that: of a call {"type": "tool", "callID", "tool": "question", "state": {"status", "input", "metadata": {"answers"}, "error", "time"}}.
// Made after anomalyco/opencode 063e8306, packages/opencode/src/session/session.sql.ts, 08103a5d, src/tool/question.ts, and
// Kilo-Org/kilocode 320abab5, packages/opencode/src/tool/question.ts.

// The header of an SQLite file: its first bytes, and the offset of the version that a reader must know.
// https://sqlite.org/fileformat.html#the_database_header
const (
	databaseMagic     = "SQLite format 3\x00"
	databaseForm      = 19
	formWAL           = 2 // the newest
	databaseFractions = 21
	databaseHead      = 24
)

// fractions are the bytes from databaseFractions on in every SQLite file.
var fractions = []byte{64, 32, 32}

// databasePatience bounds the wait for a program that writes.
const databasePatience = time.Second

// database reads a store of opencode's, which may be in use. It writes nothing to it.
func (r *reader) database(at found, head []byte) (known bool, err error) {
	switch {
	case !bytes.Equal(head[databaseFractions:databaseHead], fractions):
		return false, unreadableFor(ReasonDamaged, errors.New("a header that no SQLite file has"))
	case head[databaseForm] > formWAL:
		return false, unreadableFor(ReasonNewer, errors.New("a newer form of SQLite files"))
	}
	f := &file{reader: r, name: at.path, real: at.real, scope: scopeOf(at.real)}
	f.record.source = OpenCode
	if strings.Contains(strings.ToLower(filepath.Base(at.real)), "kilo") || filepath.Base(filepath.Dir(at.real)) == "kilo" {
		f.record.source = Kilo
	}
	known, err = f.queryDatabase(head[databaseForm] == formWAL)
	r.report.Bytes += at.size
	r.progress(false)
	if known {
		r.report.Files++
	}
	return known, err
}

func (f *file) queryDatabase(wal bool) (known bool, err error) {
	base, err := modernc.NewConnector(databaseURL(f.real, wal))
	if err != nil {
		return false, unreadableFor(ReasonUnreadable, err)
	}
	db := sql.OpenDB(base)
	defer func() { _ = db.Close() }() // nothing was written
	known, err = f.queryParts(db)
	var e *modernc.Error
	switch {
	case f.ctx.Err() != nil:
		return known, f.ctx.Err()
	case !errors.As(err, &e):
		return known, err // none, or emit's
	case e.Code() == sqlite3.SQLITE_ERROR && !known:
		return false, nil // it has no such table: it is another program's
	case e.Code()&0xff == sqlite3.SQLITE_BUSY, e.Code()&0xff == sqlite3.SQLITE_LOCKED:
		return known, unreadableFor(ReasonLocked, err)
	case e.Code()&0xff == sqlite3.SQLITE_CORRUPT, e.Code()&0xff == sqlite3.SQLITE_NOTADB:
		return known, unreadableFor(ReasonDamaged, err)
	}
	return known, unreadableFor(ReasonUnreadable, err)
}

// databaseURL opens a database in such a way that SQLite makes no files beside it.
func databaseURL(path string, wal bool) string {
	missing := func(ending string) bool {
		_, err := os.Stat(path + ending)
		return errors.Is(err, fs.ErrNotExist)
	}
	how := "mode=ro"
	switch {
	case wal && missing("-wal"):
		how += "&immutable=1" // nobody has it open
	case wal && missing("-shm") && runtime.GOOS != "windows":
		how += "&vfs=unix-none&_pragma=locking_mode(EXCLUSIVE)" // nor now: a crash left the log, which is read in memory
	}
	slashed := filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		slashed = "/" + slashed
	}
	name := url.URL{Scheme: "file", Path: slashed, RawQuery: fmt.Sprintf(
		"%s&_pragma=busy_timeout(%d)&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)",
		how, databasePatience.Milliseconds())}
	return name.String()
}

// queryParts reads the calls. Of a part only what has the tool's name in it, and is not too large, leaves the database.
func (f *file) queryParts(db *sql.DB) (known bool, err error) {
	rows, err := db.QueryContext(f.ctx, `SELECT id, session_id, CASE WHEN octet_length(data) <= ?1 THEN data END FROM part
		WHERE CASE WHEN octet_length(data) <= ?1 THEN instr(data, '"question"') > 0 ELSE instr(substr(data, 1, ?2), '"tool":"question"') > 0 END`,
		f.limit, smallBytes)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }() // its error is that of Err
	for rows.Next() {
		var id, session sql.NullString
		var data []byte
		if err := rows.Scan(&id, &session, &data); err != nil {
			return true, unreadableFor(ReasonUnreadable, err)
		}
		if data == nil {
			f.damaged(f.name, 0, ReasonTooLarge)
			continue
		}
		if err := f.part(db, id.String, session.String, data); err != nil {
			return true, err
		}
	}
	return true, rows.Err()
}

// part is what the column data holds of a call.
type part struct {
	Type, CallID, Tool string
	State              struct {
		Status, Error string
		Input         json.RawMessage
		Metadata      struct {
			Answers   [][]string
			Dismissed bool // of Kilo's
		}
		Time struct{ Start, End json.RawMessage }
	}
}

// databaseQuestions reads the questions of a part.
var databaseQuestions = byPlace(nil)

func (f *file) part(db *sql.DB, id, session string, data []byte) error {
	var p part
	if err := json.Unmarshal(data, &p); err != nil && p.Type == "" {
		f.damaged(f.name, 0, ReasonMalformed)
		return nil
	}
	if p.Type != "tool" || p.Tool != "question" || p.CallID == "" && id == "" {
		return nil
	}
	read, _, ok := databaseQuestions(p.State.Input)
	if !ok {
		return nil
	}
	c := &call{tool: question.ToolAskUser, read: &read, input: p.State.Input, id: p.CallID, shared: question.IsUniqueCall(p.CallID), asked: instant(p.State.Time.Start)}
	if !c.shared {
		c.id = id
	}
	x := f.exchange(c)
	x.AnsweredAt = instant(p.State.Time.End)
	switch {
	case p.State.Metadata.Dismissed, p.State.Status == "error" && strings.Contains(p.State.Error, "user dismissed"):
		x.Outcome = question.Dismissed
	case p.State.Status != "completed" || !x.choose(func(i int, a *Answer, q question.Question) {
		if i < len(p.State.Metadata.Answers) {
			for _, value := range p.State.Metadata.Answers[i] {
				a.choose(q, value)
			}
		}
	}):
		f.unanswered(c)
		return nil
	}
	f.record.workspace = f.directory(db, session)
	return f.emitExchange(x)
}

// directory is the folder in which a session worked.
func (f *file) directory(db *sql.DB, session string) string {
	var directory string
	if db.QueryRowContext(f.ctx, `SELECT directory FROM session WHERE id = ?`, session).Scan(&directory) != nil {
		return "" // it is not known
	}
	return directory
}

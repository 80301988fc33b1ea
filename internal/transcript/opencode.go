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

// headBytes is how much of a part that is too large shows whether it is a question.
const headBytes = 4 << 10

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
	l := r.newLog(at, nil)
	l.source = OpenCode
	if strings.Contains(strings.ToLower(filepath.Base(at.real)), "kilo") || filepath.Base(filepath.Dir(at.real)) == "kilo" {
		l.source = Kilo
	}
	known, err = l.queryDatabase(head[databaseForm] == formWAL)
	r.report.Bytes += at.size
	r.progress(false)
	if known {
		r.report.Files++
	}
	return known, err
}

func (l *log) queryDatabase(wal bool) (known bool, err error) {
	base, err := modernc.NewConnector(databaseURL(l.real, wal))
	if err != nil {
		return false, unreadableFor(ReasonUnreadable, err)
	}
	db := sql.OpenDB(base)
	defer func() { _ = db.Close() }() // nothing was written
	known, err = l.queryParts(db)
	var e *modernc.Error
	switch {
	case l.ctx.Err() != nil:
		return known, l.ctx.Err()
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
func (l *log) queryParts(db *sql.DB) (known bool, err error) {
	rows, err := db.QueryContext(l.ctx, `SELECT id, session_id, CASE WHEN octet_length(data) <= ?1 THEN data END FROM part
		WHERE CASE WHEN octet_length(data) <= ?1 THEN instr(data, '"question"') > 0 ELSE instr(substr(data, 1, ?2), '"tool":"question"') > 0 END`,
		l.limit, headBytes)
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
			l.flaw(0, ReasonTooLarge)
			continue
		}
		if l.part(db, id.String, session.String, data); l.failed != nil {
			return true, l.failed
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
		Time struct{ Start, End stamp }
	}
}

// databaseQuestions reads the questions of a part.
var databaseQuestions = byPlace(nil)

func (l *log) part(db *sql.DB, id, session string, data []byte) {
	var p part
	err := json.Unmarshal(data, &p)
	if err != nil && p.Type == "" {
		l.flaw(0, ReasonMalformed)
	}
	read, _, ok := databaseQuestions(p.State.Input)
	if p.Type != "tool" || p.Tool != "question" || p.CallID == "" && id == "" || !ok {
		return
	}
	s := p.State
	c := &call{tool: question.ToolAskUser, read: &read, input: s.Input, id: p.CallID, shared: question.IsUniqueCall(p.CallID), asked: s.Time.Start.Time}
	if !c.shared {
		c.id = id
	}
	x := l.exchange(c)
	x.AnsweredAt = s.Time.End.Time
	isAnswered := s.Metadata.Dismissed || s.Status == "error" && strings.Contains(s.Error, "user dismissed")
	if isAnswered {
		x.Outcome = question.Dismissed
	} else {
		isAnswered = s.Status == "completed" && x.choose(func(i int, a *Answer, q question.Question) {
			if i < len(s.Metadata.Answers) {
				for _, value := range s.Metadata.Answers[i] {
					a.choose(q, value)
				}
			}
		})
	}
	if !isAnswered {
		l.unanswered(c)
		return
	}
	l.workspace = ""
	_ = db.QueryRowContext(l.ctx, `SELECT directory FROM session WHERE id = ?`, session).Scan(&l.workspace) // it may be unknown
	l.emitExchange(x)
}

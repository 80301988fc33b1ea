package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"unicode/utf8"

	"go.uber.org/zap"

	"followup/internal/store/sqlstore"
)

// half describes one of the two files.
type half struct {
	name, schema string
	// tables are restored from a damaged file, between two scripts. Accounts are not, since a revoked token might be among them.
	tables        []string
	before, after string
	settings      []string // of the writing connection
}

var (
	inbox = half{
		name: inboxName, schema: inboxSchema, tables: []string{"sessions", "questions", "drafts", "outcomes", "images", "collected", "callbacks"},
		before: "PRAGMA defer_foreign_keys = 1",
		// Every question needs its session, and everything else its question.
		after: `DELETE FROM drafts WHERE id NOT IN (SELECT id FROM questions);
		DELETE FROM outcomes WHERE id NOT IN (SELECT id FROM questions);
		DELETE FROM images WHERE id NOT IN (SELECT id FROM questions);
		INSERT OR IGNORE INTO sessions (id, closed, used_at)
			SELECT session, 0, max(asked_at) FROM questions WHERE session IS NOT NULL GROUP BY session`,
		settings: []string{"secure_delete(1)"},
	}
	history = half{
		name: historyName, schema: historySchema, tables: []string{"deleted", "entry_images", "entries"},
		// Deleted entries of the damaged file become one deletion, which cannot be restored.
		before: "INSERT OR IGNORE INTO deletions (id, at, everything) VALUES (-1, 1, 0)",
		after:  "DELETE FROM deletions WHERE id = -1 AND NOT EXISTS (SELECT 1 FROM deleted)",
		// A purge ends by rewriting the whole file, so removed rows need not be overwritten.
		settings: []string{"secure_delete(0)"},
	}
)

// table describes the rows of a table. Values determine a row's table, since the file's schema may be damaged too.
type table struct {
	name    string
	columns []column
}

type column struct {
	kind           string // INTEGER, TEXT or BLOB
	required, held bool   // held means that it is the rowid, which is stored elsewhere
}

// newTable reads the columns of a table from the new file's schema.
func newTable(q *sqlstore.Queries, name string) table {
	t := table{name: name}
	for scan := range q.Each(`SELECT c.type, c."notnull" OR c.pk AND l.wr, c.pk AND c.type = 'INTEGER' AND NOT l.wr
		FROM pragma_table_list l JOIN pragma_table_info(l.name) c WHERE l.name = ? ORDER BY c.cid`, name) {
		var c column
		scan(&c.kind, &c.required, &c.held)
		t.columns = append(t.columns, c)
	}
	return t
}

// row returns a row's values if they fit the table.
func (t table) row(rowid int64, values []any) (row []any, fits bool) {
	for i, value := range values {
		if i >= len(t.columns) {
			if value != nil {
				return nil, false
			}
			continue
		}
		c := t.columns[i]
		kind := ""
		switch value := value.(type) {
		case int64:
			kind = "INTEGER"
		case []byte:
			kind = "BLOB"
		case string:
			if kind = "TEXT"; !utf8.ValidString(value) {
				return nil, false
			}
		}
		switch {
		case c.held && value == nil:
			row = append(row, rowid)
		case value == nil && !c.required && !c.held, !c.held && kind == c.kind:
			row = append(row, value)
		default:
			return nil, false
		}
	}
	return row, true
}

// Recover restores the readable rows of damaged files.
func (f *folder) Recover(ctx context.Context) error {
	return errors.Join(f.salvage(ctx, f.inbox), f.salvage(ctx, f.history))
}

// salvage adds the readable rows of a damaged file that was set aside, if there is one, to the new file. It is repeated
// after an interruption.
func (f *folder) salvage(ctx context.Context, to *file) (err error) {
	aside, err := f.aside(to.path)
	if err != nil || aside == "" {
		return err
	}
	from, err := openDamaged(ctx, aside)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.close()) }()
	err = to.Write(ctx, func(q *sqlstore.Queries, _ int64) {
		q.Exec(to.before)
		tables := make([]table, len(to.tables))
		for i, name := range to.tables {
			tables[i] = newTable(q, name)
		}
		q.Fail(from.rows(ctx, func(rowid int64, values []any) error {
			for _, t := range tables {
				if row, fits := t.row(rowid, values); fits {
					f.restoreRow(q, t, row)
					break
				}
			}
			return q.Err
		}))
		q.Exec(to.after)
	})
	if err != nil {
		return err
	}
	f.options.Log.Warn("restored the readable rows of a damaged file", zap.String("file", aside))
	return os.Remove(to.path + salvageEnding)
}

// restoreRow adds a row, unless it exists.
func (f *folder) restoreRow(q *sqlstore.Queries, t table, row []any) {
	if t.name == "deleted" {
		row[1] = -1 // the deletion of half.before
	}
	insert := "INSERT OR IGNORE INTO " + t.name + " VALUES (?" + strings.Repeat(", ?", len(row)-1) + ")"
	added := q.Exec(insert, row...)
	switch {
	case added > 0 && t.name == "entries":
		sqlstore.Index(f, q, row[0])
	case added == 0 && t.name == "questions": // a question that was asked meanwhile may have its number
		row[0] = nil
		q.Exec(insert, row...)
	}
}

// The rows of a damaged file are read from every sound page, whatever the state of the others. A copy of the file gets a sound
// header and schema, and SQLite reads each page as if it were the only one of a table. So neither the file's header nor its schema
// nor its trees are needed.

// pageSize is the size of the store's pages, SQLite's default.
const pageSize = 4096

// columns is how many values are read of a row. No table has as many, so that a row's length identifies its table.
const columns = 32

// tableOf is the table that reads a kind of page: the leaves of tables, and all pages of indexes and of tables without rowids.
// https://sqlite.org/fileformat.html#b_tree_pages
var tableOf = map[byte]string{0x0d: "plain", 0x0a: "keyed", 0x02: "keyed"}

// damaged is a copy of a damaged file.
type damaged struct {
	path string
	db   *sql.DB
}

// openDamaged copies a file, and its log if there is one.
func openDamaged(ctx context.Context, path string) (_ *damaged, err error) {
	f := &damaged{path: path + "-copy"}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.close())
		}
	}()
	first, err := f.create(ctx)
	if err == nil {
		err = errors.Join(copyFrom(path, f.path, pageSize), copyFrom(path+"-wal", f.path+"-wal", 0), f.connect())
	}
	if err != nil {
		return nil, err
	}
	// SQLite moves the log into the file when that is closed. The log may have a damaged header and schema.
	_, _ = f.db.ExecContext(ctx, "SELECT 1 FROM sqlite_schema")
	if err := errors.Join(f.db.Close(), overwrite(f.path, 0, bytes.NewReader(first)), f.connect()); err != nil {
		return nil, err
	}
	_, err = f.db.ExecContext(ctx, "PRAGMA journal_mode = off; PRAGMA synchronous = off")
	return f, err
}

// close removes the copy.
func (f *damaged) close() (err error) {
	if f.db != nil {
		err = f.db.Close()
	}
	return errors.Join(err, f.remove())
}

func (f *damaged) remove() (err error) {
	for _, ending := range besides {
		if e := os.Remove(f.path + ending); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

func (f *damaged) connect() (err error) {
	if f.db, err = connect(f.path); err == nil {
		f.db.SetMaxOpenConns(1)
	}
	return err
}

// create creates a file with the two tables that read the pages, and returns its first page.
func (f *damaged) create(ctx context.Context) ([]byte, error) {
	if err := errors.Join(f.remove(), os.WriteFile(f.path, nil, 0o600), f.connect()); err != nil {
		return nil, err
	}
	names := make([]string, columns)
	for i := range names {
		names[i] = fmt.Sprint("c", i)
	}
	all := strings.Join(names, ",")
	_, err := f.db.ExecContext(ctx, fmt.Sprintf(
		`PRAGMA page_size = %d; PRAGMA journal_mode = wal;
		CREATE TABLE plain (%s); CREATE TABLE keyed (%s, PRIMARY KEY (c0)) WITHOUT ROWID`, pageSize, all, all))
	if err = errors.Join(err, f.db.Close()); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(f.path)
	if err != nil {
		return nil, err
	}
	data[95]++ // makes SQLite ignore the number of pages in the header and use the file's size
	return data[:pageSize], overwrite(f.path, 0, bytes.NewReader(data[:pageSize]))
}

// copyFrom copies a file, if it exists, from an offset on to the same offset in another file.
func copyFrom(path, to string, offset int64) error {
	source, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }() // only read
	return overwrite(to, offset, io.NewSectionReader(source, offset, math.MaxInt64-offset))
}

// overwrite writes the content of a reader into a file.
func overwrite(path string, offset int64, from io.Reader) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.NewOffsetWriter(file, offset), from)
	return errors.Join(err, file.Close())
}

// rows calls do with each readable row, some of them repeatedly, until it returns an error. The values are nil, int64, float64,
// string or []byte, padded with nils. The rowid is 0 in an index, and in a table without rowids.
func (f *damaged) rows(ctx context.Context, do func(rowid int64, values []any) error) error {
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	kind := make([]byte, 1)
	for page := int64(2); err == nil; page++ {
		_, err = file.ReadAt(kind, (page-1)*pageSize)
		if table := tableOf[kind[0]]; err == nil && table != "" {
			err = f.page(ctx, page, table, do)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return err
}

func (f *damaged) page(ctx context.Context, page int64, table string, do func(rowid int64, values []any) error) error {
	_, err := f.db.ExecContext(ctx, fmt.Sprintf(
		"PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = %d WHERE name = '%s'; PRAGMA writable_schema = reset", page, table))
	if err != nil {
		return err
	}
	rowid := "rowid"
	if table == "keyed" {
		rowid = "0"
	}
	rows, err := f.db.QueryContext(ctx, "SELECT "+rowid+", * FROM "+table)
	if err != nil {
		return ctx.Err() // the page is damaged
	}
	into := make([]any, columns+1)
	for rows.Next() {
		values := make([]any, columns)
		var id int64
		into[0] = &id
		for i := range values {
			into[i+1] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			continue
		}
		if err := do(id, values); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	_ = rows.Close() // the error of the damaged page
	return ctx.Err()
}

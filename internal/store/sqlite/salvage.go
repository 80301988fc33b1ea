package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"go.uber.org/zap"

	"followup/internal/store/sqlstore"
)

// half is what differs between the two files.
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
func newTable(q sqlstore.Queries, name string) (t table, err error) {
	t.name = name
	err = q.Each(`SELECT c.type, c."notnull" OR c.pk AND l.wr, c.pk AND c.type = 'INTEGER' AND NOT l.wr
		FROM pragma_table_list l JOIN pragma_table_info(l.name) c WHERE l.name = ? ORDER BY c.cid`,
		[]any{name}, func(scan func(...any) error) error {
			var c column
			err := scan(&c.kind, &c.required, &c.held)
			t.columns = append(t.columns, c)
			return err
		})
	return t, err
}

// insert adds a row, unless it is there already.
func (t table) insert(q sqlstore.Queries, row []any) (added int64, err error) {
	return q.Changed("INSERT OR IGNORE INTO "+t.name+" VALUES (?"+strings.Repeat(", ?", len(row)-1)+")", row...)
}

// row returns a row's values if it is of the table.
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

// Recover restores what can be read of a damaged history.
func (f *folder) Recover(ctx context.Context) error { return f.salvage(ctx, f.history) }

// salvage adds what can be read of a damaged file that was set aside, if there is one, to the new one. It is repeated after an
// interruption.
func (f *folder) salvage(ctx context.Context, to *file) (err error) {
	name, err := os.ReadFile(to.path + salvageEnding)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	from, err := openDamaged(ctx, filepath.Join(f.dir, filepath.Base(string(name))))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.close()) }()
	err = to.Write(ctx, func(q sqlstore.Queries, _ int64) error {
		err := q.Exec(to.before)
		tables := make([]table, len(to.tables))
		for i, name := range to.tables {
			if err == nil {
				tables[i], err = newTable(q, name)
			}
		}
		if err != nil {
			return err
		}
		err = from.rows(ctx, func(rowid int64, values []any) error {
			for _, t := range tables {
				if row, fits := t.row(rowid, values); fits {
					return f.bring(q, t, row)
				}
			}
			return nil
		})
		if err == nil {
			err = q.Exec(to.after)
		}
		return err
	})
	if err != nil {
		return err
	}
	f.options.Log.Warn("what could be read of a damaged file was brought back", zap.ByteString("file", name))
	return os.Remove(to.path + salvageEnding)
}

// bring restores a row.
func (f *folder) bring(q sqlstore.Queries, t table, row []any) error {
	if t.name == "deleted" {
		row[1] = -1 // the deletion of half.before
	}
	added, err := t.insert(q, row)
	if err == nil && added > 0 && t.name == "entries" {
		err = sqlstore.Index(f, q, row[0])
	}
	return err
}

package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"followup/internal/store/sqlstore"
)

// The tables that are brought back. Accounts are not: a token that was revoked might be among what can be read.
var (
	inboxTables   = []string{"sessions", "questions", "drafts", "outcomes", "images", "collected"}
	historyTables = []string{"deleted", "entry_images", "entries"}
)

// table is how rows of a table look. A row's values tell its table, since the file's schema may be damaged too.
type table struct {
	name    string
	columns []column
}

type column struct {
	kind           string // INTEGER, TEXT or BLOB
	required, held bool   // held says that it is the rowid, which stands elsewhere
}

// newTable reads the columns of a table from the new file's schema.
func newTable(q sqlstore.Queries, name string) (t table, err error) {
	t.name = name
	err = q.Each(`SELECT c.type, c."notnull" OR c.pk AND l.wr, c.pk AND c.type = 'INTEGER' AND NOT l.wr
		FROM pragma_table_list l JOIN pragma_table_info(l.name) c WHERE l.name = ? ORDER BY c.cid`, []any{name}, func(scan func(...any) error) error {
		var c column
		err := scan(&c.kind, &c.required, &c.held)
		t.columns = append(t.columns, c)
		return err
	})
	return t, err
}

// insert adds a row, unless it is there already.
func (t table) insert(q sqlstore.Queries, row []any) (added int64, err error) {
	return q.Exec("INSERT OR IGNORE INTO "+t.name+" VALUES (?"+strings.Repeat(", ?", len(row)-1)+")", row...)
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

// salvage adds what can be read of some tables in a damaged file to a new one, in one transaction, between two scripts.
func (f *folder) salvage(ctx context.Context, aside string, to *file, names []string, first, last string) (err error) {
	from, err := openDamaged(ctx, aside)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.close()) }()
	return to.Write(ctx, func(q sqlstore.Queries, _ int64) error {
		_, err := q.Exec(first)
		tables := make([]table, len(names))
		for i, name := range names {
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
			_, err = q.Exec(last)
		}
		return err
	})
}

// bring brings a row back.
func (f *folder) bring(q sqlstore.Queries, t table, row []any) error {
	if t.name == "deleted" {
		row[1] = -1 // see beforeHistory
	}
	added, err := t.insert(q, row)
	if err == nil && added > 0 && t.name == "entries" {
		err = sqlstore.Index(f, q, row[0])
	}
	return err
}

// No question is without its session, and nothing else without its question.
const (
	beforeInbox = "PRAGMA defer_foreign_keys = 1"
	afterInbox  = `DELETE FROM drafts WHERE id NOT IN (SELECT id FROM questions);
		DELETE FROM outcomes WHERE id NOT IN (SELECT id FROM questions);
		DELETE FROM images WHERE id NOT IN (SELECT id FROM questions);
		INSERT OR IGNORE INTO sessions (id, closed, used_at)
			SELECT session, 0, max(asked_at) FROM questions WHERE session IS NOT NULL GROUP BY session`
)

// salvageInbox brings back what can be read of a damaged inbox.
func (f *folder) salvageInbox(ctx context.Context, aside string) error {
	return f.salvage(ctx, aside, f.inbox, inboxTables, beforeInbox, afterInbox)
}

// What was deleted in the damaged history is one deletion, which cannot be restored.
const (
	beforeHistory = "INSERT OR IGNORE INTO deletions (id, at, everything) VALUES (-1, 1, 0)"
	afterHistory  = "DELETE FROM deletions WHERE id = -1 AND NOT EXISTS (SELECT 1 FROM deleted)"
)

// Recover brings back what can be read of a damaged history, if there is one. It is repeated if it is interrupted.
func (f *folder) Recover(ctx context.Context) error {
	marker := f.history.path + salvageEnding
	name, err := os.ReadFile(marker)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	aside := filepath.Join(f.dir, filepath.Base(string(name)))
	if err := f.salvage(ctx, aside, f.history, historyTables, beforeHistory, afterHistory); err != nil {
		return err
	}
	f.options.Log.Warn("what could be read of the damaged history was brought back")
	return os.Remove(marker)
}

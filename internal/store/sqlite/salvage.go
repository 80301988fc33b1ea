package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.uber.org/zap"

	"followup/internal/store"
	"followup/internal/store/sqlite/damaged"
	"followup/internal/store/sqlstore"
)

// layout is how the rows of a table stand in a file. Which table a row is of is told by what its values are: the file's schema may be
// damaged too.
type layout struct {
	table   string
	columns string
	// kinds has a letter for each column: k for the rowid, which stands elsewhere, i for an integer, t for a text, b for a blob; T and B
	// may be NULL.
	kinds string
}

var (
	inboxLayouts = []layout{
		{"sessions", "id, agent, key, folders, locale, options, mistakes, mistake_limit, guidance, closed, used_at", "tttBtBiitii"},
		{
			"questions", "ord, id, session, state, collected, guided_by, deadline, asked_at, tool, stream, call_id, agent, workspace, recipient, source, text, guidance, call",
			"ktTiitiittttttttBB",
		},
		{"drafts", "id, text, picks", "ttB"},
		{"outcomes", "id, outcome, provenance, closed_at, images, text, answer", "tttiitB"},
		{"blobs", "hash, data, mime", "tbt"},
		{"images", "id, n, hash", "tit"},
		{"collected", "id", "t"},
	}
	deletedLayout  = layout{"deleted", "key, deletion", "ki"}
	historyLayouts = []layout{
		deletedLayout,
		{"entry_blobs", "hash, data, mime", "tbt"},
		{"entry_images", "key, n, hash", "iit"},
		{
			"entries", "key, id, ord, session, collected, guided_by, deadline, asked_at, tool, stream, call_id, agent, workspace, recipient, source, text, guidance, call, " +
				"outcome, provenance, closed_at, images, said, answer", "ktititiittttttttBBttiitB",
		},
	}
)

// kindsOf are the kinds that a letter of a layout allows.
var kindsOf = map[byte][]damaged.Kind{
	'k': {damaged.Null}, 'i': {damaged.Integer}, 't': {damaged.Text}, 'b': {damaged.Blob},
	'T': {damaged.Text, damaged.Null}, 'B': {damaged.Blob, damaged.Null},
}

// fits reports whether a row with such values is of the table.
func (l layout) fits(types []damaged.Type) bool {
	if len(types) != len(l.kinds) {
		return false
	}
	for i, t := range types {
		fits := false
		for _, kind := range kindsOf[l.kinds[i]] {
			fits = fits || t.Kind() == kind
		}
		if !fits {
			return false
		}
	}
	return true
}

// rows calls do with each row of a table that can be read, and returns how many cannot.
func (l layout) rows(file *damaged.File, do func(values []any) error) (lost int, err error) {
	for page := uint32(1); page <= file.Pages(); page++ {
		for i, cell := range file.Cells(page) {
			if !l.fits(cell.Types) {
				continue
			}
			values, sound := file.Values(file.Cells(page)[i])
			if !sound {
				lost++
				continue
			}
			if l.kinds[0] == 'k' {
				values[0] = cell.Rowid
			}
			if err := do(values); err != nil {
				return lost, err
			}
		}
	}
	return lost, nil
}

// put adds a row, unless there is one in its place.
func (l layout) put(q sqlstore.Queries, values []any) (added bool, err error) {
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")
	n, err := q.Exec("INSERT OR IGNORE INTO "+l.table+" ("+l.columns+") VALUES ("+marks+")", values...)
	return n > 0, err
}

// salvageInbox brings back what can be read of a damaged inbox, and returns how many questions that are.
func (f *folder) salvageInbox(ctx context.Context, aside string) (count int, err error) {
	from, err := damaged.Open(aside)
	if err != nil {
		return 0, err
	}
	defer func() { _ = from.Close() }() // only read
	err = f.inbox.Write(ctx, func(q sqlstore.Queries, now int64) error {
		count = 0
		for _, l := range inboxLayouts {
			_, err := l.rows(from, func(values []any) error {
				if l.table == "questions" && values[2] != nil { // its session may be lost
					_, err := inboxLayouts[0].put(q, []any{values[2], values[11], "", nil, "en", nil, 0, 3, "", 0, now})
					if err != nil {
						return err
					}
				} else if l.table == "drafts" || l.table == "outcomes" || l.table == "images" {
					var one int
					if err := q.One("SELECT count(*) FROM questions WHERE id = ?", []any{values[0]}, &one); err != nil || one == 0 {
						return err
					}
				}
				added, err := l.put(q, values)
				if added && l.table == "questions" {
					count++
				}
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return count, err
}

// salvagedAtOnce is how many entries one transaction brings back.
const salvagedAtOnce = 64

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
	from, err := damaged.Open(filepath.Join(f.dir, filepath.Base(string(name))))
	if err != nil {
		f.log.Error("the history that was set aside cannot be read", zap.Error(err))
		return os.Remove(marker)
	}
	defer func() { _ = from.Close() }() // only read
	gone := map[any]bool{}
	lost := 0
	for _, l := range historyLayouts {
		var batch [][]any
		write := func() error {
			err := f.history.Write(ctx, func(q sqlstore.Queries, _ int64) error {
				for _, values := range batch {
					added, err := l.put(q, values)
					if err == nil && added && l.table == "entries" {
						err = f.indexRow(q, values)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
			batch = nil
			return err
		}
		some, err := l.rows(from, func(values []any) error {
			if l.table == deletedLayout.table {
				gone[values[0]] = true
				return nil
			}
			if gone[values[0]] {
				return nil
			}
			if batch = append(batch, values); len(batch) < salvagedAtOnce {
				return ctx.Err()
			}
			return write()
		})
		if err == nil {
			err = write()
		}
		if err != nil {
			return err
		}
		lost += some
	}
	f.log.Warn("what could be read of the damaged history was brought back", zap.Int("unreadable", lost))
	return os.Remove(marker)
}

// indexRow has an entry found that was brought back.
func (f *folder) indexRow(q sqlstore.Queries, values []any) error {
	text := func(i int) string { s, _ := values[i].(string); return s }
	key, ok := values[0].(int64)
	if !ok {
		return fmt.Errorf("%w: a key is %T", store.ErrDamaged, values[0])
	}
	return sqlstore.IndexEntry(f, q, store.Key(key), sqlstore.Found{Asked: text(15), Said: text(22), Agent: text(11), Workspace: text(12), To: text(13), Outcome: text(18)})
}

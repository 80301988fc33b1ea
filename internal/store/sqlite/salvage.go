package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.uber.org/zap"

	"followup/internal/store"
)

// A damaged file costs what stood on its damaged pages. What else can be read goes into the new file: sessions and open questions
// when it is opened, the history in steps behind that. The marker's text is the name of the file that it is read from; meta's row
// "salvaged" is the place in the order of asking that this has come down to.

// salvager reads what can be read of a damaged file.
type salvager struct {
	querier
	pool   *sql.DB
	shared map[string][]string // the columns that a table has there and here
	lost   int                 // how many questions could be read in part only, and were left
}

// beginSalvage brings sessions and open questions back, and notes that the history is to follow. It tells how many questions.
func (s *Store) beginSalvage(ctx context.Context, aside string) (int, error) {
	from, err := s.openDamaged(ctx, aside)
	if err != nil {
		return 0, err
	}
	defer from.close()
	count := 0
	err = s.write(ctx, func(t *tx) error {
		if err := from.sessions(t); err != nil {
			return err
		}
		last := int64(0)
		if orders := from.rowids("questions", maxRow, 1); len(orders) > 0 {
			last = orders[0]
		}
		// What is asked from now on comes behind what was asked before.
		if _, err := t.exec("INSERT INTO sqlite_sequence (name, seq) VALUES ('questions', ?)", last); err != nil {
			return err
		}
		if _, err := t.exec("INSERT OR REPLACE INTO meta (name, value) VALUES ('salvaged', ?)", last+1); err != nil {
			return err
		}
		for before := int64(maxRow); ; {
			orders := from.rowids("opened", before, readAtOnce)
			if len(orders) == 0 {
				return nil
			}
			before = orders[len(orders)-1]
			for _, ord := range orders {
				back, err := from.question(t, ord)
				if err != nil {
					return err
				}
				if back {
					count++
				}
			}
		}
	})
	if err != nil {
		return 0, err
	}
	return count, os.WriteFile(filepath.Join(s.dir, salvageName), []byte(filepath.Base(aside)), 0o600)
}

// salvage brings the history back, in steps, if there is any to be brought back.
func (s *Store) salvage(ctx context.Context) error {
	marker := filepath.Join(s.dir, salvageName)
	if err := regular(marker); err != nil {
		return err
	}
	name, err := os.ReadFile(marker)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	from, err := s.openDamaged(ctx, filepath.Join(s.dir, filepath.Base(string(name))))
	if err != nil {
		s.log.Error("what was set aside cannot be read", zap.Error(err))
		return os.Remove(marker)
	}
	defer from.close()
	count := 0
	err = s.steps(ctx, func(t *tx, m *meter) (bool, error) {
		var before int64
		if err := t.one("SELECT value FROM meta WHERE name = 'salvaged'", nil, []any{&before}); err != nil {
			return false, err
		}
		orders := from.rowids("questions", before, 64)
		for more := true; more && len(orders) > 0; orders = orders[1:] {
			back, err := from.question(t, orders[0])
			if err != nil {
				return false, err
			}
			if back {
				count++
			}
			before, more = orders[0], m.spend(importUnits)
		}
		if len(orders) == 0 && len(from.rowids("questions", before, 1)) == 0 {
			before = 0
		}
		_, err := t.exec("UPDATE meta SET value = ? WHERE name = 'salvaged'", before)
		return before > 0, err
	})
	if err != nil {
		return err
	}
	s.log.Warn("what could be read of the damaged file was brought back", zap.Int("questions", count), zap.Int("unreadable", from.lost))
	return os.Remove(marker)
}

// maxRow is larger than the rowids of questions.
const maxRow = 1 << 62

func (s *Store) openDamaged(ctx context.Context, path string) (*salvager, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	reading, err := connectReading(path)
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(reading)
	pool.SetMaxOpenConns(1)
	from := &salvager{pool: pool, shared: map[string][]string{}}
	from.querier = querier{ctx, &statements{prepare: func(query string) (statement, error) {
		stmt, err := pool.PrepareContext(context.Background(), query)
		return pooled{stmt}, err
	}}}
	var application int
	if err := from.one("PRAGMA application_id", nil, []any{&application}); err != nil || application != applicationID {
		from.close()
		return nil, fmt.Errorf("%w: it is no store: %w", store.ErrDamaged, err)
	}
	for _, table := range []string{"sessions", "questions", "drafts", "outcomes", "images", "blobs"} {
		there, err := from.columns(table)
		if err != nil {
			from.close()
			return nil, err
		}
		here, err := querier{ctx, &s.reads}.columns(table)
		if err != nil {
			from.close()
			return nil, err
		}
		for _, column := range here {
			if slices.Contains(there, column) {
				from.shared[table] = append(from.shared[table], column)
			}
		}
	}
	return from, nil
}

func (d *salvager) close() {
	d.statements.close()
	_ = d.pool.Close() // only read
}

func (q querier) columns(table string) (columns []string, err error) {
	err = q.each("SELECT name FROM pragma_table_info(?)", []any{table}, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		columns = append(columns, name)
		return err
	})
	return columns, err
}

// rowids gives those of a table's rows before a place that can be read, the last first: it steps over pages that cannot.
func (d *salvager) rowids(table string, before int64, most int) (found []int64) {
	query := "SELECT rowid FROM " + table + " NOT INDEXED WHERE rowid < ? ORDER BY rowid DESC LIMIT ?"
	for len(found) < most {
		err := d.each(query, []any{before, most - len(found)}, func(scan func(...any) error) error {
			var rowid int64
			err := scan(&rowid)
			if err == nil {
				found, before = append(found, rowid), rowid
			}
			return err
		})
		if err == nil {
			return found
		}
		if before = d.below(query, before); before == 0 {
			return found
		}
	}
	return found
}

// below gives a place from which on rows can be read again, going down from one from which they cannot; 0 where there is none.
func (d *salvager) below(query string, bad int64) int64 {
	reads := func(before int64) bool {
		return d.each(query, []any{before, 1}, func(func(...any) error) error { return nil }) == nil
	}
	step := int64(1)
	for bad-step > 0 && !reads(bad-step) {
		bad, step = bad-step, 2*step
	}
	good := bad - step
	if good <= 0 {
		return 0
	}
	for bad-good > 1 {
		if middle := good + (bad-good)/2; reads(middle) {
			good = middle
		} else {
			bad = middle
		}
	}
	return good
}

// row reads a row, as far as both files have its columns; nil where it cannot be read.
func (d *salvager) row(table, where string, args ...any) map[string]any {
	var row map[string]any
	err := d.rows(table, where, args, func(r map[string]any) error {
		row = r
		return nil
	})
	if err != nil {
		return nil
	}
	return row
}

func (d *salvager) rows(table, where string, args []any, do func(map[string]any) error) error {
	columns := d.shared[table]
	if len(columns) == 0 {
		return nil
	}
	return d.each("SELECT "+strings.Join(columns, ", ")+" FROM "+table+" "+where, args, func(scan func(...any) error) error {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := scan(into...); err != nil {
			return err
		}
		row := map[string]any{}
		for i, column := range columns {
			row[column] = values[i]
		}
		return do(row)
	})
}

// put writes a row that was read, unless there is one in its place. What a row of an older file lacks has its default.
func (t *tx) put(table string, row map[string]any) error {
	var columns []string
	var values []any
	for column, value := range row {
		columns, values = append(columns, column), append(values, value)
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
	_, err := t.exec("INSERT OR IGNORE INTO "+table+" ("+strings.Join(columns, ", ")+") VALUES ("+marks+")", values...)
	return err
}

// sessions brings the sessions back, those from both ends on as far as they can be read.
func (d *salvager) sessions(t *tx) error {
	var failed error
	put := func(row map[string]any) error {
		failed = t.put("sessions", row)
		return failed
	}
	for _, order := range []string{"ASC", "DESC"} {
		if err := d.rows("sessions", "ORDER BY id "+order, nil, put); err == nil || failed != nil {
			return failed
		}
	}
	return nil
}

// question brings a question back with what belongs to it, and tells whether it could be read and was not there.
func (d *salvager) question(t *tx, ord int64) (bool, error) {
	row := d.row("questions", "WHERE ord = ?", ord)
	if row == nil {
		d.lost++
		return false, nil
	}
	var known bool
	if err := t.one("SELECT EXISTS (SELECT 1 FROM questions WHERE ord = ? OR id = ?)", []any{ord, row["id"]}, []any{&known}); err != nil || known {
		return false, err
	}
	key, _ := row["outcome"].(int64)
	var outcome map[string]any
	if key != 0 {
		if outcome = d.row("outcomes", "WHERE key = ?", key); outcome == nil {
			d.lost++
			return false, nil
		}
		if outcome["deletion"] != nil {
			return false, nil
		}
	}
	if id, _ := row["session"].(string); id != "" {
		err := t.put("sessions", map[string]any{
			"id": id, "agent": row["agent"], "key": "", "locale": "en", "mistakes": 0, "mistake_limit": 3, "guidance": "", "closed": 0, "used_at": t.now,
		})
		if err != nil {
			return false, err
		}
	}
	if err := t.put("questions", row); err != nil {
		return false, err
	}
	if err := d.images(t, ord); err != nil {
		return false, err
	}
	if outcome != nil {
		return true, errors.Join(t.put("outcomes", outcome), t.noteQuestion(ord, wroteHistory, store.Key(key)))
	}
	if draft := d.row("drafts", "WHERE ord = ?", ord); draft != nil {
		if err := t.put("drafts", draft); err != nil {
			return false, err
		}
	}
	return true, errors.Join(t.put("opened", map[string]any{"ord": ord}), t.noteQuestion(ord, wroteQuestion, 0))
}

// images brings a question's images back.
func (d *salvager) images(t *tx, ord int64) error {
	var images []map[string]any
	// An error ends it: those before it were read.
	_ = d.rows("images", "WHERE ord = ?", []any{ord}, func(row map[string]any) error {
		images = append(images, row)
		return nil
	})
	for _, image := range images {
		blob := d.row("blobs", "WHERE hash = ?", image["hash"])
		if blob == nil {
			continue
		}
		if err := errors.Join(t.put("blobs", blob), t.put("images", image)); err != nil {
			return err
		}
	}
	return nil
}

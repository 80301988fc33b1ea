package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.uber.org/zap"
)

// A damaged file costs what stood on its damaged pages. What else can be read goes into the new file: sessions and open questions
// when it is opened, the history in steps behind that. The marker's text is the name of the file that it is read from; meta's row
// "salvaged" is the place in the order of asking that this has come down to.

// beginSalvage brings sessions and open questions back, and notes that the history is to follow. It tells how many questions.
func (s *Store) beginSalvage(ctx context.Context, aside string) (int, error) {
	from, err := openDamaged(aside)
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
		if orders := from.before("questions", maxRow, 1); len(orders) > 0 {
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
			orders := from.before("opened", before, readAtOnce)
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
	from, err := openDamaged(filepath.Join(s.dir, filepath.Base(string(name))))
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
		orders := from.before("questions", before, 64)
		for more := true; more && len(orders) > 0; orders = orders[1:] {
			back, err := from.question(t, orders[0])
			if err != nil {
				return false, err
			}
			if back {
				t.then(func() { count++ })
			}
			before, more = orders[0], m.spend(importUnits)
		}
		if len(orders) == 0 && len(from.before("questions", before, 1)) == 0 {
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

// put writes a row that was read, unless there is one in its place. What it lacks has its default.
func (t *tx) put(of layout, row map[string]any) error {
	var columns []string
	var values []any
	for _, column := range of.columns {
		if value, has := row[column]; has {
			columns, values = append(columns, column), append(values, value)
		}
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
	_, err := t.exec("INSERT OR IGNORE INTO "+of.table+" ("+strings.Join(columns, ", ")+") VALUES ("+marks+")", values...)
	return err
}

// sessions brings the sessions back.
func (d *salvager) sessions(t *tx) error {
	for _, at := range d.found["sessions"] {
		if row := d.read(sessionLayout, at); row != nil {
			if err := t.put(sessionLayout, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// question brings a question back with what belongs to it, and tells whether it could be read and was not there.
func (d *salvager) question(t *tx, ord int64) (bool, error) {
	row := d.row(questionLayout, ord)
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
		if outcome = d.row(outcomeLayout, key); outcome == nil {
			d.lost++
			return false, nil
		}
		if outcome["deletion"] != nil {
			return false, nil
		}
	}
	if id, _ := row["session"].(string); id != "" {
		err := t.put(sessionLayout, map[string]any{
			"id": id, "agent": row["agent"], "key": "", "locale": "en", "mistakes": 0, "mistake_limit": 3, "guidance": "", "closed": 0, "used_at": t.now,
		})
		if err != nil {
			return false, err
		}
	}
	if err := t.put(questionLayout, row); err != nil {
		return false, err
	}
	if err := d.images(t, ord); err != nil {
		return false, err
	}
	if outcome != nil {
		return true, errors.Join(t.put(outcomeLayout, outcome), t.put(unindexedLayout, map[string]any{"key": key}))
	}
	if draft := d.row(draftLayout, ord); draft != nil {
		if err := t.put(draftLayout, draft); err != nil {
			return false, err
		}
	}
	return true, t.put(openedLayout, map[string]any{"ord": ord})
}

// images brings a question's images back.
func (d *salvager) images(t *tx, ord int64) error {
	for _, image := range d.imagesOf[ord] {
		hash, _ := image["hash"].(string)
		at, known := d.blobs[hash]
		if !known {
			continue
		}
		blob := d.read(blobLayout, at)
		if blob == nil {
			continue
		}
		if err := errors.Join(t.put(blobLayout, blob), t.put(imageLayout, image)); err != nil {
			return err
		}
	}
	return nil
}

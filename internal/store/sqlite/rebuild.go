package sqlite

import (
	"context"

	"followup/internal/store"
)

// Where most of the history goes at once, taking each row out of the index would cost more than the index is worth, and joining
// what is left of it could not be done in steps. So a new index is begun beside the old one, what stays is put into it, and the old
// one is removed in pieces. Until all is in it, a search finds the newest only.

// rebuildPart is which part may stay at most for that.
const rebuildPart = 5

// newIndex makes the search's index; its statements are those of the schema.
var newIndex = []string{
	"ALTER TABLE search RENAME TO search_old",
	"CREATE VIRTUAL TABLE search USING fts5 (tokens, content = '', columnsize = 0, detail = none, tokenize = 'ascii', prefix = '1 2 3 4 5')",
	"INSERT INTO search (search, rank) VALUES ('secure-delete', 1), ('automerge', 0), ('crisismerge', 1000), ('usermerge', 4)",
	"UPDATE meta SET value = (SELECT coalesce(max(key) + 1, 0) FROM outcomes) WHERE name = 'rebuilt'",
}

// beginIndex begins a new index where so many rows go that it is worth it.
func (s *Store) beginIndex(ctx context.Context, going int) error {
	if going < s.rebuildFrom {
		return nil
	}
	var most bool
	err := s.read(ctx, func(q querier) error {
		return q.one("SELECT (SELECT count(*) FROM outcomes) < ? AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'search_old')",
			[]any{going + going/(rebuildPart-1)}, []any{&most})
	})
	if err != nil || !most {
		return err
	}
	return s.once(ctx, func(t *tx) error {
		for _, query := range newIndex {
			if _, err := t.exec(query); err != nil {
				return err
			}
		}
		return t.dirty(treeDirty)
	})
}

// rebuilt is from which key on outcomes are in the index; 0 where all are.
func (q querier) rebuilt() (key store.Key, err error) {
	err = q.one("SELECT value FROM meta WHERE name = 'rebuilt'", nil, []any{&key})
	return key, err
}

// finishIndex puts what is left into a new index, and removes the old one.
func (s *Store) finishIndex(ctx context.Context) error {
	var begun bool
	err := s.read(ctx, func(q querier) error {
		return q.one("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'search_old')", nil, []any{&begun})
	})
	if err != nil || !begun {
		return err
	}
	var parts parts
	err = s.steps(ctx, func(t *tx, m *meter) (bool, error) {
		if joining, err := parts.join(t, m); joining || err != nil {
			return true, err
		}
		return t.rebuildSome(m)
	})
	if err != nil {
		return err
	}
	for _, table := range []string{"search_old_data", "search_old_idx"} {
		err := s.steps(ctx, func(t *tx, _ *meter) (bool, error) {
			pieces := "DELETE FROM search_old_data WHERE id IN (SELECT id FROM search_old_data WHERE id > 10 LIMIT 64)"
			if table == "search_old_idx" {
				pieces = "DELETE FROM search_old_idx WHERE (segid, term) IN (SELECT segid, term FROM search_old_idx LIMIT 256)"
			}
			removed, err := t.exec(pieces)
			return removed > 0, err
		})
		if err != nil {
			return err
		}
	}
	return s.once(ctx, func(t *tx) error {
		_, err := t.exec("DROP TABLE search_old")
		return err
	})
}

// rebuildSome puts some of what an index lacks into it, newest first, and tells whether there is more.
func (t *tx) rebuildSome(m *meter) (more bool, err error) {
	before, err := t.rebuilt()
	if err != nil {
		return false, err
	}
	var keys []store.Key
	err = t.each("SELECT key FROM outcomes WHERE key < ? ORDER BY key DESC LIMIT 64", []any{int64(before)}, func(scan func(...any) error) error {
		var key store.Key
		err := scan(&key)
		keys = append(keys, key)
		return err
	})
	if err != nil {
		return false, err
	}
	before = 0
	for more = true; more && len(keys) > 0; keys = keys[1:] {
		text, isIn, err := t.tokensOf(keys[0])
		if err != nil {
			return false, err
		}
		if isIn {
			if _, err := t.exec("INSERT INTO search (rowid, tokens) VALUES (?, ?)", int64(keys[0]), text); err != nil {
				return false, err
			}
		}
		before, more = keys[0], m.spend(len(text)/averageToken+1)
	}
	_, err = t.exec("UPDATE meta SET value = ? WHERE name = 'rebuilt'", int64(before))
	return before != 0, err
}

// averageToken is about how many bytes a token has.
const averageToken = 6

package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"

	"followup/internal/store"
	"followup/internal/store/engine"
	"followup/internal/store/words"
)

// A row has each of its tokens, and each beginning of them, on another page of the index. Rows that leave it together are taken out
// in the order of their tokens, so that a page is written about once, however many of them it holds. What a step takes out of a row
// is noted with it: whoever comes after a crash goes on there.

// takenText bounds how many bytes the tokens have that are held in memory for that.
const takenText = 1 << 20

// postingUnits is what it costs to take a token of a row out of the index, with its beginnings.
const postingUnits = 24

// posting is a token of an outcome.
type posting struct {
	token string
	key   store.Key
}

// areFew tells whether taking so many rows out of the index costs less than to write what stays of it anew.
func (s *Store) areFew(ctx context.Context, going int) (few bool, err error) {
	err = s.read(ctx, func(q querier) error {
		return q.one("SELECT count(*) >= ? FROM search_idx", []any{going * s.leavesPerRow}, []any{&few})
	})
	return few, err
}

// takeOut takes all tokens of outcomes out of the index, where they stay as rows without any.
func (s *Store) takeOut(ctx context.Context, keys []store.Key) error {
	for len(keys) > 0 {
		var all []posting
		err := s.read(ctx, func(q querier) (err error) {
			all, keys, err = q.postings(keys)
			return err
		})
		if err != nil {
			return err
		}
		err = s.steps(ctx, func(t *tx, m *meter) (bool, error) {
			if len(all) == 0 {
				return false, engine.ErrNothing
			}
			most := min(max(m.left/postingUnits, 1), len(all))
			some, rest := all[:most], all[most:]
			t.then(func() { all = rest })
			return len(rest) > 0, t.takeSome(some)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// postings are what the index holds of the first of the outcomes, in the order in which it leaves; it gives those that are left.
func (q querier) postings(keys []store.Key) (all []posting, rest []store.Key, err error) {
	from, err := q.rebuilt()
	if err != nil {
		return nil, nil, err
	}
	for size := 0; len(keys) > 0 && size < takenText; keys = keys[1:] {
		tokens, out, isIn, err := q.leaving(keys[0])
		if err != nil {
			return nil, nil, err
		}
		if !isIn || keys[0] < from {
			continue
		}
		for _, token := range tokens[out:] {
			all = append(all, posting{token, keys[0]})
			size += len(token)
		}
	}
	slices.SortFunc(all, func(a, b posting) int { return cmp.Or(strings.Compare(a.token, b.token), cmp.Compare(a.key, b.key)) })
	return all, keys, nil
}

// leaving gives the tokens of an outcome in the order in which they leave the index, and how many are out; false where it was not put
// in yet.
func (q querier) leaving(key store.Key) (tokens []string, out int, isIn bool, err error) {
	text, isIn, err := q.tokensOf(key)
	if err != nil || !isIn {
		return nil, 0, false, err
	}
	tokens = strings.Fields(text)
	slices.Sort(tokens)
	err = q.one("SELECT out FROM leaving WHERE key = ?", []any{int64(key)}, []any{&out})
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return tokens, min(out, len(tokens)), true, err
}

// takeSome takes postings out, each row's at once.
func (t *tx) takeSome(some []posting) error {
	rows := map[store.Key][]string{}
	for _, p := range some {
		rows[p.key] = append(rows[p.key], p.token)
	}
	for _, key := range slices.Sorted(maps.Keys(rows)) { // in which order FTS5 gathers them to the end of the step
		if err := t.takeOut(key, rows[key]); err != nil {
			return err
		}
		if _, err := t.exec("INSERT INTO search (rowid, tokens) VALUES (?, '')", int64(key)); err != nil {
			return err
		}
		_, err := t.exec("INSERT INTO leaving (key, out) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET out = out + excluded.out", int64(key), len(rows[key]))
		if err != nil {
			return err
		}
	}
	return t.dirty(logDirty)
}

// takeOut takes a row out of the index that has these tokens.
func (t *tx) takeOut(key store.Key, tokens []string) error {
	_, err := t.exec("INSERT INTO search (search, rowid, tokens) VALUES ('delete', ?, ?)", int64(key), strings.Join(tokens, " "))
	return err
}

// finishLeaving removes what was left half way.
func (s *Store) finishLeaving(ctx context.Context) error {
	for {
		var keys []store.Key
		err := s.read(ctx, func(q querier) error {
			keys = nil
			return q.each("SELECT key FROM leaving LIMIT ?", []any{s.takenAtOnce}, func(scan func(...any) error) error {
				var key store.Key
				err := scan(&key)
				keys = append(keys, key)
				return err
			})
		})
		if err != nil || len(keys) == 0 {
			return err
		}
		if _, err := s.removeKeys(ctx, true, keys); err != nil {
			return err
		}
	}
}

// unindex takes an outcome out of the search, with the tokens that it was put in with. What it was found by is noted, to be
// forgotten where nothing else is found by it, once.
func (t *tx) unindex(x indexed, noted map[forgotten]bool) error {
	tokens, out, isIn, err := t.leaving(x.key)
	if err != nil || !isIn {
		return err
	}
	from, err := t.rebuilt()
	if err != nil {
		return err
	}
	if from == 0 || x.key >= from {
		if err := t.takeOut(x.key, tokens[out:]); err != nil {
			return err
		}
	}
	for _, query := range []string{"DELETE FROM tokens WHERE key = ?", "DELETE FROM leaving WHERE key = ?"} {
		if _, err := t.exec(query, int64(x.key)); err != nil {
			return err
		}
	}
	forget := func(f forgotten) error {
		if noted[f] {
			return nil
		}
		noted[f] = true
		_, err := t.exec("INSERT OR IGNORE INTO forgotten (kind, value) VALUES (?, ?)", f.kind, f.value)
		return err
	}
	for _, word := range words.Only(tokens) {
		if err := forget(forgotten{"", word}); err != nil {
			return err
		}
	}
	for _, f := range x.facets {
		if err := forget(forgotten{f.Kind, f.Value}); err != nil {
			return err
		}
	}
	return nil
}

// tokensOf gives what an outcome stands in the index with, and false where it was not put in yet.
func (q querier) tokensOf(key store.Key) (text string, isIn bool, err error) {
	err = q.one("SELECT tokens FROM tokens WHERE key = ?", []any{int64(key)}, []any{&text})
	if !errors.Is(err, sql.ErrNoRows) {
		return text, err == nil, err
	}
	return "", false, nil
}

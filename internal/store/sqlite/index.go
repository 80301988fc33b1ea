package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// mergeUnits is what it costs to join a page of the index.
const mergeUnits = 40

// mergedPages is how many a step joins.
func (m *meter) mergedPages() int { return max(m.left/mergeUnits, 1) }

// indexAll indexes for the search all outcomes that are not indexed yet. An outcome is not indexed in the transaction that
// writes it, because an answer would wait for that.
func (s *Store) indexAll(ctx context.Context) error {
	var waiting bool
	err := s.read(ctx, func(q querier) error {
		return q.one("SELECT EXISTS (SELECT 1 FROM unindexed)", nil, []any{&waiting})
	})
	if err != nil || !waiting {
		return err
	}
	var parts parts
	return s.steps(ctx, func(t *tx, m *meter) (bool, error) {
		if joining, err := parts.join(t, m); joining || err != nil {
			return true, err
		}
		return t.indexSome(m)
	})
}

// mergeEvery is how many steps may add parts to the index before they are joined: each step adds one, and joining very many at
// once takes long, however few pages are written.
const mergeEvery = 16

// parts counts the parts that steps add to the index.
type parts struct {
	added   int
	joining bool
}

// join makes a step one that joins parts where there are too many, until there are few again; false where it did nothing.
func (p *parts) join(t *tx, m *meter) (joining bool, err error) {
	if p.added++; !p.joining && p.added%mergeEvery != 0 {
		return false, nil
	}
	p.joining, err = t.merge(m.mergedPages())
	return true, err
}

// indexSome indexes some outcomes, and tells whether there are more.
func (t *tx) indexSome(m *meter) (more bool, err error) {
	var batch []store.Key
	err = t.each("SELECT key FROM unindexed ORDER BY key LIMIT 64", nil, func(scan func(...any) error) error {
		var key store.Key
		err := scan(&key)
		batch = append(batch, key)
		return err
	})
	if err != nil {
		return false, err
	}
	if len(batch) == 0 {
		return false, engine.ErrNothing
	}
	for more = true; more && len(batch) > 0; batch = batch[1:] {
		units, err := t.index(batch[0])
		if err != nil {
			return false, err
		}
		if _, err := t.exec("DELETE FROM unindexed WHERE key = ?", int64(batch[0])); err != nil {
			return false, err
		}
		more = m.spend(units)
	}
	return true, nil
}

// indexed is what the search holds of one outcome.
type indexed struct {
	key    store.Key
	ord    int64
	words  []string
	facets []engine.Facet
	size   int // of the texts, in bytes
}

// indexed reads what belongs into the search, and false where the outcome is no more.
func (q querier) indexed(key store.Key) (_ indexed, found bool, err error) {
	var ord int64
	var x engine.Indexed
	err = q.one("SELECT o.ord, o.outcome, o.text, q.text, q.agent, q.workspace FROM outcomes o JOIN questions q ON q.ord = o.ord WHERE o.key = ?",
		[]any{int64(key)}, []any{&ord, &x.Outcome, &x.Said, &x.Asked, &x.Agent, &x.Workspace})
	if errors.Is(err, sql.ErrNoRows) {
		return indexed{}, false, nil
	}
	return indexed{key, ord, x.Words(), x.Facets(), len(x.Asked) + len(x.Said)}, err == nil, err
}

// all is the row that FTS5 gets: the tokens, parted by spaces.
func (x indexed) all() string {
	tokens := slices.Clone(x.words)
	for _, f := range x.facets {
		tokens = append(tokens, f.Token())
	}
	return strings.Join(tokens, " ")
}

// index makes an outcome found, and tells what that cost.
func (t *tx) index(key store.Key) (units int, err error) {
	x, found, err := t.indexed(key)
	if err != nil || !found {
		return 1, err
	}
	text := x.all()
	// Kept, since a row is taken out of the index by giving the same tokens again, and a later version may make others.
	added, err := t.exec("INSERT INTO tokens (key, tokens) VALUES (?, ?) ON CONFLICT DO NOTHING", int64(key), text)
	if err != nil || added == 0 {
		return 1, err
	}
	from, err := t.rebuilt()
	if err != nil {
		return 0, err
	}
	if from == 0 || key >= from { // or else it is put in when the new index has come to it
		if _, err := t.exec("INSERT INTO search (rowid, tokens) VALUES (?, ?)", int64(key), text); err != nil {
			return 0, err
		}
	}
	for _, word := range x.words {
		if _, err := t.exec("INSERT OR IGNORE INTO words (word) VALUES (?)", word); err != nil {
			return 0, err
		}
	}
	for _, f := range x.facets {
		if _, err := t.exec("INSERT OR IGNORE INTO facets (kind, value) VALUES (?, ?)", f.Kind, f.Value); err != nil {
			return 0, err
		}
	}
	return len(x.words) + unitsOf(len(text)), nil
}

// merge joins parts of the index until there is nothing worth joining. https://sqlite.org/fts5.html#the_merge_command
func (s *Store) merge(ctx context.Context) error {
	return s.steps(ctx, func(t *tx, m *meter) (bool, error) { return t.merge(m.mergedPages()) })
}

// mergeAll joins everything to one part, in which no trace is left of rows that were removed.
func (s *Store) mergeAll(ctx context.Context) error {
	begun := false
	return s.steps(ctx, func(t *tx, m *meter) (bool, error) {
		pages := m.mergedPages()
		if !begun {
			pages = -pages // whatever the parts are like
		}
		more, err := t.merge(pages)
		more = more || !begun
		t.then(func() { begun = true })
		return more, err
	})
}

// merge tells whether there was anything to do.
func (t *tx) merge(pages int) (bool, error) {
	var before, after int64
	if err := t.one("SELECT total_changes()", nil, []any{&before}); err != nil {
		return false, err
	}
	if _, err := t.exec("INSERT INTO search (search, rank) VALUES ('merge', ?)", pages); err != nil {
		return false, err
	}
	err := t.one("SELECT total_changes()", nil, []any{&after})
	return after-before >= 2, err
}

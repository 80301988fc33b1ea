package sqlite

import (
	"context"
	"time"

	"followup/internal/question"
	"followup/internal/store"
)

// A batch of what can wait ends after this time, so that an answer that comes meanwhile is not held up for longer.
const batchTime = 4 * time.Millisecond

// How many pages of the index are merged in one transaction.
const (
	idleMerge   = 16
	importMerge = 64
)

// indexAll indexes for the search all outcomes that are not indexed yet. An outcome is not indexed in the transaction that
// writes it, because an answer would wait for that.
func (s *Store) indexAll(ctx context.Context) error {
	for {
		var waiting bool
		err := s.read(ctx, func(q querier) error {
			return q.one("SELECT EXISTS (SELECT 1 FROM log WHERE rev > (SELECT value FROM meta WHERE name = 'indexed') AND outcome <> 0)", nil, []any{&waiting})
		})
		if err != nil || !waiting {
			return err
		}
		if err := s.write(ctx, func(t *tx) error { return t.indexBatch(batchTime) }); err != nil {
			return err
		}
	}
}

// indexBatch indexes some outcomes, for as long as it may take.
func (t *tx) indexBatch(most time.Duration) error {
	type waiting struct {
		rev store.Revision
		key store.Key
	}
	var batch []waiting
	err := t.each("SELECT rev, outcome FROM log WHERE rev > (SELECT value FROM meta WHERE name = 'indexed') AND outcome <> 0 ORDER BY rev LIMIT 256", nil,
		func(scan func(...any) error) error {
			var w waiting
			err := scan(&w.rev, &w.key)
			batch = append(batch, w)
			return err
		})
	if err != nil || len(batch) == 0 {
		return err
	}
	var done store.Revision
	for began := time.Now(); len(batch) > 0 && (done == 0 || time.Since(began) < most); batch = batch[1:] {
		if err := t.index(batch[0].key); err != nil {
			return err
		}
		done = batch[0].rev
	}
	_, err = t.exec("UPDATE meta SET value = ? WHERE name = 'indexed'", int64(done))
	return err
}

// indexed is what the search holds of one outcome.
type indexed struct {
	key    store.Key
	ord    int64
	tokens []string          // of the texts
	facets map[string]string // kind to value
}

// indexed reads what belongs into the search, and false where the outcome is no more.
func (t *tx) indexed(key store.Key) (indexed, bool, error) {
	x := indexed{key: key, facets: map[string]string{}}
	var outcome question.Outcome
	var asked, said, agent, workspace string
	found := false
	err := t.each(`SELECT o.ord, o.outcome, o.text, q.text, q.agent, q.workspace FROM outcomes o JOIN questions q ON q.ord = o.ord WHERE o.key = ?`,
		[]any{int64(key)}, func(scan func(...any) error) error {
			found = true
			return scan(&x.ord, &outcome, &said, &asked, &agent, &workspace)
		})
	x.tokens = append(tokens(asked), tokens(said)...)
	x.facets[outcomeFacet] = string(outcome)
	if agent != "" {
		x.facets[agentFacet] = agent
	}
	if workspace != "" {
		x.facets[workspaceFacet] = workspace
	}
	return x, found, err
}

// all is the row that FTS5 gets: the tokens, parted by spaces.
func (x indexed) all() string {
	size := 0
	for _, token := range x.tokens {
		size += len(token) + 1
	}
	text := make([]byte, 0, size)
	for _, token := range x.tokens {
		text = append(append(text, token...), ' ')
	}
	for _, kind := range []string{agentFacet, outcomeFacet, workspaceFacet} {
		if value, ok := x.facets[kind]; ok {
			text = append(append(text, facetToken(kind, value)...), ' ')
		}
	}
	return string(text)
}

func (t *tx) index(key store.Key) error {
	x, found, err := t.indexed(key)
	if err != nil || !found {
		return err
	}
	if _, err := t.exec("INSERT INTO search (rowid, tokens) VALUES (?, ?)", int64(key), x.all()); err != nil {
		return err
	}
	for _, word := range x.tokens {
		if _, err := t.exec("INSERT OR IGNORE INTO words (word) VALUES (?)", word); err != nil {
			return err
		}
	}
	for kind, value := range x.facets {
		if _, err := t.exec("INSERT OR IGNORE INTO facets (kind, value) VALUES (?, ?)", kind, value); err != nil {
			return err
		}
	}
	return nil
}

// merge joins parts of the index, so many pages in each transaction, until there is nothing worth joining.
// https://sqlite.org/fts5.html#the_merge_command
func (s *Store) merge(ctx context.Context, pages int) error {
	for more := true; more; {
		err := s.write(ctx, func(t *tx) (err error) {
			more, err = t.merge(pages)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// mergeAll joins everything to one part, in which no trace is left of rows that were removed.
func (s *Store) mergeAll(ctx context.Context) error {
	err := s.write(ctx, func(t *tx) error {
		_, err := t.merge(-idleMerge)
		return err
	})
	if err != nil {
		return err
	}
	return s.merge(ctx, idleMerge)
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

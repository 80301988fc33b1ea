package postgres

import (
	"cmp"
	"context"
	"maps"
	"slices"
)

// What only removed texts were found by is forgotten behind their removal: words and facets. The kind of a word is empty.

// noteForgotten notes what may have to be forgotten.
func (t *tx) noteForgotten(all map[facet]bool) error {
	sorted := slices.SortedFunc(maps.Keys(all), func(a, b facet) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.value, b.value)) })
	kinds, values := columns(sorted)
	_, err := t.exec("INSERT INTO forgotten (kind, value) SELECT unnest($1::text[]), unnest($2::text[]) ON CONFLICT DO NOTHING", kinds, values)
	return err
}

const (
	// forgottenAtOnce is how many are looked at together.
	forgottenAtOnce = 256
	// sampled is how many of the newest texts are looked at first: what many hold is in one of them, and what is not is rare, and so found
	// quickly in the index.
	sampled = 200
)

// forget drops words and facets that no text holds any more. Which these are is found out by reading, which holds nobody up.
func (s *Store) forget(ctx context.Context) error {
	for {
		var all, unused []facet
		err := s.read(ctx, func(q querier) error {
			all = nil
			err := q.each("SELECT kind, value FROM forgotten ORDER BY kind, value LIMIT $1", []any{forgottenAtOnce}, func(scan func(...any) error) error {
				var f facet
				err := scan(&f.kind, (*text)(&f.value))
				all = append(all, f)
				return err
			})
			if err != nil || len(all) == 0 {
				return err
			}
			held, err := column[string](q, "SELECT DISTINCT unnest(tokens) FROM (SELECT tokens FROM search ORDER BY key DESC LIMIT $1) newest", sampled)
			if err != nil {
				return err
			}
			known := map[string]bool{}
			for _, token := range held {
				known[token] = true
			}
			unused = slices.DeleteFunc(slices.Clone(all), func(f facet) bool { return known[f.searched()] })
			return nil
		})
		if err != nil || len(all) == 0 {
			return err
		}
		err = s.step(ctx, func(t *tx) error { return t.forget(all, unused) })
		if err != nil {
			return err
		}
	}
}

// searched is what a word or a facet stands in the index as.
func (f facet) searched() string {
	if f.kind == "" {
		return f.value
	}
	return f.token()
}

// forget drops those that are not used, and the notes of all. Nobody brings one meanwhile: see queueWords.
func (t *tx) forget(all, unused []facet) error {
	for _, query := range []string{"SET LOCAL enable_seqscan = off", "SELECT pg_advisory_xact_lock(" + lockOf(wordsLock, t.store) + ")"} {
		if _, err := t.exec(query); err != nil {
			return err
		}
	}
	tokens := make([]string, len(unused))
	for i, f := range unused {
		tokens[i] = f.searched()
	}
	gone, err := column[int32](t.querier, `SELECT (place - 1)::integer FROM unnest($1::text[]) WITH ORDINALITY AS f (token, place)
		WHERE NOT EXISTS (SELECT FROM search s WHERE s.tokens @> ARRAY[f.token])`, tokens)
	if err != nil {
		return err
	}
	var dropped []facet
	for _, place := range gone {
		dropped = append(dropped, unused[place])
	}
	kinds, values := columns(dropped)
	for _, query := range []string{
		"DELETE FROM words w USING unnest($1::text[], $2::text[]) AS f (kind, value) WHERE f.kind = '' AND w.word = f.value",
		"DELETE FROM facets w USING unnest($1::text[], $2::text[]) AS f (kind, value) WHERE w.kind = f.kind AND w.value = f.value",
	} {
		if _, err := t.exec(query, kinds, values); err != nil {
			return err
		}
	}
	kinds, values = columns(all)
	_, err = t.exec("DELETE FROM forgotten w USING unnest($1::text[], $2::text[]) AS f (kind, value) WHERE w.kind = f.kind AND w.value = f.value", kinds, values)
	return err
}

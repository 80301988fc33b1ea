package postgres

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
)

// What only removed texts were found by is forgotten behind their removal: the tokens of words and facets.

// noteForgotten notes what may have to be forgotten, anew where another removal has noted it: whoever has looked before this one did
// not see it.
func (t *tx) noteForgotten(all map[string]bool) {
	sorted := slices.Sorted(maps.Keys(all))
	t.last = func(batch *pgx.Batch) {
		batch.Queue(`INSERT INTO forgotten (token, mark) SELECT unnest($1::text[]), $2 ON CONFLICT (token) DO UPDATE SET mark = excluded.mark`, sorted, t.mark)
	}
}

const (
	// forgottenAtOnce is how many are looked at together.
	forgottenAtOnce = 256
	// sampled is how many of the newest texts are looked at first: what many hold is in one of them, and what is not is rare, and so found
	// quickly in the index.
	sampled = 200
)

// forgetting are the notes of what may have to be forgotten.
type forgetting struct{ tokens, marks []string }

// forget drops words and facets that no text holds any more. Which these are is found out by reading, which holds nobody up.
func (s *Store) forget(ctx context.Context) error {
	for {
		noted, unused, err := s.unused(ctx)
		if err != nil || len(noted.tokens) == 0 {
			return err
		}
		err = s.step(ctx, func(t *tx) error {
			t.forget(noted, unused)
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// unused gives some notes, and which of their tokens seem to be in no text.
func (s *Store) unused(ctx context.Context) (noted forgetting, unused []string, err error) {
	err = s.read(ctx, func(q querier) error {
		noted, unused = forgetting{}, nil
		err := q.each("SELECT token, mark FROM forgotten ORDER BY token LIMIT $1", []any{forgottenAtOnce}, func(scan func(...any) error) error {
			var token, mark string
			err := scan(&token, &mark)
			noted.tokens, noted.marks = append(noted.tokens, token), append(noted.marks, mark)
			return err
		})
		if err != nil || len(noted.tokens) == 0 {
			return err
		}
		// Behind the notes: what is removed after this look is noted anew.
		held, err := column[string](q, "SELECT DISTINCT unnest(tokens) FROM (SELECT tokens FROM search ORDER BY key DESC LIMIT $1) newest", sampled)
		if err != nil {
			return err
		}
		known := map[string]bool{}
		for _, token := range held {
			known[token] = true
		}
		unused = slices.DeleteFunc(slices.Clone(noted.tokens), func(token string) bool { return known[token] })
		return nil
	})
	return noted, unused, err
}

// forget drops those that are not used, and the notes of all that were not noted anew. Nobody brings a word meanwhile (see queueWords),
// so all of it is one exchange with the server.
func (t *tx) forget(noted forgetting, unused []string) {
	t.last = func(batch *pgx.Batch) {
		batch.Queue("SET LOCAL enable_seqscan = off")
		batch.Queue("SELECT pg_advisory_xact_lock($1, $2)", wordsLock, t.store.lockID)
		batch.Queue(`WITH gone AS MATERIALIZED (SELECT token FROM unnest($1::text[]) AS u (token) WHERE NOT EXISTS (SELECT FROM search s WHERE s.tokens @> ARRAY[u.token])),
			w AS (DELETE FROM words USING gone WHERE word = gone.token),
			f AS (DELETE FROM facets f USING gone WHERE f.token = gone.token)
			DELETE FROM forgotten n USING unnest($2::text[], $3::text[]) AS seen (token, mark) WHERE n.token = seen.token AND n.mark = seen.mark`,
			unused, noted.tokens, noted.marks)
	}
}

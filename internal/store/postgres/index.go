package postgres

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"followup/internal/store"
	"followup/internal/store/engine"
)

const (
	// maxPrefix is the longest beginning of a word that stands in the index as such; what a longer one may become is looked up.
	maxPrefix = 3
	// prefixMark begins the tokens of beginnings. It is a character of private use, and so in no text's token.
	prefixMark = "\ue001"
)

// beginnings are the tokens of the first characters of words.
func beginnings(of []string) (all []string) {
	for _, word := range of {
		end := 0
		for range maxPrefix {
			if end == len(word) {
				break
			}
			_, size := utf8.DecodeRuneInString(word[end:])
			end += size
			all = append(all, prefixMark+word[:end])
		}
	}
	return all
}

// index makes an outcome found. The index itself is cheap to add to: PostgreSQL gathers what is new in a list of its own, and sorts it in
// later (https://www.postgresql.org/docs/current/gin-implementation.html#GIN-FAST-UPDATE).
func (t *tx) index(key store.Key, x engine.Indexed) error {
	found, facets := x.Words(), x.Facets()
	t.words, t.facets = append(t.words, found...), append(t.facets, facets...)
	all := append(beginnings(found), x.Tokens()...)
	slices.Sort(all)
	_, err := t.exec("INSERT INTO search (key, tokens) VALUES ($1, $2)", int64(key), slices.Compact(all))
	return err
}

// queueWords has the words and facets of a transaction known, in their order, so that two that bring the same do not wait for each other
// in a circle. The lock is shared: it keeps a word that this transaction has found there from being forgotten before the text with it
// can be seen.
func (t *tx) queueWords(batch *pgx.Batch) {
	slices.Sort(t.words)
	slices.SortFunc(t.facets, func(a, b engine.Facet) int { return cmp.Compare(a.Token(), b.Token()) })
	var tokens, kinds, values []string
	for _, f := range slices.Compact(t.facets) {
		tokens, kinds, values = append(tokens, f.Token()), append(kinds, f.Kind), append(values, escaped(f.Value))
	}
	batch.Queue("SELECT pg_advisory_xact_lock_shared($1, $2)", wordsLock, t.store.lockID)
	batch.Queue("INSERT INTO words (word) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING", slices.Compact(t.words))
	batch.Queue("INSERT INTO facets (token, kind, value) SELECT unnest($1::text[]), unnest($2::text[]), unnest($3::text[]) ON CONFLICT DO NOTHING", tokens, kinds, values)
}

// search makes a search out of a filter.
func (q querier) search(f store.Filter) (engine.Search, error) {
	return engine.NewSearch(f, maxPrefix, func(prefix string, most int) ([]string, error) {
		return column[string](q, "SELECT word FROM words WHERE word >= $1 AND word < $2 LIMIT $3", prefix, prefix+"\U0010ffff", most)
	})
}

// indexTokens are what the index is asked for: tokens that have to be there, and lists, of each of which one has to.
func indexTokens(s engine.Search) (all []string, any [][]string) {
	for _, one := range s.All {
		tokens := make([]string, len(one))
		for i, token := range one {
			if tokens[i] = token.Text; token.Prefix {
				tokens[i] = prefixMark + token.Text
			}
		}
		if len(tokens) == 1 {
			all = append(all, tokens...)
		} else {
			any = append(any, tokens)
		}
	}
	return all, any
}

package sqlite

import (
	"strings"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// maxPrefix is the longest beginning of a word that the search has an index for; see schema/2.sql. FTS5 gathers all that begins with
// something before it gives the first row, unless it has an index for that very length.
const maxPrefix = 5

// search makes a search out of a filter.
func (q querier) search(f store.Filter) (engine.Search, error) {
	return engine.NewSearch(f, maxPrefix, func(prefix string, most int) (words []string, err error) {
		err = q.each("SELECT word FROM words WHERE word >= ? AND word < ? LIMIT ?", []any{prefix, prefix + "\U0010ffff", most}, func(scan func(...any) error) error {
			var word string
			err := scan(&word)
			words = append(words, word)
			return err
		})
		return words, err
	})
}

// matchQuery is a search as FTS5 is asked. Every token stands in quotation marks, and none holds one, so that no operator can be written
// by a user.
func matchQuery(s engine.Search) string {
	all := make([]string, len(s.All))
	for i, any := range s.All {
		clauses := make([]string, len(any))
		for n, token := range any {
			if clauses[n] = quote(token.Text); token.Prefix {
				clauses[n] += "*"
			}
		}
		all[i] = "(" + strings.Join(clauses, " OR ") + ")"
	}
	return strings.Join(all, " AND ")
}

func quote(token string) string { return `"` + token + `"` }

package sqlite

import (
	"strings"
	"unicode/utf8"

	"followup/internal/store"
	"followup/internal/store/words"
)

const (
	// maxPrefix is the longest beginning of a word that the search has an index for; see schema/2.sql.
	maxPrefix = 5
	// maxExpansions is how many words a longer beginning may stand for before its first maxPrefix characters are searched instead.
	maxExpansions = 128
)

// matcher is a search: a query for FTS5, and what has to be looked at in each text that it finds.
type matcher struct {
	query string
	// nothing tells that no text can match.
	nothing bool
	// prefixes and stretches are what the query says only in part.
	prefixes, stretches []string
}

// matcher makes a search out of a filter. Its query is empty when there is nothing to search for. Every token stands in
// quotation marks, and none holds one, so that no operator can be written by a user.
func (q querier) matcher(f store.Filter) (m matcher, err error) {
	var all []string
	for kind, values := range map[string][]string{words.AgentFacet: f.Agents, words.WorkspaceFacet: f.Workspaces, words.OutcomeFacet: outcomeNames(f)} {
		var any []string
		for _, value := range values {
			any = append(any, quote(words.FacetToken(kind, value)))
		}
		if len(any) > 0 {
			all = append(all, anyOf(any))
		}
	}
	for _, t := range words.Terms(f.Text) {
		if t.Stretch != "" {
			m.stretches = append(m.stretches, t.Stretch)
		}
		clause, err := q.clause(t, &m)
		if err != nil {
			return matcher{}, err
		}
		all = append(all, clause)
	}
	m.stretches = append(m.stretches, words.Signs(f.Text)...)
	m.query = strings.Join(all, " AND ")
	return m, nil
}

func outcomeNames(f store.Filter) (names []string) {
	for _, outcome := range f.Outcomes {
		names = append(names, string(outcome))
	}
	return names
}

// clause is the query for one term. FTS5 gathers all that begins with something before it gives the first row, unless it has
// an index for that very length; so a longer beginning is asked for by the words that it stands for.
func (q querier) clause(t words.Term, m *matcher) (string, error) {
	switch {
	case !t.Prefix:
		return quote(t.Token), nil
	case utf8.RuneCountInString(t.Token) <= maxPrefix:
		return quote(t.Token) + "*", nil
	}
	var words []string
	err := q.each("SELECT word FROM words WHERE word >= ? AND word < ? LIMIT ?", []any{t.Token, t.Token + "\U0010ffff", maxExpansions + 1},
		func(scan func(...any) error) error {
			var word string
			err := scan(&word)
			words = append(words, quote(word))
			return err
		})
	switch {
	case err != nil:
		return "", err
	case len(words) == 0:
		m.nothing = true
		return quote(t.Token), nil
	case len(words) <= maxExpansions:
		return anyOf(words), nil
	}
	m.prefixes = append(m.prefixes, t.Token)
	end := 0
	for range maxPrefix {
		_, size := utf8.DecodeRuneInString(t.Token[end:])
		end += size
	}
	return quote(t.Token[:end]) + "*", nil
}

func quote(token string) string { return `"` + token + `"` }

func anyOf(clauses []string) string { return "(" + strings.Join(clauses, " OR ") + ")" }

// inPart tells whether the texts have to be looked at.
func (m matcher) inPart() bool { return len(m.prefixes)+len(m.stretches) > 0 }

// matches looks at a text for what the query does not say.
func (m matcher) matches(texts ...string) bool { return words.Hold(texts, m.stretches, m.prefixes) }

package sqlstore

import (
	"strings"

	"followup/internal/store"
	"followup/internal/store/words"
)

// Term is a condition for one token.
type Term = words.Term

// Search is the condition of a filter for the search index.
type Search struct {
	// All are conjunctions: each needs one of its terms.
	All [][]Term
	// stretches must occur literally in the texts, which tokens alone cannot decide.
	stretches []string
}

// newSearch returns the search for a filter.
func newSearch(f store.Filter) (s Search) {
	for _, any := range [][]Term{
		facets(words.AgentFacet, f.Agents), facets(words.WorkspaceFacet, f.Workspaces),
		facets(words.KindFacet, f.Kinds), facets(words.OutcomeFacet, f.Outcomes), facets(words.RecipientFacet, f.For),
	} {
		if len(any) > 0 {
			s.All = append(s.All, any)
		}
	}
	for _, term := range words.Terms(f.Text) {
		if term.Stretch != "" {
			s.stretches = append(s.stretches, term.Stretch)
		}
		s.All = append(s.All, []Term{term})
	}
	s.stretches = append(s.stretches, words.Signs(f.Text)...)
	return s
}

func facets[T ~string](kind string, values []T) (any []Term) {
	for _, value := range values {
		any = append(any, Term{Token: words.FacetToken(kind, string(value))})
	}
	return any
}

// Query returns the search in an engine's language, with that engine's term, or and and.
func (s Search) Query(write func(Term) string, or, and string) string {
	all := make([]string, len(s.All))
	for i, some := range s.All {
		terms := make([]string, len(some))
		for n, term := range some {
			terms[n] = write(term)
		}
		all[i] = "(" + strings.Join(terms, or) + ")"
	}
	return strings.Join(all, and)
}

// matches reports whether an entry's texts have all stretches.
func (s Search) matches(texts ...string) bool { return words.Hold(texts, s.stretches) }

// Part is a part of the history to read.
type Part struct {
	// From joins the entries, as q, with the query that finds them, with Args; Key is the column of keys there.
	From, Key string
	Args      []any
	// First and End are the range of keys, End excluded.
	First, End store.Key
}

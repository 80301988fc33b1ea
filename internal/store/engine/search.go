package engine

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"followup/internal/store"
	"followup/internal/store/words"
)

// MaxExpansions is how many words the beginning of one may stand for before a shorter beginning is searched instead.
const MaxExpansions = 128

// Token is one of the index.
type Token struct {
	Text   string
	Prefix bool // it is the beginning of one
}

// Search is what a filter asks an index for, and what has to be looked at in each text that is found.
type Search struct {
	// All have to hold: of each, one token has to be there.
	All [][]Token
	// Nothing tells that no text can match.
	Nothing bool
	// prefixes and stretches are what the tokens say only in part.
	prefixes, stretches []string
}

// NewSearch makes a search out of a filter. The index knows beginnings of words of up to maxPrefix characters as such; a longer one is asked
// for by the words that it stands for, of which expand gives so many.
func NewSearch(f store.Filter, maxPrefix int, expand func(prefix string, most int) (words []string, err error)) (s Search, err error) {
	outcomes := make([]string, len(f.Outcomes))
	for i, outcome := range f.Outcomes {
		outcomes[i] = string(outcome)
	}
	s.facet(words.AgentFacet, f.Agents)
	s.facet(words.WorkspaceFacet, f.Workspaces)
	s.facet(words.OutcomeFacet, outcomes)
	for _, term := range words.Terms(f.Text) {
		if term.Stretch != "" {
			s.stretches = append(s.stretches, term.Stretch)
		}
		if !term.Prefix || utf8.RuneCountInString(term.Token) <= maxPrefix {
			s.All = append(s.All, []Token{{term.Token, term.Prefix}})
			continue
		}
		found, err := expand(term.Token, MaxExpansions+1)
		if err != nil {
			return Search{}, err
		}
		switch {
		case len(found) == 0:
			s.Nothing = true
		case len(found) <= MaxExpansions:
			s.any(found)
		default:
			s.prefixes = append(s.prefixes, term.Token)
			s.All = append(s.All, []Token{{beginning(term.Token, maxPrefix), true}})
		}
	}
	s.stretches = append(s.stretches, words.Signs(f.Text)...)
	return s, nil
}

func (s *Search) facet(kind string, values []string) {
	tokens := make([]string, len(values))
	for i, value := range values {
		tokens[i] = words.FacetToken(kind, value)
	}
	s.any(tokens)
}

func (s *Search) any(of []string) {
	var any []Token
	for _, token := range of {
		any = append(any, Token{token, false})
	}
	if len(any) > 0 {
		s.All = append(s.All, any)
	}
}

// beginning is so many characters of a word.
func beginning(word string, characters int) string {
	end := 0
	for range characters {
		_, size := utf8.DecodeRuneInString(word[end:])
		end += size
	}
	return word[:end]
}

// InPart tells whether the texts have to be looked at.
func (s Search) InPart() bool { return len(s.prefixes)+len(s.stretches) > 0 }

// Matches looks at texts for what the tokens do not say.
func (s Search) Matches(texts ...string) bool { return words.Hold(texts, s.stretches, s.prefixes) }

// Facet is a value that the history can be filtered by.
type Facet struct{ Kind, Value string }

// Token is what the index has it as.
func (f Facet) Token() string { return words.FacetToken(f.Kind, f.Value) }

// Indexed is what an outcome is found by.
type Indexed struct{ Asked, Said, Agent, Workspace, Outcome string }

// Words are the tokens of the texts.
func (x Indexed) Words() []string { return append(words.Tokens(x.Asked), words.Tokens(x.Said)...) }

// Facets are those that it has.
func (x Indexed) Facets() (all []Facet) {
	for _, f := range []Facet{{words.AgentFacet, x.Agent}, {words.OutcomeFacet, x.Outcome}, {words.WorkspaceFacet, x.Workspace}} {
		if f.Value != "" || f.Kind == words.OutcomeFacet {
			all = append(all, f)
		}
	}
	return all
}

// Tokens are all that the index has of it: words and facets.
func (x Indexed) Tokens() []string {
	all := x.Words()
	for _, f := range x.Facets() {
		all = append(all, f.Token())
	}
	return all
}

// LetsThrough is what an index is asked for, of a closed question that is not in it.
func LetsThrough(f store.Filter, q store.Question) bool {
	s, _ := NewSearch(f, math.MaxInt, nil) // which is not asked for words
	x := Indexed{q.Text, q.Outcome.Text, q.Agent, q.Workspace, string(q.Outcome.Outcome)}
	tokens := x.Tokens()
	for _, any := range s.All {
		if !slices.ContainsFunc(any, func(t Token) bool { return slices.ContainsFunc(tokens, t.is) }) {
			return false
		}
	}
	return s.Matches(x.Asked, x.Said)
}

// is tells whether a text's token is the one that is asked for.
func (t Token) is(token string) bool {
	return token == t.Text || t.Prefix && strings.HasPrefix(token, t.Text)
}

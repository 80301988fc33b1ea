package postgres

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"followup/internal/store"
	"followup/internal/store/words"
)

const (
	// maxPrefix is the longest beginning of a word that stands in the index as such; what a longer one may become is looked up.
	maxPrefix = 3
	// maxExpansions is how many words a longer beginning may stand for before its first maxPrefix characters are searched instead.
	maxExpansions = 128
	// prefixMark begins the tokens of beginnings. It is a character of private use, and so in no text's token.
	prefixMark = "\ue001"
)

// indexed is what an outcome is found by.
type indexed struct{ asked, said, agent, workspace, outcome string }

// facet is a value that the history can be filtered by.
type facet struct{ kind, value string }

func (f facet) token() string { return words.FacetToken(f.kind, f.value) }

func (x indexed) facets() []facet {
	all := []facet{{words.OutcomeFacet, x.outcome}}
	if x.agent != "" {
		all = append(all, facet{words.AgentFacet, x.agent})
	}
	if x.workspace != "" {
		all = append(all, facet{words.WorkspaceFacet, x.workspace})
	}
	return all
}

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
func (t *tx) index(key store.Key, x indexed) error {
	found := append(words.Tokens(x.asked), words.Tokens(x.said)...)
	t.words = append(t.words, found...)
	all := append(beginnings(found), found...)
	for _, f := range x.facets() {
		t.facets = append(t.facets, f)
		all = append(all, f.token())
	}
	slices.Sort(all)
	_, err := t.exec("INSERT INTO search (key, tokens) VALUES ($1, $2)", int64(key), slices.Compact(all))
	return err
}

// queueWords has the words and facets of a transaction known, in their order, so that two that bring the same do not wait for each other
// in a circle. The lock is shared: it keeps a word that this transaction has found there from being forgotten before the text with it
// can be seen.
func (t *tx) queueWords(batch *pgx.Batch) {
	slices.Sort(t.words)
	slices.SortFunc(t.facets, func(a, b facet) int { return cmp.Compare(a.token(), b.token()) })
	var tokens, kinds, values []string
	for _, f := range slices.Compact(t.facets) {
		tokens, kinds, values = append(tokens, f.token()), append(kinds, f.kind), append(values, escaped(f.value))
	}
	batch.Queue("SELECT pg_advisory_xact_lock_shared($1, $2)", wordsLock, t.store.lockID)
	batch.Queue("INSERT INTO words (word) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING", slices.Compact(t.words))
	batch.Queue("INSERT INTO facets (token, kind, value) SELECT unnest($1::text[]), unnest($2::text[]), unnest($3::text[]) ON CONFLICT DO NOTHING", tokens, kinds, values)
}

// matcher is a search: what the index is asked for, and what has to be looked at in each text that it finds.
type matcher struct {
	all []string   // tokens that have to be there
	any [][]string // of each of these lists, one
	// nothing tells that no text can match.
	nothing bool
	// prefixes and stretches are what the index says only in part.
	prefixes, stretches []string
}

// matcher makes a search out of a filter.
func (q querier) matcher(f store.Filter) (m matcher, err error) {
	outcomes := make([]string, len(f.Outcomes))
	for i, outcome := range f.Outcomes {
		outcomes[i] = string(outcome)
	}
	for kind, values := range map[string][]string{words.AgentFacet: f.Agents, words.WorkspaceFacet: f.Workspaces, words.OutcomeFacet: outcomes} {
		var any []string
		for _, value := range values {
			any = append(any, words.FacetToken(kind, value))
		}
		if len(any) > 0 {
			m.any = append(m.any, any)
		}
	}
	for _, t := range words.Terms(f.Text) {
		if t.Stretch != "" {
			m.stretches = append(m.stretches, t.Stretch)
		}
		if err := q.term(t, &m); err != nil {
			return matcher{}, err
		}
	}
	m.stretches = append(m.stretches, words.Signs(f.Text)...)
	return m, nil
}

// term adds one term to a search.
func (q querier) term(t words.Term, m *matcher) error {
	switch {
	case !t.Prefix:
		m.all = append(m.all, t.Token)
		return nil
	case utf8.RuneCountInString(t.Token) <= maxPrefix:
		m.all = append(m.all, prefixMark+t.Token)
		return nil
	}
	found, err := column[string](q, "SELECT word FROM words WHERE word >= $1 AND word < $2 LIMIT $3", t.Token, t.Token+"\U0010ffff", maxExpansions+1)
	switch {
	case err != nil:
		return err
	case len(found) == 0:
		m.nothing = true
	case len(found) <= maxExpansions:
		m.any = append(m.any, found)
	default:
		of := beginnings([]string{t.Token})
		m.all, m.prefixes = append(m.all, of[len(of)-1]), append(m.prefixes, t.Token)
	}
	return nil
}

// inIndex tells whether the index is asked for anything, and inPart whether the texts have to be looked at.
func (m matcher) inIndex() bool { return len(m.all)+len(m.any) > 0 }
func (m matcher) inPart() bool  { return len(m.prefixes)+len(m.stretches) > 0 }

func (m matcher) matches(texts ...string) bool { return words.Hold(texts, m.stretches, m.prefixes) }

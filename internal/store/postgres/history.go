package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/engine"
	"followup/internal/store/words"
)

// nearest is how many of the newest entries are searched by reading them.
const nearest = 8000

// lookedAt is how many entries a search reads whose texts have to be looked at.
const lookedAt = 256

// History gives a page of the history, newest first: at most limit entries before the key, or from the newest when it is 0.
func (s *Store) History(ctx context.Context, f store.Filter, before store.Key, limit int) (page store.Page, err error) {
	if err := engine.CheckLimit(limit); err != nil {
		return store.Page{}, err
	}
	err = s.read(ctx, func(q querier) error {
		m, err := q.search(f)
		if err != nil {
			return err
		}
		page, err = q.page(m, f, before, limit, s.near)
		return err
	})
	return page, err
}

// page reads a page, one more than it holds, to know whether there is another.
func (q querier) page(m engine.Search, f store.Filter, before store.Key, limit, near int) (page store.Page, err error) {
	if m.Nothing {
		return store.Page{}, nil
	}
	spans, err := q.spans(m, f, before, near)
	for most := mostRead(m, limit+1); err == nil && len(spans) > 0; {
		query, args := pageQuery(engine.QuestionColumns, m, f, spans[0], most)
		read, full := 0, false
		err := q.each(query, append([]any{pgx.QueryExecModeCacheDescribe}, args...), func(scan func(...any) error) error {
			entry, _, err := engine.ScanQuestion(scan)
			if err != nil || full {
				return err
			}
			read++
			spans[0].end = entry.Outcome.Key
			if !m.Matches(entry.Text, entry.Outcome.Text) {
				return nil
			}
			if full = len(page.Entries) == limit; !full {
				page.Entries = append(page.Entries, entry)
			}
			return nil
		})
		if err != nil {
			return store.Page{}, err
		}
		if full {
			page.Next = page.Entries[limit-1].Outcome.Key
			return page, nil
		}
		if read < most {
			spans = spans[1:]
		}
	}
	return page, err
}

// span is a part of the history: the keys from first on, before end.
type span struct {
	first, end store.Key
	far        bool // the words are looked up in their index first
}

// spans are what a page is read from, newest first. Most searches end among the newest entries. Where a word is not found there, the
// server would take it for as frequent before them, and read them one by one: there the index is asked first.
func (q querier) spans(m engine.Search, f store.Filter, before store.Key, near int) ([]span, error) {
	first, end := engine.Bounds(f, before)
	if len(m.All) == 0 {
		return []span{{first: first, end: end}}, nil
	}
	edge, err := column[int64](q, "SELECT key FROM search WHERE key >= $1 AND key < $2 ORDER BY key DESC OFFSET $3 LIMIT 1", int64(first), int64(end), near)
	if err != nil || len(edge) == 0 {
		return []span{{first: first, end: end}}, err
	}
	return []span{{first: store.Key(edge[0]), end: end}, {first: first, end: store.Key(edge[0]), far: true}}, nil
}

// mostRead is how many rows are read to have so many.
func mostRead(m engine.Search, wanted int) int {
	if m.InPart() {
		return max(wanted, lookedAt)
	}
	return wanted
}

// pageQuery reads a part of the history, newest first. It is planned anew for each search: how is a
// matter of how rare the words are.
func pageQuery(columns string, m engine.Search, f store.Filter, of span, most int) (query string, args []any) {
	args = []any{int64(of.first), int64(of.end), most}
	where := func(condition string, arg any) string {
		args = append(args, arg)
		return fmt.Sprintf(condition, len(args))
	}
	from, key, has := " FROM outcomes o", "o.key", ""
	if len(m.All) > 0 {
		from, key = " FROM search s JOIN outcomes o ON o.key = s.key", "s.key"
		all, any := indexTokens(m)
		if len(all) > 0 {
			has += where(" AND s.tokens @> $%d", all)
		}
		for _, one := range any {
			has += where(" AND s.tokens && $%d", one)
		}
	}
	if of.far {
		// OFFSET keeps the server from taking both queries for one.
		from = " FROM (SELECT s.key FROM search s WHERE s.key >= $1 AND s.key < $2" + has + " ORDER BY s.key DESC OFFSET 0) s JOIN outcomes o ON o.key = s.key"
		has = ""
	}
	has += " AND o.deletion IS NULL"
	if len(f.Outcomes) == 0 {
		has += where(" AND o.outcome <> $%d", string(question.Invalid))
	}
	return fmt.Sprintf("SELECT %s%s JOIN questions q ON q.ord = o.ord%s WHERE %s >= $1 AND %[4]s < $2%s ORDER BY %[4]s DESC LIMIT $3",
		columns, from, questionJoins, key, has), args
}

// source is what parts of the history are read from; see engine.Source.
type source struct{ *Store }

// WithAnswerImages adds the images of answers.
func (s source) WithAnswerImages(ctx context.Context, entries []store.Question) error {
	return s.read(ctx, func(q querier) error {
		for i := range entries {
			if err := q.withAnswerImages(&entries[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Places gives the places of closed questions.
func (s source) Places(ctx context.Context, ids []string) (places []engine.Place, err error) {
	err = s.read(ctx, func(q querier) error {
		places = nil
		return q.each("SELECT id, outcome FROM questions WHERE id = ANY($1) AND outcome <> 0", []any{ids}, func(scan func(...any) error) error {
			var p engine.Place
			err := scan(&p.ID, &p.Key)
			places = append(places, p)
			return err
		})
	})
	return places, err
}

// Keys gives places of the history.
func (s source) Keys(ctx context.Context, f store.Filter, before store.Key, most int) (keys []store.Key, next store.Key, err error) {
	err = s.read(ctx, func(q querier) (err error) {
		keys, next, err = q.keys(f, before, most)
		return err
	})
	return keys, next, err
}

// keys is page, without the entries, and with some rows more or less; last is where to go on, 0 at the end.
func (q querier) keys(f store.Filter, before store.Key, most int) (keys []store.Key, last store.Key, err error) {
	m, err := q.search(f)
	if err != nil || m.Nothing {
		return nil, 0, err
	}
	columns := "o.key, '', ''"
	if m.InPart() {
		columns = "o.key, q.text, o.text"
	}
	first, end := engine.Bounds(f, before)
	query, args := pageQuery(columns, m, f, span{first: first, end: end}, most)
	read := 0
	err = q.each(query, append([]any{pgx.QueryExecModeCacheDescribe}, args...), func(scan func(...any) error) error {
		var asked, said string
		if err := scan(&last, &asked, &said); err != nil {
			return err
		}
		read++
		if m.Matches(asked, said) {
			keys = append(keys, last)
		}
		return nil
	})
	if read < most {
		last = 0
	}
	return keys, last, err
}

// countedAtOnce is how many rows are counted in one query.
const countedAtOnce = 100_000

// Count tells how many questions a selection holds; see store.Store.
func (s *Store) Count(ctx context.Context, what store.Selection) (int, error) {
	return engine.Count(ctx, source{s}, what, countedAtOnce)
}

// Facets gives the values that the history can be filtered by, sorted.
func (s *Store) Facets(ctx context.Context) (f store.Facets, err error) {
	err = s.read(ctx, func(q querier) error {
		f = store.Facets{}
		err := q.each("SELECT kind, value FROM facets WHERE kind = ANY($1)", []any{[]string{words.AgentFacet, words.WorkspaceFacet}}, func(scan func(...any) error) error {
			var kind, value string
			err := scan(&kind, &value)
			if kind == words.AgentFacet {
				f.Agents = append(f.Agents, value)
			} else {
				f.Workspaces = append(f.Workspaces, value)
			}
			return err
		})
		slices.Sort(f.Agents)
		slices.Sort(f.Workspaces)
		return err
	})
	return f, err
}

// Export hands over closed questions; see engine.Export.
func (s *Store) Export(ctx context.Context, what store.Selection, emit func(store.Question) error) error {
	if what.IDs != nil {
		return engine.ExportIDs(ctx, source{s}, what.IDs, emit)
	}
	return engine.Export(ctx, source{s}, what.Filter, emit)
}

// Known tells how many of the exchanges Import would not add.
func (s *Store) Known(ctx context.Context, exchanges []store.Imported) (known int, err error) {
	err = s.read(ctx, func(q querier) error {
		known, err = q.known(exchanges)
		return err
	})
	return known, err
}

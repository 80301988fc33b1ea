package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/words"
)

// exportBatch is how many entries an export reads at a time, and lookedAt how many a search reads whose texts have to be looked at.
const (
	exportBatch = 64
	lookedAt    = 256
)

// History gives a page of the history, newest first: at most limit entries before the key, or from the newest when it is 0.
func (s *Store) History(ctx context.Context, f store.Filter, before store.Key, limit int) (page store.Page, err error) {
	if limit <= 0 {
		return store.Page{}, errors.New("store: a page of the history needs a limit")
	}
	err = s.read(ctx, func(q querier) error {
		m, err := q.matcher(f)
		if err != nil {
			return err
		}
		page, err = q.page(m, f, before, limit, s.clock())
		return err
	})
	return page, err
}

// page reads a page, one more than it holds, to know whether there is another.
func (q querier) page(m matcher, f store.Filter, before store.Key, limit int, now *int64) (page store.Page, err error) {
	if m.nothing {
		return store.Page{}, nil
	}
	for most := m.most(limit + 1); ; {
		query, args := pageQuery(questionColumns, m, f, before, most)
		args[0] = now
		read, full := 0, false
		err := q.each(query, append([]any{pgx.QueryExecModeCacheDescribe}, args...), func(scan func(...any) error) error {
			entry, _, err := scanQuestion(scan)
			if err != nil || full {
				return err
			}
			read++
			before = entry.Outcome.Key
			if !m.matches(entry.Text, entry.Outcome.Text) {
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
		}
		if full || read < most {
			return page, nil
		}
	}
}

// most is how many rows are read to have so many.
func (m matcher) most(wanted int) int {
	if m.inPart() {
		return max(wanted, lookedAt)
	}
	return wanted
}

// pageQuery reads from the history, newest first. The first parameter is the caller's. It is planned anew for each search: how is a
// matter of how rare the words are.
func pageQuery(columns string, m matcher, f store.Filter, before store.Key, most int) (query string, args []any) {
	first, end := store.Key(math.MinInt64), store.Key(math.MaxInt64)
	if before != 0 {
		end = before
	}
	if !f.From.IsZero() {
		first = firstKey(f.From.UnixMilli())
	}
	if !f.To.IsZero() {
		end = min(end, firstKey(f.To.UnixMilli()))
	}
	args = []any{nil, int64(first), int64(end), most}
	from, key := " FROM outcomes o JOIN questions q ON q.ord = o.ord", "o.key"
	where := " AND o.deletion IS NULL"
	if m.inIndex() {
		from, key = " FROM search s JOIN outcomes o ON o.key = s.key JOIN questions q ON q.ord = o.ord", "s.key"
		if len(m.all) > 0 {
			args = append(args, m.all)
			where += fmt.Sprintf(" AND s.tokens @> $%d", len(args))
		}
		for _, any := range m.any {
			args = append(args, any)
			where += fmt.Sprintf(" AND s.tokens && $%d", len(args))
		}
	}
	if len(f.Outcomes) == 0 {
		args = append(args, string(question.Invalid))
		where += fmt.Sprintf(" AND o.outcome <> $%d", len(args))
	}
	return fmt.Sprintf("SELECT %s%s%s WHERE %s >= $2 AND %[4]s < $3%s ORDER BY %[4]s DESC LIMIT $4", columns, from, questionJoins, key, where), args
}

// selected hands over the keys of a selection, so many at a time; what is done with them may write.
func (s *Store) selected(ctx context.Context, what store.Selection, most int, do func([]store.Key) error) error {
	if what.IDs != nil {
		for ids := range slices.Chunk(what.IDs, most) {
			var keys []store.Key
			err := s.read(ctx, func(q querier) (err error) {
				keys, err = column[store.Key](q, "SELECT outcome FROM questions WHERE id = ANY($1) AND outcome <> 0 ORDER BY outcome", escapedAll(ids))
				return err
			})
			if err == nil && len(keys) > 0 {
				err = do(keys)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	for before := store.Key(0); ; {
		var keys []store.Key
		var last store.Key
		err := s.read(ctx, func(q querier) (err error) {
			keys, last, err = q.keys(what.Filter, before, most)
			return err
		})
		if err == nil && len(keys) > 0 {
			err = do(keys)
		}
		if err != nil || last == 0 {
			return err
		}
		before = last
	}
}

// keys is page, without the entries, and with some rows more or less; last is where to go on, 0 at the end.
func (q querier) keys(f store.Filter, before store.Key, most int) (keys []store.Key, last store.Key, err error) {
	m, err := q.matcher(f)
	if err != nil || m.nothing {
		return nil, 0, err
	}
	columns := "coalesce($1, ''), o.key, '', ''"
	if m.inPart() {
		columns = "coalesce($1, ''), o.key, q.text, o.text"
	}
	query, args := pageQuery(columns, m, f, before, most)
	args[0] = ""
	read := 0
	err = q.each(query, append([]any{pgx.QueryExecModeCacheDescribe}, args...), func(scan func(...any) error) error {
		var nothing string
		var asked, said text
		if err := scan(&nothing, &last, &asked, &said); err != nil {
			return err
		}
		read++
		if m.matches(string(asked), string(said)) {
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
func (s *Store) Count(ctx context.Context, what store.Selection) (count int, err error) {
	err = s.selected(ctx, what, countedAtOnce, func(keys []store.Key) error {
		count += len(keys)
		return nil
	})
	return count, err
}

// Facets gives the values that the history can be filtered by, sorted.
func (s *Store) Facets(ctx context.Context) (f store.Facets, err error) {
	err = s.read(ctx, func(q querier) error {
		f = store.Facets{}
		err := q.each("SELECT kind, value FROM facets WHERE kind = ANY($1)", []any{[]string{words.AgentFacet, words.WorkspaceFacet}}, func(scan func(...any) error) error {
			var kind string
			var value text
			err := scan(&kind, &value)
			if kind == words.AgentFacet {
				f.Agents = append(f.Agents, string(value))
			} else {
				f.Workspaces = append(f.Workspaces, string(value))
			}
			return err
		})
		slices.Sort(f.Agents)
		slices.Sort(f.Workspaces)
		return err
	})
	return f, err
}

// Export hands over closed questions with everything that belongs to them, newest first, until emit returns an error. Nobody is
// held up meanwhile, and emit may use the store; what is deleted meanwhile may be missing.
func (s *Store) Export(ctx context.Context, what store.Selection, emit func(store.Question) error) error {
	if what.IDs != nil {
		return s.exportIDs(ctx, what.IDs, emit)
	}
	for before := store.Key(0); ; {
		page, err := s.History(ctx, what.Filter, before, exportBatch)
		if err != nil {
			return err
		}
		err = s.read(ctx, func(q querier) error {
			for i := range page.Entries {
				if err := q.withAnswerImages(&page.Entries[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, entry := range page.Entries {
			if err := emit(entry); err != nil {
				return err
			}
		}
		if before = page.Next; before == 0 {
			return nil
		}
	}
}

func (s *Store) exportIDs(ctx context.Context, ids []string, emit func(store.Question) error) error {
	type place struct {
		id  string
		key store.Key
	}
	var places []place
	err := s.read(ctx, func(q querier) error {
		places = nil
		return q.each("SELECT id, outcome FROM questions WHERE id = ANY($1) AND outcome <> 0", []any{escapedAll(ids)}, func(scan func(...any) error) error {
			var p place
			err := scan((*text)(&p.id), &p.key)
			places = append(places, p)
			return err
		})
	})
	if err != nil {
		return err
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(b.key, a.key) })
	for _, p := range places {
		entry, err := s.Question(ctx, p.id)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted
		}
		if err != nil {
			return err
		}
		if err := emit(entry); err != nil {
			return err
		}
	}
	return nil
}

// Known tells how many of the exchanges Import would not add.
func (s *Store) Known(ctx context.Context, exchanges []store.Imported) (known int, err error) {
	err = s.read(ctx, func(q querier) error {
		known, err = q.known(exchanges)
		return err
	})
	return known, err
}

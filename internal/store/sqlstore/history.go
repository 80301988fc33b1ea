package sqlstore

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"time"

	"go.uber.org/zap"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/words"
)

const (
	// lookedAt is how many entries are read at a time if their texts must be checked.
	lookedAt = 256
	// mostLookedAt is the default of Store.MostLookedAt.
	mostLookedAt = 20_000
	// movePatience is how long a read of the history waits for the next moved batch.
	movePatience = time.Second
)

// catchUp moves closed questions to the history. If that is not possible, the history is read without them.
func (s *Store) catchUp(ctx context.Context) {
	if err := s.move(ctx, movePatience); err != nil && ctx.Err() == nil {
		s.log.Warn("cannot move the last closed questions to the history", zap.Error(err))
	}
}

// parts returns the parts of the history to read for a filter.
func (s *Store) parts(q *Queries, search Search, f store.Filter, before store.Key) []Part {
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
	return s.Plan(q, search, first, end)
}

// rows returns the rows of a part that match a filter.
func (p Part) rows(f store.Filter) rows {
	query := " FROM " + p.From + " WHERE " + p.Key + " >= ? AND " + p.Key + " < ? AND" + shown
	args := append(slices.Clone(p.Args), int64(p.First), int64(p.End))
	if len(f.Outcomes) == 0 {
		query += " AND q.outcome <> ?"
		args = append(args, string(question.Invalid))
	}
	return rows{query, args}
}

// each iterates over the entries that may match a filter, newest first, reading most at a time. Each must be scanned.
func (s *Store) each(q *Queries, search Search, f store.Filter, before store.Key, columns string, most int) iter.Seq[Scan] {
	return func(yield func(Scan) bool) {
		for _, part := range s.parts(q, search, f, before) {
			for read := most; read == most && q.Err == nil; {
				read = 0
				rows := part.rows(f)
				query := "SELECT " + part.Key + ", " + columns + rows.query + " ORDER BY " + part.Key + " DESC LIMIT ?"
				for scan := range q.Each(query, append(rows.args, most)...) {
					read++
					if !yield(func(into ...any) { scan(append([]any{&part.End}, into...)...) }) {
						return
					}
				}
			}
		}
	}
}

// History returns a page of the history, newest first; see store.Store.
func (s *Store) History(ctx context.Context, f store.Filter, before store.Key, limit int) (store.Page, error) {
	if limit <= 0 {
		return store.Page{}, errors.New("store: a page of the history needs a limit")
	}
	s.catchUp(ctx)
	search := newSearch(f)
	most := limit + 1
	if len(search.stretches) > 0 {
		most = max(most, lookedAt)
	}
	return read(ctx, s.history, func(q *Queries) (page store.Page) {
		read := 0
		for scan := range s.each(q, search, f, before, entry, most) {
			one := scanQuestion(scan)
			read++
			switch {
			case q.Err != nil:
				return page
			case read > s.MostLookedAt:
				page.Next = one.Outcome.Key + 1
				return page
			case !search.matches(one.Text, one.Outcome.Text):
			case len(page.Entries) == limit:
				page.Next = page.Entries[limit-1].Outcome.Key
				return page
			default:
				page.Entries = append(page.Entries, one)
			}
		}
		return page
	})
}

// rows are rows of the history: the SQL after the columns.
type rows struct {
	query string
	args  []any
}

// selected returns the rows of a selection.
func (s *Store) selected(q *Queries, what store.Selection) (all []rows) {
	if what.IDs != nil {
		named := rows{listed + "q.id = ANY (?)", []any{what.IDs}}
		if what.Filter.For != nil {
			named = rows{named.query + " AND q.recipient = ANY (?)", append(named.args, what.Filter.For)}
		}
		return []rows{named}
	}
	search := newSearch(what.Filter)
	if len(search.stretches) > 0 {
		var keys []int64
		for scan := range s.each(q, search, what.Filter, 0, "q.key, q.text, q.said", lookedAt) {
			var key int64
			var asked, said string
			if scan(&key, &asked, &said); search.matches(asked, said) {
				keys = append(keys, key)
			}
		}
		return []rows{{listed + "q.key = ANY (?)", []any{keys}}}
	}
	for _, part := range s.parts(q, search, what.Filter, 0) {
		all = append(all, part.rows(what.Filter))
	}
	return all
}

// listed begins a query for the entries with given values in a column.
const listed = " FROM entries q WHERE" + shown + " AND "

func (s *Store) Count(ctx context.Context, what store.Selection) (int, error) {
	s.catchUp(ctx)
	return read(ctx, s.history, func(q *Queries) (count int) {
		for _, some := range s.selected(q, what) {
			n := 0
			q.One("SELECT count(*)"+some.query, some.args, &n)
			count += n
		}
		return count
	})
}

func (s *Store) Facets(ctx context.Context, to []string) (store.Facets, error) {
	s.catchUp(ctx)
	return read(ctx, s.history, func(q *Queries) store.Facets {
		return store.Facets{Agents: s.facets(q, words.AgentFacet, to), Workspaces: s.facets(q, words.WorkspaceFacet, to)}
	})
}

// facets returns the values of a kind, sorted.
func (s *Store) facets(q *Queries, kind string, to []string) []string {
	values := Column[string](q, "SELECT value FROM facets WHERE kind = ?", kind)
	slices.Sort(values)
	if to == nil {
		return values
	}
	return slices.DeleteFunc(values, func(value string) bool {
		search := newSearch(store.Filter{For: to})
		search.All = append(search.All, facets(kind, []string{value}))
		for range s.each(q, search, store.Filter{}, 0, "1", 1) {
			return false
		}
		return true
	})
}

func (s *Store) Export(ctx context.Context, what store.Selection, emit func(store.Question) error) error {
	s.catchUp(ctx)
	keys, err := read(ctx, s.history, func(q *Queries) (keys []store.Key) {
		for _, some := range s.selected(q, what) {
			keys = append(keys, Column[store.Key](q, "SELECT q.key"+some.query, some.args...)...)
		}
		return keys
	})
	slices.Sort(keys)
	for _, key := range slices.Backward(keys) {
		if err != nil {
			return err
		}
		var one store.Question
		one, err = s.read(ctx, s.history, fromHistory+"WHERE q.key = ? AND"+shown, int64(key))
		if errors.Is(err, store.ErrNotFound) { // deleted meanwhile
			err = nil
		} else if err == nil {
			err = emit(one)
		}
	}
	return err
}

package sqlstore

import (
	"cmp"
	"context"
	"errors"
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
	var err error
	for more := true; more && err == nil; {
		patiently, cancel := context.WithTimeout(ctx, movePatience)
		more, err = s.moveSome(patiently)
		cancel()
	}
	if err != nil && ctx.Err() == nil {
		s.log.Warn("what was closed last is not in the history yet", zap.Error(err))
	}
}

// parts returns the parts of the history to read for a filter.
func (s *Store) parts(q Queries, search Search, f store.Filter, before store.Key) ([]Part, error) {
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

// each calls row, which returns the entry's key, for each entry that may match a filter, newest first, reading most at a time.
func (s *Store) each(q Queries, search Search, f store.Filter, before store.Key, columns string, most int, row func(scan func(...any) error) (store.Key, error)) error {
	parts, err := s.parts(q, search, f, before)
	if err != nil {
		return err
	}
	for _, part := range parts {
		for read := most; read == most; {
			read = 0
			rows := part.rows(f)
			err := q.Each("SELECT "+columns+rows.query+" ORDER BY "+part.Key+" DESC LIMIT ?", append(rows.args, most), func(scan func(...any) error) error {
				key, err := row(scan)
				read++
				part.End = key
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
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
	return read(ctx, s.history, func(q Queries) (page store.Page, err error) {
		read := 0
		err = enough(s.each(q, search, f, before, entry, most, func(scan func(...any) error) (store.Key, error) {
			var one store.Question
			err := scanQuestion(scan, &one)
			read++
			switch {
			case err != nil:
				return 0, err
			case read > s.MostLookedAt:
				page.Next = one.Outcome.Key + 1
				return 0, errEnough
			case !search.matches(one.Text, one.Outcome.Text):
			case len(page.Entries) == limit:
				page.Next = page.Entries[limit-1].Outcome.Key
				return 0, errEnough
			default:
				page.Entries = append(page.Entries, one)
			}
			return one.Outcome.Key, nil
		}))
		return page, err
	})
}

// rows are rows of the history: the SQL after the columns.
type rows struct {
	query string
	args  []any
}

// selected returns the rows of a selection.
func (s *Store) selected(q Queries, what store.Selection) (all []rows, err error) {
	search := newSearch(what.Filter)
	switch {
	case what.IDs != nil:
		named := rows{listed + "q.id = ANY (?)", []any{what.IDs}}
		if what.Filter.For != nil {
			named = rows{named.query + " AND q.recipient = ANY (?)", append(named.args, what.Filter.For)}
		}
		return []rows{named}, nil
	case len(search.stretches) > 0:
		var keys []int64
		err = s.each(q, search, what.Filter, 0, "q.key, q.text, q.said", lookedAt, func(scan func(...any) error) (key store.Key, err error) {
			var asked, said string
			if err = scan(&key, &asked, &said); err == nil && search.matches(asked, said) {
				keys = append(keys, int64(key))
			}
			return key, err
		})
		return []rows{{listed + "q.key = ANY (?)", []any{keys}}}, err
	}
	parts, err := s.parts(q, search, what.Filter, 0)
	for _, part := range parts {
		all = append(all, part.rows(what.Filter))
	}
	return all, err
}

// listed begins a query for the entries with given values in a column.
const listed = " FROM entries q WHERE" + shown + " AND "

func (s *Store) Count(ctx context.Context, what store.Selection) (int, error) {
	s.catchUp(ctx)
	return read(ctx, s.history, func(q Queries) (count int, err error) {
		all, err := s.selected(q, what)
		for _, some := range all {
			n := 0
			err = errors.Join(err, q.One("SELECT count(*)"+some.query, some.args, &n))
			count += n
		}
		return count, err
	})
}

func (s *Store) Facets(ctx context.Context, to []string) (store.Facets, error) {
	s.catchUp(ctx)
	return read(ctx, s.history, func(q Queries) (f store.Facets, err error) {
		for kind, into := range map[string]*[]string{words.AgentFacet: &f.Agents, words.WorkspaceFacet: &f.Workspaces} {
			values, e := Column[string](q, "SELECT value FROM facets WHERE kind = ?", kind)
			err = cmp.Or(err, e)
			for _, value := range slices.Sorted(slices.Values(values)) {
				found := to == nil
				if !found && err == nil {
					search := newSearch(store.Filter{For: to})
					search.All = append(search.All, facets(kind, []string{value}))
					found, err = s.any(q, search)
				}
				if found {
					*into = append(*into, value)
				}
			}
		}
		return f, err
	})
}

// any reports whether a search matches any entry.
func (s *Store) any(q Queries, search Search) (found bool, err error) {
	err = enough(s.each(q, search, store.Filter{}, 0, "q.key", 1, func(func(...any) error) (store.Key, error) {
		found = true
		return 0, errEnough
	}))
	return found, err
}

func (s *Store) Export(ctx context.Context, what store.Selection, emit func(store.Question) error) error {
	s.catchUp(ctx)
	keys, err := read(ctx, s.history, func(q Queries) (keys []store.Key, err error) {
		all, err := s.selected(q, what)
		for _, some := range all {
			more, e := Column[store.Key](q, "SELECT q.key"+some.query, some.args...)
			keys, err = append(keys, more...), errors.Join(err, e)
		}
		return keys, err
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

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
	// lookedAt is how many entries are read at a time if their texts have to be looked at.
	lookedAt = 256
	// mostLookedAt is the usual Store.MostLookedAt.
	mostLookedAt = 20_000
	// movePatience is how long a read of the history waits for the next batch that is moved.
	movePatience = time.Second
	// exportBatch is how many entries an export reads at a time.
	exportBatch = 64
)

// catchUp moves what is closed, so that the history has it. Where nothing is moved for a while, since something else is written to the
// history, or cannot be moved, the history is read without.
func (s *Store) catchUp(ctx context.Context) {
	moving, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		every := time.NewTicker(movePatience)
		defer every.Stop()
		for last := s.batches.Load(); ; {
			select {
			case <-moving.Done():
				return
			case <-every.C:
			}
			now := s.batches.Load()
			if now == last {
				cancel()
			}
			last = now
		}
	}()
	if err := s.Move(moving); err != nil && ctx.Err() == nil {
		s.log.Warn("what was closed last is not in the history yet", zap.Error(err))
	}
}

// parts are what a filter is read from.
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

// rows are the rows of a part that a filter lets through, as SQL has them behind the columns.
func (p Part) rows(f store.Filter) (query string, args []any) {
	query = " FROM " + p.From + " WHERE " + p.Key + " >= ? AND " + p.Key + " < ? AND" + shown
	args = append(append(args, p.FromArgs...), int64(p.First), int64(p.End))
	if p.Where != "" {
		query += " AND " + p.Where
		args = append(args, p.WhereArgs...)
	}
	if len(f.Outcomes) == 0 {
		query += " AND q.outcome <> ?"
		args = append(args, string(question.Invalid))
	}
	return query, args
}

// each calls row for each entry that a filter may let through, newest first, until it returns an error. most are read at a time. row returns
// the entry's key.
func (s *Store) each(q Queries, search Search, f store.Filter, before store.Key, columns string, most int, row func(scan func(...any) error) (store.Key, error)) error {
	parts, err := s.parts(q, search, f, before)
	if err != nil {
		return err
	}
	for _, part := range parts {
		for read := most; read == most; {
			read = 0
			rows, args := part.rows(f)
			err := q.Each("SELECT "+columns+rows+" ORDER BY "+part.Key+" DESC LIMIT ?", append(args, most), func(scan func(...any) error) error {
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
func (s *Store) History(ctx context.Context, f store.Filter, before store.Key, limit int) (page store.Page, err error) {
	if limit <= 0 {
		return page, errors.New("store: a page of the history needs a limit")
	}
	s.catchUp(ctx)
	search := newSearch(f)
	most := limit + 1
	if len(search.stretches) > 0 {
		most = max(most, lookedAt)
	}
	err = s.history.Read(ctx, func(q Queries) error {
		page = store.Page{}
		read := 0
		return enough(s.each(q, search, f, before, entry, most, func(scan func(...any) error) (store.Key, error) {
			one, err := scanQuestion(scan)
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
	})
	return page, err
}

// keys are the entries that a filter lets through.
func (s *Store) keys(q Queries, search Search, f store.Filter) (keys []store.Key, err error) {
	err = s.each(q, search, f, 0, "q.key, q.text, q.said", lookedAt, func(scan func(...any) error) (key store.Key, err error) {
		var asked, said string
		if err = scan(&key, &asked, &said); err == nil && search.matches(asked, said) {
			keys = append(keys, key)
		}
		return key, err
	})
	return keys, err
}

// unique are ids, each once.
func unique(ids []string) []string { return slices.Compact(slices.Sorted(slices.Values(ids))) }

// Count returns how many closed questions a selection holds.
func (s *Store) Count(ctx context.Context, what store.Selection) (count int, err error) {
	s.catchUp(ctx)
	err = s.history.Read(ctx, func(q Queries) error {
		count = 0
		add := func(query string, args []any) error {
			some := 0
			err := q.One("SELECT count(*)"+query, args, &some)
			count += some
			return err
		}
		if what.IDs != nil {
			for ids := range slices.Chunk(unique(what.IDs), inList) {
				in, args := list(ids)
				if err := add(" FROM entries q WHERE"+shown+" AND q.id IN "+in, args); err != nil {
					return err
				}
			}
			return nil
		}
		search := newSearch(what.Filter)
		if len(search.stretches) > 0 {
			keys, err := s.keys(q, search, what.Filter)
			count = len(keys)
			return err
		}
		parts, err := s.parts(q, search, what.Filter, 0)
		for _, part := range parts {
			query, args := part.rows(what.Filter)
			err = errors.Join(err, add(query, args))
		}
		return err
	})
	return count, err
}

// Facets returns the values that the history can be filtered by, sorted; see store.Store.
func (s *Store) Facets(ctx context.Context, to []string) (f store.Facets, err error) {
	s.catchUp(ctx)
	err = s.history.Read(ctx, func(q Queries) (err error) {
		f = store.Facets{}
		var all []facet
		err = q.Each("SELECT kind, value FROM facets ORDER BY value", nil, func(scan func(...any) error) error {
			var one facet
			err := scan(&one.kind, &one.value)
			all = append(all, one)
			return err
		})
		for _, one := range all {
			if err != nil {
				return err
			}
			of, values := store.Filter{For: to, Agents: []string{one.value}}, &f.Agents
			if one.kind == words.WorkspaceFacet {
				of, values = store.Filter{For: to, Workspaces: []string{one.value}}, &f.Workspaces
			}
			has := to == nil
			if !has {
				has, err = s.any(q, newSearch(of))
			}
			if has {
				*values = append(*values, one.value)
			}
		}
		return err
	})
	slices.Sort(f.Agents)
	slices.Sort(f.Workspaces)
	return f, err
}

// any reports whether a search finds an entry.
func (s *Store) any(q Queries, search Search) (found bool, err error) {
	err = enough(s.each(q, search, store.Filter{}, 0, "q.key", 1, func(func(...any) error) (store.Key, error) {
		found = true
		return 0, errEnough
	}))
	return found, err
}

// Export hands over closed questions with everything that belongs to them, newest first; see store.Store.
func (s *Store) Export(ctx context.Context, what store.Selection, emit func(store.Question) error) error {
	if what.IDs != nil {
		return s.exportIDs(ctx, unique(what.IDs), emit)
	}
	for before := store.Key(0); ; {
		page, err := s.History(ctx, what.Filter, before, exportBatch)
		if err != nil {
			return err
		}
		for _, one := range page.Entries {
			if err := s.history.Read(ctx, func(q Queries) error { return q.complete(&one) }); err != nil {
				return err
			}
			if err := emit(one); err != nil {
				return err
			}
		}
		if before = page.Next; before == 0 {
			return nil
		}
	}
}

func (s *Store) exportIDs(ctx context.Context, ids []string, emit func(store.Question) error) error {
	s.catchUp(ctx)
	type place struct {
		key store.Key
		id  string
	}
	var places []place
	err := s.history.Read(ctx, func(q Queries) error {
		places = nil
		for some := range slices.Chunk(ids, inList) {
			in, args := list(some)
			err := q.Each("SELECT q.key, q.id FROM entries q WHERE q.id IN "+in, args, func(scan func(...any) error) error {
				var p place
				err := scan(&p.key, &p.id)
				places = append(places, p)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(b.key, a.key) })
	for _, p := range places {
		var one store.Question
		if err == nil {
			one, err = s.Question(ctx, p.id)
		}
		if errors.Is(err, store.ErrNotFound) { // deleted
			err = nil
			continue
		}
		if err == nil {
			err = emit(one)
		}
		if err != nil {
			break
		}
	}
	return err
}

package store

import (
	"context"
	"errors"
	"math"
	"slices"

	"go.uber.org/zap"

	"followup/internal/question"
)

// errEnough ends a query whose further rows are not needed.
var errEnough = errors.New("enough")

// exportBatch is how many entries an export reads at a time.
const exportBatch = 64

// History gives a page of the history, newest first: at most limit entries before the key, or from the newest when it is 0.
func (s *Store) History(ctx context.Context, f Filter, before Key, limit int) (page Page, err error) {
	if limit <= 0 {
		return Page{}, errors.New("store: a page of the history needs a limit")
	}
	if f.searches() {
		if err := s.indexAll(ctx); err != nil {
			if ctx.Err() != nil {
				return Page{}, ctx.Err()
			}
			s.log.Warn("what is new cannot be searched yet", zap.Error(err))
		}
	}
	err = s.read(ctx, func(q querier) error {
		m, err := q.matcher(f)
		if err != nil {
			return err
		}
		page, err = q.page(m, f, before, limit, s.now().UnixMilli())
		return err
	})
	return page, err
}

// searches tells whether the search's index is needed.
func (f Filter) searches() bool {
	return len(f.Agents)+len(f.Workspaces)+len(f.Outcomes) > 0 || len(terms(f.Text)) > 0
}

// page reads a page. It is ordered by key in every case: the search gives its rows in that order too, without sorting.
func (q querier) page(m matcher, f Filter, before Key, limit int, now int64) (page Page, err error) {
	if m.nothing {
		return Page{}, nil
	}
	from, where, args := pageQuery(m, f, before)
	err = q.each("SELECT "+questionColumns+from+where, args, func(scan func(...any) error) error {
		entry, _, err := scanQuestion(scan, now)
		if err != nil {
			return err
		}
		if !m.matches(entry.Text, entry.Outcome.Text) {
			return nil
		}
		if len(page.Entries) == limit {
			page.Next = page.Entries[limit-1].Outcome.Key
			return errEnough
		}
		page.Entries = append(page.Entries, entry)
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return Page{}, err
	}
	return page, nil
}

// pageQuery is the query for a page: without limit, since its reader stops when it has enough.
func pageQuery(m matcher, f Filter, before Key) (from, where string, args []any) {
	first, end := Key(math.MinInt64), Key(math.MaxInt64)
	if before != 0 {
		end = before
	}
	if !f.From.IsZero() {
		first = firstKey(f.From.UnixMilli())
	}
	if !f.To.IsZero() {
		end = min(end, firstKey(f.To.UnixMilli()))
	}
	const hidden = " AND o.deleted_at IS NULL"
	if m.query == "" {
		return " FROM outcomes o CROSS JOIN questions q ON q.ord = o.ord" + questionJoins,
			"WHERE o.key >= ? AND o.key < ?" + hidden + " AND o.outcome <> ? ORDER BY o.key DESC",
			[]any{int64(first), int64(end), string(question.Invalid)}
	}
	where = "WHERE search MATCH ? AND s.rowid >= ? AND s.rowid < ?" + hidden
	args = []any{m.query, int64(first), int64(end)}
	if len(f.Outcomes) == 0 {
		where += " AND o.outcome <> ?"
		args = append(args, string(question.Invalid))
	}
	return " FROM search s CROSS JOIN outcomes o ON o.key = s.rowid CROSS JOIN questions q ON q.ord = o.ord" + questionJoins,
		where + " ORDER BY s.rowid DESC", args
}

// Facets gives the values that the history can be filtered by, sorted.
func (s *Store) Facets(ctx context.Context) (f Facets, err error) {
	if err := s.indexAll(ctx); err != nil && ctx.Err() == nil {
		s.log.Warn("what is new cannot be filtered by yet", zap.Error(err))
	}
	err = s.read(ctx, func(q querier) error {
		f = Facets{}
		return q.each("SELECT kind, value FROM facets ORDER BY kind, value", nil, func(scan func(...any) error) error {
			var kind, value string
			err := scan(&kind, &value)
			switch kind {
			case agentFacet:
				f.Agents = append(f.Agents, value)
			case workspaceFacet:
				f.Workspaces = append(f.Workspaces, value)
			}
			return err
		})
	})
	return f, err
}

// Export hands over closed questions with everything that belongs to them, newest first, until emit returns an error. Nobody is
// held up meanwhile, and emit may use the store; what is deleted meanwhile may be missing.
func (s *Store) Export(ctx context.Context, what Selection, emit func(Question) error) error {
	if what.IDs != nil {
		return s.exportIDs(ctx, what.IDs, emit)
	}
	for before := Key(0); ; {
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

func (s *Store) exportIDs(ctx context.Context, ids []string, emit func(Question) error) error {
	type place struct {
		id  string
		key Key
	}
	var places []place
	err := s.read(ctx, func(q querier) error {
		places = nil
		for _, id := range ids {
			err := q.each("SELECT outcome FROM questions WHERE id = ? AND outcome <> 0", []any{id}, func(scan func(...any) error) error {
				p := place{id: id}
				err := scan(&p.key)
				places = append(places, p)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(places, func(a, b place) int { return int(min(max(b.key-a.key, -1), 1)) })
	for _, p := range slices.Compact(places) {
		entry, err := s.Question(ctx, p.id)
		if errors.Is(err, ErrNotFound) {
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

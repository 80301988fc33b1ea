package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"

	"go.uber.org/zap"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/words"
)

// errEnough ends a query whose further rows are not needed.
var errEnough = errors.New("enough")

// exportBatch is how many entries an export reads at a time.
const exportBatch = 64

// History gives a page of the history, newest first: at most limit entries before the key, or from the newest when it is 0.
func (s *Store) History(ctx context.Context, f store.Filter, before store.Key, limit int) (page store.Page, err error) {
	if limit <= 0 {
		return store.Page{}, errors.New("store: a page of the history needs a limit")
	}
	if err := s.indexFor(ctx, f); err != nil {
		return store.Page{}, err
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

// indexFor makes what is new found by a search. Where it cannot be written, the search goes without.
func (s *Store) indexFor(ctx context.Context, f store.Filter) error {
	if !searches(f) {
		return nil
	}
	err := s.indexAll(ctx)
	if err != nil && ctx.Err() == nil {
		s.log.Warn("what is new cannot be searched yet", zap.Error(err))
	}
	return ctx.Err()
}

// searches tells whether the search's index is needed.
func searches(f store.Filter) bool {
	return len(f.Agents)+len(f.Workspaces)+len(f.Outcomes) > 0 || len(words.Terms(f.Text)) > 0
}

// page reads a page. It is ordered by key in every case: the search gives its rows in that order too, without sorting.
func (q querier) page(m matcher, f store.Filter, before store.Key, limit int, now int64) (page store.Page, err error) {
	if m.nothing {
		return store.Page{}, nil
	}
	from, where, args := pageQuery(m, f, before)
	err = q.each("SELECT "+questionColumns+from+questionJoins+where, args, func(scan func(...any) error) error {
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
		return store.Page{}, err
	}
	return page, nil
}

// selected hands over the keys of a selection, so many at a time; what is done with them may write.
func (s *Store) selected(ctx context.Context, what store.Selection, most int, do func([]store.Key) error) error {
	if what.IDs != nil {
		for ids := range slices.Chunk(what.IDs, most) {
			keys, err := s.keysOf(ctx, ids)
			if err == nil && len(keys) > 0 {
				err = do(keys)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := s.indexFor(ctx, what.Filter); err != nil {
		return err
	}
	for before := store.Key(0); ; {
		var keys []store.Key
		err := s.read(ctx, func(q querier) (err error) {
			keys, err = q.keys(what.Filter, before, most)
			return err
		})
		if err != nil || len(keys) == 0 {
			return err
		}
		if err := do(keys); err != nil {
			return err
		}
		before = keys[len(keys)-1]
	}
}

// keysOf gives the places of closed questions in the history.
func (s *Store) keysOf(ctx context.Context, ids []string) (keys []store.Key, err error) {
	err = s.read(ctx, func(q querier) error {
		keys = nil
		for _, id := range ids {
			var key store.Key
			switch err := q.one("SELECT outcome FROM questions WHERE id = ?", []any{id}, []any{&key}); {
			case errors.Is(err, sql.ErrNoRows):
			case err != nil:
				return err
			case key != 0:
				keys = append(keys, key)
			}
		}
		return nil
	})
	return keys, err
}

// keys is page, without the entries.
func (q querier) keys(f store.Filter, before store.Key, limit int) (keys []store.Key, err error) {
	m, err := q.matcher(f)
	if err != nil || m.nothing {
		return nil, err
	}
	from, where, args := pageQuery(m, f, before)
	columns := "o.key, '', ''"
	if m.inPart() {
		columns = "o.key, q.text, o.text"
	}
	err = q.each("SELECT "+columns+from+where, args, func(scan func(...any) error) error {
		var key store.Key
		var asked, said string
		if err := scan(&key, &asked, &said); err != nil {
			return err
		}
		if m.matches(asked, said) {
			keys = append(keys, key)
		}
		if len(keys) == limit {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return keys, err
}

// Count tells how many questions a selection holds; see store.Store.
func (s *Store) Count(ctx context.Context, what store.Selection) (count int, err error) {
	err = s.selected(ctx, what, math.MaxInt, func(keys []store.Key) error {
		count += len(keys)
		return nil
	})
	return count, err
}

// pageQuery is the query for a page: without limit, since its reader stops when it has enough.
func pageQuery(m matcher, f store.Filter, before store.Key) (from, where string, args []any) {
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
	const hidden = " AND o.deletion IS NULL"
	if m.query == "" {
		return " FROM outcomes o CROSS JOIN questions q ON q.ord = o.ord ",
			"WHERE o.key >= ? AND o.key < ?" + hidden + " AND o.outcome <> ? ORDER BY o.key DESC",
			[]any{int64(first), int64(end), string(question.Invalid)}
	}
	where = "WHERE search MATCH ? AND s.rowid >= ? AND s.rowid < ?" + hidden
	args = []any{m.query, int64(first), int64(end)}
	if len(f.Outcomes) == 0 {
		where += " AND o.outcome <> ?"
		args = append(args, string(question.Invalid))
	}
	return " FROM search s CROSS JOIN outcomes o ON o.key = s.rowid CROSS JOIN questions q ON q.ord = o.ord ",
		where + " ORDER BY s.rowid DESC", args
}

// Facets gives the values that the history can be filtered by, sorted.
func (s *Store) Facets(ctx context.Context) (f store.Facets, err error) {
	if err := s.indexAll(ctx); err != nil && ctx.Err() == nil {
		s.log.Warn("what is new cannot be filtered by yet", zap.Error(err))
	}
	err = s.read(ctx, func(q querier) error {
		f = store.Facets{}
		return q.each("SELECT kind, value FROM facets ORDER BY kind, value", nil, func(scan func(...any) error) error {
			var kind, value string
			err := scan(&kind, &value)
			switch kind {
			case words.AgentFacet:
				f.Agents = append(f.Agents, value)
			case words.WorkspaceFacet:
				f.Workspaces = append(f.Workspaces, value)
			}
			return err
		})
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

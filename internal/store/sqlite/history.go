package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math"

	"go.uber.org/zap"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/engine"
	"followup/internal/store/words"
)

// errEnough ends a query whose further rows are not needed.
var errEnough = errors.New("enough")

// History gives a page of the history, newest first: at most limit entries before the key, or from the newest when it is 0.
func (s *Store) History(ctx context.Context, f store.Filter, before store.Key, limit int) (page store.Page, err error) {
	if err := engine.CheckLimit(limit); err != nil {
		return store.Page{}, err
	}
	if err := s.indexFor(ctx, f); err != nil {
		return store.Page{}, err
	}
	err = s.read(ctx, func(q querier) error {
		m, err := q.search(f)
		if err != nil {
			return err
		}
		page, err = q.page(m, f, before, limit)
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
func (q querier) page(m engine.Search, f store.Filter, before store.Key, limit int) (page store.Page, err error) {
	if m.Nothing {
		return store.Page{}, nil
	}
	from, where, args := pageQuery(m, f, before)
	err = q.each("SELECT "+engine.QuestionColumns+from+questionJoins+where, args, func(scan func(...any) error) error {
		entry, _, err := engine.ScanQuestion(scan)
		if err != nil {
			return err
		}
		if !m.Matches(entry.Text, entry.Outcome.Text) {
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
		for _, id := range ids {
			p := engine.Place{ID: id}
			switch err := q.one("SELECT outcome FROM questions WHERE id = ? AND outcome <> 0", []any{id}, []any{&p.Key}); {
			case err == nil:
				places = append(places, p)
			case !errors.Is(err, sql.ErrNoRows):
				return err
			}
		}
		return nil
	})
	return places, err
}

// Keys gives places of the history; the first time, what is new is indexed for the search before.
func (s source) Keys(ctx context.Context, f store.Filter, before store.Key, most int) (keys []store.Key, next store.Key, err error) {
	if before == 0 {
		if err := s.indexFor(ctx, f); err != nil {
			return nil, 0, err
		}
	}
	err = s.read(ctx, func(q querier) (err error) {
		keys, err = q.keys(f, before, most)
		return err
	})
	if len(keys) == most {
		next = keys[most-1]
	}
	return keys, next, err
}

// keys is page, without the entries.
func (q querier) keys(f store.Filter, before store.Key, limit int) (keys []store.Key, err error) {
	m, err := q.search(f)
	if err != nil || m.Nothing {
		return nil, err
	}
	from, where, args := pageQuery(m, f, before)
	columns := "o.key, '', ''"
	if m.InPart() {
		columns = "o.key, q.text, o.text"
	}
	err = q.each("SELECT "+columns+from+where, args, func(scan func(...any) error) error {
		var key store.Key
		var asked, said string
		if err := scan(&key, &asked, &said); err != nil {
			return err
		}
		if m.Matches(asked, said) {
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
func (s *Store) Count(ctx context.Context, what store.Selection) (int, error) {
	return engine.Count(ctx, source{s}, what, math.MaxInt)
}

// pageQuery is the query for a page: without limit, since its reader stops when it has enough.
func pageQuery(m engine.Search, f store.Filter, before store.Key) (from, where string, args []any) {
	first, end := engine.Bounds(f, before)
	const hidden = " AND o.deletion IS NULL"
	if len(m.All) == 0 {
		return " FROM outcomes o CROSS JOIN questions q ON q.ord = o.ord ",
			"WHERE o.key >= ? AND o.key < ?" + hidden + " AND o.outcome <> ? ORDER BY o.key DESC",
			[]any{int64(first), int64(end), string(question.Invalid)}
	}
	where = "WHERE search MATCH ? AND s.rowid >= ? AND s.rowid < ?" + hidden
	args = []any{matchQuery(m), int64(first), int64(end)}
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

// Export hands over closed questions; see engine.Export.
func (s *Store) Export(ctx context.Context, what store.Selection, emit func(store.Question) error) error {
	if what.IDs != nil {
		return engine.ExportIDs(ctx, source{s}, what.IDs, emit)
	}
	return engine.Export(ctx, source{s}, what.Filter, emit)
}

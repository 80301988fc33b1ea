package sqlite

import (
	"context"

	"followup/internal/store/words"
)

// What only removed texts were found by is forgotten behind their removal: words, facets, and sessions that are over.

// forgotten is a word or a facet of a text that was removed.
type forgotten struct{ kind, value string }

// token is what the index would have it as.
func (f forgotten) token() string {
	if f.kind == "" {
		return f.value
	}
	return words.FacetToken(f.kind, f.value)
}

// forget drops words and facets that no text holds any more. Which these are is found out by reading, which holds nobody up.
func (s *Store) forget(ctx context.Context) error {
	for {
		var all, unused []forgotten
		err := s.read(ctx, func(q querier) error {
			all, unused = nil, nil
			err := q.each("SELECT kind, value FROM forgotten LIMIT ?", []any{readAtOnce}, func(scan func(...any) error) error {
				var f forgotten
				err := scan(&f.kind, &f.value)
				all = append(all, f)
				return err
			})
			if err != nil {
				return err
			}
			for _, f := range all {
				used, err := q.isUsed(f)
				if err != nil {
					return err
				}
				if !used {
					unused = append(unused, f)
				}
			}
			return nil
		})
		if err != nil || len(all) == 0 {
			return err
		}
		err = s.steps(ctx, func(t *tx, m *meter) (bool, error) {
			rest := unused
			t.then(func() { unused = rest })
			for more := true; more && len(rest) > 0; rest = rest[1:] {
				if err := t.forgetOne(rest[0]); err != nil {
					return false, err
				}
				more = m.spend(matchUnits)
			}
			if len(rest) > 0 {
				return true, nil
			}
			for _, f := range all {
				if _, err := t.exec("DELETE FROM forgotten WHERE kind = ? AND value = ?", f.kind, f.value); err != nil {
					return false, err
				}
			}
			return false, nil
		})
		if err != nil {
			return err
		}
	}
}

// matchUnits is what it costs to look a word up in the index.
const matchUnits = 8

func (q querier) isUsed(f forgotten) (used bool, err error) {
	err = q.one("SELECT EXISTS (SELECT 1 FROM search WHERE search MATCH ?)", []any{quote(f.token())}, []any{&used})
	return used, err
}

func (t *tx) forgetOne(f forgotten) error {
	used, err := t.isUsed(f) // now, since what is new may hold it
	if err != nil || used {
		return err
	}
	if f.kind == "" {
		_, err = t.exec("DELETE FROM words WHERE word = ?", f.value)
	} else {
		_, err = t.exec("DELETE FROM facets WHERE kind = ? AND value = ?", f.kind, f.value)
	}
	return err
}

// ForgetSessions removes sessions that have no questions and are closed, or were not used since a time.
func (s remover) ForgetSessions(ctx context.Context, since int64) error {
	const which = " FROM sessions WHERE (closed = 1 OR used_at < ?) AND NOT EXISTS (SELECT 1 FROM questions WHERE session = sessions.id) AND id "
	for after := ""; ; {
		var ids []string
		err := s.read(ctx, func(q querier) error {
			ids = nil
			return q.each("SELECT id"+which+"> ? ORDER BY id LIMIT ?", []any{since, after, readAtOnce}, func(scan func(...any) error) error {
				var id string
				err := scan(&id)
				ids = append(ids, id)
				return err
			})
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		after = ids[len(ids)-1]
		err = s.steps(ctx, func(t *tx, m *meter) (bool, error) {
			rest := ids
			t.then(func() { ids = rest })
			for more := true; more && len(rest) > 0; rest = rest[1:] {
				if _, err := t.exec("DELETE"+which+"= ?", since, rest[0]); err != nil {
					return false, err
				}
				more = m.spend(matchUnits)
			}
			return len(rest) > 0, t.dirty(logDirty)
		})
		if err != nil {
			return err
		}
	}
}

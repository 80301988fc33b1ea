package history

import (
	"context"
	"errors"
	"unicode/utf8"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// Limits of Find.
const (
	defaultFound = 10
	mostFound    = 50
)

// Find returns the open and closed questions whose ids have a prefix. A complete id only matches itself.
func (h *History) Find(ctx context.Context, p protocol.HistoryFindParams) (result protocol.HistoryFindResult, err error) {
	if p.Prefix == "" {
		return result, locale.Refuse(locale.HistoryUnknownEntry)
	}
	if p.Limit <= 0 {
		p.Limit = defaultFound
	}
	limit := min(p.Limit, mostFound)
	err = h.use(ctx, func(from store.Store) error {
		result = protocol.HistoryFindResult{Questions: []protocol.FoundQuestion{}}
		ids, err := from.IDs(ctx, p.Prefix, limit+1)
		switch {
		case err != nil:
			return err
		case len(ids) > 0 && ids[0] == p.Prefix:
			ids = ids[:1]
		case len(ids) > limit:
			ids, result.More = ids[:limit], true
		}
		for _, id := range ids {
			found, err := find(ctx, from, id)
			if err != nil {
				return err
			}
			result.Questions = append(result.Questions, found)
		}
		return nil
	})
	return result, err
}

func find(ctx context.Context, in store.Store, id string) (found protocol.FoundQuestion, err error) {
	q, err := in.Question(ctx, id)
	if err != nil {
		return found, err
	}
	if q.Outcome != nil {
		entry, err := archive.Entry(q)
		found.Entry = &entry
		return found, err
	}
	session, err := in.Session(ctx, q.Session)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return found, err
	}
	item, err := archive.Item(q, session)
	found.Item = &item
	return found, err
}

// shortIDLength is the minimum length of a short id in bytes.
const shortIDLength = 8

func addShortIDs(ctx context.Context, in store.Store, entries []protocol.HistoryEntry) (err error) {
	for i := range entries {
		if entries[i].ShortID, err = shortID(ctx, in, entries[i].QuestionID); err != nil {
			return err
		}
	}
	return nil
}

// shortID returns the shortest unique prefix of an id.
func shortID(ctx context.Context, in store.Store, id string) (string, error) {
	for length := shortIDLength; length < len(id); {
		for length < len(id) && !utf8.RuneStart(id[length]) {
			length++
		}
		near, err := in.IDs(ctx, id[:length], 2)
		if err != nil || len(near) <= 1 {
			return id[:length], err
		}
		for _, other := range near {
			if other != id {
				length = max(length, commonPrefix(id, other)+1)
			}
		}
	}
	return id, nil
}

// commonPrefix returns the length of two texts' common prefix in bytes.
func commonPrefix(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

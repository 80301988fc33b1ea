package engine

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"followup/internal/store"
)

// exportBatch is how many entries an export reads at a time.
const exportBatch = 64

// Pages are what the history is read from.
type Pages interface {
	History(ctx context.Context, f store.Filter, before store.Key, limit int) (store.Page, error)
	// WithAnswerImages adds the images of answers.
	WithAnswerImages(ctx context.Context, entries []store.Question) error
}

// Source is what parts of the history are read from.
type Source interface {
	Pages
	Question(ctx context.Context, id string) (store.Question, error)
	// Places gives the places of those of the questions that are closed.
	Places(ctx context.Context, ids []string) ([]Place, error)
	// Keys gives about so many places before one that a filter lets through, newest first, and where to go on; 0 at the end.
	Keys(ctx context.Context, f store.Filter, before store.Key, most int) (keys []store.Key, next store.Key, err error)
}

// Place is where a question stands in the history.
type Place struct {
	ID  string
	Key store.Key
}

// Bounds are the keys that a filter lets through before one: the first of them, and the first that is behind them.
func Bounds(f store.Filter, before store.Key) (first, end store.Key) {
	first, end = math.MinInt64, math.MaxInt64
	if before != 0 {
		end = before
	}
	if !f.From.IsZero() {
		first = FirstKey(f.From.UnixMilli())
	}
	if !f.To.IsZero() {
		end = min(end, FirstKey(f.To.UnixMilli()))
	}
	return first, end
}

// CheckLimit refuses a page without a limit.
func CheckLimit(limit int) error {
	if limit <= 0 {
		return errors.New("store: a page of the history needs a limit")
	}
	return nil
}

// Selected hands over the keys of a selection, about so many at a time; what is done with them may write.
func Selected(ctx context.Context, in Source, what store.Selection, most int, do func([]store.Key) error) error {
	if what.IDs != nil {
		for ids := range slices.Chunk(what.IDs, most) {
			places, err := in.Places(ctx, ids)
			if err != nil {
				return err
			}
			if err := handOver(keysOf(places), do); err != nil {
				return err
			}
		}
		return nil
	}
	for before := store.Key(0); ; {
		keys, next, err := in.Keys(ctx, what.Filter, before, most)
		if err == nil {
			err = handOver(keys, do)
		}
		if err != nil || next == 0 {
			return err
		}
		before = next
	}
}

func handOver(keys []store.Key, do func([]store.Key) error) error {
	if len(keys) == 0 {
		return nil
	}
	return do(keys)
}

func keysOf(places []Place) []store.Key {
	keys := make([]store.Key, len(places))
	for i, p := range places {
		keys[i] = p.Key
	}
	slices.Sort(keys)
	return keys
}

// Count tells how many questions a selection holds, of which so many places are read at a time.
func Count(ctx context.Context, in Source, what store.Selection, most int) (count int, err error) {
	err = Selected(ctx, in, what, most, func(keys []store.Key) error {
		count += len(keys)
		return nil
	})
	return count, err
}

// Export hands over what a filter lets through with everything that belongs to it, newest first, until emit returns an error. Nobody is
// held up meanwhile, and emit may use the store; what is deleted meanwhile may be missing.
func Export(ctx context.Context, in Pages, f store.Filter, emit func(store.Question) error) error {
	for before := store.Key(0); ; {
		page, err := in.History(ctx, f, before, exportBatch)
		if err == nil {
			err = in.WithAnswerImages(ctx, page.Entries)
		}
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

// ExportIDs is Export of closed questions with these ids.
func ExportIDs(ctx context.Context, in Source, ids []string, emit func(store.Question) error) error {
	places, err := in.Places(ctx, ids)
	if err != nil {
		return err
	}
	slices.SortFunc(places, func(a, b Place) int { return cmp.Compare(b.Key, a.Key) })
	for _, p := range slices.Compact(places) {
		entry, err := in.Question(ctx, p.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted
		}
		if err == nil {
			err = emit(entry)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

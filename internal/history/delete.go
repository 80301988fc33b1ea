package history

import (
	"context"
	"strconv"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// Delete hides entries at once; the store deletes them permanently when the time to undo has passed. With CountOnly it only counts
// them.
func (h *History) Delete(ctx context.Context, p protocol.HistoryDeleteParams) (protocol.HistoryDeleteResult, error) {
	what := store.Selection{IDs: p.QuestionIDs}
	switch {
	case p.All:
		what = store.Selection{Filter: archive.NewFilter(p.Filter, p.Text)}
	case len(p.QuestionIDs) == 0:
		return protocol.HistoryDeleteResult{}, locale.Refuse("No entries to delete were named.")
	}
	var result protocol.HistoryDeleteResult
	if p.CountOnly {
		err := h.use(ctx, func(in store.Store) (err error) {
			result.Count, err = in.Count(ctx, what)
			return err
		})
		return result, err
	}
	var done store.Deletion
	err := h.use(ctx, func(in store.Store) (err error) {
		done, err = in.Delete(ctx, what)
		return err
	})
	if result.Count = done.Count; done.Count > 0 { // even after a failure or a cancellation
		result.Undo, result.UndoUntil = strconv.FormatInt(done.ID, 10), done.Until.UnixMilli()
	}
	return result, err
}

const historyUndoLapsed locale.Key = "It is too late to undo this: the entries were deleted permanently."

// Restore undoes a deletion in time.
func (h *History) Restore(ctx context.Context, p protocol.HistoryRestoreParams) (result protocol.HistoryDeleteResult, err error) {
	id, err := strconv.ParseInt(p.Undo, 10, 64)
	if err != nil {
		return result, locale.Refuse(historyUndoLapsed)
	}
	err = h.use(ctx, func(in store.Store) (err error) {
		result.Count, err = in.Restore(ctx, id)
		return err
	})
	if err != nil {
		return result, err
	}
	if result.Count == 0 {
		return result, locale.Refuse(historyUndoLapsed)
	}
	return result, nil
}

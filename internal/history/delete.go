package history

import (
	"context"
	"strconv"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// Delete hides entries at once; the store removes them for good when the time to undo it has passed. With Ask it only counts
// them.
func (h *History) Delete(ctx context.Context, p protocol.HistoryDeleteParams) (protocol.HistoryDeleteResult, error) {
	in, err := h.store()
	if err != nil {
		return protocol.HistoryDeleteResult{}, err
	}
	what := store.Selection{IDs: p.QuestionIDs}
	switch {
	case p.All:
		what = store.Selection{Filter: archive.NewFilter(p.Filter, p.Text)}
	case len(p.QuestionIDs) == 0:
		return protocol.HistoryDeleteResult{}, locale.Refuse(locale.HistoryNothingNamed)
	}
	var result protocol.HistoryDeleteResult
	if p.CountOnly {
		if result.Count, err = in.Count(ctx, what); err != nil {
			return result, h.unreadable(ctx, err)
		}
		return result, nil
	}
	done, err := in.Delete(ctx, what)
	if result.Count = done.Count; done.Count > 0 { // also when it failed, or was cancelled, half way
		result.Undo, result.UndoUntil = strconv.FormatInt(done.ID, 10), done.Until.UnixMilli()
	}
	if err != nil {
		return result, h.unreadable(ctx, err)
	}
	return result, nil
}

// Restore undoes a deletion in time.
func (h *History) Restore(ctx context.Context, undo string) (result protocol.HistoryDeleteResult, err error) {
	in, err := h.store()
	if err != nil {
		return result, err
	}
	id, err := strconv.ParseInt(undo, 10, 64)
	if err != nil {
		return result, locale.Refuse(locale.HistoryUndoLapsed)
	}
	if result.Count, err = in.Restore(ctx, id); err != nil {
		return result, h.unreadable(ctx, err)
	}
	if result.Count == 0 {
		return result, locale.Refuse(locale.HistoryUndoLapsed)
	}
	return result, nil
}

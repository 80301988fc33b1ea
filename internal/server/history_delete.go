package server

import (
	"context"
	"time"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// deletedAtOnce is how many entries are deleted in one transaction, so that answers come in between.
const deletedAtOnce = 500

// undo is a deletion that can still be taken back.
type undo struct {
	ids   []string
	lapse *time.Timer
}

func (s *Server) historyDelete(ctx context.Context, p protocol.HistoryDeleteParams) (protocol.HistoryDeleteResult, error) {
	var result protocol.HistoryDeleteResult
	in, err := s.kept()
	if err != nil {
		return result, err
	}
	var ids []string
	switch {
	case p.All:
		ids, err = deleteAll(ctx, in, archive.NewFilter(p.Filter, p.Text), &result.Count)
	case len(p.QuestionIDs) > 0:
		ids = p.QuestionIDs
		result.Count, err = in.Delete(ctx, ids...)
	default:
		return result, s.refused(locale.HistoryNothingNamed)
	}
	if result.Count > 0 { // also when it failed, or was cancelled, half way
		result.Undo, result.UndoUntil = s.undoable(in, ids)
	}
	if err != nil {
		return result, s.unreadable(ctx, err)
	}
	return result, nil
}

// deleteAll deletes what a filter lets through, page by page, and gives the ids.
func deleteAll(ctx context.Context, in *store.Store, f store.Filter, count *int) ([]string, error) {
	var ids []string
	var before store.Key
	for {
		page, err := in.History(ctx, f, before, deletedAtOnce)
		if err != nil {
			return ids, err
		}
		var these []string
		for _, q := range page.Entries {
			these = append(these, q.ID)
		}
		if len(these) > 0 {
			deleted, err := in.Delete(ctx, these...)
			if err != nil {
				return ids, err
			}
			ids = append(ids, these...)
			*count += deleted
		}
		if before = page.Next; before == 0 {
			return ids, nil
		}
	}
}

// undoable keeps a deletion for as long as it can be taken back, and has it removed for good then.
func (s *Server) undoable(in *store.Store, ids []string) (token string, until int64) {
	token = s.options.NewID()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.undos[token] = &undo{ids, time.AfterFunc(store.Undo+purgeAfter, func() { s.purge(in, token) })}
	return token, time.Now().Add(store.Undo).UnixMilli()
}

// purgeAfter is how long after the undo time has lapsed a deletion is removed for good; by the store's clock it must have lapsed.
const purgeAfter = 100 * time.Millisecond

// purge removes for good what can no longer be brought back. Where the store was closed meanwhile, whoever opens it next does.
func (s *Server) purge(in *store.Store, token string) {
	s.mu.Lock()
	delete(s.undos, token)
	gone := s.store != in
	s.mu.Unlock()
	if gone {
		return
	}
	removed, err := in.Purge(context.Background())
	if err != nil {
		s.log.Warn("could not remove for good what was deleted; it is tried again later", zap.Error(err))
		return
	}
	s.log.Info("removed for good", zap.Int("questions", removed))
}
